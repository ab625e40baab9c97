"""What is said about sampling follows from the figures."""

import numpy as np
import pytest

from llm.studies.sampling import Verdict
from pages.sampling.count_charts import counts_data
from pages.sampling.words import (
    after_cuts_by_hand,
    counts_in_words,
    draws_in_words,
    guesses,
    stories_in_words,
    sweep_in_words,
)
from pages.ui.words import verdict_in_words

ROW = {"temperature": 0.0, "possible": 1.0, "held_out": 0.0, "different": 0.01}
SWEEP = {"stories": 100, "temperatures": [
    ROW,
    {**ROW, "temperature": 1.0, "possible": 0.97, "held_out": 0.02},
    {**ROW, "temperature": 2.0, "possible": 0.11},
]}


def counted(*found, chance=0.5):
    """The counts of two words."""
    return counts_data(
        ("a", "b"), np.array([chance, 1 - chance]), np.array(found), ["a"]
    )


def test_each_guess_allows_what_it_says_and_the_right_one_what_chance_allows():
    replies, answer, shares = guesses("mat", 0.43, 1000)
    assert answer.startswith("about 430 times") and set(replies) == set(shares)
    low, high = shares[answer]
    assert low < 0.43 < high and (low, high) == pytest.approx((0.399, 0.461), abs=0.001)
    assert "399 to 461" in replies[answer] and "95%" in replies[answer]
    exactly = next(option for option in shares if option.startswith("exactly"))
    assert shares[exactly] == (0.43, 0.43) and "only 2.5%" in replies[exactly]


def test_chance_is_judged_only_where_enough_was_drawn():
    assert "cannot show a probability" in counts_in_words(counted(1, 0))
    assert counts_in_words(counted(1, 0)).startswith("1 draw ")
    assert "cannot show" in counts_in_words(counted(20, 9))
    said = counts_in_words(counted(520, 480))
    assert "2 of 2 counts do" in said and "it came 520 times" in said
    assert "0 of 2 counts do" in counts_in_words(counted(600, 400))
    rare = counts_in_words(counted(1, 999, chance=0.0001))
    assert "cannot show" in rare


def test_one_draw_is_called_one():
    assert draws_in_words(1, 7, 0.25, "mat") == (
        "**One draw**, from seed 7: the number was 0.2500 and fell on `mat`."
    )
    assert draws_in_words(1011, 7, 0.25, "mat").startswith("**1,011 draws**, all from")


def test_the_share_after_cuts_can_be_worked_out_from_what_is_printed():
    assert after_cuts_by_hand("mat", 0.4, 0.8, 0.5).endswith(
        r"\frac{0.400}{0.800} = 0.500"
    )


def test_the_sentences_about_the_sweep_follow_its_figures():
    said = sweep_in_words(SWEEP)
    assert "At temperature 0, all are the same story." in said
    assert "At 1, as it was trained, 97% of the 100 stories are possible" in said
    assert "At 2, 11% are possible." in said
    assert "At 1, among those not possible, 2 stories break no rule" in said
    one = {**SWEEP, "temperatures": [{**row, "held_out": 0.01, "different": 1.0}
                                     for row in SWEEP["temperatures"]]}
    assert "1 story breaks" in sweep_in_words(one)
    assert "no two are alike" in sweep_in_words(one)
    without = {**SWEEP, "temperatures": [{**row, "held_out": 0.0, "different": 0.5}
                                         for row in SWEEP["temperatures"]]}
    assert "grammar" not in sweep_in_words(without)
    assert "there are 50 different stories" in sweep_in_words(without)


def test_verdicts_are_said_in_words():
    whole, open_, broken = (
        Verdict(("a", "<end>"), None), Verdict(("a", "b"), None), Verdict(("a", "b"), 1)
    )
    assert verdict_in_words(whole) == "possible"
    assert "not ended" in verdict_in_words(open_)
    assert verdict_in_words(broken) == "impossible from 'b' on (word 2)"
    assert stories_in_words("Greedy", [whole, whole]) == (
        "**Greedy**: the same story every time, and 2 of 2 could be from the world."
    )
    drawn = stories_in_words("Drawn", [whole, open_])
    assert "2 different stories, and 1 of 2" in drawn
