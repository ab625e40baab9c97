"""The attention lessons in Chromium: pointing at a word links pictures, unasked."""

import pytest

from tests.browser.harness import open_lesson, settle

FRAMES = """
[...document.querySelectorAll("path[stroke-width='2.5']")]
  .filter(e => e.getAttribute('stroke') === '#2f7fd0')
  .map(e => e.getBoundingClientRect().top)
"""
CHOSEN = """
[...document.querySelectorAll('.mark-rect path[aria-label^="look from"]')]
  .filter(e => e.getAttribute('fill') === '#9558dc')
  .map(e => e.getBoundingClientRect().left)
"""


@pytest.fixture
def messages(page):
    """What the page sends to the server, as a list that grows."""
    sent = []

    def listen(socket):
        socket.on("framesent", lambda frame: sent.append(frame))

    page.on("websocket", listen)
    return sent


def test_pointing_at_a_word_moves_arcs_and_frame_without_a_message(
    page, server, messages
):
    open_lesson(page, f"{server}/attention")
    picture = page.locator("[role='graphics-document']").first
    picture.scroll_into_view_if_needed()
    settle(page)
    (before, *_), sent = page.evaluate(FRAMES), len(messages)
    below = picture.locator(".mark-rect path[aria-label^='11 tired gives']")
    below.first.hover(force=True)
    page.wait_for_timeout(400)
    (after, *_) = page.evaluate(FRAMES)
    assert after > before + 20
    assert len(messages) == sent
    assert page.errors == []


def test_pointing_at_the_strip_of_words_chooses_the_word_of_all_four_steps(
    page, server, messages
):
    open_lesson(page, f"{server}/queries_keys_values")
    picture = page.locator("[role='graphics-document']").first
    picture.scroll_into_view_if_needed()
    settle(page)
    before, sent = page.evaluate(CHOSEN), len(messages)
    first = page.locator(".mark-rect path[aria-label^='look from']").first
    first.hover()
    page.wait_for_timeout(400)
    after = page.evaluate(CHOSEN)
    assert len(before) == len(after) == 1
    assert after[0] < before[0]
    assert len(messages) == sent


def test_the_table_is_edited_and_undone_by_keyboard(page, server):
    open_lesson(page, f"{server}/queries_keys_values")
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    # The number of `cat` under `thing`, then a larger one in its place.
    page.mouse.click(box["x"] + box["width"] * 0.45, box["y"] + 35 * 2.5)
    page.wait_for_timeout(500)
    page.keyboard.type("3")
    page.wait_for_timeout(500)
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('table_words=')")
    settle(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("!location.search.includes('table_words=')")
    assert page.errors == []
