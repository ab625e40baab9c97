"""Embedding: a word's number picks a row."""

import numpy as np

from llm.glassbox.embedding import look_up, one_hot


def test_looking_up_is_multiplying_by_a_row_with_a_single_one():
    table = np.random.default_rng(0).normal(size=(7, 3)).astype(np.float32)
    token_ids = np.array([[4, 0], [6, 4]])
    np.testing.assert_allclose(
        look_up(table, token_ids), one_hot(token_ids, 7) @ table, atol=1e-6
    )
    assert one_hot(token_ids, 7).sum() == token_ids.size
