"""The sentences of the attention lesson follow from their figures."""

import numpy as np

from llm.studies.links import CUT_NAMES
from pages.attention.words import (
    GUESSES,
    cut_said,
    guess_replies,
    masked_softmax,
    only_row_said,
    other_ending_said,
    pointing_said,
    share_guess,
    twin_cut_said,
)
from pages.ui.measures import widest_row

HEAD = {"layer": 2, "head": 0, "right_if_actor": 0.99, "right_if_obstacle": 1.0}


def test_the_right_guess_follows_from_the_share():
    assert [share_guess(share) for share in (0.99, 0.5, 0.01)] == list(GUESSES)


def test_every_guess_gets_its_own_reply_with_the_figures():
    for then in (0.01, 0.5, 0.9):
        replies = guess_replies("animal", 0.996, then)
        assert list(replies) == list(GUESSES)
        assert len(set(replies.values())) == len(GUESSES)
        assert all("before, it gave 99.6%" in reply for reply in replies.values())
        assert replies[share_guess(then)].startswith("The last `the` now gives")


def test_the_other_ending_says_who_brings_the_answer():
    row, tokens = np.array([0.1, 0.0, 0.9]), ("<start>", "street", "wide")
    said = other_ending_said("wide", row, tokens, "street", 0.99, (0.9, 0.8), (0, 2))
    assert "gives most, 90%, to `wide`" in said
    assert "head 3 of layer 1, which gives it 90%, whichever word" in said
    said = other_ending_said("wide", row, tokens, "street", 0.99, (0.9, 0.1), (0, 2))
    assert "whichever" not in said
    said = other_ending_said("wide", row, tokens, "street", 0.99, (0.9, 0.1), None)
    assert "comes through" not in said


def test_a_cut_is_judged_by_what_is_left():
    assert cut_said(CUT_NAMES[0], "cat", 0.99, 0.99).startswith("Nothing is cut")
    assert "hardly needs it" in cut_said("this link", "cat", 0.99, 0.98)
    assert "is gone" in cut_said("this link", "cat", 0.99, 0.01)
    half = cut_said("this link", "cat", 0.9996, 0.46)
    assert "`cat` goes from over 99.9% to 46%" in half
    assert "not it alone" in half


def test_a_link_that_other_words_share_is_not_called_their_own():
    alone = np.array([[1, 0, 0], [0.7, 0.3, 0], [0.1, 0.8, 0.1]])
    said = only_row_said(alone, 2, 1, ["a", "b", "c"])
    assert "No other word gives `b` more than 0%" in said
    shared = np.array([[0.2, 0.8, 0], [0.7, 0.3, 0], [0.1, 0.8, 0.1]])
    said = only_row_said(shared, 2, 1, ["a", "b", "c"])
    assert said.startswith("1 of the other 1 words look")


def test_the_mask_stands_in_the_formula_as_minus_infinity():
    said = masked_softmax(np.log([1.0, 3.0, 9.0, 9.0]), list("abcd"), 1, 1)
    top, below = r"\frac{e^{0}}{e^{-1.1} + e^{0} + ", r"\underbrace{e^{-\infty} + e^{"
    assert top + below in said
    assert said.endswith("= 0.75")
    long = masked_softmax(np.zeros(9), list("abcdefghi"), 4, 4)
    assert r"e^{-\infty} + e^{-\infty} + \dots" in long


def test_the_row_that_is_written_out_has_words_on_both_sides():
    weights = np.eye(10)
    weights[6, :7] = 1 / 7
    weights[9] = 1 / 10
    assert widest_row(weights) == 6


def test_a_head_that_was_trained_to_point_is_said_to_be():
    scores = {"flipping_head": HEAD}
    assert "was **trained to point**" in pointing_said(scores, True)
    assert "was **trained to point**" not in pointing_said(scores, False)
    told = pointing_said(scores, True)
    assert "99% of those where `it` is the animal or another mover" in told
    scores["pointing"] = {"it": 1.0, "others": 0.04}
    assert "Of the other words, 4.0% look at that noun most" in pointing_said(
        scores, True)


def test_the_cut_in_the_twin_is_judged_by_what_is_left():
    def said(*left):
        return twin_cut_said(dict(zip(CUT_NAMES, left)), "cat")

    assert "needs the link that we see" in said(0.99, 0.3, 0.9, 0.2, 0.3)
    assert "words in between" in said(0.99, 0.98, 0.99, 0.97, 0.98)
    assert "through other heads" in said(0.99, 0.98, 0.99, 0.6, 0.7)
