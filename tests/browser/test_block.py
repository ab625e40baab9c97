"""The lesson on the block in a real browser: what only a click can show."""

from tests.browser.harness import in_the_address, open_lesson, picture


def test_a_click_on_a_dot_follows_that_word_and_looks_into_that_part(server, page):
    open_lesson(page, f"{server}/block?block_start=the+cat+sat+on+the")
    columns = picture(page, "words side by side")
    columns.locator('[aria-label*="word: 2 cat; part: 2: feed-forward"]'
                    ).click(force=True)
    in_the_address(page, "block_part=2")
    in_the_address(page, "block_word=2")
    page.get_by_text("The word works alone").wait_for()
    picture(page, "The way up of '2 cat'").wait_for()
    assert page.errors == []


def test_a_link_restores_sentence_word_and_part(server, page):
    address = "/block?block_start=the+cat+sat+on+the&block_word=2+cat&block_part=logits"
    open_lesson(page, server + address)
    assert page.get_by_text("Every one of the").is_visible()
    assert picture(page, "The way up of '2 cat'").is_visible()
