"""The sentences of the lesson on positions follow from their figures."""

import numpy as np

from pages.positions.words import (
    addition,
    counting_in_words,
    lost_in_words,
    lowest_in_words,
    previous_in_words,
    size_in_words,
    span,
    untouched_in_words,
)


def test_the_printed_sum_is_the_sum_of_what_is_printed():
    told = addition("dog", np.array([0.334, 0, 0]), 1, np.array([0.334, 0, 0]))
    assert "(0.33,\\; 0.00,\\; 0.00" in told
    assert "(0.66,\\; 0.00,\\; 0.00" in told


WORSE = {"binding": ([0.99, 0.97, 0.98], [0.5, 0.6, 0.55])}
BETTER = {"order": ([0.7, 0.6, 0.9], [0.99, 0.98, 0.95])}
OVERLAP = {"reference": ([0.99, 0.60, 0.98], [0.7, 0.6, 0.9])}


def test_every_skill_is_told_as_worse_better_or_overlapping():
    told = lost_in_words(WORSE | BETTER | OVERLAP)
    assert told == (
        "Worse in every training without positions: **binding** 50% to 60% without, "
        "97% to 99% with. Better in every training without positions: **order** 95% to "
        "99% without, 60% to 90% with. In every other skill the trainings of both "
        "kinds overlap, and a small difference could be missed. With 3 trainings of "
        "each, chance alone gives such a clean split in about 1 comparison in 10, and "
        "3 were made here."
    )
    assert "overlap" not in lost_in_words(WORSE | BETTER)
    alike = lost_in_words(OVERLAP)
    assert alike.startswith("In every skill the trainings of both kinds overlap")
    assert "clean split" not in alike


def test_a_clean_split_is_told_however_small_it_is():
    told = lost_in_words({"binding": ([0.9700, 0.9710], [0.9690, 0.9695])})
    assert "**binding** 96.90% to 96.95% without, 97.00% to 97.10% with" in told
    assert "overlap" not in told


def test_counts_may_differ_and_one_training_proves_nothing():
    two = {"binding": ([0.9, 0.95], [0.5, 0.6, 0.55])}
    assert "With 2 trainings on one side and 3 on the other" in lost_in_words(two)
    one = lost_in_words({"binding": ([0.9, 0.95], [0.5])})
    assert one.startswith("One training of a kind proves nothing")


def test_nothing_that_changes_is_not_called_rounding():
    rows, moved = np.zeros((4, 5)), np.ones((4, 5))
    told = size_in_words((rows, moved), (rows, rows))
    assert "up to 1.00. Without them not one of the 3 × 5 = 15 numbers" in told
    assert "changes at all" in told and "rounding" not in told
    assert "rounding" in size_in_words((rows, moved), (rows, rows + 1e-7))


def test_a_head_that_asks_for_the_word_before_is_told_with_what_it_gives_itself():
    roles = {"previous word": {"heads": [[0.1, 0.3]], "even": 0.09},
             "itself": {"heads": [[0.2, 0.35]], "even": 0.09}}
    told = previous_in_words(roles, ["1.1", "1.2"])
    assert "Head 1.2 gives 30% of its attention to the word just before and 35%" in told


def test_a_falling_share_falls_by_percentage_points():
    told = counting_in_words(np.linspace(0.1, 0, 30))
    assert "dog 3 the share falls by 9.7 percentage points" in told


def test_the_lowest_values_are_those_at_positions_that_were_trained():
    curve = [(0, 0.9), (4, 0.5), (8, 0.01)]
    told = lowest_in_words({"learned": curve}, 3, 9)
    assert "reached position 8" in told and "at position 6 or before" in told
    assert "learned 50%, at position 4" in told


def test_a_curve_without_a_value_at_trained_positions_is_left_out():
    curves = {"learned": [(0, 0.9), (4, 0.5)], "waves": [(0, 0.8), (8, 0.1)]}
    told = lowest_in_words(curves, 3, 9)
    assert told.endswith("The lowest values there: learned 50%, at position 4.")
    none = lowest_in_words({"waves": curves["waves"]}, 3, 9)
    assert none.endswith("the first token always stood at position 0.")
    short = lowest_in_words(curves, 9, 9)
    assert "reached position 8" in short and "lowest" not in short


def test_equal_shares_are_one_figure_and_others_a_span():
    assert span([0.5, 0.5]) == "50%"
    assert span([0.9, 0.5]) == "50% to 90%"


def test_rows_that_training_never_reached_are_counted():
    from llm.models.twins import first_positions

    table = first_positions(8, 4)
    table[:5] += 1
    assert untouched_in_words(table).startswith("3 of the 8 learned rows")
    assert untouched_in_words(table + 1).startswith("Training has changed all 8")
