"""Lessons in a real Chromium, on a real server; see `harness.py` for the functions."""

import os
import shutil
from contextlib import ExitStack

import pytest

from tests.browser.harness import (
    BROWSERS,
    QUIET,
    a_tab,
    ci,
    forget,
    forks,
    one_tab,
    running_server,
)


def pytest_collection_modifyitems(items):
    """Try a browser test again: what the machine does beside it may come between.

    What is really broken fails three times.
    """
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium, or a skip that says why; under CI a failure."""
    playwright = pytest.importorskip("playwright.sync_api") if not ci() else None
    if playwright is None:
        import playwright.sync_api as playwright
    with playwright.sync_playwright() as driver:
        path = next(filter(None, map(shutil.which, BROWSERS)), None)
        try:
            browser = driver.chromium.launch(executable_path=path, args=QUIET)
        except playwright.Error as error:
            if ci():
                raise
            pytest.skip(f"no Chromium here: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium):
    """The address of a server that all warm tests share."""
    with running_server() as address:
        yield address


@pytest.fixture(scope="session")
def fresh_server(chromium):
    """A function that starts a server that nobody has visited, for a `with`."""
    if hasattr(os, "fork"):
        with forks() as fresh:
            yield fresh
    else:
        yield running_server


@pytest.fixture
def new_page(chromium):
    """A function that opens a tab with a theme and a width."""
    with ExitStack() as stack:
        yield lambda **looks: stack.enter_context(a_tab(chromium, **looks))


@pytest.fixture(scope="session")
def kept_tab(chromium):
    """A function that gives the tab that tests use one after the other.

    A new tab compiles all of Streamlit's scripts before it shows a lesson, which takes
    twice as long as to show it.
    """
    with ExitStack() as stack:
        yield one_tab(stack, chromium)


@pytest.fixture
def page(kept_tab):
    """A wide tab in the light theme, which remembers nothing.

    A test that listens to its tab, answers for the server or counts its history takes
    a `new_page()`.
    """
    tab = kept_tab()
    yield tab
    forget(tab)


@pytest.fixture
def messages(page):
    """What the tab sends to the server, as a list that grows."""
    sent = []

    # Playwright marks a handler, and a method of a list takes no marks.
    def listen(socket):
        socket.on("framesent", lambda frame: sent.append(frame))

    page.on("websocket", listen)
    yield sent
    page.remove_listener("websocket", listen)
