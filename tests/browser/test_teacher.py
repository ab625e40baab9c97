"""The teacher's page in a real browser: what lies behind its tabs."""

import pytest

from tests.browser.accessibility import faults_in_both_themes
from tests.browser.harness import open_lesson


@pytest.mark.parametrize("part", ["Links", "Worksheets", "Results", "In class"])
def test_axe_finds_nothing_of_ours_in_any_part(part, page, server):
    open_lesson(page, f"{server}/teacher?teacher_part={part.replace(' ', '+')}")
    assert faults_in_both_themes(page) == []
    assert page.errors == [] and page.foreign == []


def test_only_the_sheets_are_printed(page, server):
    open_lesson(page, f"{server}/teacher?teacher_part=Worksheets")
    assert page.locator(".answer-line").count()
    page.emulate_media(media="print")
    assert page.get_by_text("Worksheet 1").is_visible()
    assert not page.get_by_label("Lessons", exact=True).first.is_visible()
