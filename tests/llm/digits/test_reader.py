"""The digit model's block in the glass box is the digit model's block."""

import numpy as np
import pytest

from llm.digits.reader import digit_block, digit_weights, read_digits
from llm.studies.stream import stream_lengths

WIDTH, HEADS, HEAD_DIM, INNER, LENGTH = 8, 2, 4, 12, 6


@pytest.fixture(scope="module")
def weights():
    rng = np.random.default_rng(0)
    projection = [(WIDTH, HEADS, HEAD_DIM), (HEADS, HEAD_DIM)]
    shapes = [
        (10, WIDTH), (LENGTH, WIDTH), *3 * projection, (HEADS, HEAD_DIM, WIDTH),
        (WIDTH,), (WIDTH,), (WIDTH,), (WIDTH, INNER), (INNER,), (INNER, WIDTH),
        (WIDTH,), (WIDTH,), (WIDTH,), (WIDTH, 1), (1,),
    ]
    return digit_weights([rng.normal(size=shape) for shape in shapes])


def test_the_block_ends_in_what_the_digit_model_answers_from(weights):
    row = np.array([3, 1, 4, 1, 5, 3])
    end = digit_block(weights, row).residual_after.mean(axis=0)
    z = (end @ weights.answer_kernel + weights.answer_bias)[0]
    _, same = read_digits(row[None], weights)
    np.testing.assert_allclose(1 / (1 + np.exp(-z)), same[0], rtol=1e-4)


def test_lengths_are_means_over_the_words(weights):
    found = digit_block(weights, np.zeros(LENGTH, int))
    lengths = stream_lengths([found])
    assert len(lengths) == 3
    by_hand = np.mean([np.linalg.norm(vector) for vector in found.residual_after])
    assert lengths[-1] == pytest.approx(by_hand, rel=1e-5)
