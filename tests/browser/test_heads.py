"""The heads lesson under the hand: pick a head by keyboard, cut it, share the link."""

from tests.browser.harness import open_lesson


def test_a_head_is_picked_by_keyboard_and_kept_in_the_address(server, page):
    open_lesson(page, f"{server}/heads")
    page.get_by_role("radio", name="1.2", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("[aria-label*='Head 1.2:']").first.wait_for()
    page.wait_for_url("**head=1.2**")
    assert page.errors == []


def test_a_link_restores_head_cut_and_sentence(server, page):
    open_lesson(page, f"{server}/heads?head=2.3&cut=true&heads_text=the+key")
    said = page.locator("[aria-label*='with head 2.3 cut out']").first
    said.wait_for()
    assert "After 'the key'" in said.get_attribute("aria-label")
