"""The next-token lesson under the hand: keyboard, dragging, links."""

import re

import pytest

from llm import TinyLLM
from llm.glassbox.sampling import cut, with_temperature
from pages.ui.words import percent
from tests.browser.harness import drag, in_the_address, open_lesson, settle

CAT = "the cat sat on the"


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


@pytest.fixture
def lesson(server, page, messages):
    """The lesson in a tab whose messages are noted."""
    return open_lesson(page, f"{server}/next_token")


def bars(page):
    """The words and the lengths of the bars as they are drawn, in shares of one."""
    return page.evaluate(
        """() => [...document.querySelectorAll(
               ".st-key-bars [role='graphics-document'] [aria-roledescription='bar']")]
             .map(bar => bar.getAttribute("aria-label"))"""
    )


def shares(page, name="the tiny LLM"):
    """A dictionary from word to share, read from the drawn bars."""
    found = {}
    for label in bars(page):
        parts = dict(part.split(": ", 1) for part in label.split("; "))
        found[parts["word"]] = float(parts[name].rstrip("%")) / 100
    return found


def slider(page):
    return page.locator(".st-key-bars .vega-bind input[type=range]")


def alt_of_bars(page):
    return page.locator(".st-key-bars [role='graphics-document']").get_attribute(
        "aria-label"
    )


def expected_shares(llm, temperature, top_k=None, top_p=None, prompt=CAT):
    before = with_temperature(llm.next_logits(prompt), temperature)
    probabilities = cut(before, top_k, top_p)
    return dict(zip(llm.tokenizer.vocabulary, probabilities, strict=True))


def test_the_bars_in_the_browser_are_those_of_the_sampler(server, page, llm):
    for address, temperature, k, p in (
        ("", 1.0, None, None),
        ("temperature=0.5", 0.5, None, None),
        ("temperature=1.5&top_k=5", 1.5, 5, None),
        ("top_p=0.6", 1.0, None, 0.6),
        ("temperature=0.7&top_k=10&top_p=0.8", 0.7, 10, 0.8),
    ):
        open_lesson(page, f"{server}/next_token?{address}")
        expected = expected_shares(llm, temperature, k, p)
        drawn = shares(page)
        words = [word for word in drawn if word != "all other words"]
        assert len(words) == 9
        for word in words:
            assert drawn[word] == pytest.approx(expected[word], abs=6e-5)
        rest = 1 - sum(expected[word] for word in words)
        assert drawn["all other words"] == pytest.approx(rest, abs=6e-5)


def test_dragging_the_temperature_sends_nothing_until_it_is_let_go(lesson, messages):
    page, before = lesson, len(messages)
    cold = shares(page)
    drag(page, slider(page), 0.2, pause=400)  # a slow hand, too
    assert len(messages) == before
    assert shares(page) != cold, "the bars move with the hand"
    page.mouse.up()
    in_the_address(page, "temperature=")
    settle(page)
    assert len(messages) == before + 1


def test_after_the_drag_bars_words_alt_table_and_address_agree(lesson, llm):
    page = lesson
    drag(page, slider(page), 0.2)
    page.mouse.up()
    in_the_address(page, "temperature=")
    settle(page)
    temperature = float(slider(page).input_value())
    assert temperature != 1
    expected = expected_shares(llm, temperature)
    best = max(expected, key=expected.get)
    assert f"temperature={temperature:g}" in page.url
    words = page.locator(".st-key-bars_in_words").inner_text()
    assert words.startswith(f"At temperature {temperature:g}, after '{CAT}'")
    assert f"'{best}' {percent(expected[best])}" in words
    page.wait_for_function(
        "words => document.querySelector(\".st-key-bars [role='graphics-document']\")"
        ".getAttribute('aria-label') === words",
        arg=words,
    )
    assert shares(page)[best] == pytest.approx(expected[best], abs=6e-5)
    page.get_by_role("button", name="Numbers").first.click()
    page.locator("[data-testid=stDataFrame]").first.wait_for()


def test_the_slider_keeps_the_focus_and_its_value_while_it_is_moved_by_keyboard(lesson):
    page = lesson
    slider(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    in_the_address(page, "temperature=0.85")
    settle(page)
    assert slider(page).evaluate("e => e === document.activeElement")
    assert float(slider(page).input_value()) == pytest.approx(0.85)


def test_the_temperature_survives_the_next_word_and_a_link_restores_it(
    lesson, new_page
):
    page = lesson
    drag(page, slider(page), 0.1)
    page.mouse.up()
    in_the_address(page, "temperature=")
    settle(page)
    held = slider(page).input_value()
    page.get_by_role("button", name="Next word").click()
    in_the_address(page, "written=1")
    settle(page)
    assert slider(page).input_value() == held
    told = page.locator(".st-key-bars_in_words").inner_text()
    other = open_lesson(new_page(), page.url)
    assert slider(other).input_value() == held
    assert other.locator(".st-key-bars_in_words").inner_text() == told


def test_words_can_be_written_and_taken_back_by_keyboard_alone(lesson):
    page = lesson
    tab_to(page, "Next word")
    for count in (1, 2, 3):
        page.keyboard.press("Enter")
        in_the_address(page, f"written={count}")
        settle(page)
        assert page.evaluate("document.activeElement.innerText") == "Next word"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    in_the_address(page, "written=2")


def tab_to(page, name, most=80):
    """Press Tab until the button with this name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText?.trim()") == name:
            return
    raise AssertionError(f"Tab never reaches {name!r}")


def test_writing_on_can_be_stopped(server, page):
    # A start whose story does not end before the hand has found the button.
    open_lesson(page, f"{server}/next_token?start=once+upon+a+time")
    # Not `click()`, which waits until the address rests, and each word changes it.
    press = "button => button.click()"
    page.get_by_role("button", name="Keep writing").evaluate(press)
    in_the_address(page, "written=")
    page.locator(".st-key-stop button").evaluate(press)
    settle(page)
    at_stop = re.search(r"written=(\d+)", page.url).group(1)
    page.wait_for_timeout(1200)  # longer than it rests between two words
    assert f"written={at_stop}" in page.url
    assert page.get_by_role("button", name="Keep writing").is_visible()


def test_what_is_typed_cannot_act(server, new_page):
    page = new_page()
    page.on("dialog", lambda dialog: pytest.fail("a typed script ran"))
    box = open_lesson(page, f"{server}/next_token").get_by_label("Start of a sentence")
    box.fill("<img src=x onerror=alert(1)> **bold** $x$ <script>alert(1)</script>")
    box.press("Enter")
    settle(page)
    assert page.locator("img[src=x]").count() == 0
    assert page.errors == []


def test_going_to_another_lesson_and_back_keeps_what_stood(lesson):
    page = lesson
    page.get_by_role("button", name="Next word").click()
    in_the_address(page, "written=1")
    settle(page)
    told = page.locator(".st-key-bars_in_words").inner_text()
    before = page.get_by_test_id("stPageLink").first
    before.click()
    settle(page)
    page.go_back()
    settle(page)
    assert page.locator(".st-key-bars_in_words").inner_text() == told
