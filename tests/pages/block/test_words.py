"""Sentences of the lesson on the block follow from the figures."""

import pandas as pd

from pages.block.words import (
    guess_replies,
    norm_places_in_words,
    part_in_words,
    settled_in_words,
    sizes_in_words,
    trainings_in_words,
    unit_name,
    without_in_words,
)

SHARES = {"embedding and output tables": 0.2, "attention": 0.5, "feed-forward": 0.25,
          "LayerNorm": 0.05}


def test_the_largest_part_is_the_answer_whichever_it_is():
    replies, answer = guess_replies(SHARES)
    assert answer == "attention"
    assert all("Most sit in attention, 50%" in reply for reply in replies.values())


def test_every_skill_is_told_without_the_layers_and_whether_moving_needs_them():
    def told(**left):
        without = {"agreement": 0.75, "binding": 0.99, "repetition": 0.99, **left}
        return without_in_words(dict.fromkeys(without, 1.0), without, 1000)

    both = told(binding=0.6, repetition=0.4)
    assert "Over 1,000 fresh stories the tiny LLM is right in 100% of the" in both
    assert ("*repetition* 40%, *binding* 60% and *agreement* 75% (guessing gets 50%)"
            in both)
    assert "moving needs these layers, too" in both
    assert "one of them falls clearly" in told(binding=0.6)
    assert "neither falls clearly" in told()
    whole = {"binding": 0.99, "repetition": 1.0}
    assert "in at least 99% of the cases" in without_in_words(whole, whole, 1000)


def test_one_training_proves_nothing_and_several_are_compared():
    once = trainings_in_words([0.02], {"no residual connections": [0.24]})
    assert "proves nothing" in once
    full = [0.02, 0.03, 0.025]
    told = trainings_in_words(full, {
        "no residual connections": [0.2, 0.3, 0.25], "no LayerNorm": [0.01, 0.028, 0.1],
    })
    assert told.startswith(
        "The full model ends 0.020 to 0.030 above the floor; with no residual "
        "connections, 0.200 to 0.300; with no LayerNorm, 0.010 to 0.100. Every"
    )
    assert "Every training with no residual connections ends worse than each" in told
    assert "in about 1 comparison in 10, and 2 were made here" in told
    assert "with no LayerNorm overlap with the full model's: no difference" in told


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
    assert "The sizes of all that is added come to 8.0:" in told


def test_the_sizes_of_the_parts_add_up_as_they_are_printed():
    told = sizes_in_words(way([*"aabb"], (1.04, 1.04, 1.04, float("nan"))))
    assert "come to 3.0:" in told


def test_the_start_of_the_stream_is_told_wherever_the_norm_stands():
    told = norm_places_in_words([1, 3, 9], [1.5, 6, 7], [0.5, 5, 4])
    assert "begins at 1.0 and ends at 9.0" in told
    assert "twin begins at 1.5 and then stays between 6.0 and 7.0" in told
    assert "model begins at 0.5 and then stays between 4.0 and 5.0" in told


def test_parts_and_units_have_names():
    assert part_in_words("2: feed-forward") == "the feed-forward layer of block 2"
    assert part_in_words("position") == "the position"
    assert unit_name(56, ["kite", "hat", "cup", "fox"]) == "57: kite, hat, cup"
    assert unit_name(56, []) == "57"
