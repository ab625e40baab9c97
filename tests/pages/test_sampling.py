"""The sampling lesson: its figures are those of the functions that it shows."""

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.sampling import cut, draw, with_temperature
from llm.studies.sampling import counts, random_numbers
from pages.sampling.charts import OFF, STAGES, choice_table
from pages.sampling.count_charts import counts_chart, counts_data, counts_table
from tests.pages.harness import find, let_go, picture, pictures, press, sentence

LEFT = "left: "
CAT = "the cat sat on the".split()


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


def move(app, T=1.0, k=OFF, p=1.0):
    """What the browser reports when a slider in the chart is let go."""
    return let_go(app, "choice", "settings", T=T, k=k, p=p)


def test_the_chart_gets_the_logits_of_every_word_and_the_number_drawn(app, llm):
    data = picture(app, LEFT).rows
    np.testing.assert_allclose(data["logit"], llm.next_logits(CAT), atol=1e-6)
    assert set(data["u"]) == {random_numbers(1, 1)[0]}


def test_the_words_under_the_chart_follow_the_sliders(app, llm):
    move(app, T=0.5, k=3, p=0.9)
    softened = with_temperature(llm.next_logits(CAT), 0.5)
    after = cut(softened, 3, 0.9)
    u = float(random_numbers(1, 1)[0])
    taken = llm.tokenizer.vocabulary[draw(after, u)]
    said = sentence(app, "At temperature 0.5 with top-k 3 and top-p 0.9")
    left = (after > 0).sum()
    assert f"{left} word{'s are' if left > 1 else ' is'} left" in said
    assert said.endswith(f"the number {u:.4f} falls on '{taken}'.")
    assert app.query_params["temperature"] == "0.5"
    assert app.query_params["top_k"] == "3"


def test_only_the_sliders_move_so_the_chart_stays_the_same(app):
    before = picture(app, LEFT)
    move(app, T=0.5, k=2)
    after = picture(app, LEFT)
    assert (after.spec, after.alt) == (before.spec, before.alt)
    assert after.rows.equals(before.rows)


def test_a_new_draw_takes_the_sliders_with_it(app):
    move(app, T=0.5, k=2, p=0.8)
    press(app, "draws_add_1")
    (param,) = picture(app, LEFT).spec["params"]
    assert param["value"] == [{"T": 0.5, "k": 2, "p": 0.8}]


def test_as_many_words_as_top_k_says_are_kept_and_at_0_all(app, llm):
    assert f"{len(llm.tokenizer)} words are left" in picture(app, LEFT).alt
    move(app, k=25)
    assert sentence(app, "At temperature 1 with top-k 25, 25 words are left")


def test_the_counts_wait_for_the_guess_and_are_then_those_of_a_thousand(app):
    assert not [one for one in pictures(app) if "draws:" in one.alt]
    guess = find(app, "radio", "sampling_guess")
    guess.set_value(guess.options[0]).run()
    assert picture(app, "In 1,000 draws:")
    assert "Not quite" in app.info[0].value


def test_the_guess_is_drawn_in_the_picture_that_answers_it(app):
    guess = find(app, "radio", "sampling_guess")
    guess.set_value(guess.options[0]).run()
    rows = picture(app, "draws:").rows.set_index("word")
    assert rows.loc["mat", "guess_low"] == 1 and rows["guess_low"].count() == 1
    move(app, T=0.5)  # at another temperature it was not asked
    assert not picture(app, "draws:").rows["guess_low"].count()


@pytest.mark.parametrize("times", [1, 10, 1000])
def test_counts_are_those_of_the_draws(open_lesson, llm, times):
    app = open_lesson(shown="sampling_guess")
    press(app, "draws_to_1")
    press(app, f"draws_add_{times}")
    number = 1 + times
    expected = counts(
        cut(with_temperature(llm.next_logits(CAT), 1.0)), random_numbers(1, number)
    )
    data = picture(app, "draws:").rows
    words = list(data["word"][:-1])
    ids = llm.tokenizer.ids_of(words)
    np.testing.assert_array_equal(data["count"][:-1], expected[ids])
    assert data["count"].sum() == number
    assert sentence(app, f"**{number:,} draws**")


def test_a_link_restores_sliders_draws_and_seed(open_lesson, llm):
    app = open_lesson(T="0.5", k="3", draws="11", sampling_seed="7")
    after = cut(with_temperature(llm.next_logits(CAT), 0.5), 3)
    u = random_numbers(7, 11)[-1]
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
    steps = [column for column in table if column.startswith("after")]
    assert len(steps) == len(STAGES)
    for step in steps:
        assert table[step].sum() == pytest.approx(1, abs=1e-4)


def test_greedy_writes_one_story_and_every_story_gets_a_verdict(open_lesson):
    app = open_lesson(greedy="true")
    assert sentence(app, "**Greedy**: the same story every time, and ")
    assert sentence(app, "**Drawn**: ")
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
    assert set(counts_table(near)["within two deviations"]) == {"yes"}
    assert set(counts_table(far)["within two deviations"]) == {"no"}


def test_words_lie_on_the_line_in_alphabetical_order(llm):
    words = [word for word in llm.tokenizer.vocabulary if word.isalpha()]
    assert words == sorted(words)


def test_few_draws_get_no_band():
    few = np.array([2, 1])
    chart = counts_chart(("a", "b"), np.array([0.5, 0.5]), few, ["a"])
    assert chart.data["low"].isna().all()
    assert set(chart.table()["within two deviations"]) == {"too few draws"}
    assert chart.alt.startswith("In 3 draws: 'a' 2 times (expected 1.5)")
