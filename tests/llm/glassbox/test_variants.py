"""Networks of another design, beside the plain one; Keras's are in `models`."""

from dataclasses import replace

import numpy as np
import pytest

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.variants import Variant, normalised, variant_trace

IDS = [3, 1, 4, 1, 5]
MASK = causal_mask(len(IDS))
USUAL = Variant()


@pytest.fixture(scope="module")
def weights(tiny_llm):
    return tiny_llm.weights


def run(weights, **design):
    return variant_trace(weights, IDS, MASK, replace(USUAL, **design))


def test_the_usual_design_is_the_plain_network(weights):
    plain = trace(weights, IDS, MASK)
    np.testing.assert_allclose(run(weights).logits, plain.logits, atol=1e-5)


def test_after_each_addition_the_stream_is_normalised(weights):
    for block, learned in zip(run(weights, norm="post").blocks, weights.blocks):
        joined = block.residual_before + block.attention_output
        np.testing.assert_allclose(
            block.residual_between,
            normalised(joined, learned.attention_norm),
            atol=1e-5,
        )
        np.testing.assert_array_equal(block.attention_input, block.residual_before)


def test_without_layer_norm_a_part_reads_the_stream_and_adds_to_it(weights):
    for block in run(weights, norm="none").blocks:
        np.testing.assert_array_equal(block.attention_input, block.residual_before)
        np.testing.assert_allclose(
            block.residual_after,
            block.residual_between + block.feed_forward_output,
            atol=1e-5,
        )


def test_without_residual_a_part_replaces_what_it_reads(weights):
    for block in run(weights, residual=False).blocks:
        np.testing.assert_array_equal(block.residual_between, block.attention_output)
        np.testing.assert_array_equal(block.residual_after, block.feed_forward_output)


def test_without_a_mask_earlier_words_see_later_ones(weights):
    seen = variant_trace(weights, IDS, None, USUAL).blocks[0].attention_weights
    hidden = run(weights).blocks[0].attention_weights
    assert (seen > 0).all()
    assert not hidden[:, ~MASK].any()
