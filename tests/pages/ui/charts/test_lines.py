"""Lines: their legend or their names, and the levels that they are held against."""

import numpy as np

from pages.ui.charts.lines import NEAREST_LABELS, decades, lines, names_at_ends

CURVES = {"full": [(0, 5.0), (100, 2.0), (1000, 1.0)], "no mask": [(0, 5.0), (1000, 0)]}


def kinds(chart):
    return set(chart.data["kind"])


def test_words_say_where_each_line_begins_and_ends():
    chart = lines(CURVES, "step", "loss", floor=0.8)
    assert chart.alt == (
        "Loss: full from 5 to 1 at step 1,000; no mask from 5 to 0 at step 1,000; "
        "the exact floor 0.8."
    )


def test_nothing_measured_yet_is_said():
    assert lines({"full": []}, "step", "loss").alt == "loss: nothing measured yet."


def test_levels_and_the_step_of_the_page_are_drawn_only_where_given():
    assert kinds(lines(CURVES, "step", "loss")) == {"line"}
    chart = lines(CURVES, "step", "right", chance=0.5, at=100, form="percent")
    assert kinds(chart) == {"line", "chance", "at"}
    assert "chance 50%" in chart.alt


def test_single_draws_are_dots_and_in_no_table():
    chart = lines(CURVES, "step", "loss", dots={"full": [(100, 2.5), (100, 1.5)]})
    assert (chart.data["kind"] == "dot").sum() == 2
    assert list(chart.table()) == ["step", "full", "no mask"]


def test_a_logarithmic_axis_says_so_and_is_labelled_at_powers_of_ten():
    chart = lines(CURVES, "step", "loss", log_x=True)
    x = chart.drawn()["layer"][0]["encoding"]["x"]
    assert x["title"] == "step (logarithmic)"
    assert x["axis"]["values"] == [0, 100, 1000]
    assert lines(CURVES, "step", "loss").drawn()["layer"][0]["encoding"]["x"][
        "title"] == "step"


def test_decades_begin_at_the_smallest_value_above_zero():
    frame = lines({"a": [(0, 1), (30, 1), (16000, 1)]}, "x", "y").data["x"]
    assert decades(frame) == (0, 10, 100, 1000, 10000)


def test_names_at_the_ends_do_not_touch():
    close = {name: [(0, 0.0), (1, 1 + n / 1000)] for n, name in enumerate("abcd")}
    chart = lines(close, "x", "y", ends=True, height=300)
    ends = chart.data[chart.data["kind"] == "end"]["value"].to_numpy()
    high = max(chart.data["value"])
    apart = np.diff(np.sort(ends)) / 1.003 * 300
    assert (apart >= NEAREST_LABELS * 0.99).all() and high < 1.3


def test_no_line_has_no_name_at_its_end():
    empty = lines({"a": []}, "x", "y").data
    assert names_at_ends(empty, None, 260, False) == []


def test_a_plot_is_high_enough_to_be_read():
    assert lines(CURVES, "step", "loss").drawn()["height"] >= 220
