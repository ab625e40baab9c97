"""The lesson on the families in a real browser."""

from tests.browser.harness import open_lesson, settle


def test_masks_and_turns_can_be_reached_by_keyboard(server, page):
    open_lesson(page, f"{server}/families")
    chart = page.locator("[role='graphics-document']").first
    assert "169 of 169 pairs" in chart.get_attribute("aria-label")
    page.get_by_role("radio", name="decoder", exact=True).focus()
    page.keyboard.press("Enter")
    settle(page)
    assert "91 of 169 pairs" in chart.get_attribute("aria-label")
    page.get_by_role("button", name="One more turn").focus()
    page.keyboard.press("Enter")
    settle(page)
    assert "turns=2" in page.url
    assert page.errors == []
