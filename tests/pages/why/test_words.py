"""The sentences of the lesson on why follow from their figures."""

import numpy as np
import pytest

from pages.why.measures import needed_beside
from pages.why.words import (
    HALF,
    HARDLY,
    LEAST_ASKED,
    LOST,
    SURE,
    by_number_of_facts,
    faded,
    fetched_in_words,
    first_and_last,
    go_with,
    how_it_fades,
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
    assert told[SURE].startswith("Less of") and told[LOST].startswith("More of")


def test_links_beside_the_path_are_needed_if_the_answer_falls_clearly():
    left = np.array([[np.nan] * 3, [0.9, 0.1, np.nan], [0.2, 0.0, 0.95]])
    assert needed_beside((0, 1, 2), left, 1.0) == ((1, 1, 0.1), (2, 0, 0.2))
    # A path that stays with its word needs no link there, so one can be found.
    assert needed_beside((0, 1, 1, 2), left, 1.0) == ((1, 1, 0.1), (2, 0, 0.2))


def test_the_link_that_is_missed_most_is_named_with_the_places_of_its_words():
    tokens = ["<start>", "mia", ".", "mia"]
    told = needed_in_words(tokens, ((3, 1, 0.2),), "red")
    assert "If `3 mia` may not look at `1 mia` in any attention head, `red`" in told
    assert told.endswith("`red` keeps 20%.")
    told = needed_in_words(tokens, ((2, 2, 0.2), (3, 1, 0.3)), "red")
    assert "If `2 .` may not look at itself in any" in told
    assert "1 more such ban leaves it less than 50%" in told
    told = needed_in_words(tokens, ((2, 2, 0.2), (3, 1, 0.3), (3, 2, 0.4)), "red")
    assert "2 more such bans, one at a time, leave it" in told
    assert "No other look is needed" in needed_in_words(tokens, (), "red")


def test_other_facts_and_distance_are_told_apart():
    counts = np.full((2, 2), LEAST_ASKED)
    by_facts = rivals_in_words(counts, counts * [[1.0], [0.5]], "LSTM")
    assert "75% at the nearest distance and in 75% at the farthest" in by_facts
    assert "100% with the fewest facts and in 50% with the most" in by_facts
    assert by_facts.endswith("the number of facts far more than with the distance.")
    by_distance = rivals_in_words(counts, counts * [[1.0, 0.5]], "LSTM")
    assert "with the distance at least as much" in by_distance


def test_facts_that_only_come_with_distance_are_not_blamed():
    """Many facts are far words here: at the same distance they change nothing."""
    counts = LEAST_ASKED * np.array([[9, 1, 0], [1, 9, 1]])
    told = rivals_in_words(counts, counts * [[0.9, 0.5, 0.1]], "LSTM")
    assert by_number_of_facts(counts, counts * [[0.9, 0.5, 0.1]]) == {
        "1 fact": pytest.approx(0.86), "2 facts": pytest.approx(0.5)}
    assert "70% with the fewest facts and in 70% with the most" in told
    assert told.endswith("with the distance at least as much as with the facts.")


def test_the_verdict_keeps_the_sign_of_each_fall():
    assert "facts more than with the distance" in go_with(0.3, 0.2)
    assert "facts far more than with the distance" in go_with(0.3, 0.1)
    assert "facts far more than with the distance" in go_with(0.3, -0.4)
    assert "with the distance at least" in go_with(-0.4, 0.3)
    assert "with neither" in go_with(HARDLY / 2, -0.4)


def test_with_too_few_questions_there_is_no_verdict():
    counts = np.array([[LEAST_ASKED, LEAST_ASKED - 1], [LEAST_ASKED - 1, 0]])
    told = rivals_in_words(counts, counts, "LSTM")
    assert told.endswith("Too few questions were asked to tell the two apart.")
    assert "Its errors" not in told


def test_a_place_that_was_seldom_asked_is_left_out():
    counts = np.array([[LEAST_ASKED, LEAST_ASKED, LEAST_ASKED - 1]])
    found = first_and_last(counts, counts * [[1.0, 0.5, 0.0]])
    np.testing.assert_allclose(found, [[1.0, 0.5]])
    assert first_and_last(counts.T, counts.T).shape == (0, 2)


def test_each_look_of_the_path_is_named():
    told = fetched_in_words(["red", "kite", ".", "a"], (0, 1, 1, 3))
    assert "`2 kite` looks at `1 red`; then `4 a` looks at `2 kite`" in told
    assert "2 looks, one after the other" in told
    assert "one look" in fetched_in_words(["red", "a"], (0, 1))
    assert "from the last word itself" in fetched_in_words(["a", "b"], (1, 1))


def test_stories_are_the_same_only_if_both_have_read_as_many():
    told = stories_in_words(2_099_200, 2_108_545)
    assert told.startswith("read 2.1 million stories each")
    told = stories_in_words(2_099_200, 7_000_000)
    assert "the tiny LLM read 7.0 million, the LSTM the first 2.1 million" in told


def test_the_fading_is_told_fact_by_fact():
    sure = [{"LSTM": 0.99, "tiny LLM": 1.0}, {"LSTM": 0.2, "tiny LLM": 1}]
    told = how_it_fades(sure, ("blue", 0.6), "red", 0.7)
    assert "99% with 0 other facts, 20% with 1 other fact" in told
    assert "Now it says `blue` (60%)" in told
    assert "colours of the other facts get 70%" in told
    assert "Now it says" not in how_it_fades(sure, ("red", 0.6), "red", 0.0)
