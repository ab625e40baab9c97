"""The digit model in NumPy: what it answers, and where it looks.

The block is the one of the 2017 paper: it normalises after each addition
(post-LayerNorm). The tiny LLM normalises before each part (pre-LayerNorm).
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.lstm import sigmoid
from llm.glassbox.variants import Variant, variant_block
from llm.glassbox.weights import (
    AttentionWeights,
    BlockWeights,
    FeedForwardWeights,
    NormWeights,
)
from llm.models.keras_file import WeightsError, arrays_in

# Where each array lies in the `.keras` file, in the order of `get_weights()`.
PATHS = (
    "embedding/vars/0", "embedding_1/vars/0",
    *(f"multi_head_attention/{part}_dense/vars/{number}"
      for part in ("query", "key", "value", "output") for number in (0, 1)),
    "layer_normalization/vars/0", "layer_normalization/vars/1",
    "dense/vars/0", "dense/vars/1", "dense_1/vars/0", "dense_1/vars/1",
    "layer_normalization_1/vars/0", "layer_normalization_1/vars/1",
    "dense_2/vars/0", "dense_2/vars/1",
)  # fmt: skip


@dataclass(frozen=True)
class DigitWeights:
    """Every number that the digit model learned, in the order in which it
    works.

    Attributes:
        digit_embeddings: (10, embed_dim)
        position_embeddings: (length, embed_dim)
        attention: an `AttentionWeights`.
        attention_norm: a `NormWeights`.
        feed_forward: a `FeedForwardWeights`.
        feed_forward_norm: a `NormWeights`.
        answer_kernel: (embed_dim, 1)
        answer_bias: (1,)
    """

    digit_embeddings: np.ndarray
    position_embeddings: np.ndarray
    attention: AttentionWeights
    attention_norm: NormWeights
    feed_forward: FeedForwardWeights
    feed_forward_norm: NormWeights
    answer_kernel: np.ndarray
    answer_bias: np.ndarray


def digit_weights(arrays):
    """Name the arrays of the digit model, in the order of `get_weights()`."""
    digits, positions, *rest = (
        np.asarray(array, np.float32) for array in arrays
    )
    return DigitWeights(
        digits,
        positions,
        AttentionWeights(*rest[:8]),
        NormWeights(*rest[8:10]),
        FeedForwardWeights(*rest[10:14]),
        NormWeights(*rest[14:16]),
        *rest[16:],
    )


def read_digit_model(path):
    """Read a trained digit model out of a `.keras` file, without Keras."""
    arrays, expected = arrays_in(path), [f"layers/{name}" for name in PATHS]
    if arrays.keys() != set(expected):
        raise WeightsError(f"The file {path} is no digit model.")
    return digit_weights([arrays[name] for name in expected])


def read_digits(rows, weights):
    """Let the model read rows of digits.

    Args:
        rows: (num_rows, length), whole numbers from 0 to 9.
        weights: a `DigitWeights` for this length.

    Returns:
        attention: (num_rows, num_heads, length, length), who looks where; each
            row sums to one.
        same: (num_rows,), how likely first and last are the same, from 0 to 1.
    """
    block = digit_block(weights, rows)
    pooled = block.residual_after.mean(
        axis=-2
    )  # the average over all positions
    logits = (pooled @ weights.answer_kernel + weights.answer_bias)[..., 0]
    return block.attention_weights, sigmoid(logits)


def mean_attention(rows, weights):
    """Where each head looks, averaged over rows: (num_heads, length, length).
    """
    return read_digits(rows, weights)[0].mean(axis=0)


def parameter_table(weights):
    """Every part of the digit model with its shape and its number of
    parameters.

    Returns:
        A list of (part, shape, count); the counts add up to all parameters.
    """
    attention, thinking = weights.attention, weights.feed_forward
    parts = {
        "Embedding of the 10 digits": (weights.digit_embeddings,),
        "Embedding of the places": (weights.position_embeddings,),
        "Queries": (attention.query_kernel, attention.query_bias),
        "Keys": (attention.key_kernel, attention.key_bias),
        "Values": (attention.value_kernel, attention.value_bias),
        "Joining the heads": (attention.output_kernel, attention.output_bias),
        "LayerNorm after attention": vars(weights.attention_norm).values(),
        "Feed-forward, in": (thinking.hidden_kernel, thinking.hidden_bias),
        "Feed-forward, out": (thinking.output_kernel, thinking.output_bias),
        "LayerNorm after feed-forward": vars(
            weights.feed_forward_norm
        ).values(),
        "Answer": (weights.answer_kernel, weights.answer_bias),
    }
    return [
        (name, " + ".join(written(array.shape) for array in arrays),
         sum(array.size for array in arrays))
        for name, arrays in parts.items()
    ]


def written(shape):
    """A shape for readers: `32 × 4 × 16`."""
    return " × ".join(map(str, shape))


def digit_block(weights, rows):
    """The one block of the digit model, at work on rows of digits.

    It normalises after each part, and has no mask: every position may look at
    every position.

    Args:
        weights: a `DigitWeights` for this length.
        rows: (..., length), whole numbers from 0 to 9.

    Returns:
        A `BlockTrace`.
    """
    residual = weights.digit_embeddings[rows] + weights.position_embeddings
    block = BlockWeights(weights.attention_norm, weights.attention,
                         weights.feed_forward_norm, weights.feed_forward)
    return variant_block(residual, block, None, Variant(norm="post"))
