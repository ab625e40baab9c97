"""Counting pairs of words."""

import numpy as np

from llm.models.pairs import count_pairs, pair_probabilities


def test_every_pair_is_counted_once_for_each_time_it_is_said():
    counts = count_pairs([[0, 1, 0, 1], [1, 2]], vocab_size=3)
    np.testing.assert_array_equal(counts, [[0, 2, 0], [1, 0, 1], [0, 0, 0]])


def test_the_probabilities_after_each_word_sum_to_one_and_none_is_zero():
    probabilities = pair_probabilities(np.array([[9, 1, 0], [0, 0, 0], [1, 1, 1]]))
    np.testing.assert_allclose(probabilities.sum(axis=-1), 1.0)
    assert (probabilities > 0).all()
    np.testing.assert_allclose(probabilities[1], 1 / 3)
