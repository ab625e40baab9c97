"""The sentences of the lesson on heads follow from their figures."""

import numpy as np

from pages.heads.words import (
    ALL,
    DEPENDS,
    NONE,
    cut_options,
    cuts_in_words,
    one_against_several,
    two_heads_in_words,
)


def test_one_head_is_worse_only_if_every_training_is():
    told = one_against_several([0.02, 0.03], [0.01, 0.1])
    assert "no difference beyond chance" in told
    assert "one head ends worse" in one_against_several([0.02, 0.03], [0.04, 0.1])
    assert "one head ends better" in one_against_several([0.02, 0.03], [0.01, 0.01])
    assert "proves nothing" in one_against_several([0.02], [0.01])


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
