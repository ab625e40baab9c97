"""A map of words whose names do not cover each other."""

import numpy as np

from pages.ui.charts.word_map import LINE, middle_first, sides, touch, word_map


def cloud(count):
    return np.random.default_rng(0).normal(size=(count, 2))


def test_no_two_names_touch():
    assert touch((0, 0, 10, 10), (9, 9, 20, 20))
    assert not touch((0, 0, 10, 10), (10, 0, 20, 10))
    # Two words in one place: the second takes another side, and the fifth gets none.
    at = np.zeros((7, 2))
    at[-2:] = [[1, 1], [-1, -1]]
    chosen = sides(at, ["word"] * 7, range(7), 300, 300)
    assert chosen[:5].count("") == 1
    assert len(set(chosen[:4])) == 4


def test_the_middle_of_each_kind_is_named_first():
    points = np.array([[0, 0], [1, 0], [2, 0], [9, 9.0]])
    assert middle_first(points, ["a", "a", "a", "b"]) == [1, 3, 0, 2]


def test_a_telephone_gets_fewer_names_and_one_of_every_kind():
    kinds = {f"word {n}": "abc"[n % 3] for n in range(60)}
    data = word_map(cloud(60), kinds, "A map.").data
    assert (data["narrow"] != "").sum() < (data["wide"] != "").sum()
    assert set(data[data["narrow"] != ""]["kind"]) == set("abc")


def test_names_at_the_edge_stay_inside():
    points = np.array([[0.0, 0.0], [1.0, 1.0]])
    chosen = sides(points, ["left", "right" * 3], [0, 1], 300, 20 * LINE)
    assert chosen[0] == "right"
    assert chosen[1] != "right"


def test_the_table_lists_every_word():
    table = word_map(cloud(3), {"cat": "a", "dog": "a", "red": "b"}, "A map.").table()
    assert list(table["word"]) == ["cat", "dog", "red"]
