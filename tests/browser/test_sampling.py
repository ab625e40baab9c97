"""The sampling lesson under the hand: the browser draws what Python computes."""

import pytest

from llm import TinyLLM
from llm.glassbox.sampling import draw, top_k, top_p, with_temperature
from llm.studies.sampling import random_numbers
from pages.ui.charts.bars import OTHERS
from pages.ui.words import percent
from tests.browser.harness import drag, in_the_address, open_lesson, settle

CAT = "the cat sat on the"
CHART = ".st-key-choice [role='graphics-document']"
SHORT = {"Temperature": "temperature=", "Top-k": "top_k=", "Top-p": "top_p="}


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


@pytest.fixture
def lesson(server, page, messages):
    """The lesson in a tab whose messages are noted."""
    return open_lesson(page, f"{server}/sampling")


def shares(page):
    """From (stage, word) to share, read from the bars as they are drawn."""
    labels = page.evaluate(
        f"""() => [...document.querySelectorAll("{CHART} [aria-label*='; after: ']")]
            .map(bar => bar.getAttribute("aria-label"))"""
    )
    found = {}
    for label in labels:
        parts = dict(part.split(": ", 1) for part in label.split("; "))
        found[parts["after"], parts["word"]] = float(parts["share"].rstrip("%")) / 100
    return found


def told(page):
    """What stands over the line: `0.5118 falls on mat`."""
    texts = page.locator(f"{CHART} text").all_text_contents()
    return next(text for text in texts if "falls on" in text)


def slider(page, name):
    return page.locator(".st-key-choice .vega-bind", has_text=name).locator("input")


@pytest.mark.parametrize("address, temperature, k, p", [
    ("", 1.0, None, None),
    ("temperature=0.4&top_k=3", 0.4, 3, None),
    ("temperature=1.7&top_k=6&top_p=0.85", 1.7, 6, 0.85),
    ("temperature=2&top_p=0.05", 2.0, None, 0.05),
])
def test_every_stage_in_the_browser_is_that_of_the_sampler(
    server, page, llm, address, temperature, k, p
):
    open_lesson(page, f"{server}/sampling?{address}")
    softened = with_temperature(llm.next_logits(CAT), temperature)
    after_k = top_k(softened, k) if k else softened
    after_p = top_p(after_k, p) if p else after_k
    drawn = shares(page)
    stages = zip(("softmax", "top_k", "top_p"), (softened, after_k, after_p))
    for stage, probabilities in stages:
        expected = dict(zip(llm.tokenizer.vocabulary, probabilities))
        words = [word for at, word in drawn if at == stage and word in expected]
        assert len(words) == 9
        expected[OTHERS] = 1 - sum(expected[word] for word in words)
        for word in [*words, OTHERS]:
            assert drawn[stage, word] == pytest.approx(expected[word], abs=2e-5)
    u = random_numbers(1, 1)[0]
    word = llm.tokenizer.vocabulary[draw(after_p, u)]
    assert told(page) == f"{u:.4f} falls on {word}"


@pytest.mark.parametrize("name, to", [*zip(SHORT, (0.1, 0.05, 0.4))])
def test_a_slider_sends_nothing_until_it_is_let_go(lesson, messages, name, to):
    page, before = lesson, len(messages)
    cold = shares(page)
    drag(page, slider(page, name), to)
    assert len(messages) == before
    assert shares(page) != cold, "the picture moves with the hand"
    page.mouse.up()
    in_the_address(page, SHORT[name])
    settle(page)
    assert len(messages) == before + 1


def test_after_a_drag_words_address_and_the_next_draw_agree(lesson, llm):
    page = lesson
    drag(page, slider(page, "Top-k"), 0.2)
    page.mouse.up()
    in_the_address(page, "top_k=")
    settle(page)
    k = int(slider(page, "Top-k").input_value())
    assert f"top_k={k}" in page.url
    words = page.locator(".st-key-choice_in_words").inner_text()
    assert f"with top-k {k}, {k} word" in words
    page.get_by_role("button", name="Draw ten").click()
    in_the_address(page, "draws=11")
    settle(page)
    assert int(slider(page, "Top-k").input_value()) == k
    after = top_k(with_temperature(llm.next_logits(CAT), 1.0), k)
    u = random_numbers(1, 11)[-1]
    word = llm.tokenizer.vocabulary[draw(after, u)]
    assert told(page) == f"{u:.4f} falls on {word}"
    likeliest = llm.tokenizer.vocabulary[after.argmax()]
    said = page.locator(".st-key-choice_in_words").inner_text()
    assert f"'{likeliest}' {percent(after.max())}" in said
    assert page.errors == []
