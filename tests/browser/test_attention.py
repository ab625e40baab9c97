"""The attention lessons in Chromium: pointing at a word links pictures, unasked."""

import pytest

from tests.browser.harness import open_lesson, settle

FRAMES = """
[...document.querySelectorAll("path[stroke-width='2.5']")]
  .filter(e => e.getAttribute('stroke') === '#2f7fd0')
  .map(e => e.getBoundingClientRect().top)
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
