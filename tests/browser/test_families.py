"""The lesson on the families in a real browser."""

from tests.browser.harness import in_the_address, open_lesson, picture


def test_masks_and_turns_can_be_reached_by_keyboard(server, page):
    open_lesson(page, f"{server}/families")
    assert picture(page, "169 of 169 pairs").is_visible()
    page.get_by_role("radio", name="decoder", exact=True).focus()
    page.keyboard.press("Enter")
    picture(page, "91 of 169 pairs").wait_for()
    page.get_by_role("button", name="One more turn").focus()
    page.keyboard.press("Enter")
    in_the_address(page, "turns=2")
    assert page.errors == []
