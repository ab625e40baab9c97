"""What holds for every lesson in a real browser; a new lesson gets these by itself.

The tests of a lesson share one visit, in the order in which they stand here: a fresh
server, a deep link, the phone, and at last every section open in both themes.
"""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from pages.ui.course import COURSE, LESSONS, NAME
from tests.browser.harness import a_tab, open_every_section, open_lesson, settle
from tests.lessons import HEIGHT, TALL, section_keys, within

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
# All that is asked in the light theme; in the dark one only what colours can break.
IN_THEME = {
    "light": {"runOnly": RULES},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
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
AT_ONCE = "*, *::before, *::after { transition: none !important; }"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 800}


@pytest.fixture(scope="module", params=LESSONS, ids=lambda lesson: lesson.stem)
def lesson(request):
    return request.param


@pytest.fixture(scope="module")
def visit(lesson, fresh_server, chromium):
    """The lesson, opened by a link that is the first request of its server."""
    with fresh_server() as server, a_tab(chromium) as tab:
        tab.address = server + lesson.address
        tab.add_init_script(NOTE_EVERY_TEXT)
        yield open_lesson(tab, tab.address)


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
    assert within(height, HEIGHT, TALL, lesson), f"{height:.0f} px"


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
    visit.add_style_tag(content=AT_ONCE)
    for theme, options in IN_THEME.items():
        visit.emulate_media(color_scheme=theme)
        settle(visit)
        assert background(visit) == theme
        options = {**options, "resultTypes": ["violations"]}
        found = Axe().run(visit, options=options).response["violations"]
        assert faults_of_ours(found) == []
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
