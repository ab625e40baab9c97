"""Look inside in Chromium: another part opens, and a link shows the same again."""

from tests.browser.harness import open_lesson, settle

LINK = "/look_inside?look_start=the+cat+sat+on+the&look_word=floor&look_part=head+1.1"


def test_another_part_is_opened_by_keyboard(page, server):
    open_lesson(page, server + "/look_inside")
    box = page.get_by_role("combobox", name="Open this part")
    box.focus()
    box.fill("feed-forward 1")
    page.keyboard.press("Enter")
    settle(page)
    assert "inner units" in page.get_by_test_id("stMain").inner_text()
    assert "look_part=feed-forward" in page.url
    assert page.errors == []


def test_a_link_shows_the_same_working(page, server):
    open_lesson(page, server + LINK)
    shown = page.get_by_test_id("stMain").inner_text()
    assert "Head 1.1 shares out its attention" in shown
    assert "floor" in shown and "Re-computed here" in shown


def test_every_picture_is_drawn_as_marks_with_words(page, server):
    open_lesson(page, server + "/look_inside?look_lens=true&look_honest=true")
    settle(page)
    pictures = page.locator("[role='graphics-document']")
    assert pictures.count() >= 6
    for number in range(pictures.count()):
        assert len(pictures.nth(number).get_attribute("aria-label")) > 20
    assert page.locator("canvas").count() == 0
