"""The lesson on the block in a real browser: what only a click can show."""

from tests.browser.harness import in_the_address, open_lesson, picture


def test_a_click_on_a_box_looks_into_that_part(server, page):
    open_lesson(page, f"{server}/block")
    chart = picture(page, "The way up of")
    chart.get_by_text("2: feed-forward", exact=True).click()
    in_the_address(page, "block_part=2")
    page.get_by_text("The word thinks by itself").wait_for()
    # The list and the picture agree, and the same box can be left again.
    chart.get_by_text("logits", exact=True).click()
    in_the_address(page, "block_part=logits")
    assert page.errors == []


def test_a_link_restores_sentence_word_and_part(server, page):
    address = "/block?block_start=the+cat+sat+on+the&block_word=2+cat&block_part=logits"
    open_lesson(page, server + address)
    assert page.get_by_text("Every one of the").is_visible()
    assert picture(page, "The way up of 'cat'").is_visible()
