"""The course wherever it is started and shown, and over a connection that breaks."""

import os
import shutil

import pytest

from tests.browser.harness import (
    ROOT,
    open_lesson,
    picture,
    running_server,
    settle,
)

PARTS = ("streamlit_app.py", "pages", "llm", "assets", ".streamlit")
CONNECTION = "[data-testid='stApp'][data-test-connection-state={}]"


@pytest.fixture
def read_only(tmp_path):
    """A copy of the course in which nobody may write."""
    copy = tmp_path / "course"
    copy.mkdir()
    no_bytecode = shutil.ignore_patterns("__pycache__")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy / part, ignore=no_bytecode)
        else:
            shutil.copy(ROOT / part, copy)
    may_write(copy, False)
    yield copy
    may_write(copy, True)


def may_write(folder, yes):
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if yes else 0o555)


def files_in(folder):
    """All files with their times, without what Python notes for itself."""
    return {
        path: path.stat().st_mtime_ns for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_a_read_only_copy_runs_below_a_path_and_from_another_folder(
    read_only, tmp_path, page
):
    (elsewhere := tmp_path / "elsewhere").mkdir()
    before = files_in(read_only)
    script, path = read_only / "streamlit_app.py", "course"
    with running_server(script, elsewhere, server_baseUrlPath=path) as address:
        assert address.endswith("/course")
        open_lesson(page, address + "/sampling?start=the+dog")
        assert page.get_by_test_id("stHeader").is_visible()
        assert page.get_by_role("textbox").first.input_value() == "the dog"
        blue = page.get_by_test_id("stApp").evaluate(
            "e => getComputedStyle(e).getPropertyValue('color')")
        assert blue == "rgb(16, 21, 29)", "the theme of the course"
        page.get_by_role("link", name="Next:").click()
        page.wait_for_url("**/course/training**")
        settle(page)
        assert picture(page, "tiny LLM of step").is_visible()
    assert files_in(read_only) == before and not os.listdir(elsewhere)
    assert page.errors == [] and page.foreign == []


def test_in_a_frame_of_another_site_a_lesson_works_and_its_link_can_be_copied(
    server, new_page
):
    page = new_page()
    inside = f"{server}/your_text?embed=true"
    around = server.replace("127.0.0.1", "localhost") + "/a_frame_around_it.html"
    html = f'<iframe src="{inside}" width="1000" height="800"></iframe>'
    page.route(around, lambda route: route.fulfill(
        body=html, content_type="text/html"))
    page.goto(around)
    frame = page.frame_locator("iframe")
    frame.get_by_role("heading", level=1).wait_for()
    frame.get_by_text("refuse an upload").wait_for()
    frame.get_by_role("button", name="Link to this screen").click()
    link = frame.get_by_test_id("stPopoverBody").locator("code")
    assert link.inner_text().startswith(f"{server}/your_text")
    page.keyboard.press("Escape")
    frame.get_by_role("link", name="Next:").click()
    frame.get_by_role("heading", name="What do you know now?").wait_for()


README = (ROOT / "README.md").read_text(encoding="utf-8")
POLICY = [line.strip() for line in README.splitlines()
          if line.strip().startswith("Content-Security-Policy:")]


@pytest.mark.parametrize("address, drawn", [
    ("/next_token?start=the", "svg.marks"), ("/machine", ".machine .cell"),
])
def test_under_the_policy_that_the_readme_recommends_nothing_is_refused(
    address, drawn, server, new_page
):
    page = new_page()
    (policy,) = POLICY
    name, value = policy.split(": ", 1)

    def with_policy(route):
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, name: value})

    page.route(lambda url: url == server + address, with_policy)
    page.goto(server + address)
    # Not `settle`: what it asks again and again is refused by such a policy, too.
    page.locator(CONNECTION.format("CONNECTED")).wait_for()
    page.locator(drawn).first.wait_for()
    ours = "[window.oneEntryForEachLesson, window.liveCharts, window.translationHeld]"
    assert page.evaluate(ours) == [True, True, True]
    assert page.errors == []


class Line:
    """The connection of a tab, which can be cut and mended."""

    def __init__(self, page):
        self.is_cut, self.sockets = False, []
        page.route_web_socket("**/_stcore/stream", self.route)

    def route(self, socket):
        if self.is_cut:
            socket.close()
        else:
            self.sockets.append((socket, socket.connect_to_server()))

    def cut(self):
        self.is_cut = True
        for side in self.sockets.pop():
            side.close()

    def mend(self):
        self.is_cut = False


def test_what_was_typed_and_answered_is_there_after_a_lost_connection(
    server, new_page
):
    page = new_page()
    line = Line(page)
    open_lesson(page, server + "/heads")
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    settle(page)
    box = page.get_by_role("textbox").first
    box.fill("the key to the cabinets")
    box.press("Enter")
    settle(page)
    told = page.get_by_test_id("stMain").inner_text()
    line.cut()
    page.locator(CONNECTION.format("CONNECTED")).wait_for(state="detached")
    line.mend()
    page.locator(CONNECTION.format("CONNECTED")).wait_for()
    settle(page)
    assert page.get_by_test_id("stMain").inner_text() == told
    assert box.input_value() == "the key to the cabinets"
    # And the page is no dead picture: what is done now arrives.
    box.fill("the dog")
    box.press("Enter")
    page.wait_for_function("() => location.search.includes('start=the+dog')")
