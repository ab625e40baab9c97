"""Why the square root: dot products of unlike rows spread like it."""

import numpy as np
import pytest

from llm.studies.scaling import (
    DIMS,
    DIVISORS,
    mean_entropy,
    rows_of_weights,
    spread_of_dots,
    unit_spread,
)


@pytest.fixture(scope="module")
def vectors():
    return unit_spread(np.random.default_rng(0).normal(size=(300, 64)))


def test_rows_have_mean_nothing_and_spread_one(vectors):
    np.testing.assert_allclose(vectors.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(vectors.std(axis=1), 1)


def test_dot_products_spread_like_the_square_root(vectors):
    for dim in (dim for dim in DIMS if dim >= 8):
        assert spread_of_dots(vectors, dim) == pytest.approx(dim**0.5, rel=0.1)


def test_each_row_of_weights_sums_to_one(vectors):
    for power in DIVISORS.values():
        shares = rows_of_weights(vectors[:5], vectors[5:17], 64, power)
        np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_only_the_root_keeps_rows_neither_hard_nor_even(vectors):
    queries, keys = vectors[20:], vectors[:12]
    most = np.log(12)
    by_nothing, by_root, by_d = (
        mean_entropy(queries, keys, 64, power) for power in DIVISORS.values()
    )
    assert by_nothing < 0.35 * most
    assert 0.6 * most < by_root < 0.95 * most
    assert by_d > 0.98 * most
