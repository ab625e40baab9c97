"""Cutting links: sentences of one pattern, and what a cut leaves."""

import numpy as np
import pytest

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.softmax import softmax
from llm.studies.links import (
    ACTOR,
    CUT_NAMES,
    IT,
    KINDS,
    OBSTACLE,
    SO_THE,
    asked,
    because,
    cut_distributions,
    head_with_most,
    left_without_each,
    left_without_link,
    link_in_all_heads,
    looking_head,
    one_link,
    right_answers,
    right_by_link_alone,
    sentences,
    strongest_other,
)
from llm.world import World, held_out_pairs


def test_every_word_of_the_pattern_stands_in_its_place():
    tokens = because("animal", "cross", "street", "tired")
    positions = (ACTOR, OBSTACLE, IT)
    assert [tokens[position] for position in positions] == ["animal", "street", "it"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_world_says_these_sentences_and_their_right_noun_is_its_own(kind):
    world = World(held_out_pairs())
    for tokens in sentences(kind)[::40]:
        truth = world.next_word_probabilities([*tokens, *SO_THE])
        assert truth == {tokens[KINDS[kind]]: pytest.approx(1.0)}


@pytest.fixture(scope="module")
def wide_enough(tiny_llm):
    return tiny_llm


@pytest.fixture(scope="module")
def batch(wide_enough):
    return asked(wide_enough.tokenizer, "actor", SO_THE, count=6)


def test_a_batch_asks_at_its_last_word_or_at_it(wide_enough, batch):
    assert batch.position == batch.token_ids.shape[1] - 1
    assert asked(wide_enough.tokenizer, "obstacle", (), count=6).position == IT


def test_nothing_cut_is_what_the_network_says(wide_enough, batch):
    mask = causal_mask(batch.token_ids.shape[1])
    right = right_answers(wide_enough.weights, batch, mask)
    for ids, share in zip(batch.token_ids, right):
        logits = trace(wide_enough.weights, ids, mask).logits[-1].astype(np.float64)
        powers = np.exp(logits - logits.max())
        assert share == pytest.approx(powers[ids[ACTOR]] / powers.sum(), rel=1e-4)


def test_a_link_is_cut_in_every_head_but_one():
    cut = link_in_all_heads(3, 4, 8, 2, but=(1, 2)).edges
    assert len(cut) == 11
    assert (1, 2, 8, 2) not in cut
    assert one_link(0, 0, 8, 2).edges < link_in_all_heads(3, 4, 8, 2).edges


def test_each_head_gets_a_figure_and_the_best_is_found(wide_enough, batch):
    mask = causal_mask(batch.token_ids.shape[1])
    for measure in (left_without_link, right_by_link_alone):
        figures = measure(wide_enough.weights, batch, mask)
        assert figures.shape == (2, 2)
        assert ((figures >= 0) & (figures <= 1)).all()
    assert head_with_most(np.array([[0.1, 0.9], [0.3, 0.2]])) == (0, 1)


def test_every_cut_has_a_name_and_leaves_a_distribution(wide_enough, batch):
    ids, mask = batch.token_ids[0], causal_mask(batch.token_ids.shape[1])
    whole = trace(wide_enough.weights, ids, mask)
    said = cut_distributions(
        wide_enough.weights, whole, (1, 0), len(ids) - 1, ACTOR, mask
    )
    assert tuple(said) == CUT_NAMES
    for probabilities in said.values():
        assert probabilities.sum() == pytest.approx(1)
    alone = trace(wide_enough.weights, ids, mask, one_link(1, 0, len(ids) - 1, ACTOR))
    logits = alone.logits[-1].astype(np.float64)
    powers = np.exp(logits - logits.max())
    np.testing.assert_allclose(said["this link"], powers / powers.sum())


def test_each_link_cut_in_all_heads_leaves_what_a_run_without_it_says(
    wide_enough, batch
):
    ids, word = batch.token_ids[0], batch.token_ids[0][ACTOR]
    weights, mask = wide_enough.weights, causal_mask(len(ids))
    left = left_without_each(weights, ids, word)
    np.testing.assert_array_equal(np.isfinite(left[1:]), mask[1:])
    assert np.isnan(left[0]).all()
    for query, key in np.argwhere(mask)[1:]:
        cut = link_in_all_heads(2, 2, query, key)
        shares = softmax(trace(weights, ids, mask, cut).logits[-1])
        assert left[query, key] == pytest.approx(shares[word], abs=1e-6)


def test_the_head_that_looks_there_most_is_found(wide_enough, batch):
    last, mask = batch.position, causal_mask(batch.token_ids.shape[1])
    whole = trace(wide_enough.weights, batch.token_ids[0], mask)
    layer, head = looking_head(whole, last, ACTOR)
    most = max(block.attention_weights[:, last, ACTOR].max() for block in whole.blocks)
    assert whole.attention(layer, head)[last, ACTOR] == most


def test_the_control_is_the_strongest_other_link():
    assert strongest_other(np.array([0.2, 0.5, 0.3]), 1) == 2
    assert strongest_other(np.array([0.2, 0.5, 0.3]), 2) == 1
