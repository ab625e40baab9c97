"""What holds for every lesson in a real browser; a new lesson gets these by itself.

The tests of a lesson share one visit, in the order in which they stand here: a deep
link, the phone, and at last every section open in both themes. The first lesson of each
part has a fresh server, on which its link is the first request of all; that the others
begin well without the router is asked in `tests/pages/test_every_lesson.py`.
"""

from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from pages.ui.course import COURSE, LESSONS, NAME
from tests.browser.accessibility import faults_in_both_themes
from tests.browser.harness import (
    WIDE,
    forget,
    one_tab,
    open_every_section,
    open_lesson,
    settle,
)
from tests.lessons import HEIGHT, section_keys

FIRST_OF_A_PART = [part[0] for part in COURSE.values()]
NARROW = {"width": 390, "height": 800}


@pytest.fixture(scope="module", params=LESSONS, ids=lambda lesson: lesson.stem)
def lesson(request):
    return request.param


@pytest.fixture(scope="module")
def worn_tab(chromium):
    """The tab of all lessons but the first of each part: a function that gives it."""
    with ExitStack() as stack:
        yield one_tab(stack, chromium, NOTE_EVERY_TEXT)


@pytest.fixture(scope="module")
def visit(lesson, server, fresh_server, chromium, worn_tab):
    """The lesson, opened by a link to it."""
    with ExitStack() as stack:
        if lesson in FIRST_OF_A_PART:
            server = stack.enter_context(fresh_server())
            worn_tab = one_tab(stack, chromium, NOTE_EVERY_TEXT)
        tab = worn_tab()
        tab.address = server + lesson.address
        yield open_lesson(tab, tab.address)
        forget(tab)


def test_a_first_visit_to_a_deep_link_shows_the_lesson_in_its_frame(lesson, visit):
    assert visit.get_by_role("heading", level=1).inner_text() == lesson.question
    assert visit.title() == (f"{lesson.title} · {NAME}" if lesson.number else NAME)
    assert not visit.evaluate("window.sawNotFound")
    menu = visit.get_by_test_id("stHeader").inner_text()
    for section in COURSE:
        assert section in menu
    assert visit.errors == []
    assert visit.foreign == []


def test_what_everybody_reads_is_not_longer_than_it_may_be(lesson, visit):
    show_what_follows_a_guess(visit)
    main = visit.get_by_test_id("stMainBlockContainer")
    height = main.evaluate("e => e.getBoundingClientRect().height")
    assert height <= HEIGHT, f"{height:.0f} px"


def test_a_telephone_needs_no_sideways_scrolling(visit):
    visit.set_viewport_size(NARROW)
    settle(visit)
    main = visit.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth") <= NARROW["width"]
    assert visit.get_by_role("heading", level=1).is_visible()


def test_axe_finds_nothing_of_ours_in_light_and_dark(lesson, visit):
    visit.set_viewport_size(WIDE)
    everything = "&".join(f"{key}=true" for key in section_keys(lesson))
    open_lesson(visit, f"{visit.address}?{everything}")
    show_what_follows_a_guess(visit)
    open_every_section(visit)  # tables as well, which are in no address
    assert faults_in_both_themes(visit) == []
    assert visit.errors == []


NOTE_EVERY_TEXT = """
window.sawNotFound = false;
new MutationObserver(() => {
  if (document.body?.innerText.includes("Page not found")) window.sawNotFound = true;
}).observe(document, { childList: true, subtree: true });
"""


def show_what_follows_a_guess(page):
    """Press the buttons of those who do not want to guess."""
    button = page.get_by_role("button", name="Show me")
    for left in reversed(range(button.count())):
        button.first.click()
        # A button that is on its way out must not be pressed again.
        expect(button).to_have_count(left, timeout=60_000)
        settle(page)
