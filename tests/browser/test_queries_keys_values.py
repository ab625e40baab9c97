"""The four steps in Chromium: pointing at a word shows its sums, and springs back."""

from tests.browser.harness import in_the_address, open_lesson, picture, settle

SHOWN = "?shown=qkv_guess"



def test_pointing_at_a_word_shows_its_sums_until_the_pointer_leaves(
    page, server, messages
):
    open_lesson(page, f"{server}/queries_keys_values{SHOWN}")
    steps = picture(page, "looks:")
    steps.scroll_into_view_if_needed()
    settle(page)
    sent = len(messages)
    at_first = steps.get_by_text("it · cat: 0.8·0.9")
    at_first.wait_for()
    steps.locator("path[aria-label^='sat, key']").first.hover(force=True)
    steps.get_by_text("it · sat: 0.8·0").wait_for()
    assert at_first.count() == 0
    page.mouse.move(5, 5)
    at_first.wait_for()
    assert len(messages) == sent
    assert page.errors == []


def test_the_table_is_edited_and_undone_by_keyboard(page, server):
    open_lesson(page, f"{server}/queries_keys_values{SHOWN}&change=true")
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    # A number of `cat`, then a larger one in its place.
    page.mouse.click(box["x"] + box["width"] * 0.45, box["y"] + 35 * 2.5)
    settle(page)
    page.keyboard.type("3")  # opens the cell
    page.locator("#portal textarea, #portal input").wait_for()
    page.keyboard.press("Enter")
    in_the_address(page, "table_words=")
    settle(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("!location.search.includes('table_words=')")
    assert page.errors == []
