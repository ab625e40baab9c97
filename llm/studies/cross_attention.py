"""Cross-attention, small enough for a blackboard: one text reads another.

The vectors are chosen by hand, two numbers a word, so that each step can be
checked with a pencil; what follows from them is computed by the very functions
that the language model is made of.
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.attention import attention_scores, attention_weights, blend

# First number: a living thing. Second number: something that one does.
READ = ("die", "katze", "schläft")
KEYS = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
VALUES = np.array([[1.0, 1.0], [9.0, 0.0], [0.0, 9.0]])
WRITTEN = ("the", "cat", "sleeps")
QUERIES = np.array([[0.5, 0.5], [3.0, 0.0], [0.0, 3.0]])


@dataclass(frozen=True)
class CrossAttention:
    """One text looking at another.

    Attributes:
        scores: (num_written, num_read)
        weights: (num_written, num_read), each row sums to one.
        outputs: (num_written, head_dim)
    """

    scores: np.ndarray
    weights: np.ndarray
    outputs: np.ndarray


def cross_attention(queries, keys, values):
    """Let the text that is being written look at the text that was read.

    It is attention as everywhere. Only where the three come from is new, and
    no mask is needed: the other text is there as a whole.

    Args:
        queries: (num_written, head_dim), from the text that is written.
        keys: (num_read, head_dim), from the text that was read.
        values: (num_read, head_dim), from the text that was read.

    Returns:
        A `CrossAttention`.
    """
    weights = attention_weights(queries, keys)
    return CrossAttention(
        attention_scores(queries, keys), weights, blend(weights, values)
    )
