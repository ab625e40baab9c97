"""Sentences of the lesson on the families follow from the figures."""

import pytest

from pages.families.words import (
    ANIMAL,
    EITHER,
    NEITHER,
    STREET,
    across_in_words,
    blank_in_words,
    guess_replies,
    twin_in_words,
    unknown_in_words,
)

TRUTH = {"animal": 0.5, "street": 0.5}


@pytest.mark.parametrize(("animal", "street", "answer"), [
    (0.9, 0.05, ANIMAL), (0.1, 0.85, STREET), (0.55, 0.44, EITHER),
    (0.3, 0.3, NEITHER),
])
def test_the_answer_of_the_guess_follows_from_the_model(animal, street, answer):
    replies, right = guess_replies({"animal": animal, "street": street}, TRUTH)
    assert right == answer
    assert replies[right].startswith(f"It gives `animal` {animal:.0%}")
    assert all("exact chances here are 50% and 50%" in one for one in replies.values())


def test_without_a_truth_it_is_said_and_not_computed():
    assert "no truth to compare with" in blank_in_words("cat", {"cat": 0.1}, {})
    told = blank_in_words("cat", {"cat": 0.25}, {"cat": 1.0})
    assert "100% for one who sees both sides, and 25%" in told


def test_whether_the_twin_can_copy_is_said_as_it_is():
    copies = twin_in_words(12, 0.95, "a ___ .", "blue", 0.97, 0.999)
    assert "12 times as many rows" in copies and "can copy, too" in copies
    assert "measure why" not in copies
    badly = twin_in_words(1, 0.62, "a ___ .", "blue", 0.3, 0.999)
    assert "about as many rows" in badly and "does not copy reliably" in badly
    assert "gets 62% right" in badly and "We did not measure why." in badly
    assert "The twin was trained on about 2 times" in twin_in_words(
        0.5, 0.95, "a ___ .", "blue", 0.97, 0.999)


def test_unknown_words_are_joined_by_or():
    assert unknown_in_words(["a"]) == "It has never met `a`."
    assert unknown_in_words(["a", "b"]) == "It has never met `a` or `b`."
    assert unknown_in_words(list("abcdefg")).endswith("`d`, `e` or 2 others.")


def test_a_tie_is_called_a_tie():
    assert "equally much from `a` and `b`" in across_in_words("x", "ab", [0.5, 0.5])
    assert "takes most from `b`" in across_in_words("x", "ab", [0.3, 0.7])
