"""What holds for every lesson in a real browser; a new lesson gets these by itself."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.ui.course import COURSE, LESSONS
from tests.browser.harness import open_lesson, settle

EVERY = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
AXE = {
    "runOnly": [
        "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice",
    ]
}
# The colours of Streamlit's own code printer; nothing of ours.
NOT_OURS = (".token",)


@EVERY
def test_a_first_visit_to_a_deep_link_shows_the_lesson_in_its_frame(
    lesson, fresh_server, page
):
    page.add_init_script(NOTE_EVERY_TEXT)
    open_lesson(page, fresh_server + lesson.address)
    assert page.get_by_role("heading", level=1).inner_text() == lesson.question
    assert page.title() == lesson.title
    assert not page.evaluate("window.sawNotFound")
    menu = page.get_by_test_id("stHeader").inner_text()
    for section in COURSE:
        assert section in menu
    assert page.errors == []
    assert page.foreign == []


@EVERY
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_of_ours(lesson, theme, server, new_page):
    page = open_lesson(new_page(theme), server + lesson.address)
    for section in page.locator("details:not([open]) > summary").all():
        section.click()
    settle(page)
    found = Axe().run(page, options=AXE).response["violations"]
    assert [describe(one) for one in found if ours(one)] == []
    assert page.errors == []


@EVERY
def test_a_telephone_needs_no_sideways_scrolling(lesson, server, new_page):
    page = open_lesson(new_page(width=390, height=800), server + lesson.address)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth") <= 390
    assert page.get_by_role("heading", level=1).is_visible()


NOTE_EVERY_TEXT = """
window.sawNotFound = false;
new MutationObserver(() => {
  if (document.body?.innerText.includes("Page not found")) window.sawNotFound = true;
}).observe(document, { childList: true, subtree: true });
"""


def ours(violation):
    """Whether anything beyond Streamlit's own parts is at fault."""
    return any(
        not any(part in str(node["target"]) for part in NOT_OURS)
        for node in violation["nodes"]
    )


def describe(violation):
    """A violation in one line."""
    where = [node["html"][:150] for node in violation["nodes"]][:3]
    return f"{violation['id']}: {violation['help']}: {where}"
