"""The sentences of the lesson on positions follow from their figures."""

import numpy as np

from pages.positions.words import addition, lost_in_words, span, untouched_in_words


def test_the_printed_sum_is_the_sum_of_what_is_printed():
    told = addition("dog", np.array([0.334, 0, 0]), 1, np.array([0.334, 0, 0]))
    assert "(0.33,\\; 0.00,\\; 0.00" in told
    assert "(0.66,\\; 0.00,\\; 0.00" in told


def test_a_skill_is_lost_only_if_every_training_without_is_worse_than_every_one_with():
    always = {"binding": ([0.99, 0.97, 0.98], [0.5, 0.6, 0.55])}
    once = {"order": ([0.99, 0.60, 0.98], [0.7, 0.6, 0.9])}
    told = lost_in_words(always | once, 3)
    assert "**binding** 50% to 60% without, 97% to 99% with" in told
    assert "order" not in told.replace("order enough", "")
    assert "no skill is always worse" in lost_in_words(once, 3)


def test_equal_shares_are_one_figure_and_others_a_span():
    assert span([0.5, 0.5]) == "50%"
    assert span([0.9, 0.5]) == "50% to 90%"


def test_rows_that_training_never_reached_are_counted():
    from llm.models.twins import first_positions

    table = first_positions(8, 4)
    table[:5] += 1
    assert untouched_in_words(table).startswith("3 of the 8 learned rows")
    assert untouched_in_words(table + 1).startswith("Training has changed all 8")
