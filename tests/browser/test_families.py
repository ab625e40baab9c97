"""The lesson on the families in a real browser."""

from tests.browser.harness import in_the_address, open_lesson, picture


def test_one_switch_drives_mask_and_bars_by_keyboard(server, page):
    open_lesson(page, f"{server}/families?shown=families_guess")
    picture(page, "169 of 169 pairs").wait_for()
    picture(page, "The encoder twin puts into the blank").wait_for()
    page.get_by_role("radio", name="decoder", exact=True).focus()
    page.keyboard.press("Enter")
    picture(page, "91 of 169 pairs").wait_for()
    picture(page, "The tiny LLM puts into the blank").wait_for()
    in_the_address(page, "family=decoder")
    assert page.errors == []
