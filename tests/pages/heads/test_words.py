"""The sentences of the lesson on heads follow from their figures."""

import numpy as np

from llm.studies.roles import Role
from pages.heads.words import (
    ALL,
    DEPENDS,
    NONE,
    copies_in_words,
    cut_options,
    cuts_in_words,
    first_token_in_words,
    one_against_several,
    role_cut_in_words,
    roles_in_words,
    two_heads_in_words,
    two_ways_in_words,
)


def test_the_ends_of_all_trainings_are_told():
    assert "0.0200 above it with several heads and 0.0100 to 0.0300 with one" in (
        one_against_several([0.02], [0.01, 0.03]))


def test_the_two_heads_that_are_told_look_at_different_words():
    weights = np.zeros((2, 3, 3))
    weights[0, -1] = [0, 0.9, 0.1]
    weights[1, -1] = [1, 0, 0]
    tokens = ["<start>", "the", "cat"]
    told = two_heads_in_words(weights, ["1.1", "1.2"], tokens, "1.1")
    assert "head 1.1 looks mostly at `the` (90%)" in told
    assert "head 1.2 looks mostly at `<start>`" in told
    same = two_heads_in_words(weights[:1], ["1.1"], tokens, "1.1")
    assert "so do the other heads" in same


def test_the_deepest_fall_and_the_heads_that_can_go_are_counted():
    whole, without = np.array([1.0, 0.9]), np.array([[1.0, 0.9], [0.4, 0.9]])
    told = cuts_in_words(["1.1", "1.2"], ["binding", "order"], whole, without)
    assert told.startswith("Cut any one of 1 of the 2 heads")
    assert "without head 1.2, *binding* goes from 100% to 40%" in told
    assert set(cut_options(["1.1", "1.2"], ["binding", "order"], whole, without)) == {
        DEPENDS, NONE, ALL,
    }


def test_a_head_is_needed_for_a_skill_only_if_the_skill_falls_without_it():
    def told(after):
        return role_cut_in_words("2.2", "agreement", ["order", "agreement"], [1, 1],
                                 [0.1, after])

    assert "falls from 100% to 60% (guessing gets 50%), so the model" in told(0.6)
    assert "is right in 98% of the cases, with it in 100%. So" in told(0.98)
    assert "is still right in 100% of the cases, so the model hardly" in told(1)


def test_nothing_is_not_called_rounding():
    assert "exactly the same gradient" in copies_in_words(0.0)
    assert "by 0.00000012, and that is rounding" in copies_in_words(1.2e-7)
    assert "by less than 0.00000001, and that" in copies_in_words(1e-9)
    both = two_ways_in_words(0.0, 1.9e-6)
    assert "the two ways agree exactly;" in both
    assert "differ by 0.00000190. What is left is rounding." in both
    assert "rounding" not in two_ways_in_words(0.0, 0.0)


def test_a_role_that_nobody_has_names_its_bound():
    role = Role("same word", None, "to itself")
    told = roles_in_words([role], {"same word": {"even": 0.15}}, {"1.1": []},
                          np.array([[0.28]]))
    assert "30% would be needed; the highest share is 28%" in told


def test_how_much_is_taken_from_the_first_token_is_told_without_a_verdict():
    told = first_token_in_words(["1.1"], np.array([0.5]), 0.1, 0, np.array([1, 4, 4]))
    assert told.endswith("0.25 times as large as what it would take from one of the "
                         "other words, on average.")
