"""The embedding table: look-up, likeness and the map."""

import numpy as np
import pytest

from llm.glassbox.embedding import look_up, one_hot
from llm.models.tokenizer import Tokenizer
from llm.studies.word_map import (
    beside_own_kind,
    by_chance,
    cosine_similarities,
    flat_map,
    kinds_of,
    main_directions,
    nearest_words,
    share_kept,
)
from llm.world import World, held_out_pairs


@pytest.fixture
def table():
    return np.random.default_rng(0).normal(size=(9, 5)).astype(np.float32)


def test_looking_up_is_one_hot_times_the_table_to_the_last_digit(table):
    ids = [[3, 0, 8], [1, 1, 2]]
    assert (one_hot(ids, len(table)) @ table == look_up(table, ids)).all()


def test_cosine_is_the_dot_product_over_the_lengths_and_ignores_length(table):
    by_hand = [
        table[0] @ row / np.sqrt((table[0] @ table[0]) * (row @ row)) for row in table
    ]
    np.testing.assert_allclose(cosine_similarities(table[0], table), by_hand, rtol=1e-5)
    np.testing.assert_allclose(
        cosine_similarities(7 * table[0], table), by_hand, rtol=1e-5
    )


def test_the_nearest_words_come_in_order_and_without_the_word_itself(table):
    words = Tokenizer("abcdefghi")
    nearest = nearest_words("c", table, words, count=8)
    assert "c" not in dict(nearest) and len(nearest) == 8
    assert [cosine for _, cosine in nearest] == sorted(dict(nearest).values())[::-1]


def test_the_directions_stand_at_right_angles_and_none_is_wider_than_the_first(table):
    directions = main_directions(table)
    np.testing.assert_allclose(directions.T @ directions, np.eye(5), atol=1e-5)
    widths = flat_map(table, directions).var(axis=0)
    assert (np.diff(widths) <= 1e-6).all()
    other = np.random.default_rng(1).normal(size=(5, 1))
    other /= np.linalg.norm(other)
    assert share_kept(table, other) <= share_kept(table, directions[:, :1])


def test_all_directions_together_keep_everything(table):
    assert share_kept(table, main_directions(table)) == pytest.approx(1, abs=1e-5)


def test_words_beside_their_own_kind_are_counted():
    rows = np.array([[1, 0.1], [1, 0.0], [0, 1], [0.1, 1], [1, 1]])
    kinds = ["a", "a", "b", "b", "a"]
    assert beside_own_kind(rows, kinds)[:4].all()
    assert by_chance(kinds) == pytest.approx((2 + 2 + 1 + 1 + 2) / 4 / 5)


def test_every_kind_has_words_of_the_world_and_no_word_has_two():
    kinds = kinds_of(World(held_out_pairs()).vocabulary())
    assert len(set(kinds.values())) == 8
    assert kinds["cat"] == "animals" and kinds["monday"] == "days"
