"""Entropy: how evenly attention is spread."""

import numpy as np
import pytest

from llm.glassbox.entropy import entropy


def test_entropy_is_its_definition():
    shares = [0.5, 0.25, 0.25]
    expected = -sum(share * np.log(share) for share in shares)
    assert entropy(shares) == pytest.approx(expected)


def test_all_on_one_has_none_and_even_shares_have_the_most():
    assert entropy([0.0, 1.0, 0.0]) == 0
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(np.log(8))


def test_each_row_gets_its_own():
    rows = np.random.default_rng(0).dirichlet(np.ones(5), (3, 4))
    assert entropy(rows).shape == (3, 4)
    assert entropy(rows)[1, 2] == pytest.approx(entropy(rows[1, 2]))
