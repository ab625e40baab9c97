"""The lesson on positions: its figures are those of the functions that it shows."""

import numpy as np
import pytest

from llm.models.encoder_twin import load_encoder
from llm.studies.order import change, new_order, outputs, without_positions
from tests.pages.harness import find, picture, press


def changes_on(app):
    """The bars of the first chart: a dictionary from series to values."""
    bars = picture(app, "How far the output of each word moves").rows
    return {name: part["value"].tolist() for name, part in bars.groupby("series")}


def computed(words, number):
    """The same, computed by the functions that the lesson shows."""
    twin = load_encoder()
    token_ids = twin.tokenizer.ids_of(["<start>", *words])
    order = new_order(len(token_ids), number)
    networks = {"with positions": twin.weights,
                "without positions": without_positions(twin.weights)}
    return {name: change(*outputs(weights, token_ids, order))[1:].tolist()
            for name, weights in networks.items()}


@pytest.mark.parametrize("words, number", [
    ("dog bites man", 0), ("the big dog saw the old man", 7),
])
def test_the_bars_are_what_the_shown_functions_compute(words, number, open_lesson):
    app = open_lesson(words=words, order=str(number))
    expected = computed(words.split(), number)
    for name, values in changes_on(app).items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-4, atol=1e-6)


def test_without_positions_nothing_moves_and_with_them_every_word_does(open_lesson):
    found = changes_on(open_lesson())
    assert max(found["without positions"]) < 1e-5
    assert min(found["with positions"]) > 0.05


def test_the_button_shuffles_again_and_the_order_stands_in_its_box(
    open_lesson, is_whole
):
    app = open_lesson(words="the big dog saw the old man")
    press(app, "shuffle")
    is_whole(app)
    assert find(app, "number_input", "order").value == 1
    expected = computed("the big dog saw the old man".split(), 1)
    np.testing.assert_allclose(
        changes_on(app)["with positions"], expected["with positions"], rtol=1e-4)


@pytest.mark.parametrize("words", ["", "dog", "zebra"])
def test_fewer_than_two_words_get_one_clear_sentence(words, open_lesson, is_whole):
    app = open_lesson(words=words)
    is_whole(app)
    assert any("Fewer than two words" in box.value for box in app.info)
    assert len(changes_on(app)["with positions"]) == 3


def test_the_guess_is_answered_only_after_it_was_made(app):
    said = "the same numbers. See for yourself"
    assert not any(said in text.value for text in app.markdown)
    find(app, "radio", "positions_guess").set_value("Quite different numbers").run()
    assert any(said in text.value for text in app.markdown)


def test_the_map_shows_the_table_that_was_chosen(open_lesson):
    from llm.glassbox.positions import sinusoidal_positions

    app = open_lesson(table="waves")
    cells = picture(app, "Sinusoidal positions").rows
    shown = cells.pivot(index="place", columns="column", values="value").to_numpy()
    np.testing.assert_allclose(shown, sinusoidal_positions(64, 64), atol=1e-6)


def test_beyond_the_last_place_the_real_refusal_is_shown(open_lesson):
    app = open_lesson(positions_beyond="true")
    assert any("65 tokens are too many" in box.value for box in app.warning)
