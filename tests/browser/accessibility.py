"""What axe finds on a page in the light and in the dark theme, and what of it is ours.
"""

import re

from axe_playwright_python.sync_playwright import Axe

from tests.browser.harness import settle

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


def faults_in_both_themes(page):
    """The faults of a page that are ours, in the light and in the dark theme."""
    page.add_style_tag(content=AT_ONCE)
    faults = []
    for theme, options in IN_THEME.items():
        page.emulate_media(color_scheme=theme)
        settle(page)
        assert background(page) == theme
        options = {**options, "resultTypes": ["violations"]}
        found = Axe().run(page, options=options).response["violations"]
        faults += faults_of_ours(found)
    return faults


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
