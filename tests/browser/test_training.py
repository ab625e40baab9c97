"""The training lesson under the hand: scrubbing by keyboard, playing, pausing."""

import pytest

from llm.models.shipped import load_record
from tests.browser.harness import in_the_address, open_lesson, settle


@pytest.fixture(scope="module")
def steps():
    return [f"{score['step']:,}" for score in load_record()["training"]["scores"]]


def slider(page):
    return page.locator(".st-key-step").get_by_role("slider")


def loss(page):
    return page.get_by_text("the loss on fresh stories is").first.inner_text()


def test_the_slider_goes_through_the_run_by_keyboard(server, page, steps):
    open_lesson(page, f"{server}/training")
    first = loss(page)
    slider(page).focus()
    for step in steps[1:3]:
        page.keyboard.press("ArrowRight")
        in_the_address(page, f"step={step}")
    settle(page)
    assert loss(page) != first
    assert page.errors == []


def test_it_plays_and_pauses(server, page, steps):
    open_lesson(page, f"{server}/training")
    # Not `click()`, which waits until the address rests, and each step changes it.
    press = "button => button.click()"
    page.get_by_role("button", name="Play").evaluate(press)
    in_the_address(page, f"step={steps[2]}")
    page.get_by_role("button", name="Pause").evaluate(press)
    page.get_by_role("button", name="Play").wait_for()
    settle(page)
    held = page.url
    page.wait_for_timeout(1500)  # longer than it rests on a step
    assert page.url == held
    assert page.errors == []


def test_the_slider_stays_in_sight_while_the_reader_scrolls(server, page):
    open_lesson(page, f"{server}/training")
    heading = page.get_by_role("heading", name="What one step does")
    heading.scroll_into_view_if_needed()
    assert slider(page).is_visible()
    assert 0 <= slider(page).bounding_box()["y"] <= 200
