"""Matrices: nothing looks like the page, and what is hidden is not nothing."""

import numpy as np
import pytest

from pages.ui.charts.matrix import ABOVE, BELOW, matrix
from pages.ui.colours import HEAT

WEIGHTS = np.array([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.2, 0.2, 0.6]])
WORDS = ["the", "cat", "the"]


def layers(chart):
    return chart.drawn()["layer"]


def test_a_cell_is_as_opaque_as_its_share():
    cells = layers(matrix(WEIGHTS, WORDS))[1]
    opacity = cells["encoding"]["fillOpacity"]["scale"]
    assert (opacity["domain"], opacity["range"]) == ([0, 1], [0, 1])
    assert cells["mark"]["fill"] == HEAT


def test_words_that_repeat_are_numbered():
    data = matrix(WEIGHTS, WORDS).data
    assert list(dict.fromkeys(data["from"])) == ["1 the", "2 cat", "3 the"]


def test_what_a_causal_mask_hides_is_in_no_table_and_said():
    chart = matrix(WEIGHTS, WORDS, hidden="later")
    assert len(chart.table()) == 6
    assert chart.data["hidden"].sum() == 3
    assert chart.alt.endswith("Hidden cells are empty.")
    assert "'2 cat' looks at '2 cat', 75%" in chart.alt


def test_a_mask_of_ones_own_hides_other_cells():
    hidden = np.eye(3, dtype=bool)
    assert len(matrix(WEIGHTS, WORDS, hidden=hidden).table()) == 6


def test_below_and_above_zero_are_named_in_a_legend():
    chart = matrix([[1.0, -2.0]], ["a"], ["x", "y"], signed=True, largest=2.0,
                   form=".1f", what="score")
    fill = layers(chart)[1]["encoding"]["fill"]
    assert fill["scale"]["domain"] == [BELOW, ABOVE]
    assert fill["legend"] is not None
    assert "'a' looks at 'y', -2.0" in chart.alt


@pytest.mark.parametrize(("size", "with_figures"), [(4, True), (40, False)])
def test_cells_carry_figures_where_there_is_room(size, with_figures):
    values = np.full((size, size), 1 / size)
    words = [str(n) for n in range(size)]
    assert (len(layers(matrix(values, words))) == 3) == with_figures


def test_of_many_columns_only_every_eighth_is_named():
    chart = matrix(np.zeros((2, 64)), ["a", "b"], range(1, 65))
    assert "% 8" in layers(chart)[1]["encoding"]["x"]["axis"]["labelExpr"]
