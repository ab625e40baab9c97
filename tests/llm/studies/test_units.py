"""What is said about inner units is what the network computed."""

import numpy as np
import pytest

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.studies.units import (
    MOMENTS,
    direct_logit_effect,
    inner_units,
    measure_activations,
    most_selective_units,
    purity,
    top_words,
    words_that_fire,
)
from llm.world import World, held_out_pairs

NUM_STORIES = 30


@pytest.fixture(scope="module")
def activations(tiny_llm):
    world = World(held_out_pairs())
    return measure_activations(tiny_llm.weights, tiny_llm.tokenizer, world, NUM_STORIES)


@pytest.fixture(scope="module")
def one_by_one(tiny_llm, activations):
    """Every story read by itself: (story, place, word, firing of all units)."""
    found = []
    for number, story in enumerate(activations.stories):
        ids = tiny_llm.tokenizer.ids_of(story)
        run = trace(tiny_llm.weights, ids, causal_mask(len(ids)))
        hidden = np.stack([block.hidden for block in run.blocks])
        for place, word in enumerate(ids[1:], start=1):  # `<start>` says nothing
            found.append((number, place, word, hidden[:, place]))
    return found


def test_units_are_those_of_the_whole_network(tiny_llm):
    ids = tiny_llm.tokenizer.encode("<start> the cat sat")
    run = trace(tiny_llm.weights, ids, causal_mask(len(ids)))
    whole = np.stack([block.hidden for block in run.blocks])
    np.testing.assert_allclose(inner_units(tiny_llm.weights, ids), whole)
    first = inner_units(tiny_llm.weights, ids, last_layer=0)
    np.testing.assert_allclose(first, whole[:1])


def test_a_mean_is_the_mean_over_all_places_of_a_word(activations, one_by_one):
    for word in {word for _, _, word, _ in one_by_one}:
        there = [fired for _, _, found, fired in one_by_one if found == word]
        assert activations.counts[word] == len(there)
        np.testing.assert_allclose(
            activations.means[:, :, word], np.mean(there, axis=0), atol=1e-5
        )


def test_the_strongest_moments_are_the_strongest_of_each_story(activations, one_by_one):
    by_place = {(story, place): fired for story, place, _, fired in one_by_one}
    for layer, unit in np.ndindex(activations.shares.shape):
        peaks = np.zeros(NUM_STORIES)
        for (story, _), fired in by_place.items():
            peaks[story] = max(peaks[story], fired[layer, unit])
        expected = np.sort(peaks)[::-1][:MOMENTS]
        strengths = activations.strengths[layer, unit]
        np.testing.assert_allclose(strengths, expected, atol=1e-5)
        for (story, place), strength in zip(
            activations.moments[layer, unit], strengths
        ):
            there = by_place[story, place][layer, unit]
            np.testing.assert_allclose(there, strength, atol=1e-5)


def test_shares_count_the_places_at_which_a_unit_fires(activations, one_by_one):
    fires = np.mean([fired > 0 for _, _, _, fired in one_by_one], axis=0)
    np.testing.assert_allclose(activations.shares, fires, atol=0.01)


def test_favourite_words_come_strongest_first(activations):
    for unit in range(activations.shares.shape[1]):
        means = [activations.means[0, unit, w] for w in top_words(activations, 0, unit)]
        assert means == sorted(means, reverse=True)


def test_purity_is_a_share_and_specialists_are_the_purest(activations):
    share = purity(activations)
    assert (share >= 0).all() and (share <= 1 + 1e-6).all()
    chosen = most_selective_units(activations, 1, count=3)
    assert list(share[1, chosen]) == sorted(share[1, chosen], reverse=True)
    everyone = most_selective_units(activations, 1, count=share.shape[1])
    assert sorted(everyone) == list(range(share.shape[1]))


def test_weak_units_come_last(activations):
    strongest = activations.means[1].max(axis=-1)
    order = most_selective_units(activations, 1, count=len(strongest))
    first, last = order[: len(order) // 3], order[-len(order) // 3 :]
    assert strongest[first].min() >= np.median(strongest) >= strongest[last].min()


def test_the_search_tries_every_word_in_the_last_place(tiny_llm):
    before = tiny_llm.tokenizer.encode("<start> the cat")
    found = words_that_fire(tiny_llm.weights, before, 1, 3)
    assert found.shape == (len(tiny_llm.tokenizer),)
    for word in (0, 7, int(found.argmax())):
        fired = inner_units(tiny_llm.weights, [*before, word])[1, -1, 3]
        np.testing.assert_allclose(found[word], fired, rtol=1e-4, atol=1e-5)


def test_what_a_unit_pushes_is_what_firing_more_does_to_the_last_layer(tiny_llm):
    said = direct_logit_effect(tiny_llm.weights, 1, 3)
    ids = tiny_llm.tokenizer.encode("<start> the cat")
    run = trace(tiny_llm.weights, ids, causal_mask(len(ids)))
    stream = run.blocks[-1].residual_after[-1].astype(np.float64)
    written = tiny_llm.weights.blocks[1].feed_forward.output_kernel[3]
    small = 1e-4
    from llm.glassbox.model import read_out

    # Only the part that LayerNorm's division by the spread leaves alone is compared.
    centred = stream - stream.mean()
    moved = written - written.mean()
    beside = moved - centred * (moved @ centred) / (centred @ centred)
    change = read_out(tiny_llm.weights, stream + small * beside)[1]
    change = (change - read_out(tiny_llm.weights, stream)[1]) / small
    spread = np.sqrt(centred.var() + 1e-3)
    read = beside * tiny_llm.weights.final_norm.scale / spread
    np.testing.assert_allclose(
        change, read @ tiny_llm.weights.output_kernel, rtol=0.05, atol=0.02
    )
    np.testing.assert_allclose(said.mean(), 0, atol=1e-5)
