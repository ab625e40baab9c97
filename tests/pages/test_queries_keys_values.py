"""The lesson on queries, keys and values: its figures are those that the code gives."""

import numpy as np
import pandas as pd
import pytest

from llm.glassbox.entropy import entropy
from llm.studies.by_hand import MATRICES, TABLE, WORDS, as_text, by_hand, four_steps
from llm.studies.links import SO_THE, because
from pages.queries_keys_values import tables
from pages.queries_keys_values.charts import (
    PANEL,
    at_query,
    four_steps_chart,
    steps_alt,
    steps_data,
    steps_table,
)
from pages.queries_keys_values.row import row_bars_alt, row_bars_data
from pages.queries_keys_values.words import row_verdict
from pages.ui.controls import tiny_llm
from pages.ui.measures import links_in_sentence
from tests.pages.harness import picture, press

IT = WORDS.index("it")
OTHER = np.array([[2.0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1.25]])


def weights(app, row):
    """The weights of one word in the picture of the four steps."""
    data = picture(app, "scaled").rows
    found = data[(data["kind"] == "weight") & (data["row"] == row)]
    return found.sort_values("column")["value"].to_numpy()


def filled(monkeypatch, table):
    """Let every table on the page come back filled in like this."""
    def edited(shown, **_):
        return pd.DataFrame(table, shown.index, shown.columns)

    monkeypatch.setattr(tables.st, "data_editor", edited)


def test_the_row_of_it_on_the_page_is_the_figure_of_the_course(app):
    assert [f"{share:.2f}" for share in weights(app, IT)] == [
        "0.17", "0.33", "0.17", "0.33"
    ]
    np.testing.assert_allclose(
        weights(app, IT), four_steps(*by_hand(TABLE)).weights[IT], atol=1e-6
    )


def test_the_trained_head_is_the_one_inside_the_network(app):
    app.segmented_control(key="qkv_mode").set_value("trained").run()
    start = (*because("animal", "cross", "street", "tired"), *SO_THE)
    head = links_in_sentence(start, "actor").head
    expected = tiny_llm().trace(start).attention(*head)
    for row in (0, 8, len(start) - 1):
        np.testing.assert_allclose(
            weights(app, row), expected[row, : row + 1], atol=1e-5
        )
    assert any("64 → 16" in one.value for one in app.markdown)


def test_the_sums_are_those_of_the_chosen_word(app):
    for word in WORDS:
        app.pills[0].set_value(word).run()
        first = app.get("latex")[0].value
        assert rf"q_{{\text{{{word}}}}}" in first
    app.segmented_control(key="qkv_mode").set_value("trained").run()
    assert r"\sqrt{16}" in app.get("latex")[1].value


def test_a_changed_table_changes_the_picture_and_stands_in_the_address(
    app, monkeypatch
):
    filled(monkeypatch, OTHER)
    app.run()
    np.testing.assert_allclose(
        weights(app, IT), four_steps(*by_hand(OTHER)).weights[IT], atol=1e-6
    )
    assert app.query_params["table_words"] == as_text(OTHER)


def test_a_link_restores_the_table(open_lesson):
    there = open_lesson(table_words=as_text(OTHER))
    np.testing.assert_allclose(
        weights(there, IT), four_steps(*by_hand(OTHER)).weights[IT], atol=1e-6
    )
    there = open_lesson(table_words="1e308~nan")
    assert f"{weights(there, IT)[1]:.2f}" == "0.33"


@pytest.mark.parametrize(
    ("entry", "what"),
    [(None, "is empty"), (float("nan"), "is empty"), ("x", "is not a number"),
     (1e308, "is beyond 99")],
)
def test_an_unsound_table_gets_one_sentence_and_the_last_sound_one_counts(
    app, monkeypatch, is_whole, entry, what
):
    table = TABLE.astype(object)
    table[1, 2] = entry
    filled(monkeypatch, table)
    app.run()
    is_whole(app)
    (said,) = app.warning
    assert said.value.startswith(f"The number of `cat` under `deed` {what}.")
    assert f"{weights(app, IT)[1]:.2f}" == "0.33"
    filled(monkeypatch, np.full((4, 4), None))
    app.run()
    is_whole(app)


def test_undo_and_reset_bring_back_earlier_tables(app, monkeypatch):
    assert app.button(key="table_undo").disabled
    filled(monkeypatch, OTHER)
    app.run()
    monkeypatch.undo()
    press(app, "table_undo")
    assert f"{weights(app, IT)[1]:.2f}" == "0.33"
    assert "table_words" not in app.query_params
    filled(monkeypatch, OTHER)
    app.run()
    monkeypatch.undo()
    press(app, "table_reset")
    assert f"{weights(app, IT)[1]:.2f}" == "0.33"
    press(app, "table_undo")
    assert weights(app, IT)[1] == pytest.approx(
        four_steps(*by_hand(OTHER)).weights[IT, 1], abs=1e-6
    )


def test_three_matrices_make_it_look_for_the_cat(app):
    app.session_state["matrices"] = True
    app.run()
    app.toggle(key="qkv_matrices").set_value(True).run()
    expected = four_steps(*by_hand(TABLE, MATRICES)).weights[IT]
    np.testing.assert_allclose(weights(app, IT), expected, atol=1e-6)
    app.session_state["matrices"] = False
    app.run()
    np.testing.assert_allclose(weights(app, IT), expected, atol=1e-6)


def test_dividing_by_the_root_keeps_the_row_between_hard_and_even(app):
    app.session_state["scale"] = True
    app.run()
    app.select_slider(key="qkv_dim").set_value(64).run()
    found = {}
    for by in app.segmented_control(key="qkv_divisor").options:
        app.segmented_control(key="qkv_divisor").set_value(by).run()
        shown = picture(app, "'it' gives").rows["share"].to_numpy()
        found[by] = float(app.metric[0].value)
        assert found[by] == pytest.approx(float(entropy(shown)), abs=0.006)
    assert found["nothing"] < found["√d"] < found["d"]


def test_bars_of_score_and_scaled_score_share_one_scale():
    steps = four_steps(*by_hand(TABLE))
    data = steps_data(steps)
    heights = {
        kind: part.assign(height=abs(part["y"] - part["y2"])).set_index("column")
        for kind, part in data[data["row"] == IT].groupby("kind", observed=True)
    }
    tall = heights["score"]["height"][1], heights["scaled"]["height"][1]
    assert tall == (PANEL, PANEL / 2)
    assert heights["weight"]["height"].sum() == pytest.approx(PANEL, rel=1e-5)
    assert set(heights["sum"]["value"]) == set(steps.output[IT].astype("float32"))


def test_a_table_of_noughts_is_drawn_as_well():
    steps = four_steps(*by_hand(np.zeros((4, 4))))
    data = steps_data(steps)
    assert np.isfinite(data[["x", "y", "y2", "value", "colour"]]).all(axis=None)
    assert "25%" in steps_alt(steps, WORDS, 0)


def test_words_and_tables_say_what_the_picture_shows():
    steps = four_steps(*by_hand(TABLE))
    said = steps_alt(steps, WORDS, IT)
    assert "'cat' scores 1.25, scaled 0.62, and gets 33%" in said
    table = steps_table(steps, WORDS, IT)
    assert table["weight"].sum() == pytest.approx(1)
    assert table["weight × value 2"].sum() == pytest.approx(steps.output[IT, 1])
    drawn = at_query(four_steps_chart(4, 4), WORDS, IT, "√4 = 2")
    given = {param["name"]: param["value"] for param in drawn["params"]}
    assert given["words"] == list(WORDS)
    assert given["looking"] == [{"row": IT}]
    assert row_bars_alt(row_bars_data([0.2, 0.8], ["a", "b"]), "c") == (
        "'c' gives 80% to 'b', 20% to 'a'."
    )
    assert "gives most, 80%, to `b`" in row_verdict(np.array([0.2, 0.8]), "ab", 0)
    assert "gives 2 words the same" in row_verdict(np.array([0.5, 0.5]), "ab", 0)
