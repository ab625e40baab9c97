"""Positions: without them, attention could not tell one word order from another."""

import math

import numpy as np
import pytest

from llm.glassbox.positions import learned_positions, sinusoidal_positions


def test_each_place_has_its_own_learned_row():
    table = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(learned_positions(table, 2), [[0, 1, 2], [3, 4, 5]])


def test_there_is_nothing_beyond_the_last_position():
    with pytest.raises(ValueError, match="5 tokens are too many.* 4 positions"):
        learned_positions(np.zeros((4, 3)), 5)


def test_sinusoidal_positions_are_their_definition():
    table = sinusoidal_positions(7, 6)
    for place in range(7):
        for pair in range(3):
            angle = place / 10000 ** (2 * pair / 6)
            assert table[place, 2 * pair] == pytest.approx(math.sin(angle))
            assert table[place, 2 * pair + 1] == pytest.approx(math.cos(angle))


def test_their_dot_product_depends_on_the_distance_only():
    table = sinusoidal_positions(30, 8)
    products = table @ table.T
    for distance in range(5):
        diagonal = np.diagonal(products, distance)
        np.testing.assert_allclose(diagonal, diagonal[0])
