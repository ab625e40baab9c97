"""The embeddings lesson under the hand: what is typed is read at once."""

from tests.browser.harness import open_lesson, picture


def test_rows_follow_while_one_types_and_no_key_is_lost(server, page):
    open_lesson(page, f"{server}/embeddings")
    box = page.get_by_label("Type a sentence")
    box.fill("")
    box.press_sequentially("the dog slept", delay=60)
    rows = picture(page, "3 rows of")
    rows.wait_for()
    assert "'dog' is row" in rows.get_attribute("aria-label")
    assert box.input_value() == "the dog slept"
    assert page.errors == []


def test_a_link_brings_the_map_back_at_its_step(server, page):
    open_lesson(page, f"{server}/embeddings?map_step=300")
    said = picture(page, "Map of").get_attribute("aria-label")
    assert "after 300 steps" in said
