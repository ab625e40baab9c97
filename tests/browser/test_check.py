"""The last lesson in Chromium: what is really sent, by whom it can be used."""

import re

import pytest

from pages.check.questions import make
from pages.check.views import NAMES, models
from tests.browser.harness import in_the_address, open_lesson, settle


@pytest.fixture
def listening(new_page):
    """A tab that keeps every byte that the server sends it."""
    page = new_page()
    page.received = []
    page.on("websocket", lambda socket: socket.on(
        "framereceived", lambda data: page.received.append(
            data.encode() if isinstance(data, str) else data)
    ))
    return page


def sent(page):
    return b"\n".join(page.received)


def test_no_byte_of_an_answer_is_sent_before_a_try(listening, server):
    page = open_lesson(listening, server + "/check")
    for number in (1, 2, 9):
        open_lesson(page, f"{server}/check?check_question={number}")
        question = make(NAMES[number - 1], models())
        assert question.text.split("`")[0][:40].encode() in sent(page)
        for reply in question.options.values():
            assert reply[:40].encode() not in sent(page)
    assert b"n\xc2\xb2 pairs" not in sent(page)
    page.get_by_role("radiogroup").get_by_text(question.answer, exact=True).click()
    settle(page)
    assert question.options[question.answer][:40].encode() in sent(page)


def test_a_question_can_be_answered_by_keyboard_and_the_focus_stays(page, server):
    open_lesson(page, server + "/check")
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    settle(page)
    assert page.get_by_test_id("stAlert").count() == 1
    focused = page.evaluate("document.activeElement.type")
    assert focused == "radio"
    assert "1 of" in page.get_by_test_id("stProgress").inner_text()


def test_answers_are_kept_on_the_way_to_a_lesson_and_back(page, server):
    open_lesson(page, server + "/check")
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    settle(page)
    page.get_by_role("link", name=re.compile("Back: .*Your text")).click()
    settle(page)
    page.get_by_role("link", name=re.compile("Next: .*Check")).click()
    settle(page)
    assert page.get_by_test_id("stProgress").inner_text().startswith("1 of")
    assert page.get_by_role("radio").first.is_checked()
    assert page.errors == []


def test_a_link_opens_the_view_the_set_and_the_search(page, server):
    open_lesson(page, server + "/check?check_view=Glossary&check_search=residual")
    shown = page.get_by_test_id("stMain").inner_text()
    assert "residual stream" in shown and "terms" in shown
    open_lesson(page, server + "/check?check_set=5&check_question=4")
    assert "Round 1, question 2 of" in page.get_by_test_id("stMain").inner_text()


def test_a_word_that_reads_as_a_number_without_end_can_be_looked_for(page, server):
    open_lesson(page, server + "/check?check_view=Glossary")
    search = page.locator("input[type=text]").first
    for word in ("infinity", "residual"):
        search.fill(word)
        search.press("Enter")
        in_the_address(page, f"check_search={word}")
        settle(page)
    assert "residual stream" in page.get_by_test_id("stMain").inner_text()
