"""The sentences of the attention lesson follow from their figures."""

import numpy as np

from llm.studies.links import CUT_NAMES
from pages.attention.words import (
    GUESSES,
    cut_said,
    explained,
    first_ending_said,
    guess_replies,
    how_trained,
    label_said,
    masked_softmax,
    model_said,
    needed_said,
    one_against_many,
    only_row_said,
    other_ending_said,
    pointing_said,
    share_guess,
    twin_cut_said,
)
from pages.ui.measures import Links, widest_row

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


def test_the_picture_says_whether_the_answer_needs_its_link():
    assert "Even without this link the model gives 99% to `cat`" in needed_said(
        "cat", 0.999, 0.99)
    assert "`cat` goes from 99.9% to 40%" in needed_said("cat", 0.999, 0.4)


def test_the_other_ending_says_who_looks_at_the_answer():
    row, tokens = np.array([0.1, 0.0, 0.9]), ("<start>", "street", "wide")
    sure = {"street": 0.99, "animal": 0.01}
    said = other_ending_said("wide", row, tokens, "street", sure, (0.9, 0.8), (0, 2))
    assert "gives 90% to `wide`, and the model says `street` with 99%." in said
    row = row / 5
    spread = other_ending_said("wide", row, tokens, "street", sure, (0.9, 0.8), None)
    assert "this head gives no word more than 18%" in spread
    assert "head 3 of layer 1 looks at `street` most, with 90%, whichever" in said
    said = other_ending_said("wide", row, tokens, "street", sure, (0.9, 0.1), (0, 2))
    assert "whichever" not in said
    said = other_ending_said("wide", row, tokens, "street", sure, (0.9, 0.1), None)
    assert "most" not in said


def test_the_model_says_its_likeliest_word_and_no_other():
    sure, wrong = {"cat": 0.9, "dog": 0.1}, {"cat": 0.2, "dog": 0.8}
    assert model_said("cat", sure) == "the model says `cat` with 90%"
    assert model_said("cat", wrong) == (
        "the model gives `cat` 20%, and `dog` leads with 80%")
    assert label_said("cat", sure) == "next: cat, 90%"
    assert label_said("cat", wrong) == "next: dog, 80%; cat, 20%"


def test_the_ending_that_stands_first_is_the_one_that_loses_more():
    def said(lost, whole, left):
        return first_ending_said("wide", lost, "tired", "animal", whole, left)

    assert said(0.7, 0.9, 0.24) == (
        "We begin with `wide`, which loses more: with `tired`, `animal` goes from 90% "
        "to 24%."
    )
    assert said(0.7, 0.991, 0.9905).endswith("`animal` stays at 99%.")
    assert "Neither ending" in said(0.01, 0.99, 0.99)


def cut(name, noun="cat", **answers):
    """What is said of one cut; dogs get the rest."""
    given = [0.9996, 0.46, 0.99, 0.0, 0.99]
    left = dict(zip(CUT_NAMES, given)) | {
        CUT_NAMES[int(n[1:])]: share for n, share in answers.items()}
    return cut_said(name, noun, {
        n: {noun: share, "dog": 1 - share} for n, share in left.items()})


def test_a_cut_is_judged_by_what_is_left():
    link = CUT_NAMES[1]
    assert cut(CUT_NAMES[0]).startswith("Nothing is cut: the model says `cat`")
    assert "gives `cat` 30%, and `dog` leads with 70%" in cut(CUT_NAMES[0], _0=0.3)
    assert "hardly needs it" in cut(link, _1=0.98)
    assert cut(link, _1=0.01).endswith("and `dog` leads with 99%. Without it the "
                                       "answer is gone.")
    assert "hardly needs it" in cut(CUT_NAMES[2])
    half = cut(link)
    assert "`cat` goes from over 99.9% to 46%, and `dog` leads with 54%" in half
    assert "The answer needs it." in half
    assert "It helps, and the answer stands without it." in cut(link, _1=0.88)


def test_where_the_rest_of_an_answer_comes_from_follows_from_the_other_cuts():
    link = CUT_NAMES[1]
    assert "through other heads: with the link cut in every head, `cat` has 0%" in cut(
        link)
    told = "It comes another way: with the link cut in every head, `cat` has 98%"
    assert told in cut(link, _1=0.98, _3=0.98)
    assert "What is left comes in part through other heads" in cut(link, _3=0.3)


def test_a_link_that_other_words_share_is_not_called_their_own():
    alone = np.array([[1, 0, 0], [0.7, 0.3, 0], [0.1, 0.8, 0.1]])
    said = only_row_said(alone, 2, 1, ["a", "b", "c"])
    assert "Itself aside, `b` gets at most 0%" in said
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
    assert "every other word to look at itself" in pointing_said(scores, True)
    told = pointing_said(scores, True)
    assert "99% of those where `it` is the animal or another mover" in told
    scores["pointing"] = {"it": 1.0, "others": 0.04}
    told = "Of all words but these two, 4.0% look at that noun most"
    assert f"{told}, as trained." in pointing_said(scores, True)
    assert f"{told}." in pointing_said(scores, False)


def test_the_cut_in_the_twin_is_judged_by_what_is_left():
    def said(*left):
        return twin_cut_said(dict(zip(CUT_NAMES, left)), "cat")

    assert "needs the link that we see" in said(0.99, 0.3, 0.9, 0.2, 0.3)
    assert "through other words" in said(0.99, 0.98, 0.99, 0.97, 0.98)
    assert "through other heads" in said(0.99, 0.98, 0.99, 0.6, 0.7)
    same = said(0.99, 0.99, 0.99, 0.99, 0.99)
    assert "gives `cat` 99%, whether this link is cut in this head, in all or" in same


def test_a_link_that_carries_little_is_said_to():
    alone = np.array([[0.1, 0.9]])
    told = explained("twin", Links(0.99, 0.1, alone, 13))
    assert "twin, on 13 sentences: 99% with nothing cut, 10%" in told
    assert "90% with it left to head 2 of layer 1 alone" in told
    assert "hardly anything hangs" in explained("twin", Links(0.99, 0.98, alone, 13))


def test_one_sentence_that_differs_from_the_many_is_named():
    assert "`cat` has 99%" in one_against_many("cat", 0.99, 0.15)
    assert not one_against_many("cat", 0.2, 0.15)


def test_all_are_called_every_one():
    record = {"training": {"schedule": {"num_steps": 100}}, "scores": {
        "fresh": {"blank": 1.0, "it": 1.0}, "held_out": {"blank": 0.98, "it": 1.0}}}
    told = how_trained(record)
    assert "right about every blank and about every `it`" in told
    assert "about 98% of the blanks" in told
