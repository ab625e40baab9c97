"""What holds for every lesson in a real browser; a new lesson gets these by itself."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.ui.course import COURSE, LESSONS, NAME
from tests.browser.harness import open_every_section, open_lesson, settle

EVERY = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
AXE = {
    "runOnly": [
        "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice",
    ]
}
# The colours of Streamlit's own code printer, and its formulas, which scroll where they
# are wider than the column and cannot take the focus; nothing of ours.
NOT_OURS = (".token", ".katex-display")
# Vega gives a layer in which nothing is drawn a role without a name, and Streamlit its
# upload box both a name and the role of something without meaning.
NOT_OURS_EITHER = (
    r'<g class="mark-[^>]*></g>'
    r'|<section [^>]*data-testid="stFileUploaderDropzone"(.|\n)*'
)


@EVERY
def test_a_first_visit_to_a_deep_link_shows_the_lesson_in_its_frame(
    lesson, fresh_server, page
):
    page.add_init_script(NOTE_EVERY_TEXT)
    open_lesson(page, fresh_server + lesson.address)
    assert page.get_by_role("heading", level=1).inner_text() == lesson.question
    assert page.title() == (f"{lesson.title} · {NAME}" if lesson.number else NAME)
    assert not page.evaluate("window.sawNotFound")
    menu = page.get_by_test_id("stHeader").inner_text()
    for section in COURSE:
        assert section in menu
    assert page.errors == []
    assert page.foreign == []


@EVERY
def test_axe_finds_nothing_of_ours_in_light_and_dark(lesson, server, page):
    open_lesson(page, server + lesson.address)
    open_every_section(page)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        settle(page)
        assert background(page) == theme
        page.wait_for_timeout(1000)  # colours fade from one theme into the other
        found = Axe().run(page, options=AXE).response["violations"]
        assert faults_of_ours(found) == []
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


def background(page):
    """Whether the page is light or dark."""
    colour = page.get_by_test_id("stApp").evaluate(
        "e => getComputedStyle(e).backgroundColor"
    )
    red = int(colour.split("(")[1].split(",")[0])
    return "light" if red > 127 else "dark"


def faults_of_ours(violations):
    """What axe found, without what only Streamlit's own parts are to blame for."""
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in violations
        for node in violation["nodes"]
        if not any(part in str(node["target"]) for part in NOT_OURS)
        and not re.fullmatch(NOT_OURS_EITHER, node["html"])
    ]
