"""What order does to a network, with and without positions."""

import numpy as np
import pytest

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.positions import sinusoidal_positions
from llm.models.twins import first_positions
from llm.studies.order import (
    change,
    moved_along,
    new_order,
    outputs,
    overlaps,
    share_on_start,
    similarity_by_distance,
    untouched_positions,
    wavelengths,
    without_positions,
)

TOKEN_IDS = [0, 7, 3, 9, 3, 1]
ORDERS = pytest.mark.parametrize("number", [0, 1, 2, 3])


@ORDERS
def test_a_new_order_keeps_the_start_and_every_word_and_is_new(number):
    for num_tokens in (1, 2, 3, 4, 9):
        order = new_order(num_tokens, number)
        assert order[0] == 0
        assert sorted(order) == list(range(num_tokens))
        assert num_tokens < 3 or list(order) != sorted(order)


def test_number_nought_turns_the_words_round():
    assert list(new_order(4, 0)) == [0, 3, 2, 1]


@ORDERS
def test_without_positions_a_two_sided_network_gives_each_word_the_same(
    number, tiny_llm
):
    bare = without_positions(tiny_llm.weights)
    before, after = outputs(bare, TOKEN_IDS, new_order(6, number))
    np.testing.assert_allclose(before, after, atol=1e-4)


@ORDERS
def test_with_positions_it_does_not(number, tiny_llm):
    pair = outputs(tiny_llm.weights, TOKEN_IDS, new_order(6, number))
    assert change(*pair)[1:].max() > 0.05


def test_the_causal_mask_tells_the_order_even_without_positions(tiny_llm):
    bare, mask = without_positions(tiny_llm.weights), causal_mask(4)
    one = trace(bare, [0, 7, 3, 9], mask).final[3]
    other = trace(bare, [0, 3, 7, 9], mask).final[3]
    assert abs(one - other).max() > 1e-3


def test_change_is_a_share_of_the_length():
    before = np.array([[3.0, 4.0], [1.0, 0.0]])
    after = np.array([[3.0, 4.0], [1.0, 0.5]])
    np.testing.assert_allclose(change(before, after), [0, 0.5])


def test_the_share_of_the_start_falls_with_every_further_word(tiny_llm):
    bare = without_positions(tiny_llm.weights)
    shares = share_on_start(bare, 5, 9)
    assert shares.shape == (9, tiny_llm.config.num_heads)
    assert (np.diff(shares, axis=0) < 0).all()
    # With a the pull of the start against that of one word: a / (a + number of words).
    pull = shares[0] / (1 - shares[0])
    np.testing.assert_allclose(shares[8], pull / (pull + 9), rtol=1e-3)


def test_with_waves_the_dot_product_depends_on_the_distance_alone():
    mean, spread = similarity_by_distance(sinusoidal_positions(40, 16))
    np.testing.assert_allclose(spread, 0, atol=1e-12)
    assert mean[0] == pytest.approx(1) and mean[0] == mean.max()


def test_places_are_untouched_until_one_number_changes():
    table = first_positions(8, 6)
    assert untouched_positions(table).all()
    table[2, 3] += 0.01
    assert list(np.flatnonzero(~untouched_positions(table))) == [2]


def test_moved_along_by_nothing_changes_nothing(tiny_llm):
    mask = causal_mask(6)
    moved = moved_along(tiny_llm.weights, 0, 6)
    np.testing.assert_array_equal(
        trace(moved, TOKEN_IDS, mask).logits,
        trace(tiny_llm.weights, TOKEN_IDS, mask).logits,
    )


def test_moved_along_reads_the_rows_of_later_places(tiny_llm):
    table = tiny_llm.weights.position_embeddings
    moved = moved_along(tiny_llm.weights, 5, 3)
    np.testing.assert_array_equal(moved.position_embeddings, table[5:8])


def test_a_wave_is_over_after_its_length():
    lengths = wavelengths(16)
    assert lengths[0] == pytest.approx(2 * np.pi)
    for pair, length in enumerate(lengths):
        angle = length / 10000 ** (2 * pair / 16)
        assert np.sin(angle) == pytest.approx(0, abs=1e-9)
        assert np.cos(angle) == pytest.approx(1)


def test_overlaps_are_cosines():
    rng = np.random.default_rng(0)
    words, places = rng.normal(size=(5, 4)), rng.normal(size=(3, 4))
    found = overlaps(words, places)
    expected = words[2] @ places[1] / np.linalg.norm(words[2]) / np.linalg.norm(
        places[1])
    assert found.shape == (5, 3)
    assert found[2, 1] == pytest.approx(expected)
