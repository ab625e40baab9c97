"""The sampling lesson: its figures are those of the functions that it shows."""

import json

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.sampling import cut, draw, with_temperature
from llm.studies.sampling import counts
from pages.sampling.charts import ALL, STAGES, choice_table
from pages.sampling.counts import counts_data, counts_table
from pages.sampling.verdicts import sweep_in_words, verdict_in_words
from tests.pages.harness import let_go, picture, press, sentence

LEFT = "left: "
CAT = "the cat sat on the".split()


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


def move(app, T=1.0, k=ALL, p=1.0):
    """What the browser reports when a slider in the chart is let go."""
    return let_go(app, "choice", "settings", T=T, k=k, p=p)


def test_the_chart_gets_the_logits_of_every_word_and_the_number_drawn(app, llm):
    data = picture(app, LEFT).rows
    np.testing.assert_allclose(data["logit"], llm.next_logits(CAT), atol=1e-6)
    assert set(data["u"]) == {np.random.default_rng(1).random()}


def test_the_words_under_the_chart_follow_the_sliders(app, llm):
    move(app, T=0.5, k=3, p=0.9)
    softened = with_temperature(llm.next_logits(CAT), 0.5)
    after = cut(softened, 3, 0.9)
    u = np.random.default_rng(1).random()
    taken = llm.tokenizer.vocabulary[draw(after, u)]
    said = sentence(app, "At temperature 0.5 with top-k 3 and top-p 0.9")
    left = (after > 0).sum()
    assert f"{left} word{'s are' if left > 1 else ' is'} left" in said
    assert said.endswith(f"The number {u:.4f} falls on '{taken}'.")
    assert app.query_params["T"] == "0.5"
    assert app.query_params["k"] == "3"


def test_only_the_sliders_move_so_the_chart_stays_the_same(app):
    before = picture(app, LEFT)
    move(app, T=0.5, k=2)
    after = picture(app, LEFT)
    assert (after.spec, after.alt) == (before.spec, before.alt)
    assert after.rows.equals(before.rows)


def test_a_new_draw_takes_the_sliders_with_it(app):
    move(app, T=0.5, k=2, p=0.8)
    press(app, "draws_1")
    spec = json.dumps(picture(app, LEFT).spec)
    assert '"value": [{"T": 0.5, "k": 2.0, "p": 0.8}]' in spec


@pytest.mark.parametrize("times", [1, 10, 1000])
def test_counts_are_those_of_the_draws(app, llm, times):
    press(app, f"draws_{times}")
    number = 1 + times
    drawn = np.random.default_rng(1).random(number)
    expected = counts(cut(with_temperature(llm.next_logits(CAT), 1.0)), drawn)
    data = picture(app, "draws:").rows
    words = list(data["word"][:-1])
    ids = llm.tokenizer.ids_of(words)
    np.testing.assert_array_equal(data["count"][:-1], expected[ids])
    assert data["count"].sum() == number
    assert sentence(app, f"**{number:,} draws**")


def test_a_link_restores_sliders_draws_and_seed(open_lesson, llm):
    app = open_lesson(T="0.5", k="3", draws="11", sampling_seed="7")
    after = cut(with_temperature(llm.next_logits(CAT), 0.5), 3)
    u = np.random.default_rng(7).random(11)[-1]
    taken = llm.tokenizer.vocabulary[draw(after, u)]
    assert sentence(app, "**11 draws**, all from seed 7").endswith(
        f"was {u:.4f} and fell on `{taken}`."
    )


def test_the_table_shows_every_step_and_loses_nothing(llm):
    logits = llm.next_logits(CAT)
    softened = with_temperature(logits, 0.7)
    stages = softened, cut(softened, 5), cut(softened, 5, 0.9)
    rows_shown = [llm.tokenizer.vocabulary[n] for n in np.argsort(-logits)[:9]]
    table = choice_table(
        llm.tokenizer.vocabulary, logits, 0.7, stages, {}, rows_shown
    )
    for name in STAGES:
        assert table[f"after {name}"].sum() == pytest.approx(1, abs=1e-4)


def test_greedy_writes_one_story_and_every_story_gets_a_verdict(open_lesson):
    app = open_lesson(greedy="true")
    assert sentence(app, "**Greedy**: the same story every time, and ")
    assert sentence(app, "**Sampled**: ")
    lists = [m.value for m in app.markdown if m.value.startswith("1. … ")]
    assert len(lists) == 2
    assert all(stories.count("possible") == 5 for stories in lists)


def test_cuts_never_leave_nothing(open_lesson):
    table = open_lesson(cuts="true").dataframe[-1].value
    assert table["words left"].min() == 1
    assert (table["words left"][:2] == table["words left"].max()).all()


def test_a_share_within_chance_is_told_from_one_that_is_not():
    probabilities = np.array([0.5, 0.5, 0.0])
    near = counts_data(("a", "b", "c"), probabilities, np.array([520, 480, 0]), ["a"])
    far = counts_data(("a", "b", "c"), probabilities, np.array([600, 400, 0]), ["a"])
    assert counts_table(near)["within two deviations"].all()
    assert not counts_table(far)["within two deviations"].any()


def test_the_sentences_about_the_sweep_follow_its_figures():
    row = {"temperature": 0.0, "possible": 1.0, "held_out": 0.0, "different": 0.01}
    record = {"stories": 100, "temperatures": [
        row,
        {**row, "temperature": 1.0, "possible": 0.97, "held_out": 0.02},
        {**row, "temperature": 2.0, "possible": 0.11},
    ]}
    said = sweep_in_words(record)
    assert "At 1, as it was trained, 97% could be from the world" in said
    assert "At 2, 11% are possible." in said


def test_verdicts_are_said_in_words():
    from llm.studies.sampling import Verdict

    assert verdict_in_words(Verdict(("a", "<end>"), None)) == "possible"
    assert "not ended" in verdict_in_words(Verdict(("a", "b"), None))
    assert verdict_in_words(Verdict(("a", "b"), 1)) == "impossible from 'b' on (word 2)"
