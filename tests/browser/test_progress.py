"""What a student has done stays in the browser, over a closed tab, and is forgotten."""

from tests.browser.harness import open_lesson, settle

HELD = "localStorage.getItem('transformer-course') || ''"


def answer_first(page):
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    settle(page)
    page.wait_for_function(f"({HELD}).includes('1:path')")


def test_an_answer_stands_there_again_in_a_new_tab(new_page, server):
    page = open_lesson(new_page(), server + "/check")
    assert page.evaluate(HELD) == ""
    answer_first(page)
    again = page.context.new_page()
    page.close()
    open_lesson(again, server + "/check")
    bar = again.get_by_test_id("stProgress")
    bar.get_by_text("1 of").first.wait_for()
    settle(again)
    assert again.get_by_role("radio", checked=True).count() == 1


def test_what_was_done_can_be_forgotten(page, server):
    open_lesson(page, server + "/check")
    answer_first(page)
    open_lesson(page, server + "/exercises?exercises_done=true")
    page.get_by_role("button", name="Forget everything").click()
    settle(page)
    page.wait_for_function(f"({HELD}) === ''")
    open_lesson(page, server + "/check")
    assert page.get_by_test_id("stProgress").inner_text().startswith("0 of")
    assert page.errors == [] and page.foreign == []
