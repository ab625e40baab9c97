"""What browser tests need: a server, waiting, and notes of what goes wrong."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

from pages.ui.course import PAGES

ROOT = PAGES.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--no-sandbox --disable-gpu --disable-background-networking "
    "--disable-component-update --disable-sync --no-first-run"
).split()
# Streamlit looks for its own server below the address of a page first; each miss is
# noted by the browser as an error.
OWN_PROBES = ("_stcore/health", "_stcore/host-config")


def ci():
    """Whether a missing browser is a failure."""
    return bool(os.environ.get("CI"))


@contextmanager
def running_server(**environment):
    """Start the course on a free port; stop it at the end."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [
        sys.executable, "-m", "streamlit", "run", "streamlit_app.py",
        "--server.headless=true", "--server.address=127.0.0.1",
        f"--server.port={port}", "--server.fileWatcherType=none",
    ]
    environment = {**os.environ, **environment}
    environment.pop("PYTEST_CURRENT_TEST", None)  # the server must run as it does live
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_healthy(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(address, process, seconds=60):
    """Ask until the server answers; fail if it ends or takes too long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert process.poll() is None, "the server ended at its start"
        try:
            health = f"{address}/_stcore/health"
            with urllib.request.urlopen(health, timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server did not answer")


def note_error(tab, message):
    source = (message.location or {}).get("url", "")
    if message.type == "error" and not source.endswith(OWN_PROBES):
        tab.errors.append(f"{message.text} ({source})")


def note_foreign(tab, request):
    if not request.url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:",
                                   "blob:")):
        tab.foreign.append(request.url)


def open_lesson(page, url):
    """Go to an address and wait until the lesson stands."""
    page.goto(url)
    settle(page)
    return page


def settle(page):
    """Wait until the script has run and everything is drawn."""
    app = "[data-testid='stApp']"
    page.wait_for_timeout(210)  # widgets send a change only after a moment
    for state in ("connection-state='CONNECTED'", "script-state='notRunning'"):
        page.wait_for_selector(f"{app}[data-test-{state}]", state="attached")
    page.wait_for_function(
        "document.querySelectorAll('[data-testid=stSkeleton]').length === 0"
    )
    page.wait_for_timeout(150)


def open_every_section(page):
    """Open all sections of a lesson, those inside others too."""
    closed = "details:not([open]) > summary"
    for _ in range(5):
        page.evaluate(f"document.querySelectorAll('{closed}').forEach(e => e.click())")
        settle(page)
        if not page.locator(closed).count():
            return
    raise AssertionError("a section does not open")
