"""The lesson on the block: every part explains itself with its own numbers."""

import re

import pytest

from llm.models.parameters import count_parameters, total
from pages.ui.controls import tiny_llm
from tests.pages.harness import find, picture, said

SENTENCE = "the cat sat on the"


def tower_of(app):
    """The chart of the way up: its data and its words."""
    tower = picture(app, "The way up of")
    return tower.rows, tower.alt


def test_the_top_of_the_tower_is_what_the_model_says(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    data, told = tower_of(app)
    word, share = next(iter(tiny_llm().next_token(SENTENCE).items()))
    assert data["word"].iloc[-1] == word
    assert data["probability"].iloc[-1] == pytest.approx(share, rel=1e-3)
    assert len(data) == 4 * tiny_llm().config.num_layers + 4
    assert "The way up of 'the'" in told


def test_every_part_can_be_picked_and_shows_its_formula(open_lesson, is_whole):
    app = open_lesson(block_start=SENTENCE)
    for name in find(app, "selectbox", "block_part").options:
        find(app, "selectbox", "block_part").set_value(name).run()
        is_whole(app)
        data, _ = tower_of(app)
        assert list(data.loc[data["picked"], "name"]) == [name]
        assert len(app.latex) == 2
        assert "parameters." in said(app)


def test_any_word_can_be_followed(open_lesson, is_whole):
    app = open_lesson(block_start=SENTENCE, block_word="2 cat")
    assert "The way up of 'cat'" in tower_of(app)[1]
    find(app, "text_input", "block_start").set_value("").run()
    is_whole(app)
    assert "The way up of '<start>'" in tower_of(app)[1]


def test_the_guess_is_answered_with_the_counted_share(app):
    assert "of all." not in said(app)
    find(app, "radio", "block_guess").set_value("LayerNorm").run()
    parts = {part.name: part.total for part in count_parameters(tiny_llm().config)}
    share = parts["feed-forward"] / sum(parts.values())
    assert f"No: feed-forward**, with {share:.0%}" in said(app)


def test_the_counted_parts_end_in_the_sum_of_all(open_lesson):
    app = open_lesson(counted="true")
    everything = f"{total(count_parameters(tiny_llm().config)):,}"
    table = next(frame.value for frame in app.dataframe if "times" in frame.value)
    assert table["all"].iloc[-1] == everything
    assert any(metric.value == everything for metric in app.metric)
    assert "124,439,808" in said(app)


def test_a_longer_vector_comes_out_of_layer_norm_the_same(open_lesson):
    app = open_lesson(norm_by_hand="true")
    find(app, "select_slider", "norm_factor").set_value(100).run()
    data = picture(app, "goes out").rows
    longer = data[data["vector"] == "comes in"]["value"]
    assert longer.abs().max() > 20
    assert data[data["vector"] == "goes out"]["value"].abs().max() < 20


def test_an_inner_unit_shows_its_words_its_moments_and_the_search(open_lesson):
    app = open_lesson(block_units="true")
    text = said(app)
    assert "fires at" in text and "And a search" in text
    assert picture(app, "Mean firing")


def test_one_pass_and_many_give_the_same_logits(open_lesson):
    app = open_lesson(at_once="true")
    apart = next(metric for metric in app.metric if "difference" in metric.label)
    assert float(apart.value) < 1e-3


def test_the_tower_is_a_picture_whose_boxes_can_be_clicked(app):
    tower = picture(app, "The way up of")
    assert [param["name"] for param in tower.spec["params"]] == ["part"]
    assert "part" in list(tower.proto.selection_mode)


def test_the_last_word_is_followed_again_after_an_empty_box(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    box = find(app, "text_input", "block_start")
    box.set_value("").run()
    find(app, "text_input", "block_start").set_value("the cat").run()
    assert "The way up of 'cat'" in tower_of(app)[1]


def test_printed_additions_add_up(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    for name in ("position", "1: attention", "3: feed-forward", "logits"):
        find(app, "selectbox", "block_part").set_value(name).run()
        formula = app.latex[0].value
        given = r"(?:&= |x_1 &= )\(?(-?[\d.]+)\)? \+ \(?(-?[\d.]+)\)? = (-?[\d.]+)"
        first, second, result = map(float, re.search(given, formula).groups())
        assert result == pytest.approx(first + second, abs=0.0051)
