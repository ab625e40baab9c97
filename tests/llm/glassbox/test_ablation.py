"""Ablation: take a part away, and see what changes."""

import numpy as np
import pytest

from llm.glassbox.ablation import Ablation
from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace

TOKEN_IDS = [0, 11, 5, 42, 7]


@pytest.fixture
def cut_trace(tiny_llm):
    return lambda **cuts: trace(
        tiny_llm.weights, TOKEN_IDS, causal_mask(5), Ablation(**cuts)
    )


def test_cutting_nothing_changes_nothing(tiny_llm, cut_trace):
    whole = trace(tiny_llm.weights, TOKEN_IDS, causal_mask(5))
    np.testing.assert_array_equal(cut_trace().logits, whole.logits)


def test_a_cut_head_finds_nothing_and_the_others_go_on(cut_trace):
    whole, cut = cut_trace().blocks[0], cut_trace(heads={(0, 1)}).blocks[0]
    assert (cut.head_outputs[1] == 0).all()
    np.testing.assert_array_equal(cut.head_outputs[0], whole.head_outputs[0])


def test_a_head_is_cut_in_its_own_layer_only(cut_trace):
    whole, cut = cut_trace(), cut_trace(heads={(1, 0)})
    np.testing.assert_array_equal(
        cut.blocks[0].residual_after, whole.blocks[0].residual_after
    )
    assert abs(cut.logits - whole.logits).max() > 1e-3


def test_a_cut_edge_gets_no_weight_and_its_row_still_sums_to_one(cut_trace):
    whole, cut = cut_trace(), cut_trace(edges={(0, 1, 4, 2)})
    weights = cut.attention(0, 1)
    assert weights[4, 2] == 0
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-6)
    np.testing.assert_array_equal(weights[:4], whole.attention(0, 1)[:4])
    np.testing.assert_array_equal(cut.attention(0, 0), whole.attention(0, 0))


def test_the_other_words_of_a_cut_row_keep_their_proportions(cut_trace):
    whole = cut_trace().attention(0, 1)[4]
    cut = cut_trace(edges={(0, 1, 4, 2)}).attention(0, 1)[4]
    kept = [0, 1, 3, 4]
    np.testing.assert_allclose(cut[kept], whole[kept] / whole[kept].sum(), rtol=1e-5)


def test_a_word_that_can_see_nothing_else_sees_itself(cut_trace):
    edges = {(0, 0, 1, 0), (0, 0, 1, 1), (0, 0, 0, 0)}
    weights = cut_trace(edges=edges).attention(0, 0)
    np.testing.assert_array_equal(weights[:2, :2], np.eye(2))


@pytest.mark.parametrize("part", ["attention", "feed_forward"])
def test_a_cut_layer_adds_nothing(cut_trace, part):
    cut = cut_trace(layers={(1, part)}).blocks[1]
    assert (getattr(cut, f"{part}_output") == 0).all()


def test_a_layer_without_both_parts_hands_the_stream_on(cut_trace):
    cut = cut_trace(layers={(0, "attention"), (0, "feed_forward")}).blocks[0]
    np.testing.assert_array_equal(cut.residual_after, cut.residual_before)


def test_no_word_sees_a_cut_position_but_it_sees_itself(cut_trace):
    cut = cut_trace(positions={2})
    for block in cut.blocks:
        assert (block.attention_weights[:, [0, 1, 3, 4], 2] == 0).all()
        assert (block.attention_weights[:, 2, 2] > 0).all()


def test_a_cut_position_is_as_good_as_another_word_there(tiny_llm, cut_trace):
    other = [0, 11, 99, 42, 7]
    changed = trace(
        tiny_llm.weights, other, causal_mask(5), Ablation(positions={2})
    ).logits[-1]
    np.testing.assert_allclose(cut_trace(positions={2}).logits[-1], changed, atol=1e-5)


def test_cuts_work_without_a_causal_mask(tiny_llm):
    cuts = Ablation(positions={0}, edges={(1, 1, 2, 4)})
    weights = trace(tiny_llm.weights, TOKEN_IDS, None, cuts).attention(1, 1)
    assert weights[2, 4] == 0 and weights[3, 0] == 0 and weights[2, 3] > 0


def test_a_part_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="not 'thinking'"):
        Ablation(layers={(0, "thinking")})
