"""The lesson on why in a real browser: the counter, and the memory that fades."""

import pytest

from tests.browser.harness import open_lesson, settle


def test_the_counter_moves_by_key_and_the_chain_follows(server, page):
    open_lesson(page, f"{server}/why?steps=4")
    chain = page.locator("[role='graphics-document']").first
    assert "4 words are read" in chain.get_attribute("aria-label")
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    assert "5 words are read" in chain.get_attribute("aria-label")
    assert "steps=5" in page.url
    assert page.errors == []


@pytest.mark.parametrize("others, tokens", [(0, 13), (3, 31)])
def test_every_word_of_the_story_has_its_label(others, tokens, server, new_page):
    page = open_lesson(new_page(width=390), f"{server}/why?others={others}")
    curves = page.locator("[role='graphics-document']").nth(2)
    labels = curves.locator(".role-axis-label text").all_text_contents()
    words = [label for label in labels if " " in label]  # as in "5 red"
    assert len(words) == tokens
