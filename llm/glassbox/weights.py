"""Weights: every number that was learned, by name."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class NormWeights:
    """One LayerNorm.

    Attributes:
        scale: (embed_dim,)
        shift: (embed_dim,)
    """

    scale: np.ndarray
    shift: np.ndarray


@dataclass(frozen=True)
class AttentionWeights:
    """The four projections of one attention layer, in Keras's shapes.

    Attributes:
        query_kernel: (embed_dim, num_heads, head_dim)
        query_bias: (num_heads, head_dim)
        key_kernel: (embed_dim, num_heads, head_dim)
        key_bias: (num_heads, head_dim)
        value_kernel: (embed_dim, num_heads, head_dim)
        value_bias: (num_heads, head_dim)
        output_kernel: (num_heads, head_dim, embed_dim)
        output_bias: (embed_dim,)
    """

    query_kernel: np.ndarray
    query_bias: np.ndarray
    key_kernel: np.ndarray
    key_bias: np.ndarray
    value_kernel: np.ndarray
    value_bias: np.ndarray
    output_kernel: np.ndarray
    output_bias: np.ndarray


@dataclass(frozen=True)
class FeedForwardWeights:
    """The two projections of one feed-forward layer.

    Attributes:
        hidden_kernel: (embed_dim, feed_forward_dim)
        hidden_bias: (feed_forward_dim,)
        output_kernel: (feed_forward_dim, embed_dim)
        output_bias: (embed_dim,)
    """

    hidden_kernel: np.ndarray
    hidden_bias: np.ndarray
    output_kernel: np.ndarray
    output_bias: np.ndarray


@dataclass(frozen=True)
class BlockWeights:
    """One Transformer block, in the order in which it works."""

    attention_norm: NormWeights
    attention: AttentionWeights
    feed_forward_norm: NormWeights
    feed_forward: FeedForwardWeights


@dataclass(frozen=True)
class Weights:
    """The whole network.

    Attributes:
        token_embeddings: (vocab_size, embed_dim)
        position_embeddings: (context_length, embed_dim)
        blocks: `num_layers` blocks.
        final_norm: the LayerNorm after the last block.
        output_kernel: (embed_dim, vocab_size)
        output_bias: (vocab_size,)
    """

    token_embeddings: np.ndarray
    position_embeddings: np.ndarray
    blocks: tuple[BlockWeights, ...]
    final_norm: NormWeights
    output_kernel: np.ndarray
    output_bias: np.ndarray


ARRAYS_IN_A_BLOCK = 16


def from_arrays(arrays, num_layers):
    """Name the arrays of a flat list, in the order of Keras's `get_weights()`.

    Args:
        arrays: two embedding tables, then 16 arrays a block, then four more.
            Any precision; they are computed with as float32.
        num_layers: number of blocks.
    """
    expected = 2 + ARRAYS_IN_A_BLOCK * num_layers + 4
    if len(arrays) != expected:
        raise ValueError(
            f"{num_layers} blocks need {expected} arrays, not {len(arrays)}."
        )
    # One after the other from the list, so the order of the lines is the order
    # of the arrays.
    following = (np.asarray(array, np.float32) for array in arrays)

    def take(kind, count):
        return kind(*(next(following) for _ in range(count)))

    return Weights(
        token_embeddings=next(following),
        position_embeddings=next(following),
        blocks=tuple(
            BlockWeights(
                attention_norm=take(NormWeights, 2),
                attention=take(AttentionWeights, 8),
                feed_forward_norm=take(NormWeights, 2),
                feed_forward=take(FeedForwardWeights, 4),
            )
            for _ in range(num_layers)
        ),
        final_norm=take(NormWeights, 2),
        output_kernel=next(following),
        output_bias=next(following),
    )
