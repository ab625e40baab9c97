"""The lesson on queries, keys and values: its figures are those that the code gives."""

import numpy as np
import pandas as pd
import pytest

from llm.glassbox.entropy import entropy
from llm.studies.by_hand import (
    MATRICES,
    NARROW,
    TABLE,
    WORDS,
    as_text,
    by_hand,
    four_steps,
)
from llm.studies.links import ACTOR, SO_THE, because, looking_head
from pages.queries_keys_values import tables
from pages.queries_keys_values.charts import Layout, four_steps_picture
from pages.ui.models import tiny_llm
from tests.pages.harness import picture, pictures, press, said, sentence

IT = WORDS.index("it")
OTHER = np.array([[2.0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1.25]])
SHOWN = {"shown": "qkv_guess"}


@pytest.fixture
def seen(open_lesson):
    """The lesson as it stands once the four steps are shown."""
    return open_lesson(**SHOWN, change="true")


def weights(app):
    """The weights in the picture of the four steps."""
    rows = picture(app, "looks:").rows
    return rows[rows["kind"] == "bar"].sort_values("column")["value"].to_numpy()


def filled(monkeypatch, table):
    """Let every table on the page come back filled in like this."""
    def edited(shown, **_):
        there = np.asarray(table, object)[: shown.shape[0], : shown.shape[1]]
        return pd.DataFrame(there, shown.index, shown.columns)

    monkeypatch.setattr(tables.st, "data_editor", edited)


def expected(table=TABLE, matrices=None):
    return four_steps(*by_hand(table, matrices)).attention_weights[IT]


def test_nothing_gives_the_guess_away(app):
    assert "The four steps follow the guess" in pictures(app)[0].alt
    assert not any("looks:" in one.alt for one in pictures(app))
    assert "33%" not in said(app)


def test_right_and_wrong_guesses_look_different_and_show_the_steps(app):
    app.radio(key="qkv_guess").set_value("all four alike").run()
    assert app.info[0].value.startswith("Not quite.")
    assert not app.success
    app.radio(key="qkv_guess").set_value("`cat` and itself").run()
    assert "1.44 and 1.46" in app.success[0].value
    assert weights(app).argmax() == IT


def test_the_row_of_it_on_the_page_is_the_figure_of_the_course(seen):
    assert [f"{share:.2f}" for share in weights(seen)] == [
        "0.17", "0.33", "0.17", "0.33"
    ]
    np.testing.assert_allclose(weights(seen), expected(), atol=1e-6)


def test_the_trained_head_is_the_one_inside_the_network(open_lesson):
    start = (*because("animal", "cross", "street", "tired"), *SO_THE)
    trace = tiny_llm().trace(start)
    attention = trace.attention(*looking_head(trace, len(start) - 1, ACTOR))
    app = open_lesson(**SHOWN, qkv_mode="trained")
    assert "64 → 16" in said(app)
    for row in (0, 8, len(start) - 1):
        app.pills[0].set_value(app.pills[0].options[row]).run()
        np.testing.assert_allclose(weights(app), attention[row, : row + 1], atol=1e-5)


def test_three_matrices_make_it_look_for_the_cat(open_lesson):
    for address in ({"qkv_mode": "three matrices"}, {"qkv_matrices": "true"}):
        app = open_lesson(**SHOWN, **address)
        np.testing.assert_allclose(weights(app), expected(TABLE, MATRICES), atol=1e-6)
    assert "`it` scores `cat` 3.57, and `cat` scores `it` −0.51" in said(app)


def test_the_sums_are_those_of_the_word_that_is_chosen(seen):
    for word in WORDS:
        seen.pills[0].set_value(word).run()
        rows = picture(seen, "looks:").rows
        sums = rows[(rows["kind"] == "sum") & rows["first"]]["text"].tolist()
        assert len(sums) == 4
        assert sums[0].startswith(f"{word} · ")
        assert sums[0].endswith(f"= {sums[1].split(' ÷')[0]}")


def test_a_changed_table_changes_the_picture_and_stands_in_the_address(
    seen, monkeypatch
):
    filled(monkeypatch, OTHER)
    seen.run()
    np.testing.assert_allclose(weights(seen), expected(OTHER), atol=1e-6)
    assert seen.query_params["table_words"] == as_text(OTHER)


def test_a_link_restores_the_table_and_the_matrices(open_lesson):
    there = open_lesson(**SHOWN, table_words=as_text(OTHER))
    np.testing.assert_allclose(weights(there), expected(OTHER), atol=1e-6)
    swapped = {**MATRICES, "keys": -MATRICES["keys"]}
    there = open_lesson(
        **SHOWN, qkv_mode="three matrices", table_keys=as_text(swapped["keys"])
    )
    np.testing.assert_allclose(weights(there), expected(TABLE, swapped), atol=1e-6)
    there = open_lesson(**SHOWN, table_words="1e308~nan")
    np.testing.assert_allclose(weights(there), expected(), atol=1e-6)


@pytest.mark.parametrize(
    ("entry", "what"),
    [(None, "is empty"), ("", "is empty"), ("x", "is not a number"),
     ("1e9", "is beyond 99"), ("-120", "is beyond 99")],
)
def test_an_unsound_table_gets_one_sentence_and_the_last_sound_one_counts(
    seen, monkeypatch, is_whole, lesson, entry, what
):
    table = TABLE.astype(str).astype(object)
    table[1, 2] = entry
    filled(monkeypatch, table)
    seen.run()
    is_whole(seen, lesson)
    (warning,) = seen.warning
    assert warning.value.startswith(f"The number of `cat` under `number 3` {what}.")
    np.testing.assert_allclose(weights(seen), expected(), atol=1e-6)


def test_what_is_typed_with_a_comma_counts(seen, monkeypatch):
    table = TABLE.astype(str).astype(object)
    table[1, 2] = "0,5"
    filled(monkeypatch, table)
    seen.run()
    assert seen.query_params["table_words"].split("_")[1] == "0.9~0.8~0.5~0.1"


def test_undo_and_reset_bring_back_earlier_tables(seen, monkeypatch):
    assert seen.button(key="table_undo").disabled
    for back in ("table_undo", "table_reset"):
        filled(monkeypatch, OTHER)
        seen.run()
        monkeypatch.undo()
        press(seen, back)
        np.testing.assert_allclose(weights(seen), expected(), atol=1e-6)
        assert "table_words" not in seen.query_params
    press(seen, "table_undo")
    np.testing.assert_allclose(weights(seen), expected(OTHER), atol=1e-6)


def test_dividing_by_the_root_keeps_the_row_between_hard_and_even(open_lesson):
    found = {}
    for by in ("nothing", "√d", "d"):
        app = open_lesson(scale="true", qkv_dim="64", qkv_divisor=by)
        shares = picture(app, "What 'it' gives").rows["bar"].to_numpy()
        found[by] = float(entropy(shares))
        assert f"{found[by]:.2f} nats" in sentence(app, "Over all pairs of words")
    assert found["nothing"] < found["√d"] < found["d"]


@pytest.mark.parametrize("matrices", [None, MATRICES])
def test_printed_sums_add_up(matrices):
    steps = four_steps(*by_hand(TABLE, matrices))
    for row in range(len(WORDS)):
        rows = four_steps_picture(steps, WORDS, row).data
        text = rows["text"].str.replace("−", "-")
        printed = pd.to_numeric(text, errors="coerce")

        def of(kind, rows=rows, printed=printed):
            return printed[rows["kind"] == kind].to_numpy()

        parts = of("part").reshape(len(WORDS), -1)
        np.testing.assert_allclose(parts.sum(axis=0), of("output"), atol=1e-9)
        products = of("product").reshape(len(WORDS), -1)
        scores, _, shares = of("figure").reshape(3, -1)
        np.testing.assert_allclose(products.sum(axis=1), scores, atol=1e-9)
        assert shares.sum() == pytest.approx(1)


def test_the_strips_are_queries_keys_and_values():
    steps = four_steps(*by_hand(TABLE, MATRICES))
    chart = four_steps_picture(steps, WORDS, IT)
    for kind, numbers in (("query", steps.queries[IT]), ("key", steps.keys),
                          ("value", steps.values), ("output", steps.output[IT])):
        drawn = chart.data[chart.data["kind"] == kind]["value"]
        np.testing.assert_allclose(drawn, np.ravel(numbers))
    heights = chart.data[chart.data["kind"] == "bar"]
    tall = (heights["y2"] - heights["y"]).to_numpy()
    np.testing.assert_allclose(tall / tall.sum(), steps.attention_weights[IT])


def test_before_the_guess_only_the_query_and_the_keys_are_drawn():
    steps = four_steps(*by_hand(TABLE))
    chart = four_steps_picture(steps, WORDS, IT, answered=False)
    assert set(chart.data["kind"]) == {"query", "key", "title"}
    assert chart.table is None


def test_a_table_of_noughts_is_drawn_as_well():
    steps = four_steps(*by_hand(np.zeros((4, 4))))
    chart = four_steps_picture(steps, WORDS, 0)
    assert np.isfinite(chart.data[["x", "y", "y2", "value", "shade"]]).all(axis=None)
    assert "gets 25%" in chart.alt


def test_one_drawing_serves_all_words_and_its_parts_do_not_overlap():
    steps = four_steps(*by_hand(TABLE))
    first, second = (four_steps_picture(steps, WORDS, row) for row in (0, 1))
    assert first.spec == second.spec
    for layout in (Layout(4, 4, 4), Layout(15, 16, 16), Layout(4, 2, len(NARROW))):
        tops = list(layout.tops.values())
        assert tops == sorted(tops)


def test_words_and_table_say_what_the_picture_shows():
    steps = four_steps(*by_hand(TABLE))
    chart = four_steps_picture(steps, WORDS, IT)
    assert "'cat' scores 1.44, scaled 0.72, and gets 33%" in chart.alt
    table = chart.table()
    assert table["weight"].sum() == pytest.approx(1)
    assert table["weight × value 2"].sum() == pytest.approx(steps.output[IT, 1])
