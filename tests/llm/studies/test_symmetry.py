"""Two heads with equal first weights would stay equal for ever."""

import numpy as np
import pytest

from llm.studies.symmetry import (
    in_double_precision,
    loss_of,
    query_slopes,
    with_equal_heads,
)

STORY = [0, 7, 3, 9, 3, 1]


def test_equal_heads_have_equal_gradients(tiny_llm):
    equal = with_equal_heads(tiny_llm.weights, 0, 0, 1)
    one, other = (query_slopes(equal, 0, head, STORY) for head in (0, 1))
    np.testing.assert_allclose(one, other, atol=1e-8)
    assert np.abs(one).max() > 1e-6


def test_different_heads_have_different_gradients(tiny_llm):
    weights = in_double_precision(tiny_llm.weights)
    one, other = (query_slopes(weights, 0, head, STORY) for head in (0, 1))
    assert np.abs(one - other).max() > 1e-6


def test_only_one_head_of_one_layer_changes(tiny_llm):
    equal = with_equal_heads(tiny_llm.weights, 0, 0, 1)
    before, after = (w.blocks[0].attention for w in (tiny_llm.weights, equal))
    np.testing.assert_allclose(after.query_kernel[:, 1], before.query_kernel[:, 0])
    np.testing.assert_allclose(after.query_kernel[:, 0], before.query_kernel[:, 0])
    np.testing.assert_allclose(after.output_kernel[1], before.output_kernel[0])
    np.testing.assert_allclose(after.output_bias, before.output_bias)


def test_the_loss_is_the_mean_surprise(tiny_llm):
    logits = tiny_llm.logits(STORY[:-1]).astype(float)
    shares = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    surprise = [-np.log(shares[i, STORY[i + 1]]) for i in range(len(STORY) - 1)]
    loss = loss_of(tiny_llm.weights, STORY)
    assert loss == pytest.approx(np.mean(surprise), rel=1e-4)
