"""The LSTM by its own definition; `training/test_lstm.py` holds it against Keras."""

import numpy as np
import pytest

from llm.glassbox.lstm import LSTMWeights, lstm_logits, lstm_states, lstm_step, sigmoid

WORDS, WIDTH, UNITS = 5, 3, 4


@pytest.fixture(scope="module")
def weights():
    rng = np.random.default_rng(0)
    return LSTMWeights(
        token_embeddings=rng.normal(size=(WORDS, WIDTH)),
        input_kernel=rng.normal(size=(WIDTH, 4 * UNITS)),
        state_kernel=rng.normal(size=(UNITS, 4 * UNITS)),
        bias=rng.normal(size=4 * UNITS),
        output_kernel=rng.normal(size=(UNITS, WORDS)),
        output_bias=rng.normal(size=WORDS),
    )


def step_by_loops(weights, word, state, memory):
    """The definition, one unit at a time."""
    shown, kept = np.zeros(UNITS), np.zeros(UNITS)
    for unit in range(UNITS):
        let_in, keep, new, show = (
            word @ weights.input_kernel[:, gate * UNITS + unit]
            + state @ weights.state_kernel[:, gate * UNITS + unit]
            + weights.bias[gate * UNITS + unit]
            for gate in range(4)
        )
        kept[unit] = (
            memory[unit] / (1 + np.exp(-keep)) + np.tanh(new) / (1 + np.exp(-let_in))
        )
        shown[unit] = np.tanh(kept[unit]) / (1 + np.exp(-show))
    return shown, kept


def test_a_step_is_its_definition(weights):
    rng = np.random.default_rng(1)
    read = rng.normal(size=WIDTH), rng.normal(size=UNITS), rng.normal(size=UNITS)
    for ours, theirs in zip(lstm_step(weights, *read), step_by_loops(weights, *read)):
        np.testing.assert_allclose(ours, theirs)


def test_what_comes_later_changes_nothing_before(weights):
    one, other = lstm_states(weights, [1, 2, 3, 4]), lstm_states(weights, [1, 2, 0, 0])
    np.testing.assert_array_equal(one[:2], other[:2])
    assert not np.allclose(one[2:], other[2:])


def test_sentences_side_by_side_are_read_as_alone(weights):
    both = lstm_logits(weights, [[1, 2, 3], [4, 0, 1]])
    assert both.shape == (2, 3, WORDS)
    np.testing.assert_allclose(both[1], lstm_logits(weights, [4, 0, 1]))


def test_a_gate_is_never_beyond_its_bounds():
    np.testing.assert_allclose(sigmoid(np.array([-1e9, 0.0, 1e9])), [0, 0.5, 1])
