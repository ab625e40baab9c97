"""The LSTM in plain NumPy is the LSTM that Keras trains."""

from itertools import islice, starmap

import numpy as np
import pytest

from llm.glassbox.lstm import LSTMWeights, lstm_logits, lstm_states
from llm.models.shipped import load_record
from llm.training.batches import next_token_example
from llm.training.lstm import (
    LSTM,
    SORTED_AT_ONCE,
    STORIES_A_ROW,
    WORDS_A_STORY,
    batches_like_rows,
    build_lstm,
    padded_batches,
)
from llm.training.schedule import story_examples, training_world


@pytest.fixture(scope="module")
def keras_lstm():
    model = build_lstm(vocab_size=11, embed_dim=6, num_units=8)
    rng = np.random.default_rng(0)
    model.set_weights([rng.normal(0, 0.7, a.shape) for a in model.get_weights()])
    return model


@pytest.fixture(scope="module")
def weights(keras_lstm):
    return LSTMWeights(*keras_lstm.get_weights())


def test_the_logits_are_those_of_keras(keras_lstm, weights):
    token_ids = np.random.default_rng(1).integers(0, 11, (3, 20))
    np.testing.assert_allclose(
        lstm_logits(weights, token_ids), keras_lstm(token_ids), atol=1e-4
    )


def test_a_state_knows_nothing_of_later_words(weights):
    first = lstm_states(weights, [1, 2, 3, 4])
    second = lstm_states(weights, [1, 2, 9, 8])
    np.testing.assert_array_equal(first[:2], second[:2])
    assert np.abs(first[2:] - second[2:]).max() > 0.01


def test_padded_batches_count_only_real_tokens(monkeypatch):
    monkeypatch.setattr("llm.training.lstm.SORTED_AT_ONCE", 1)
    examples = map(next_token_example, [[1, 2, 3, 4], [5, 6], [7, 8, 9]])
    batches = padded_batches(examples, 3, np.random.default_rng(0))
    inputs, targets, counts = next(batches)
    np.testing.assert_array_equal(inputs, [[5, 0, 0], [7, 8, 0], [1, 2, 3]])
    np.testing.assert_array_equal(targets, [[6, 0, 0], [8, 9, 0], [2, 3, 4]])
    np.testing.assert_array_equal(counts, [[1, 0, 0], [1, 1, 0], [1, 1, 1]])


def test_a_story_that_counts_a_third_counts_a_third(monkeypatch):
    monkeypatch.setattr("llm.training.lstm.SORTED_AT_ONCE", 1)
    examples = starmap(next_token_example, [([1, 2, 3, 4], 1.25), ([5, 6], 1 / 3)])
    batches = padded_batches(examples, 2, np.random.default_rng(0))
    np.testing.assert_allclose(next(batches)[2], [[1 / 3, 0, 0], [1.25, 1.25, 1.25]])


def test_a_word_counts_as_much_in_a_batch_of_short_stories_as_in_one_of_long():
    lengths = np.random.default_rng(0).integers(5, 50, 3 * SORTED_AT_ONCE)
    examples = (next_token_example([1] * length) for length in lengths)
    rows = 3 / STORIES_A_ROW
    batches = islice(
        batches_like_rows(examples, rows, np.random.default_rng(0)), SORTED_AT_ONCE
    )
    found = np.concatenate([counts[counts > 0] for _, _, counts in batches])
    np.testing.assert_allclose(found, 1 / (3 * WORDS_A_STORY), rtol=1e-6)


def test_what_the_batches_of_the_lstm_count_is_the_world_and_one_in_all():
    world, tokenizer = training_world()
    batches = LSTM.in_batches(
        story_examples(tokenizer, LSTM),
        lambda examples, rows: batches_like_rows(
            examples, rows, np.random.default_rng(0)
        ),
    )
    first, total = np.zeros(len(tokenizer)), 0.0
    for _, targets, counts in islice(batches, 12 * SORTED_AT_ONCE):
        np.add.at(first, targets[:, 0], counts[:, 0])
        total += counts.sum()
    assert total / (12 * SORTED_AT_ONCE) == pytest.approx(1, rel=0.01)
    truth = world.next_word_probabilities(())
    for word, probability in truth.items():
        share = first[tokenizer.ids[word]] / first.sum()
        assert share == pytest.approx(probability, abs=0.01)


def test_the_lstm_that_is_shipped_knows_how_often_words_come():
    frequency = load_record("lstm")["scores"]["skills"]["frequency"]
    assert frequency["divergence"] < 0.1


def test_batches_of_like_stories_hold_every_story_and_little_padding():
    rng = np.random.default_rng(0)
    lengths = rng.integers(5, 50, 2 * SORTED_AT_ONCE * 4)
    examples = (next_token_example([1] * length) for length in lengths)
    batches = list(islice(padded_batches(examples, 4, rng), 2 * SORTED_AT_ONCE))
    filled = sum(counts.sum() for _, _, counts in batches)
    assert filled == (lengths - 1).sum()
    assert filled > 0.9 * sum(counts.size for _, _, counts in batches)
