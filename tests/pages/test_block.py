"""The lesson on the block: every part explains itself with its own numbers."""

import json

import pyarrow as pa
import pytest

from llm.models.parameters import count_parameters, total
from pages.ui.controls import tiny_llm
from pages.ui.course import LESSONS
from tests.pages.harness import find

BLOCK = next(lesson for lesson in LESSONS if lesson.stem == "block")
SENTENCE = "the cat sat on the"


def rows_of(chart):
    """The data of a chart, as a DataFrame."""
    return pa.ipc.open_stream(chart.proto.datasets[0].data.data).read_pandas()


def tower_of(app):
    """The chart of the way up: its data and its words."""
    chart = app.get("vega_lite_chart")[0]
    return rows_of(chart), chart.proto.alt


def all_text(app):
    return " ".join(part.value for part in [*app.markdown, *app.latex, *app.caption])


def test_the_top_of_the_tower_is_what_the_model_says(open_lesson):
    app = open_lesson(BLOCK, block_start=SENTENCE)
    data, said = tower_of(app)
    word, share = next(iter(tiny_llm().next_token(SENTENCE).items()))
    assert data["word"].iloc[-1] == word
    assert data["probability"].iloc[-1] == pytest.approx(share, rel=1e-3)
    assert len(data) == 4 * tiny_llm().config.num_layers + 4
    assert "The way up of 'the'" in said


def test_every_part_can_be_picked_and_shows_its_formula(open_lesson, is_whole):
    app = open_lesson(BLOCK, block_start=SENTENCE)
    for name in find(app, "selectbox", "block_part").options:
        find(app, "selectbox", "block_part").set_value(name).run()
        is_whole(app, BLOCK)
        data, _ = tower_of(app)
        assert list(data.loc[data["picked"], "name"]) == [name]
        assert len(app.latex) == 2
        assert "parameters." in all_text(app)


def test_any_word_can_be_followed(open_lesson, is_whole):
    app = open_lesson(BLOCK, block_start=SENTENCE, block_word="3 cat")
    _, said = tower_of(app)
    assert "The way up of 'cat'" in said
    find(app, "text_input", "block_start").set_value("").run()
    is_whole(app, BLOCK)
    assert "The way up of '<start>'" in tower_of(app)[1]


def test_the_guess_is_answered_with_the_counted_share(open_lesson):
    app = open_lesson(BLOCK)
    assert "of all." not in all_text(app)
    find(app, "radio", "block_guess").set_value("LayerNorm").run()
    parts = {part.name: part.total for part in count_parameters(tiny_llm().config)}
    share = parts["feed-forward"] / sum(parts.values())
    assert f"No: feed-forward**, with {share:.0%}".replace("%", " %") in all_text(app)


def test_the_counted_parts_end_in_the_sum_of_all(open_lesson):
    app = open_lesson(BLOCK, counted="true")
    everything = f"{total(count_parameters(tiny_llm().config)):,}"
    table = next(frame.value for frame in app.dataframe if "times" in frame.value)
    assert table["all"].iloc[-1] == everything
    assert any(metric.value == everything for metric in app.metric)
    assert "124,439,808" in all_text(app)


def test_a_longer_vector_comes_out_of_layer_norm_the_same(open_lesson):
    app = open_lesson(BLOCK, norm_by_hand="true")
    find(app, "select_slider", "norm_factor").set_value(100).run()
    charts = [chart for chart in app.get("vega_lite_chart")
              if "goes out" in chart.proto.alt]
    data = rows_of(charts[0])
    longer = data[data["vector"] == "comes in"]["value"]
    assert longer.abs().max() > 20
    assert data[data["vector"] == "goes out"]["value"].abs().max() < 20


def test_an_inner_unit_shows_its_words_its_moments_and_the_search(open_lesson):
    app = open_lesson(BLOCK, block_units="true")
    text = all_text(app)
    assert "fires at" in text and "And a search" in text
    assert any("Mean firing" in chart.proto.alt for chart in app.get("vega_lite_chart"))


def test_one_pass_and_many_give_the_same_logits(open_lesson):
    app = open_lesson(BLOCK, at_once="true")
    apart = next(metric for metric in app.metric if "difference" in metric.label)
    assert float(apart.value) < 1e-3


def test_the_tower_is_a_picture_whose_boxes_can_be_clicked(open_lesson):
    app = open_lesson(BLOCK)
    chart = app.get("vega_lite_chart")[0].proto
    params = json.loads(chart.spec)["params"]
    assert [param["name"] for param in params] == ["part"]
    assert "part" in list(chart.selection_mode)
