"""A picture carries its own words and numbers, and nobody can change it for others."""

import dataclasses
import json

import altair as alt
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.chart import Chart, spec_of
from tests.pages.harness import pictures


def dots():
    """A picture of three dots, with a slider that it does not need."""
    size = alt.selection_point(
        name="size", fields=["S"], bind=alt.binding_range(min=1, max=9),
        value=[{"S": 1}],
    )
    chart = alt.Chart().mark_point().encode(x="x:Q", y="y:Q").add_params(size)
    data = pd.DataFrame({"x": [1, 2, 3], "y": [2, 4, 9]})
    return Chart(spec_of(chart), data, "Three dots that rise.", lambda: data)


def test_a_specification_holds_no_numbers_and_cannot_be_changed():
    chart = dots()
    assert isinstance(chart.spec, str)
    drawn = chart.drawn()
    assert "values" not in json.dumps(drawn["data"])
    drawn["mark"] = "bar"
    assert chart.drawn()["mark"] != "bar"
    with pytest.raises(dataclasses.FrozenInstanceError):
        chart.alt = "something else"


def test_other_values_of_a_parameter_make_another_picture():
    chart = dots()
    moved = chart.with_params(size=[{"S": 7}])
    assert moved.drawn()["params"][0]["value"] == [{"S": 7}]
    assert chart.drawn()["params"][0]["value"] == [{"S": 1}]
    assert moved.alt == chart.alt


def test_a_parameter_that_a_picture_has_not_is_refused_by_name():
    with pytest.raises(ValueError, match="colour"):
        dots().with_params(colour="red")


def test_text_in_a_picture_has_the_colour_of_the_page_and_is_drawn_as_text():
    drawn = dots().drawn()
    assert drawn["config"]["text"]["color"] == "currentColor"
    assert drawn["usermeta"]["embedOptions"]["renderer"] == "svg"


def test_the_height_is_that_of_the_plot():
    assert dots().drawn()["autosize"]["type"] == "fit-x"


def page():
    """A page with the picture, as a lesson writes it."""
    from pages.ui.chart import show
    from tests.pages.ui.test_chart import dots

    show(dots(), "dots")


def test_a_picture_is_drawn_with_its_words_by_one_call():
    app = AppTest.from_function(page).run()
    (picture,) = pictures(app)
    assert picture.alt == "Three dots that rise."
    assert list(picture.rows["y"]) == [2, 4, 9]


def test_the_table_is_made_only_while_it_is_open():
    app = AppTest.from_function(page).run()
    assert not app.dataframe
    app.session_state["dots_table"] = True
    app.run()
    assert list(app.dataframe[0].value["y"]) == [2, 4, 9]
    assert app.get("download_button")
