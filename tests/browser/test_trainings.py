"""Trainings in a real browser: seen, stopped, queued, and ended by closing the tab."""

import re

import pytest

from tests.browser.harness import open_lesson, settle

LESSONS = {
    "/first_and_last": "Train the Transformer", "/your_text": "Train on this text",
}
EVERY = pytest.mark.parametrize("address", LESSONS)


def begin(page, server, address):
    """Open a lesson and press its button."""
    open_lesson(page, server + address)
    page.get_by_role("button", name=LESSONS[address], exact=True).click()
    return page


def wait_until_it_trains(page):
    page.get_by_text(re.compile(r"[Ss]tep [1-9]")).first.wait_for(timeout=120_000)


@EVERY
def test_a_training_is_seen_stopped_and_continued(address, server, new_page):
    page = begin(new_page(), server, address)
    wait_until_it_trains(page)
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Continue").wait_for(timeout=30_000)
    settle(page)
    assert page.get_by_role("button", name="Train anew").is_visible()
    assert page.errors == [] and page.foreign == []


def test_a_tab_closed_in_the_middle_lets_the_next_one_train(server, new_page):
    first = begin(new_page(), server, "/first_and_last")
    wait_until_it_trains(first)
    second = begin(new_page(), server, "/your_text")
    second.get_by_text("ahead of yours").wait_for(timeout=60_000)
    first.close()
    wait_until_it_trains(second)
    second.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    second.get_by_role("button", name="Continue").wait_for(timeout=30_000)
