"""Sentences of the lesson on the block follow from the figures."""

import pandas as pd

from pages.block.words import (
    Without,
    guess_replies,
    part_in_words,
    settled_in_words,
    sizes_in_words,
    trainings_in_words,
    unit_name,
    without_in_words,
)

SHARES = {"embedding and output tables": 0.2, "attention": 0.5, "feed-forward": 0.25,
          "LayerNorm": 0.05}
KEPT = Without("a b", "c", 0.9, 0.8, "c", 0.8)
LOST = Without("d e", "f", 0.9, 0.1, "g", 0.7)


def test_the_largest_part_is_the_answer_whichever_it_is():
    replies, answer = guess_replies(SHARES)
    assert answer == "attention"
    assert all("Most sit in attention, 50%" in reply for reply in replies.values())


def test_what_stays_and_what_falls_without_a_layer_is_told_apart():
    assert "still says `c` after `a b` (80%)" in without_in_words([KEPT])
    assert "but" not in without_in_words([KEPT])
    both = without_in_words([KEPT, LOST])
    assert "; but after `d e`, `f` falls from 90% to 10%, and `g` leads" in both


def test_one_training_proves_nothing_and_several_are_compared():
    once = trainings_in_words([0.02], {"no residual connections": [0.24]})
    assert "proves nothing" in once
    full = [0.02, 0.03, 0.025]
    told = trainings_in_words(full, {
        "no residual connections": [0.2, 0.3, 0.25], "no LayerNorm": [0.01, 0.028, 0.1],
    })
    assert "No residual connections: every training ends worse" in told
    assert "No LayerNorm: there is no difference beyond chance" in told
    better = trainings_in_words(full, {"one block": [0.01, 0.005, 0.004]})
    assert "every training ends better" in better


def way(words, adds=(3.0, 1.0, 4.0, float("nan"))):
    return pd.DataFrame({
        "part": ["embedding", "position", "1: attention", "logits"], "adds": adds,
        "stream": [3.0, 3.5, 6.0, 6.0], "word": words, "probability": [0.5] * 4,
    })


def test_the_prediction_settles_where_it_stays_the_same():
    assert "From the attention of block 1 on" in settled_in_words(way([*"aabb"]))
    assert "From the embedding on" in settled_in_words(way([*"bbbb"]))
    assert "From the logits on" in settled_in_words(way([*"babc"]))


def test_sizes_are_named_and_do_not_add_up():
    told = sizes_in_words(way([*"aabb"]))
    assert "begins with a size (norm) of 3.5 and ends with 6.0" in told
    assert "the attention of block 1 adds most" in told
    assert "8.0 together" in told


def test_parts_and_units_have_names():
    assert part_in_words("2: feed-forward") == "the feed-forward layer of block 2"
    assert part_in_words("position") == "the position"
    assert unit_name(56, ["kite", "hat", "cup", "fox"]) == "57: kite, hat, cup"
    assert unit_name(56, []) == "57"
