"""The lesson on why in a real browser: the slider, and the words of a long story."""

from tests.browser.harness import open_lesson

PICTURE = "[role='graphics-document'][aria-label^='Two ways to remember']"


def test_the_slider_moves_by_key_and_the_story_grows(server, page):
    open_lesson(page, f"{server}/why?shown=why_guess&others=1")
    page.wait_for_selector(f"{PICTURE}[aria-label*='through 19 tokens']")
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"{PICTURE}[aria-label*='through 25 tokens']")
    page.wait_for_url("**others=2**")
    assert page.errors == []


def test_every_word_of_the_longest_story_stands_on_a_telephone(server, new_page):
    page = open_lesson(new_page(width=390), f"{server}/why?shown=why_guess&others=3")
    shown = page.locator(f"{PICTURE} .mark-text text").all_text_contents()
    assert {"<start>", "red", "brown", "what"} <= set(shown)
