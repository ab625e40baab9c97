"""The LSTM in plain NumPy is the LSTM that Keras trains."""

from itertools import islice

import numpy as np
import pytest

from llm.glassbox.lstm import LSTMWeights, lstm_logits, lstm_states
from llm.training.batches import next_token_example
from llm.training.lstm import SORTED_AT_ONCE, build_lstm, padded_batches


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


def test_batches_of_like_stories_hold_every_story_and_little_padding():
    rng = np.random.default_rng(0)
    lengths = rng.integers(5, 50, 2 * SORTED_AT_ONCE * 4)
    examples = (next_token_example([1] * length) for length in lengths)
    batches = list(islice(padded_batches(examples, 4, rng), 2 * SORTED_AT_ONCE))
    filled = sum(counts.sum() for _, _, counts in batches)
    assert filled == (lengths - 1).sum()
    assert filled > 0.9 * sum(counts.size for _, _, counts in batches)
