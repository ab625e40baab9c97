"""Lessons in a real Chromium, on a real server; see `harness.py` for the functions."""

import shutil

import pytest

from tests.browser.harness import (
    BROWSERS,
    QUIET,
    ci,
    note_error,
    note_foreign,
    running_server,
)


def pytest_collection_modifyitems(items):
    """Try a browser test again before it counts as failed.

    On a busy machine colours still fade and answers come late; what is really broken
    fails three times.
    """
    for item in items:
        if "browser" in item.path.parts:
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


@pytest.fixture
def fresh_server(chromium):
    """The address of a server that nobody has visited yet."""
    with running_server() as address:
        yield address


@pytest.fixture
def new_page(chromium):
    """A function that opens a tab with a theme and a width, and notes what goes wrong.

    The tab has two lists: `errors` (console errors and uncaught exceptions) and
    `foreign` (requests to any other host).
    """
    contexts = []

    def new(theme="light", width=1280, height=900):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme
        )
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(90_000)  # a busy machine is no fault of a lesson
        tab.errors, tab.foreign = [], []
        tab.on("console", lambda message: note_error(tab, message))
        tab.on("pageerror", lambda error: tab.errors.append(str(error)))
        tab.on("request", lambda request: note_foreign(tab, request))
        return tab

    yield new
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page):
    """A tab on a wide screen in the light theme."""
    return new_page()
