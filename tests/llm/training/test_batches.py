"""Packed rows lose nothing, mix nothing up, and waste little."""

import threading
from itertools import islice

import numpy as np
import pytest

from llm.models.tokenizer import padded
from llm.training.batches import (
    made_ahead,
    next_token_example,
    packed_batches,
    rows_of,
    share_filled,
)
from llm.training.schedule import Schedule, story_examples, training_world


def real_examples():
    _, tokenizer = training_world()
    return story_examples(tokenizer, Schedule(1))


def test_targets_are_the_tokens_one_to_the_right():
    inputs, targets, weights = next_token_example([5, 6, 7, 8], 0.5)
    assert (inputs, targets, weights) == ([5, 6, 7], [6, 7, 8], [0.5, 0.5, 0.5])


def test_every_story_stands_whole_in_some_row():
    stories = [example[0] for example in islice(real_examples(), 100)]
    found = set()
    for inputs, _, _ in islice(packed_batches(real_examples(), 8, 64), 20):
        for row, numbers in zip(inputs["token_ids"], inputs["stories"], strict=True):
            for number in range(1, numbers.max() + 1):
                found.add(tuple(row[numbers == number].tolist()))
    assert {tuple(story) for story in stories} <= found


def test_positions_begin_anew_with_each_story():
    inputs, _, weights = next(packed_batches(real_examples(), 8, 64))
    for places, numbers in zip(inputs["positions"], inputs["stories"], strict=True):
        for number in range(1, numbers.max() + 1):
            own = places[numbers == number]
            np.testing.assert_array_equal(own, np.arange(len(own)))
    assert (weights[inputs["stories"] == 0] == 0).all()
    assert (weights[inputs["stories"] > 0] == 1).all()


def test_less_than_a_tenth_is_wasted_on_padding():
    batches = islice(packed_batches(real_examples(), 16, 64), 50)
    assert np.mean([weights.mean() for _, _, weights in batches]) > 0.9


def test_padding_is_zeros_on_the_right():
    np.testing.assert_array_equal(padded([[1, 2, 3], [4]]), [[1, 2, 3], [4, 0, 0]])
    assert padded([[1]], length=5).shape == (1, 5)


def test_batches_made_ahead_are_the_same_and_no_more_are_made():
    made = []

    def batches():
        for number in range(4):
            made.append(number)
            yield number

    assert list(made_ahead(batches(), 3)) == [0, 1, 2]
    assert made == [0, 1, 2]


def test_the_next_batch_is_made_while_one_is_learned_from():
    begun = threading.Event()

    def batches():
        yield "first"
        begun.set()
        yield "second"

    ahead = made_ahead(batches(), 2)
    assert next(ahead) == "first"
    assert begun.wait(timeout=60)
    assert list(ahead) == ["second"]


def test_what_goes_wrong_in_the_making_reaches_the_training():
    def batches():
        yield 1
        raise ValueError("no story")

    ahead = made_ahead(batches(), 2)
    assert next(ahead) == 1
    with pytest.raises(ValueError, match="no story"):
        next(ahead)


def test_a_training_reads_more_rows_once_its_batches_grow():
    schedule = {"num_steps": 10, "hold": 0.6, "batch_size": 2, "last_batch_size": 8}
    assert rows_of(schedule) == 6 * 2 + 4 * 8
    assert rows_of(schedule | {"last_batch_size": 0}) == 10 * 2


def test_the_share_that_is_filled_is_that_of_the_batches():
    world, _ = training_world()
    batches = islice(packed_batches(real_examples(), 20, 64), 25)
    counted = np.mean([weights for _, _, weights in batches])
    assert 0.9 < share_filled(world, 64) < 1
    assert abs(share_filled(world, 64) - counted) < 0.001
