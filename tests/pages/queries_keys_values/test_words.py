"""The sums and sentences of the lesson on queries, keys and values."""

import numpy as np
import pytest

from llm.studies.by_hand import MATRICES, TABLE, WORDS, by_hand, four_steps
from pages.queries_keys_values.words import (
    GUESSES,
    RIGHT_GUESS,
    adding_up,
    bare,
    blend_sum,
    both_ways,
    equals,
    figure,
    guess_replies,
    scale_said,
    scale_sum,
    score_sum,
    shares_as_printed,
    shares_said,
    softmax_sum,
    strongest_other,
    trained_rows_said,
)

STEPS = four_steps(*by_hand(TABLE))
CAT, IT = WORDS.index("cat"), WORDS.index("it")


def test_a_number_is_as_short_as_it_is():
    assert [figure(n) for n in (0, -0.0, 3, 0.5, 1 / 3, 0.045, -0.6)] == [
        "0", "0", "3", "0.5", "0.33", "0.045", "(−0.6)"
    ]
    assert bare(-0.6) == "−0.6"


def test_every_step_is_written_with_its_own_numbers():
    query, key = STEPS.queries[IT], STEPS.keys[CAT]
    assert score_sum(query, key) == "0.8·0.9 + 0.9·0.8 + 0.1·0 + 0·0.1 = 1.44"
    assert scale_sum(1.44, 4) == "1.44 ÷ √4 = 0.72"
    assert softmax_sum(STEPS.scores[IT], CAT) == (
        "e^0.72 ÷ (e^0.045 + e^0.72 + e^0.09 + e^0.73) = 0.33"
    )
    assert blend_sum(STEPS.attention_weights[IT], STEPS.values, 1) == (
        "0.17·0 + 0.33·0.8 + 0.17·0.1 + 0.33·0.9 = 0.58"
    )


def test_large_scores_are_written_with_the_largest_taken_off():
    said = softmax_sum(np.array([20.0, 19.0, -np.inf]), 1)
    assert said == "e^(−1) ÷ (e^0 + e^(−1)) = 0.27"


def test_a_long_sum_shows_its_largest_terms_and_dots():
    assert score_sum(np.arange(6.0), np.ones(6)) == "0·1 + 1·1 + … + 5·1 = 15"
    assert "…" in softmax_sum(np.zeros(6), 5)
    assert blend_sum(np.full(5, 0.2), np.ones((5, 1)), 0).endswith("… = 1")


def test_a_sum_that_does_not_come_out_as_printed_says_nearly():
    assert equals(0.58, 0.5764) == "="
    assert equals(0.57, 0.5764) == "≈"
    assert score_sum([1 / 3] * 2, [1.0, 2.0]) == "0.33·1 + 0.33·2 ≈ 1"
    assert "≈" in score_sum([0.004] * 4, [100.0] * 4)


@pytest.mark.parametrize("parts", [[0.1668, 0.3277, 0.1745, 0.3310], [0.125, 0.125]])
def test_rounded_parts_add_up_to_their_sum(parts):
    assert adding_up(parts).sum() == pytest.approx(float(bare(sum(parts))))


def test_only_all_is_written_as_one_and_only_none_as_nought():
    assert shares_as_printed(np.array([0.5, 0.5])) == ["0.50", "0.50"]
    assert shares_as_printed(np.array([0.999, 0.001])) == [">.99", "<.01"]
    assert shares_as_printed(np.array([1.0, 0.0])) == ["1.00", "0.00"]


def test_a_row_is_said_with_shares_that_add_up():
    said = shares_said(STEPS.attention_weights[IT], WORDS, IT)
    assert said == (
        "`it` gives 33% to itself, 33% to `cat`, 17% to `sat` and 17% to `the`"
    )
    long = shares_said(np.array([0.996, 0.001, 0.001, 0.001, 0.001]), "abcde", 4, 2)
    assert long == "`e` gives 99.6% to `a` and 0.1% to `b`"


def test_no_word_is_said_to_look_at_one_that_gets_less_than_others():
    the = shares_said(STEPS.attention_weights[0], WORDS, 0)
    assert the.endswith("25.2% to `it` and 24.4% to itself")
    assert strongest_other(STEPS.attention_weights, IT) == CAT


def test_what_three_matrices_change_follows_from_the_scores():
    three = four_steps(*by_hand(TABLE, MATRICES))
    said = both_ways(STEPS, three, IT, CAT, WORDS)
    assert "1.44 both ways" in said
    assert "`it` scores `cat` 3.57, and `cat` scores `it` −0.51" in said


def test_the_right_guess_is_right_and_each_guess_gets_its_own_reply():
    replies = guess_replies(STEPS)
    assert list(replies) == list(GUESSES)
    assert len(set(replies.values())) == len(GUESSES)
    best = np.argsort(-STEPS.attention_weights[IT])[:2]
    assert set(best) == {CAT, IT}
    assert RIGHT_GUESS == "`cat` and itself"


def test_the_spread_of_scores_is_said_before_and_after():
    assert "spread by 8.00 before they are divided and by 1.00 after" in scale_said(
        1.0, 5, 8.0, 1.0
    )


def test_twins_without_the_division_are_judged_by_all_their_trainings():
    def told(unscaled):
        scaled = [0.01, 0.03]
        return trained_rows_said("head 1 of layer 1", "the", 0.9, scaled, unscaled)

    assert "the last `the` of this sentence gives 90% to a single word" in told([0.02])
    assert "no difference beyond chance" in told([0.02, 0.1])
    worse, better = told([0.04, 0.1]), told([0.001, 0.002])
    assert "Every training without the division ends worse. With 2 trainings" in worse
    assert "Every training without the division ends better. With 2" in better
    assert "in about 1 comparison in 3." in worse
    assert "One training of a kind proves nothing" in told([0.9])
