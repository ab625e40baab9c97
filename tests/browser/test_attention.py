"""The rows of a head in Chromium: pointing at one shows its links, and springs back."""

from tests.browser.harness import open_lesson, picture, settle

FRAMES = """
[...document.querySelectorAll("path[stroke-width='2.5']")]
  .filter(e => e.getAttribute('stroke') === '#2f7fd0')
  .map(e => e.getBoundingClientRect().top)
"""


def test_pointing_at_a_word_shows_its_links_until_the_pointer_leaves(
    page, server, messages
):
    open_lesson(page, f"{server}/attention?rows=true&attention_word=14+the")
    linked = picture(page, "'14 the' gives")
    linked.scroll_into_view_if_needed()
    settle(page)
    (chosen, *_), sent = page.evaluate(FRAMES), len(messages)
    linked.locator(".mark-rect path[aria-label^='11 tired gives']").first.hover(
        force=True
    )
    moved = f"({FRAMES.strip()})[0] < {chosen - 20}"
    page.wait_for_function(moved)
    page.mouse.move(5, 5)
    page.wait_for_function(f"!({moved})")
    assert len(messages) == sent
    assert page.errors == []
