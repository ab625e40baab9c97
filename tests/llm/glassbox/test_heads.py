"""Heads: several small attentions side by side."""

import numpy as np

from llm.glassbox.heads import (
    head_contributions,
    join_heads,
    project_from_heads,
    project_to_heads,
    split_heads,
)

RNG = np.random.default_rng(0)
NORMALISED = RNG.normal(size=(3, 5, 6))  # 3 sentences, 5 tokens, 6 wide
KERNEL, BIAS = RNG.normal(size=(6, 2, 4)), RNG.normal(size=(2, 4))
OUTPUT_KERNEL, OUTPUT_BIAS = RNG.normal(size=(2, 4, 6)), RNG.normal(size=6)


def test_each_head_has_its_own_projection_of_the_whole_vector():
    found = project_to_heads(NORMALISED, KERNEL, BIAS)
    assert found.shape == (3, 2, 5, 4)
    for head in range(2):
        expected = NORMALISED @ KERNEL[:, head] + BIAS[head]
        np.testing.assert_allclose(found[:, head], expected)


def test_joining_undoes_splitting():
    together = RNG.normal(size=(3, 5, 8))
    np.testing.assert_array_equal(join_heads(split_heads(together, 2)), together)


def test_joined_heads_lie_side_by_side():
    head_outputs = RNG.normal(size=(2, 5, 4))
    joined = join_heads(head_outputs)
    np.testing.assert_array_equal(joined[:, :4], head_outputs[0])
    np.testing.assert_array_equal(joined[:, 4:], head_outputs[1])


def test_the_output_is_the_sum_of_what_each_head_adds():
    head_outputs = RNG.normal(size=(3, 2, 5, 4))
    added = head_contributions(head_outputs, OUTPUT_KERNEL)
    np.testing.assert_allclose(
        project_from_heads(head_outputs, OUTPUT_KERNEL, OUTPUT_BIAS),
        added.sum(axis=-3) + OUTPUT_BIAS,
    )
