"""The lesson on why: its figures are those of the networks that it asks."""

import pytest

from llm import TinyLLM
from llm.models.shipped import load_lstm, load_record
from llm.studies.memory import COLOURS, remembering, story_to_remember
from pages.ui.words import percent
from pages.why.measures import sure_by_colour
from pages.why.words import SURE, faded
from tests.pages.harness import find, metric, picture, said

GUESS = "why_guess"
PICTURE = "Two ways to remember"


@pytest.mark.parametrize("others", [0, 3])
def test_the_percentages_are_those_of_the_two_networks(others, open_lesson):
    app = open_lesson(shown=GUESS, others=str(others))
    llm = TinyLLM.load()
    for name, network in remembering(llm, load_lstm(), others).items():
        share = network["expected"][0][llm.tokenizer.ids[COLOURS[0]]]
        assert metric(app, f"{COLOURS[0]}: {name}") == percent(share)
    assert metric(app, f"{COLOURS[0]}: exact truth") == "100%"


def test_a_bead_says_how_sure_the_lstm_is_behind_the_fact_of_its_word(open_lesson):
    app = open_lesson(shown=GUESS, others="2")
    beads = picture(app, PICTURE).rows.query("kind == 'word'")
    story, llm = story_to_remember(COLOURS[0], 2), TinyLLM.load()
    assert list(beads["shown"]) == story
    colour = llm.tokenizer.ids[COLOURS[0]]
    for count, word in enumerate(("kite", "ball", "hat")):
        expected = remembering(llm, load_lstm(), count)["LSTM"]["expected"][0][colour]
        bead = beads[beads["shown"] == word].iloc[0]
        assert bead["sure"] == pytest.approx(float(expected), rel=1e-4)
    assert beads["sure"][: story.index(COLOURS[0])].isna().all()


def test_the_arcs_lead_from_the_colour_to_the_question(open_lesson):
    app = open_lesson(shown=GUESS, others="1")
    story = story_to_remember(COLOURS[0], 1)
    arcs = picture(app, PICTURE).rows.query("kind == 'arc'").groupby("arc")["x"]
    ends = [(int(x.iloc[0]), int(x.iloc[-1])) for _, x in arcs]
    assert story[ends[0][0]] == COLOURS[0]
    assert ends[-1][1] == len(story) - 1
    assert all(late == early for (_, late), (early, _) in zip(ends, ends[1:]))


def test_attention_fetches_what_the_recurrent_state_has_to_carry():
    """What the lesson says in words, held to the shipped networks."""
    read = remembering(TinyLLM.load(), load_lstm(), 3)
    right = {
        name: network["expected"].argmax(axis=-1) for name, network in read.items()
    }
    assert len(set(right["tiny LLM"])) == len(COLOURS)


def test_nothing_tells_the_answer_before_the_guess(app):
    assert find(app, "slider", "others") is None
    assert "23%" not in said(app)
    find(app, "radio", GUESS).set_value(SURE).run()
    assert find(app, "slider", "others").value == 1
    assert "The LSTM: " in said(app)


def test_the_guess_is_about_the_mean_over_colours_that_no_other_fact_names(app):
    shares = sure_by_colour()
    assert set(shares) == set(COLOURS) - {"green"}
    find(app, "radio", GUESS).set_value(faded(shares)).run()
    assert "Yes. It gives the right colour" in said(app)


def test_facts_and_distance_are_shown_apart(open_lesson):
    app = open_lesson(why_skills="true")
    found = load_record("distance")["binding_by_facts"]
    rows = picture(app, "by the number of facts told").rows
    for name, column in (("tiny LLM", "bar"), ("LSTM", "second")):
        shares = [sum(right) / sum(asked) for right, asked in zip(
            found["right"][name], found["counts"], strict=True)]
        assert list(rows[column]) == pytest.approx(shares)
    assert "Its errors go with" in said(app)


def test_the_price_is_counted(open_lesson):
    counted = picture(open_lesson(why_price="true"), "Pairs, or steps").rows
    for row in counted[counted["kind"] == "line"].itertuples():
        expected = {
            "attention, each with each": row.x**2,
            "attention, left only": row.x * (row.x + 1) // 2,
            "recurrent": row.x,
        }[row.series]
        assert row.value == expected
