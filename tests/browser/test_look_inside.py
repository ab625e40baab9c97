"""Look inside in Chromium: another part opens, and a link shows the same again."""

from tests.browser.harness import open_lesson, settle

LINK = ("/look_inside?look_start=the+cat+sat+on+the&look_word=floor&look_steps=true"
        "&look_part=head+1.1")


def test_another_part_is_opened_by_keyboard(page, server):
    open_lesson(page, server + "/look_inside?look_steps=true")
    box = page.get_by_role("combobox", name="Open this part")
    box.focus()
    box.fill("feed-forward 1")
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_text("inner units").first.wait_for()
    assert "look_part=feed-forward" in page.url
    assert page.errors == []


def test_a_link_shows_the_same_working(page, server):
    open_lesson(page, server + LINK)
    page.get_by_text("Head 1.1 divides its attention").wait_for()
    shown = page.get_by_test_id("stMain").inner_text()
    assert "floor" in shown and "sums were worked out again" in shown


def test_every_picture_is_drawn_as_marks_with_words(page, server):
    open_lesson(page, server + "/look_inside?look_lens=true&look_honest=true")
    settle(page)
    pictures = page.locator("[role='graphics-document']")
    pictures.nth(3).wait_for()
    for number in range(pictures.count()):
        assert len(pictures.nth(number).get_attribute("aria-label")) > 20
    assert page.locator("canvas").count() == 0
