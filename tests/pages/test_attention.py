"""The attention lesson: its figures are those of the functions that it shows."""

import numpy as np
import pytest

from llm.glassbox.attention import attention_weights, causal_mask
from llm.glassbox.softmax import softmax
from llm.studies.links import (
    ACTOR,
    CUT_NAMES,
    IT,
    OBSTACLE,
    SO_THE,
    because,
    cut_distributions,
    looking_head,
)
from pages.attention.charts import ARCS, BETWEEN, HEIGHT, endings_picture
from pages.ui.models import encoder_twin, tiny_llm
from pages.ui.words import change_of, percent
from tests.pages.harness import picture, pictures, said, sentence

SHOWN = {"shown": "attention_guess"}


def start(last):
    return (*because("animal", "cross", "street", last), *SO_THE)


def head(last="tired", key=ACTOR):
    trace = tiny_llm().trace(start(last))
    return looking_head(trace, len(trace.tokens) - 1, key)


def last_row(last):
    """What the last `the` gives to each word, by the definition."""
    trace = tiny_llm().trace(start(last))
    mask = causal_mask(len(start(last)))
    return attention_weights(*trace.queries_and_keys(*head()), mask)[-1]


def shares(chart, below):
    """The figures in one half of a picture with two endings."""
    rows = chart.rows
    drawn = rows[(rows["kind"] == "share") & (rows["below"] == below)]
    return dict(zip(drawn["key"], drawn["value"]))


def test_the_first_picture_is_the_row_of_the_last_word(app):
    chart = pictures(app)[0]
    row = last_row("tired")
    for key, share in shares(chart, below=False).items():
        assert share == pytest.approx(row[key], abs=1e-6)
    assert ACTOR in shares(chart, below=False)


def test_nothing_gives_the_guess_away(app):
    assert not shares(pictures(app)[0], below=True)
    assert "With wide" not in pictures(app)[0].alt
    assert "With `wide`" not in said(app)


def test_a_guess_shows_the_other_ending_in_the_same_head(app):
    app.radio(key="attention_guess").set_value("more than two thirds").run()
    row = last_row("wide")
    for key, share in shares(pictures(app)[0], below=True).items():
        assert share == pytest.approx(row[key], abs=1e-6)
    given = f"The last `the` now gives {percent(row[ACTOR])} to `animal`"
    answers = [*app.success, *app.info]
    assert any(given in box.value for box in answers)


def test_right_and_wrong_guesses_look_different(app):
    radio = app.radio(key="attention_guess")
    right = 0
    for guess in radio.options:
        app.radio(key="attention_guess").set_value(guess).run()
        right += bool(app.success)
        assert bool(app.success) != any("Not quite" in box.value for box in app.info)
    assert right == 1


def said_with_cuts(last, noun, key):
    """What is left of the answer with each cut, by the definition."""
    llm, tokens = tiny_llm(), start(last)
    trace, mask = llm.trace(tokens), causal_mask(len(tokens))
    found = cut_distributions(
        llm.weights, trace, head(last, key), len(tokens) - 1, key, mask
    )
    return {cut: shares[llm.tokenizer.ids[noun]] for cut, shares in found.items()}


@pytest.mark.parametrize("guessed", [False, True])
@pytest.mark.parametrize("cut", CUT_NAMES)
def test_every_cut_is_computed_anew(open_lesson, cut, guessed):
    """Before the guess in the first sentence, then where the cut costs most."""
    left = {"animal": said_with_cuts("tired", "animal", ACTOR)}
    if guessed:
        left["street"] = said_with_cuts("wide", "street", OBSTACLE)
    whole, link, *_ = CUT_NAMES
    noun = max(left, key=lambda noun: left[noun][whole] - left[noun][link])
    app = open_lesson(cut=cut, **(SHOWN if guessed else {}))
    rows = picture(app, "What the tiny LLM says next").rows.set_index("label")["bar"]
    assert rows[noun] == pytest.approx(left[noun][cut], abs=1e-6)
    assert percent(left[noun][cut]) in sentence(
        app, "Nothing is cut" if cut == whole else "Cut "
    )


def test_both_endings_can_be_cut_once_the_guess_is_made(open_lesson):
    for last, noun, key in (("tired", "animal", ACTOR), ("wide", "street", OBSTACLE)):
        app = open_lesson(attention_ending=last, cut=CUT_NAMES[1], **SHOWN)
        left = said_with_cuts(last, noun, key)
        change = change_of(left[CUT_NAMES[0]], left[CUT_NAMES[1]])
        assert f"`{noun}` {change}" in sentence(app, "Cut this link")


def test_the_first_picture_says_at_once_whether_the_answer_needs_the_link(app):
    left = said_with_cuts("tired", "animal", ACTOR)[CUT_NAMES[1]]
    assert "this link" in sentence(app, "Where the last `the` looks")
    assert percent(left) in sentence(app, "Where the last `the` looks")


def test_the_mask_is_named_and_written_out(app):
    assert "**causal mask**" in said(app)
    assert any(r"-\infty" in one.value for one in app.latex)


def test_every_row_of_the_head_can_be_seen(open_lesson):
    app = open_lesson(rows="true", last_word="wide", attention_word="8 it")
    chart = picture(app, "'8 it' gives")
    cells = chart.rows[chart.rows["kind"].isin(["cell", "hidden"])]
    size = len(start("wide"))
    weights = tiny_llm().trace(start("wide")).attention(*head())
    np.testing.assert_allclose(
        cells["value"].to_numpy().reshape(size, size), weights, atol=1e-6
    )


def test_a_network_that_looks_both_ways_lets_it_look_at_the_right_noun(open_lesson):
    app = open_lesson(both_ways="true")
    twin = encoder_twin()
    assert "trained to point" in said(app)
    chart = picture(app, "'it' gives")
    for below, last in ((False, "tired"), (True, "wide")):
        trace = twin.ask(because("animal", "cross", "street", last))
        row = attention_weights(*trace.queries_and_keys(*twin.flipping_head))[IT]
        drawn = shares(chart, below)
        assert max(drawn, key=drawn.get) == row.argmax()
        assert drawn[row.argmax()] == pytest.approx(row.max(), abs=1e-5)


def test_the_twin_does_what_the_lesson_needs():
    scores = encoder_twin().record["scores"]
    for kind in ("fresh", "held_out"):
        assert min(scores[kind].values()) >= 0.99


def test_both_models_read_a_sentence_of_ones_own(open_lesson):
    app = open_lesson(own="true")
    for text, words in (("mia has a red kite .", 7), ("the zebra", 2)):
        app.text_input(key="attention_own").set_value(text).run()
        for reader in app.segmented_control(key="attention_reader").options:
            app.segmented_control(key="attention_reader").set_value(reader).run()
            chart = pictures(app)[-1]
            cells = chart.rows["kind"].isin(["cell", "hidden"])
            assert cells.sum() == words**2


def test_an_unknown_first_word_gets_one_message(open_lesson):
    app = open_lesson(own="true", attention_own="zebra")
    assert len(app.warning) == 1
    assert "Write at least one word" not in said(app)


def test_what_the_model_says_stands_in_the_picture(app):
    llm = tiny_llm()
    probability = softmax(llm.next_logits(start("tired")).astype(np.float64))
    animal = percent(probability[llm.tokenizer.ids["animal"]])
    assert f"the model says next: animal, {animal}" in pictures(app)[0].alt


def test_arcs_of_the_two_endings_keep_to_their_halves():
    rows = np.array([[0.6, 0.1, 0.3], [0.0, 0.9, 0.1]])
    chart = endings_picture(
        rows, [["a", "b", "c"], ["a", "d", "c"]], 2, ["with b", "with d"]
    )
    arcs = chart.data[chart.data["kind"] == "arc"]
    assert arcs[~arcs["below"]]["y"].max() <= ARCS
    assert arcs[arcs["below"]]["y"].min() >= ARCS + BETWEEN
    assert arcs["y"].between(0, HEIGHT).all()
    words = chart.data[chart.data["kind"] == "word"]["text"].tolist()
    assert words == ["a", "b", "d", "c"]
    assert "With d, 'c' gives 90% to 'd'" in chart.alt
    assert chart.table()["word"].tolist() == ["a", "b / d", "c"]
