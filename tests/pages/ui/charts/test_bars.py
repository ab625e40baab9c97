"""Bars: one row a thing, its figure beside the plot, and what it is compared with."""

import pytest

from pages.ui.charts.bars import (
    OTHERS,
    PERCENT,
    bars,
    figure_in_vega,
    live_next_words,
    next_words,
)
from pages.ui.words import percent

MODEL = {"mat": 0.5, "roof": 0.3, "sea": 0.2}


def layer_with(chart, mark):
    return [
        layer for layer in chart.drawn()["layer"] if layer["mark"].get("type") == mark
    ]


def test_the_first_thing_is_on_top():
    chart = bars(MODEL, "probability")
    assert list(chart.data["label"]) == list(MODEL)
    assert list(chart.data["position"]) == [0, 1, 2]


def test_words_name_every_series_beside_each_other():
    chart = bars(
        MODEL, "probability", tick={"mat": 0.4}, guess={"roof": 0.9},
        said="The tiny LLM expects",
    )
    assert chart.alt == (
        "The tiny LLM expects: 'mat' 50% (exact truth 40%), "
        "'roof' 30% (your guess 90%), 'sea' 20%."
    )


def test_the_table_has_a_column_for_each_series():
    table = bars(MODEL, "probability", tick=MODEL, guess=MODEL, what="token").table()
    assert list(table) == ["token", "the tiny LLM", "the exact truth", "your guess"]


def test_a_guess_is_drawn_in_the_picture_that_answers_it():
    assert layer_with(bars(MODEL, "p", guess={"sea": 1.0}), "point")
    assert not layer_with(bars(MODEL, "p"), "point")


def test_bars_below_zero_have_a_colour_of_their_own():
    chart = bars({"up": 2.0, "down": -1.0}, "logit", colour=("blue", "red"),
                 domain=None, form="+.1f")
    assert list(chart.data["colour"]) == ["blue", "red"]
    assert chart.alt == "Logit: 'up' +2.0, 'down' -1.0."


def test_shares_written_to_a_tenth_of_a_percent_have_an_axis_in_percent():
    tenths = bars(MODEL, "p", form=".1%")
    assert tenths.alt == "P: 'mat' 50.0%, 'roof' 30.0%, 'sea' 20.0%."
    for chart, form in ((tenths, "%"), (bars(MODEL, "p", form=".1f"), None)):
        (layer,) = layer_with(chart, "bar")
        assert layer["encoding"]["x"]["axis"].get("format") == form


def test_pictures_of_one_shape_share_one_specification():
    one, other = bars(MODEL, "p"), bars({"a": 0.1, "b": 0.2, "c": 0.7}, "p")
    assert one.spec is other.spec


def test_every_series_of_next_words_adds_up_to_one():
    many = {f"word {n}": 1 / 20 for n in range(20)}
    truth = {"word 0": 0.25, "word 19": 0.75}
    chart = next_words(many, truth, words=5)
    assert chart.data["label"].iloc[-1] == OTHERS
    for kind in ("bar", "tick"):
        assert chart.data[kind].sum() == pytest.approx(1)
    assert "word 19" in list(chart.data["label"])


def test_nothing_is_left_over_where_all_words_are_shown():
    assert next_words(MODEL).data["bar"].iloc[-1] == 0


def test_the_moving_bars_say_the_same_as_the_standing_ones():
    vocabulary = list(MODEL)
    chart = live_next_words(vocabulary, [2.0, 1.0, 0.5], {}, MODEL, {}, said="Now")
    assert chart.alt == next_words(MODEL, said="Now").alt
    assert [p["name"] for p in chart.drawn()["params"]] == ["temperature"]
    assert list(chart.data["rank"]) == [1, 2, 3]


def test_the_browser_writes_shares_as_python_does():
    # The same cases in the same order as in `percent`; a test in a browser reads them.
    expression = figure_in_vega("x", PERCENT)
    for limit in ("0.001", "0.9995", "0.0995", "0.995"):
        assert limit in expression
    assert percent(0.41) == "41%" and "'.0%'" in expression
