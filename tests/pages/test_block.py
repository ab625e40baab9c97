"""The lesson on the block: every part explains itself with its own numbers."""

import re

import pytest

from llm.models.parameters import count_parameters, total
from llm.models.shipped import load_record
from pages.ui.models import tiny_llm
from pages.ui.words import percent
from tests.pages.harness import find, picture, pictures, said, sentence

SENTENCE = "the cat sat on the"


def columns_of(app):
    """The picture of all words: its data and its words."""
    columns = picture(app, "words side by side")
    return columns.rows, columns.alt


def test_the_top_of_a_column_is_what_the_model_says(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    data, told = columns_of(app)
    word, share = next(iter(tiny_llm().next_token(SENTENCE).items()))
    top = data[(data["name"] == "logits") & (data["column"] == 5)]
    assert top["label"].item().startswith(f"{word} {share:.0%}")
    assert "The way up of '5 the'" in told


def test_arrows_run_from_left_to_right_only_and_are_the_mean_of_the_heads(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    data, _ = columns_of(app)
    arrows = data[(data["kind"] == "arrow") & (data["step"] == 0)]
    assert (arrows["x"] < arrows["column"]).all()
    run = tiny_llm().trace(SENTENCE)
    for arrow in arrows.to_dict("records"):
        layer, query, key = map(int, arrow["link"].split("-"))
        mean = run.blocks[layer].attention_weights[:, query, key].mean()
        assert arrow["size"] == pytest.approx(mean, abs=1e-4)


def test_every_part_can_be_picked_and_shows_its_formula(open_lesson, is_whole):
    app = open_lesson(block_start=SENTENCE)
    names = find(app, "selectbox", "block_part").options
    assert len(names) == 4 * tiny_llm().config.num_layers + 4
    for name in names:
        find(app, "selectbox", "block_part").set_value(name).run()
        is_whole(app)
        data, _ = columns_of(app)
        assert len(data[data["kind"] == "frame"]) == 1
        assert len(app.latex) == 2
        assert f"**{name[0].upper()}{name[1:]}, at" in said(app)


def test_a_feed_forward_layer_names_the_units_that_fire(open_lesson):
    app = open_lesson(block_start=SENTENCE, block_part="2: feed-forward")
    fired = picture(app, "How strongly the unit fires").rows
    hidden = tiny_llm().trace(SENTENCE).blocks[1].hidden[-1]
    assert fired["bar"].iloc[0] == pytest.approx(hidden.max(), rel=1e-4)
    unit = int(fired["label"].iloc[0].split(":")[0])
    assert unit == hidden.argmax() + 1
    assert re.search(r": \S", fired["label"].iloc[0])


def test_strips_have_a_neutral_zero_and_say_what_the_colours_mean(app):
    spec = picture(app, "Vectors of").spec
    fill = next(layer["encoding"]["fill"] for layer in spec["layer"]
                if "fill" in layer.get("encoding", {}))
    assert fill["scale"]["domain"] == ["below zero", "above zero"]
    assert fill["legend"]["orient"] == "bottom"


def test_any_word_can_be_followed(open_lesson, is_whole):
    app = open_lesson(block_start=SENTENCE, block_word="2 cat")
    assert "The way up of '2 cat'" in columns_of(app)[1]
    find(app, "text_input", "block_start").set_value("").run()
    is_whole(app)
    assert "The way up of '0 <start>'" in columns_of(app)[1]


def test_the_last_word_is_followed_again_after_an_empty_box(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    find(app, "text_input", "block_start").set_value("").run()
    find(app, "text_input", "block_start").set_value("the cat").run()
    assert "The way up of '2 cat'" in columns_of(app)[1]


def test_a_click_moves_to_the_word_and_the_part(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    columns = picture(app, "words side by side")
    assert list(columns.proto.selection_mode) == ["part"]
    assert {param["name"] for param in columns.spec["params"]} >= {"chosen", "part"}


def test_of_a_long_text_the_last_words_are_shown(open_lesson):
    app = open_lesson(block_start=" ".join(["the cat sat on the mat ."] * 6))
    assert any("has room for 24" in box.value for box in app.info)
    assert "24 words side by side" in columns_of(app)[1]


def test_the_guess_is_answered_with_the_counted_share(app):
    assert "Most sit in" not in said(app)
    find(app, "radio", "block_guess").set_value("LayerNorm").run()
    parts = {part.name: part.total for part in count_parameters(tiny_llm().config)}
    share = parts["feed-forward"] / sum(parts.values())
    (reply,) = (box.value for box in app.info if "Most sit in" in box.value)
    assert f"Most sit in feed-forward, {share:.0%} of all" in reply


def test_every_skill_is_told_without_the_feed_forward_layers(app):
    told = sentence(app, "**Why a feed-forward layer?**")
    for skill, share in load_record("heads")["skills"]["without_feed_forward"].items():
        assert f"*{skill}* {percent(share)}" in told


def test_the_counted_parts_end_in_the_sum_of_all(open_lesson):
    app = open_lesson(counted="true")
    everything = f"{total(count_parameters(tiny_llm().config)):,}"
    table = next(frame.value for frame in app.dataframe if "times" in frame.value)
    assert table["all"].iloc[-1] == everything
    assert any(metric.value == everything for metric in app.metric)
    assert "124,439,808" in said(app)


def test_a_size_beyond_the_bounds_is_named(open_lesson):
    app = open_lesson(counted="true")
    find(app, "number_input", "own_blocks").set_value(1000).run()
    assert any("out of range" in box.value for box in app.warning)


def test_a_longer_vector_comes_out_of_layer_norm_the_same(open_lesson):
    app = open_lesson(norm_by_hand="true")
    find(app, "select_slider", "norm_factor").set_value(100).run()
    data = next(one for one in pictures(app) if "goes out" in one.alt).rows
    assert data[data["from"] == "comes in"]["value"].abs().max() > 20
    assert data[data["from"] == "goes out"]["value"].abs().max() < 20


def test_an_inner_unit_shows_its_words_its_moments_and_the_search(open_lesson):
    app = open_lesson(block_units="true")
    text = said(app)
    assert "fires at" in text and "And a search" in text
    assert picture(app, "Mean firing")
    names = find(app, "selectbox", "block_unit").options
    config = tiny_llm().config
    assert len(names) == config.num_layers * config.feed_forward_dim
    assert all(re.match(r"[123]\.\d+(: \S|$)", name) for name in names)


def test_every_training_of_a_twin_is_a_dot(open_lesson):
    app = open_lesson(without_parts="true", norm_by_hand="true")
    dots = [one.rows for one in pictures(app) if "end of each training" in one.alt]
    named = [{*one["network"]} for one in dots]
    assert {"before", "after"} in named
    assert any({"the full model", "no residual connections"} <= one for one in named)


def test_one_pass_and_many_give_the_same_logits(open_lesson):
    app = open_lesson(at_once="true")
    apart = next(metric for metric in app.metric if "difference" in metric.label)
    assert float(apart.value) < 1e-3


def test_printed_additions_add_up(open_lesson):
    app = open_lesson(block_start=SENTENCE)
    for name in ("position", "1: attention", "3: feed-forward", "logits"):
        find(app, "selectbox", "block_part").set_value(name).run()
        formula = app.latex[0].value
        given = r"(?:&= |x_1 &= )\(?(-?[\d.]+)\)? \+ \(?(-?[\d.]+)\)? = (-?[\d.]+)"
        first, second, result = map(float, re.search(given, formula).groups())
        assert result == pytest.approx(first + second, abs=0.0051)
