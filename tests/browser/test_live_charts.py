"""What `assets/live_charts.html` and `course.css` put right, seen in a real browser."""

import re

import altair
import pytest
import streamlit

from pages.ui.course import PAGES
from tests.browser.harness import open_lesson, settle

PICTURE = ".st-key-positions_picture"  # in the lesson on positions
SCRIPT = (PAGES.parent / "assets" / "live_charts.html").read_text(encoding="utf-8")


def test_the_script_names_the_versions_that_it_was_measured_on():
    # It hangs on what they write into the page: after an update, look at it again.
    assert f"Streamlit {streamlit.__version__}" in SCRIPT
    assert f"Vega-Lite\n// {altair.SCHEMA_VERSION.removeprefix('v')}" in SCRIPT


@pytest.fixture
def positions(server, new_page):
    return open_lesson(new_page(theme="dark"), f"{server}/positions?shown=positions")


def test_over_a_chart_one_button_is_left_and_it_is_shortly_named(positions):
    names = positions.eval_on_selector_all(
        ".stElementToolbar:has(+ .stVegaLiteChart) button",
        "buttons => buttons.filter(one => one.offsetParent)"
        ".map(one => one.getAttribute('aria-label'))",
    )
    assert names
    assert set(names) == {"Fullscreen"}


def test_a_button_over_a_chart_is_seen_when_it_has_the_focus(positions):
    bar = positions.locator(".stElementToolbar:has(+ .stVegaLiteChart)").first
    bar.locator("button").last.focus()
    settle(positions)
    assert float(bar.evaluate("bar => getComputedStyle(bar).opacity")) == 1


def kept(page, kind):
    """The file that a press on one of the two buttons brings."""
    with page.expect_download() as download:
        page.locator(".keep-picture", has_text=kind).click()
    return download.value


def test_a_picture_can_be_kept_in_light_colours_from_the_dark_theme(
    positions, tmp_path
):
    positions.locator(PICTURE).get_by_role("button", name="Numbers").click()
    positions.wait_for_selector(".keep-picture")
    svg = kept(positions, "SVG")
    assert svg.suggested_filename == "positions.svg"
    svg.save_as(tmp_path / "kept.svg")
    drawn = (tmp_path / "kept.svg").read_text(encoding="utf-8")
    assert 'fill="#ffffff"' in drawn
    assert "<desc>" in drawn
    assert not re.search("currentcolor|light-dark", drawn, re.IGNORECASE)
    assert "rgb(16, 21, 29)" in drawn  # letters of the light theme
    png = kept(positions, "PNG")
    assert png.suggested_filename == "positions.png"
    png.save_as(tmp_path / "kept.png")
    assert (tmp_path / "kept.png").read_bytes().startswith(b"\x89PNG")
    assert positions.errors == []
    assert positions.foreign == []


def test_a_slider_is_seen_in_forced_colours(server, new_page):
    page = new_page()
    page.emulate_media(forced_colors="active")
    open_lesson(page, f"{server}/why?shown=why_guess")
    colours = page.locator("[data-testid='stSlider']").first.evaluate(
        """slider => {
          const thumb = slider.querySelector("[data-testid='stSliderThumbValue']");
          const track = slider.querySelector("[role='group'] > div > div");
          return [thumb.parentElement, track]
            .map(part => getComputedStyle(part).backgroundColor);
        }"""
    )
    behind = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert all(colour not in (behind, "rgba(0, 0, 0, 0)") for colour in colours)
