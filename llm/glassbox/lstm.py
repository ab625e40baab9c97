"""An LSTM in plain NumPy: one state that is handed on from word to word.

Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997), with the forget
gate of Gers et al. (2000), as Keras computes it.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LSTMWeights:
    """Everything that the LSTM twin learned.

    Attributes:
        token_embeddings: (vocab_size, embed_dim)
        input_kernel: (embed_dim, 4 * num_units), gates: input, forget, new,
            output.
        state_kernel: (num_units, 4 * num_units)
        bias: (4 * num_units,)
        output_kernel: (num_units, vocab_size)
        output_bias: (vocab_size,)
    """

    token_embeddings: np.ndarray
    input_kernel: np.ndarray
    state_kernel: np.ndarray
    bias: np.ndarray
    output_kernel: np.ndarray
    output_bias: np.ndarray


def sigmoid(x):
    """Squeeze any number into the range from 0 to 1."""
    # tanh cannot overflow; exp(-x) could.
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def lstm_step(weights, word, state, memory):
    """Read one word: forget a little, add a little, and show a part of it.

    Args:
        weights: an `LSTMWeights`.
        word: (..., embed_dim), the embedding of the word.
        state: (..., num_units), what was shown after the word before.
        memory: (..., num_units), what is remembered but not shown.

    Returns:
        The new state and memory.
    """
    gates = (
        word @ weights.input_kernel
        + state @ weights.state_kernel
        + weights.bias
    )
    let_in, keep, new, show = np.split(gates, 4, axis=-1)
    memory = sigmoid(keep) * memory + sigmoid(let_in) * np.tanh(new)
    return sigmoid(show) * np.tanh(memory), memory


def lstm_states(weights, token_ids):
    """Read a sentence from left to right; each step must wait for the one
    before.

    Args:
        weights: an `LSTMWeights`.
        token_ids: (..., num_tokens)

    Returns:
        (..., num_tokens, num_units), the state after each word.
    """
    words = weights.token_embeddings[np.asarray(token_ids)]
    num_units = len(weights.state_kernel)
    state = memory = np.zeros((*words.shape[:-2], num_units), words.dtype)
    states = []
    for position in range(words.shape[-2]):
        state, memory = lstm_step(
            weights, words[..., position, :], state, memory
        )
        states.append(state)
    return np.stack(states, axis=-2)


def lstm_logits(weights, token_ids):
    """The logits of the next word after each word.

    Returns:
        (..., num_tokens, vocab_size)
    """
    states = lstm_states(weights, token_ids)
    return states @ weights.output_kernel + weights.output_bias
