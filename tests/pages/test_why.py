"""The lesson on why: its figures are those of the functions that it shows."""

import numpy as np
import pytest

from llm import TinyLLM
from llm.models.shipped import load_lstm
from llm.studies.memory import COLOURS, movement, remembering, story_to_remember
from pages.ui.charts.words import percent
from tests.pages.harness import find, picture


@pytest.mark.parametrize("others", [0, 3])
def test_the_fading_memory_is_what_the_shown_functions_compute(others, open_lesson):
    app = open_lesson(others=str(others))
    llm = TinyLLM.load()
    read = remembering(llm, load_lstm(), others)
    curves = picture(app, "How far the state moves").rows
    for name, part in curves.groupby("series"):
        np.testing.assert_allclose(part["value"], movement(read[name]["states"]),
                                   rtol=1e-4, atol=1e-6)
    said = {box.label: box.value for box in app.metric}
    for name, network in read.items():
        share = network["expected"][0][llm.tokenizer.ids[COLOURS[0]]]
        assert said[f"{COLOURS[0]}: {name}"] == percent(share)
    assert said[f"{COLOURS[0]}: exact truth"] == "100%"


def test_attention_fetches_what_the_recurrent_state_has_to_carry():
    """What the lesson says in words, held to the shipped networks."""
    read = remembering(TinyLLM.load(), load_lstm(), 3)
    place = story_to_remember(COLOURS[0], 3).index(COLOURS[0])
    moved = movement(read["tiny LLM"]["states"])
    assert moved[-1] > 5 * moved[place + 1:-1].mean()
    right = {name: network["expected"].argmax(axis=-1)
             for name, network in read.items()}
    assert len(set(right["tiny LLM"])) == len(COLOURS)


@pytest.mark.parametrize("steps", [0, 1, 13])
def test_the_counter_reads_word_by_word_and_attention_all_at_once(steps, app, is_whole):
    find(app, "slider", "steps").set_value(steps).run()
    is_whole(app)
    assert picture(app, "A chain of").rows["read"].sum() == steps
    assert bool(len(picture(app, "rcs").rows)) == bool(steps)


def test_the_guess_is_answered_only_after_it_was_made(app):
    said = "hands it on 29 times"
    assert not any(said in text.value for text in app.markdown)
    find(app, "radio", "why_guess").set_value("29 times and 1 time").run()
    assert any(said in text.value and text.value.startswith("Yes")
               for text in app.markdown)


def test_the_price_is_counted(app):
    counted = picture(app, "Pairs to compare").rows
    for row in counted.itertuples():
        expected = {"attention, each with each": row.step**2,
                    "attention, left only": row.step * (row.step + 1) // 2,
                    "recurrent": row.step}[row.series]
        assert row.value == expected
