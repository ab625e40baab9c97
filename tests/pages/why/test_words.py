"""The sentences of the lesson on why follow from their figures."""

import numpy as np

from pages.why.measures import needed_beside
from pages.why.words import (
    HALF,
    LEAST_ASKED,
    LOST,
    SURE,
    faded,
    fetched_in_words,
    how_it_fades,
    near_and_far,
    needed_in_words,
    replies,
    rivals_in_words,
    stories_in_words,
)


def test_the_right_guess_follows_from_the_mean_over_all_colours():
    assert faded({"red": 1.0, "blue": 0.9}) == SURE
    assert faded({"red": 0.62, "blue": 0.44}) == HALF
    assert faded({"red": 0.3, "blue": 0.1}) == LOST


def test_every_option_has_a_reply_with_the_figures_and_only_one_is_right():
    told = replies({"red": 0.62, "blue": 0.44})
    figures = "It gives the right colour 53% on average, from 44% (`blue`) to 62%"
    assert all(figures in reply for reply in told.values())
    assert told[HALF].startswith("It gives")
    assert told[SURE].startswith("Less is left") and told[LOST].startswith("More of")


def test_links_beside_the_path_are_needed_if_the_answer_falls_clearly():
    left = np.array([[np.nan] * 3, [0.9, 0.1, np.nan], [0.2, 0.0, 0.95]])
    assert needed_beside((0, 1, 2), left, 1.0) == ((1, 1, 0.1), (2, 0, 0.2))
    told = needed_in_words(["a", "b", "c"], ((2, 0, 0.2),), "red")
    assert "Without the link from `c` to `a`, `red` keeps 20%." in told
    assert "No other link is needed" in needed_in_words(["a"], (), "red")


def test_other_facts_and_distance_are_told_apart():
    counts = np.full((2, 2), LEAST_ASKED)
    by_facts = rivals_in_words(counts, counts * [[1.0], [0.5]], "LSTM")
    assert "100% with 1 fact, 50% with 2 facts" in by_facts
    assert "with the number of facts far more than with the distance" in by_facts
    by_distance = rivals_in_words(counts, counts * [[1.0, 0.5]], "LSTM")
    assert "with the distance at least as much" in by_distance
    both = rivals_in_words(counts, counts * [[1.0, 0.8], [0.7, 0.5]], "LSTM")
    assert "with the number of facts more than with" in both


def test_a_distance_that_was_seldom_asked_is_left_out():
    counts = np.array([[LEAST_ASKED, LEAST_ASKED, LEAST_ASKED - 1]])
    assert near_and_far(counts, counts * [[1.0, 0.5, 0.0]]) == {"1 fact": (1.0, 0.5)}


def test_each_look_of_the_path_is_named():
    told = fetched_in_words(["red", "kite", ".", "a"], (0, 1, 1, 3))
    assert "`kite` looks at `red`; then `a` looks at `kite`" in told
    assert "2 looks, one after the other" in told
    assert "one look" in fetched_in_words(["red", "a"], (0, 1))
    assert "from the last word itself" in fetched_in_words(["a", "b"], (1, 1))


def test_stories_are_the_same_only_if_both_have_read_as_many():
    assert stories_in_words(2_099_200, 2_108_545).startswith("read the same 2.1")
    told = stories_in_words(2_099_200, 7_000_000)
    assert "the tiny LLM read 7.0 million, the LSTM the first 2.1 million" in told


def test_the_fading_is_told_fact_by_fact():
    sure = [{"LSTM": 0.99, "tiny LLM": 1.0}, {"LSTM": 0.2, "tiny LLM": 1}]
    told = how_it_fades(sure, ("blue", 0.6), "red", 0.7)
    assert "99% with 0 other facts, 20% with 1 other fact" in told
    assert "Now it says `blue` (60%)" in told
    assert "colours of the other facts get 70%" in told
    assert "Now it says" not in how_it_fades(sure[:1], ("red", 0.6), "red", 0.0)
