"""Attention: every word looks at other words and takes something from each."""

import math

import numpy as np
import pytest

from llm.glassbox.attention import (
    attend,
    attention_scores,
    attention_weights,
    blend,
    causal_mask,
)

RNG = np.random.default_rng(0)
QUERIES, KEYS, VALUES = RNG.normal(0, 1, (3, 2, 5, 4))  # 2 heads, 5 tokens, 4 wide


def attention_by_loops(queries, keys, values, may_look):
    """One query and one key at a time."""
    outputs = []
    for i, query in enumerate(queries):
        shares = [
            math.exp(query @ key / math.sqrt(len(key))) if may_look(i, j) else 0.0
            for j, key in enumerate(keys)
        ]
        total = sum(shares)
        pairs = zip(shares, values, strict=True)
        outputs.append(sum(share / total * value for share, value in pairs))
    return outputs


@pytest.mark.parametrize("causal", [True, False])
def test_attention_is_its_definition(causal):
    mask = causal_mask(5) if causal else None
    for head in range(2):
        expected = attention_by_loops(
            QUERIES[head], KEYS[head], VALUES[head], lambda i, j: j <= i or not causal
        )
        found = attend(QUERIES, KEYS, VALUES, mask)[head]
        np.testing.assert_allclose(found, expected)


def test_every_row_sums_to_one():
    weights = attention_weights(QUERIES, KEYS, causal_mask(5))
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


def test_no_weight_falls_on_the_future():
    weights = attention_weights(QUERIES, KEYS, causal_mask(5))
    assert (weights[:, np.triu_indices(5, 1)[0], np.triu_indices(5, 1)[1]] == 0).all()


def test_the_future_changes_nothing_before_it():
    keys, values = KEYS.copy(), VALUES.copy()
    keys[:, -1], values[:, -1] = 9, 9
    before = attend(QUERIES, KEYS, VALUES, causal_mask(5))[:, :-1]
    after = attend(QUERIES, keys, values, causal_mask(5))[:, :-1]
    np.testing.assert_array_equal(before, after)


def test_without_a_mask_the_order_of_the_keys_does_not_matter():
    order = [3, 1, 4, 0, 2]
    shuffled = attend(QUERIES, KEYS[:, order], VALUES[:, order])
    np.testing.assert_allclose(shuffled, attend(QUERIES, KEYS, VALUES))


def test_scaling_divides_by_the_root_of_the_head_dim():
    unscaled = attention_scores(QUERIES, KEYS, scaled=False)
    np.testing.assert_allclose(attention_scores(QUERIES, KEYS), unscaled / 2)


def test_single_precision_stays_single():
    queries, keys = QUERIES.astype(np.float32), KEYS.astype(np.float32)
    assert attention_weights(queries, keys, causal_mask(5)).dtype == np.float32


def test_a_blend_lies_between_the_values():
    mixed = blend(attention_weights(QUERIES, KEYS), VALUES)
    assert (mixed <= VALUES.max(axis=-2, keepdims=True)).all()
    assert (mixed >= VALUES.min(axis=-2, keepdims=True)).all()
