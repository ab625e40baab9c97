"""The cache: write on without computing anything twice."""

from dataclasses import replace

import numpy as np
import pytest

from llm.glassbox.attention import causal_mask
from llm.glassbox.cache import KeyValueCache, fast_network
from llm.glassbox.model import trace

TOKEN_IDS = tuple(np.random.default_rng(2).integers(0, 100, 40).tolist())


@pytest.fixture
def cache(tiny_llm):
    return KeyValueCache(fast_network(tiny_llm.weights))


def uncached(llm, token_ids):
    return trace(llm.weights, token_ids, causal_mask(len(token_ids))).logits[-1]


@pytest.mark.parametrize("num_first", [1, 3, 15])
def test_every_step_equals_the_whole_computation(tiny_llm, cache, num_first):
    for end in range(num_first, 17):
        found = cache.next_logits(TOKEN_IDS[:end])
        expected = uncached(tiny_llm, TOKEN_IDS[:end])
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_the_step_is_what_computes_and_not_the_whole(cache, monkeypatch):
    cache.next_logits(TOKEN_IDS[:3])
    monkeypatch.delattr(cache.__class__, "_restart")
    assert cache.next_logits(TOKEN_IDS[:4]).shape == (cache.network.read_out.shape[1],)


def test_once_the_window_slides_all_is_computed_anew(tiny_llm, cache):
    for end in range(14, 30):
        window = TOKEN_IDS[max(0, end - 16) : end]
        expected = uncached(tiny_llm, window)
        np.testing.assert_allclose(cache.next_logits(window), expected, atol=1e-4)


def test_another_text_is_not_mixed_up_with_the_one_before(tiny_llm, cache):
    cache.next_logits(TOKEN_IDS[:5])
    other = (*TOKEN_IDS[10:14], 3, 4)
    np.testing.assert_allclose(
        cache.next_logits(other), uncached(tiny_llm, other), atol=1e-4
    )


def test_one_may_go_back_and_write_on_differently(tiny_llm, cache):
    for end in range(3, 8):
        cache.next_logits(TOKEN_IDS[:end])
    for token_ids in (TOKEN_IDS[:4], (*TOKEN_IDS[:4], 77)):
        found = cache.next_logits(token_ids)
        np.testing.assert_allclose(found, uncached(tiny_llm, token_ids), atol=1e-4)


def test_two_caches_of_one_network_do_not_disturb_each_other(tiny_llm):
    network = fast_network(tiny_llm.weights)
    one, two = KeyValueCache(network), KeyValueCache(network)
    for end in range(2, 8):
        one.next_logits(TOKEN_IDS[:end])
        two.next_logits(TOKEN_IDS[20 : 20 + end])
    found = one.next_logits(TOKEN_IDS[:8])
    np.testing.assert_allclose(found, uncached(tiny_llm, TOKEN_IDS[:8]), atol=1e-4)


def test_the_logits_of_a_step_are_not_overwritten_by_the_next(cache):
    cache.next_logits(TOKEN_IDS[:2])
    third = cache.next_logits(TOKEN_IDS[:3])
    kept = third.copy()
    cache.next_logits(TOKEN_IDS[:4])
    np.testing.assert_array_equal(third, kept)


@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
@pytest.mark.parametrize("size", [1, 400])
def test_scores_too_large_for_exp_give_the_same_logits(tiny_llm, size):
    blocks = [
        replace(block, attention=replace(
            block.attention, query_kernel=size * block.attention.query_kernel
        ))
        for block in tiny_llm.weights.blocks
    ]
    huge = replace(tiny_llm.weights, blocks=tuple(blocks))
    cache = KeyValueCache(fast_network(huge))
    for end in range(2, 12):
        expected = trace(huge, TOKEN_IDS[:end], causal_mask(end)).logits[-1]
        found = cache.next_logits(TOKEN_IDS[:end])
        np.testing.assert_allclose(found, expected, atol=2e-3)
