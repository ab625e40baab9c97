"""Look inside: each step meets the model's own number, and cuts do what they say."""

import re

import numpy as np
import pytest

from llm.glassbox.ablation import Ablation
from llm.glassbox.softmax import softmax
from llm.studies.attribution import logit_attribution
from pages.look_inside.charts import (
    amounts_data,
    lens_data,
    lens_table,
    measures_data,
    reading_data,
)
from pages.look_inside.sections import exactly
from pages.ui.controls import tiny_llm
from tests.pages.harness import find, open_all

START = "tom has a red ball . mia has a blue kite . mia 's kite is"
STEP = re.compile(r"Re-computed here: (.+)\. In the model: (.+)\. Difference: (.+)\.$")


def steps(app):
    """Every re-computed number with the model's own."""
    found = [STEP.search(line.value) for line in app.caption]
    return [(float(m[1]), float(m[2]), float(m[3])) for m in found if m]


def test_every_step_meets_the_number_of_the_model(app):
    open_all(app)
    found = steps(app)
    assert len(found) >= 7
    for ours, models, apart in found:
        assert ours == pytest.approx(models, abs=2e-4)
        assert apart < 1e-4


@pytest.mark.parametrize("start", ["", START, "the cat " * 80])
def test_every_part_of_every_start_can_be_opened(app, start):
    find(app, "text_input", "look_start").set_value(start).run()
    for name in ("place", "head 1.2", "head 3.4", "attention bias 2", "feed-forward 1",
                 "feed-forward 3"):
        find(app, "selectbox", "look_part").set_value(name).run()
        assert not app.exception and not app.error
        assert all(apart < 1e-4 for _, _, apart in steps(app))


def test_the_amounts_add_up_to_the_logit():
    llm = tiny_llm()
    run, word = llm.trace(START), llm.tokenizer.ids["blue"]
    found = logit_attribution(run, llm.weights, len(run.tokens) - 1, word)
    for count in (3, 10, 99):
        data = reading_data(found, count)
        total = data["value"].sum()
        assert total == pytest.approx(run.logits[-1, word], abs=1e-3)
        assert len(data) <= count + 1 or count == 99
    sizes = abs(data["value"][:-1])
    assert (sizes.diff().dropna() <= 1e-9).all(), "ordered by how much they moved"


def test_small_amounts_share_a_bar_and_nothing_is_lost():
    data = amounts_data(list("abcd"), ["bias"] * 4, [5.0, -0.01, 0.02, -3.0])
    assert list(data["name"]) == ["a", "d", "2 others"]
    assert data["value"].sum() == pytest.approx(2.01)


def test_the_lead_over_another_word_is_explained_too(app):
    find(app, "selectbox", "look_other").set_value("red").run()
    llm = tiny_llm()
    logits = llm.next_logits(START).astype(float)
    lead = logits[llm.tokenizer.ids["blue"]] - logits[llm.tokenizer.ids["red"]]
    assert any(ours == pytest.approx(lead, abs=1e-4) for ours, _, _ in steps(app))
    find(app, "selectbox", "look_other").set_value("blue").run()
    assert not app.exception


def test_the_way_down_ends_at_a_word(app):
    told = next(text.value for text in app.markdown if text.value.startswith("1. To "))
    lines = told.splitlines()
    assert lines[0].startswith("1. To the logit of `blue`")
    assert "its row in the embedding table" in lines[-1] or "its place" in lines[-1]


def test_the_guess_is_answered_by_what_the_head_reads(app):
    assert not any("it takes from" in text.value for text in app.markdown)
    find(app, "radio", "look_guess").set_value("blue").run()
    told = next(text.value for text in app.markdown if "it takes from" in text.value)
    assert told.startswith(("Yes", "No"))


def cut(app, kind, key, chosen):
    app.session_state["look_cut"] = True
    app.session_state["cut_kind"] = kind
    app.run()
    app.session_state[key] = chosen
    app.run()
    assert not app.exception and not app.error


@pytest.mark.parametrize(
    "kind, key, chosen, cuts",
    [
        ("heads", "cut_heads", ["1.2", "3.3"], Ablation(heads={(0, 1), (2, 2)})),
        ("layers", "cut_layers", ["feed-forward 2"],
         Ablation(layers={(1, "feed_forward")})),
        ("words", "cut_words", ["11 kite"], Ablation(positions={11})),
        ("one link", "cut_link_head", "3.3", Ablation(edges={(2, 2, 16, 0)})),
    ],
)
def test_the_bars_after_a_cut_are_those_of_the_cut_model(app, kind, key, chosen, cuts):
    cut(app, kind, key, chosen)
    llm = tiny_llm()
    blue = llm.tokenizer.ids["blue"]
    after = softmax(llm.trace(START, cuts).logits[-1].astype(float))[blue]
    assert any(f"to **{exactly(after)}**" in text.value for text in app.markdown)


def test_cutting_nothing_says_so(app):
    cut(app, "heads", "cut_heads", [])
    assert any("Nothing is cut" in box.value for box in app.info)


def test_the_skills_that_fall_are_those_of_the_record(app):
    cut(app, "heads", "cut_heads", ["1.2"])
    assert any("Skills that fall" in text.value for text in app.markdown)
    cut(app, "heads", "cut_heads", ["1.2", "2.1"])
    assert not any("Skills that fall" in text.value for text in app.markdown)
    assert any(button.key == "cut_ask" for button in app.button)


def test_the_lens_shows_a_word_for_every_place_and_stop():
    data = lens_data(["<start>", "the"], ["a", "b", "c"],
                     np.array([["x", "y"]] * 3), np.full((3, 2), 0.5))
    assert len(data) == 6
    assert lens_table(data).shape == (2, 4)


def test_each_measure_is_drawn_in_lengths_of_its_longest_bar():
    measures = {"weight": [0.2, 0.8], "gave": [0.0, 0.0], "missed": [-4.0, 2.0]}
    data = measures_data(["a", "b"], measures)
    assert abs(data["end"] - data["start"]).max() == pytest.approx(1)


def test_a_link_to_the_lesson_reproduces_the_screen(open_lesson):
    app = open_lesson(
        look_start="the cat sat on the", look_word="floor", look_other="mat",
        look_part="head 1.1",
    )
    assert find(app, "selectbox", "look_word").value == "floor"
    assert any("lead of `floor` over `mat`" in text.value for text in app.markdown)
    assert any("**Head 1.1**" in text.value for text in app.markdown)
