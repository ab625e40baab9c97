"""The lesson on positions: its figures are those of the functions that it shows."""

import re

import numpy as np
import pytest

from llm import TinyLLM
from llm.models.encoder_twin import load_encoder
from llm.models.shipped import load_twin
from llm.models.twins import first_positions
from llm.studies.order import (
    change,
    new_order,
    outputs,
    untouched_positions,
    without_positions,
)
from pages.positions.measures import BITTEN, trained_positions
from tests.pages.harness import find, picture, press, said

MOVES = "How far the output of each word moves"
GUESS = "positions_guess"


def moves(app):
    """The bars of the first picture: a dictionary from series to values."""
    rows = picture(app, MOVES).rows.sort_values("position")
    return {kind: rows[kind].tolist() for kind in ("bar", "second") if kind in rows}


def computed(words, number):
    """The same, computed by the functions that the lesson shows."""
    twin = load_encoder()
    token_ids = twin.tokenizer.ids_of(["<start>", *words])
    order = new_order(len(token_ids), number)
    networks = {"bar": twin.weights, "second": without_positions(twin.weights)}
    return {
        name: change(*outputs(weights, token_ids, order))[1:].tolist()
        for name, weights in networks.items()
    }


@pytest.mark.parametrize("words, number", [
    ("dog bites man", 0), ("the big dog saw the old man", 7),
])
def test_the_bars_are_what_the_shown_functions_compute(words, number, open_lesson):
    app = open_lesson(words=words, order=str(number), shown=GUESS)
    expected = computed(words.split(), number)
    for name, values in moves(app).items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-4, atol=1e-6)


def test_without_positions_nothing_moves_and_with_them_every_word_does(open_lesson):
    found = moves(open_lesson(shown=GUESS))
    assert max(found["second"]) < 1e-5
    assert min(found["bar"]) > 0.05


def test_the_button_shuffles_again_and_the_order_stands_in_its_box(open_lesson):
    app = open_lesson(words="the big dog saw the old man")
    press(app, "shuffle")
    assert find(app, "number_input", "order").value == 1
    expected = computed("the big dog saw the old man".split(), 1)
    np.testing.assert_allclose(moves(app)["bar"], expected["bar"], rtol=1e-4)


@pytest.mark.parametrize("words", ["", "dog", "zebra"])
def test_fewer_than_two_words_get_one_clear_sentence(words, open_lesson, is_whole):
    app = open_lesson(words=words)
    is_whole(app)
    assert any("Fewer than two words" in box.value for box in app.info)
    assert len(moves(app)["bar"]) == 3


def test_nothing_gives_the_answer_away_before_the_guess(app):
    assert "second" not in moves(app)
    assert "bag of words:" not in said(app).split("What to notice")[0]
    find(app, "radio", GUESS).set_value("They are quite different").run()
    assert "Not quite." in said(app)
    assert "second" in moves(app)


def test_the_map_shows_the_table_that_was_chosen(open_lesson):
    from llm.glassbox.positions import sinusoidal_positions

    cells = picture(open_lesson(table="waves"), "Positions, waves").rows
    shown = cells.pivot(index="row", columns="column", values="value").to_numpy()
    np.testing.assert_allclose(shown, sinusoidal_positions(64, 64), atol=1e-6)


def test_beyond_the_last_position_the_real_refusal_is_shown(open_lesson):
    app = open_lesson(positions_beyond="true")
    assert any("65 tokens are too many" in box.value for box in app.warning)


def test_the_positions_that_were_trained_are_the_first_ones():
    twin = load_twin("full").position_embeddings
    began = first_positions(*twin.shape).astype(np.float16)
    changed = (twin.astype(np.float16) != began).any(axis=-1)
    assert trained_positions() == changed.sum() > 32
    of_the_llm = ~untouched_positions(TinyLLM.load().weights.position_embeddings)
    for rows in (changed, of_the_llm):
        assert rows[: rows.sum()].all(), "a position was left out"


def test_all_positions_of_the_lowest_values_were_trained(open_lesson):
    app = open_lesson(positions_beyond="true")
    told = said(app).split("The lowest values there: ")[1].split(" From position")[0]
    starts = [int(number) for number in re.findall(r"at position (\d+)", told)]
    assert len(starts) == 2
    num_tokens = len(["<start>", *BITTEN.split()])
    assert all(start + num_tokens <= trained_positions() for start in starts)
