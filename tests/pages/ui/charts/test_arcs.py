"""Arcs: as wide as the weight, linked with the matrix, and they spring back."""

import json

import numpy as np

from pages.ui.charts.arcs import LEAST, linked_arcs, plain_arcs

WEIGHTS = np.array([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.01, 0.39, 0.6]])
WORDS = ["mia", "saw", "mia"]


def test_an_arc_runs_from_the_word_that_looks_to_the_one_it_looks_at():
    links = plain_arcs(WEIGHTS, WORDS).table()
    assert list(links["from"]) == ["3 mia", "2 saw"]
    assert list(links["to"]) == ["2 saw", "1 mia"]
    assert (links["weight"] >= LEAST).all()


def test_arcs_of_one_word_only():
    assert list(plain_arcs(WEIGHTS, WORDS, row=1).table()["from"]) == ["2 saw"]


def test_no_link_is_strong_enough():
    chart = plain_arcs(np.eye(3), WORDS)
    assert chart.data.empty
    assert chart.alt.endswith("none.")


def test_the_chosen_word_stands_out_again_when_the_pointer_leaves():
    chart = linked_arcs(WEIGHTS, WORDS, row=2)
    params = {param["name"]: param for param in chart.drawn()["params"]}
    assert params["chosen"]["value"] == 2
    assert params["words"]["value"] == ["1 mia", "2 saw", "3 mia"]
    assert params["looking"]["select"]["clear"] == "rect:pointerout"
    assert ": chosen" in json.dumps(chart.drawn())


def test_words_say_what_the_chosen_word_looks_at():
    assert linked_arcs(WEIGHTS, WORDS, row=2).alt == (
        "'3 mia' gives 60% to itself, 39% to '2 saw', 1.0% to '1 mia'. "
        "Later words are hidden."
    )
    both = linked_arcs(WEIGHTS, WORDS, row=2, hidden=None)
    assert both.alt.endswith("It may look both ways.")


def test_sentences_of_one_length_share_one_picture():
    one = linked_arcs(WEIGHTS, WORDS, 0)
    assert len(one.table()) == 6
    assert one.spec == linked_arcs(np.eye(3), WORDS, 0).spec
