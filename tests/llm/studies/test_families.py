"""Masks say who may look at whom, and a blank has an exact truth."""

import numpy as np
import pytest

from llm.studies.families import (
    BOTH,
    DECODER,
    ENCODER,
    FAMILIES,
    KEYS,
    QUERIES,
    VALUES,
    blank_truth,
    cross_attention,
    family_mask,
    patches,
    small_picture,
)
from llm.world import World, held_out_pairs


@pytest.mark.parametrize("family", FAMILIES)
def test_every_token_may_look_at_itself(family):
    assert family_mask(family, 6, 3).diagonal().all()


def test_an_encoder_looks_everywhere_and_a_decoder_never_ahead():
    assert family_mask(ENCODER, 5).sum() == 25
    assert family_mask(DECODER, 5).sum() == 15
    assert not np.triu(family_mask(DECODER, 5), 1).any()


def test_with_both_the_read_text_never_sees_what_is_written():
    mask = family_mask(BOTH, 6, 4)
    assert mask[:, :4].all()
    assert not mask[:4, 4:].any()
    np.testing.assert_array_equal(mask[4:, 4:], family_mask(DECODER, 2))


def test_a_blank_is_as_likely_as_the_whole_text_with_it():
    world = World(held_out_pairs())
    before = "the animal didn't cross the street because the".split()
    truth = blank_truth(world, before, "was too tired .".split())
    assert sum(truth.values()) == pytest.approx(1)
    assert max(truth, key=truth.get) == "animal" and truth["animal"] > 0.99
    truth = blank_truth(world, before, "was too wide .".split())
    assert max(truth, key=truth.get) == "street"


def test_without_a_right_side_the_truth_is_that_of_the_next_word():
    world = World(held_out_pairs())
    before = "the cat sat on the".split()
    truth = blank_truth(world, before, [])
    assert truth == pytest.approx(world.next_word_probabilities(before))


def test_no_word_fits_where_the_world_would_never_be():
    assert blank_truth(World(), ["cat", "the"], ["mat"]) == {}


def test_cross_attention_is_its_definition():
    found = cross_attention(QUERIES, KEYS, VALUES)
    for query, weights, output in zip(QUERIES, found.attention_weights, found.outputs):
        powers = [np.exp(query @ key / np.sqrt(2)) for key in KEYS]
        shares = [power / sum(powers) for power in powers]
        np.testing.assert_allclose(weights, shares)
        blended = sum(s * v for s, v in zip(shares, VALUES))
        np.testing.assert_allclose(output, blended)


def put_together(rows, size, width):
    """The picture again, from its patches.

    Args:
        rows: (num_patches, size * size * 3)
        size: the side of a patch.
        width: the width of the picture.

    Returns:
        (height, width, 3)
    """
    across = width // size
    cut = rows.reshape(-1, across, size, size, 3).swapaxes(1, 2)
    return cut.reshape(-1, width, 3)


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32])
def test_patches_put_together_are_the_picture(size):
    picture = small_picture()
    cut = patches(picture, size)
    assert cut.shape == ((32 // size) ** 2, size * size * 3)
    np.testing.assert_array_equal(put_together(cut, size, 32), picture)


def test_the_first_patch_is_the_upper_left_corner():
    picture = small_picture()
    corner = picture[:8, :8].reshape(-1)
    np.testing.assert_array_equal(patches(picture, 8)[0], corner)


def test_patches_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="5 by 5"):
        patches(small_picture(), 5)
