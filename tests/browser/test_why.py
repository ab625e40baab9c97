"""The lesson on why in a real browser: the slider, and the words of a long story."""

from tests.browser.harness import in_the_address, open_lesson, picture

PICTURE = "Two ways to remember"


def test_the_slider_moves_by_key_and_the_story_grows(server, page):
    open_lesson(page, f"{server}/why?shown=why_guess&others=1")
    picture(page, "through 19 tokens").wait_for()
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    picture(page, "through 25 tokens").wait_for()
    in_the_address(page, "others=2")
    assert page.errors == []


def test_every_word_of_the_longest_story_can_be_read_on_a_telephone(server, new_page):
    page = open_lesson(new_page(width=390), f"{server}/why?shown=why_guess&others=3")
    shown = picture(page, PICTURE).locator(".mark-text text").all_text_contents()
    assert {"<start>", "red", "brown", "what"} <= set(shown)
