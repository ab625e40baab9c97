"""What browser tests need: servers, waiting, and notes of what goes wrong."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

from pages.ui.course import PAGES

ROOT = PAGES.parent
ENTRY = ROOT / "streamlit_app.py"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--no-sandbox --disable-gpu --disable-background-networking "
    "--disable-component-update --disable-sync --no-first-run "
    # What a test answers in place of a server counts as coming from the wide network.
    "--disable-features=LocalNetworkAccessChecks"
).split()
WIDE = {"width": 1280, "height": 900}
OPTIONS = {
    "server_headless": True,
    "server_address": "127.0.0.1",
    "server_fileWatcherType": "none",
}
# Seconds to wait for anything: a busy machine is no fault of a lesson.
PATIENCE = float(os.environ.get("BROWSER_PATIENCE", 30))
# Streamlit looks for its own server below the address of a page first; each miss is
# noted by the browser as an error.
OWN_PROBES = ("_stcore/health", "_stcore/host-config")


def ci():
    """Whether a missing browser is a failure."""
    return bool(os.environ.get("CI"))


@contextmanager
def running_server(entry=ENTRY.name, cwd=ROOT, **options):
    """Start the course on a free port, as a reader does; stop it at the end.

    Args:
        entry: the script, as it is named from the folder `cwd`.
        options: of Streamlit, as `server_baseUrlPath="course"`.
    """
    port = free_port()
    flags = [
        f"--{name.replace('_', '.')}={str(value).lower()}"
        for name, value in (OPTIONS | options | {"server_port": port}).items()
    ]
    command = ["-m", "streamlit", "run", str(entry), *flags]
    process = python(*command, cwd=cwd, stdout=subprocess.DEVNULL)
    path = options.get("server_baseUrlPath", "")
    try:
        yield wait_until_healthy(port, process, path=path and f"/{path}")
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextmanager
def forks():
    """A function that starts a fresh server, for a `with`; see `forks.py`."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = python("-m", "tests.browser.forks", **pipes)

    @contextmanager
    def fresh():
        port = free_port()
        print(port, file=process.stdin, flush=True)
        server = int(process.stdout.readline())
        try:
            yield wait_until_healthy(port, process)
        finally:
            os.kill(server, signal.SIGTERM)

    try:
        yield fresh
    finally:
        process.kill()
        process.wait(timeout=20)


def python(*arguments, cwd=ROOT, **pipes):
    """A process that runs Python, from the root of the project, as it does live."""
    live = {name: value for name, value in os.environ.items()
            if name != "PYTEST_CURRENT_TEST"}
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=cwd, env=live, stderr=subprocess.DEVNULL,
        **pipes,
    )


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(port, process, seconds=2 * PATIENCE, path=""):
    """The address of a server once it answers; an error if it ends or is too slow."""
    address = f"http://127.0.0.1:{port}{path}"
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert process.poll() is None, "the server ended at its start"
        try:
            health = f"{address}/_stcore/health"
            with urllib.request.urlopen(health, timeout=1) as answer:
                if answer.read() == b"ok":
                    return address
        except OSError:
            time.sleep(0.02)
    raise AssertionError("the server did not answer")


@contextmanager
def a_tab(chromium, theme="light", width=WIDE["width"], height=WIDE["height"]):
    """A tab that notes what goes wrong.

    It has two lists: `errors` (console errors and uncaught exceptions) and `foreign`
    (requests to any other host).
    """
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme
    )
    tab = context.new_page()
    tab.set_default_timeout(1000 * PATIENCE)
    tab.errors, tab.foreign = [], []
    tab.on("console", lambda message: note_error(tab, message))
    tab.on("pageerror", lambda error: tab.errors.append(str(error)))
    tab.on("request", lambda request: note_foreign(tab, request))
    try:
        yield tab
    finally:
        context.close()


def one_tab(stack, chromium, script=""):
    """A function that gives one tab again and again, and a new one if it was closed.

    Args:
        stack: an `ExitStack` that closes it in the end.
        script: what runs in it before each page.
    """
    tabs = []

    def tab():
        if not tabs or tabs[-1].is_closed():
            tabs.append(stack.enter_context(a_tab(chromium)))
            tabs[-1].add_init_script(script)
        return tabs[-1]

    return tab


def forget(tab):
    """Make a tab of `a_tab` as good as new; close it if that cannot be done."""
    import playwright.sync_api as playwright

    try:
        if tab.url.startswith("http"):
            tab.evaluate("localStorage.clear(), sessionStorage.clear()")
        tab.goto("about:blank")
        tab.context.clear_cookies()
        tab.set_viewport_size(WIDE)
        tab.emulate_media(media="null", color_scheme="light", forced_colors="null",
                          reduced_motion="null")
    except playwright.Error:
        tab.close()
    tab.errors.clear()
    tab.foreign.clear()


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
    """Wait until the script has run and the page has come to rest.

    A change is sent a moment after a key or a click, so rest means: connected, no run,
    nothing still to be filled in, and for a while no change of the page.
    """
    page.wait_for_function(AT_REST, polling=30)


AT_REST = """() => {
  const app = document.querySelector("[data-testid='stApp']");
  const busy = !app
    || app.dataset.testConnectionState !== "CONNECTED"
    || app.dataset.testScriptState !== "notRunning"
    || document.querySelector("[data-testid=stSkeleton], [data-stale=true]")
    || [...document.querySelectorAll("[data-testid=stVegaLiteChart]")].some(
      chart => !chart.querySelector("svg.marks, canvas"));
  if (!window.changes) {
    window.changes = { at: performance.now() };
    new MutationObserver(() => { window.changes.at = performance.now(); }).observe(
      document, { childList: true, subtree: true, attributes: true,
                  characterData: true });
  }
  if (busy) window.changes.at = performance.now();
  return performance.now() - window.changes.at > 250;
}"""


def open_every_section(page):
    """Open all sections of a lesson, those inside others too."""
    closed = "details:not([open]) > summary"
    for _ in range(5):
        page.evaluate(f"document.querySelectorAll('{closed}').forEach(e => e.click())")
        settle(page)
        if not page.locator(closed).count():
            return
    raise AssertionError("a section does not open")


def picture(page, words):
    """The first chart whose alternative text holds these words, once it is drawn.

    Never by its number on the page: a picture more must not break a test.
    """
    return page.locator(f'[role="graphics-document"][aria-label*="{words}"]').first


def drag(page, slider, to, steps=30, pause=0):
    """Drag a slider of a chart; call `page.mouse.up()` to let go.

    Args:
        slider: its `input`, a locator.
        to: where to, as a share of its length.
        steps: how many moves the hand makes.
        pause: milliseconds that it rests after every tenth.
    """
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    low, high, value = slider.evaluate("e => [+e.min, +e.max, +e.value]")
    y, left, width = box["y"] + box["height"] / 2, box["x"] + 8, box["width"] - 16
    start = (value - low) / (high - low)
    page.mouse.move(left + width * start, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(left + width * (start + (to - start) * step / steps), y)
        if pause and step % 10 == 0:
            page.wait_for_timeout(pause)


def in_the_address(page, words):
    """Wait until the address holds these words."""
    page.wait_for_function("words => location.search.includes(words)", arg=words)
