"""Feed-forward: after attention, each token is worked on by itself."""

import numpy as np


def relu(numbers):
    """Keep what is above zero; everything else becomes zero."""
    return np.maximum(numbers, 0)


def project_up(vectors, kernel, bias):
    """Project up: each inner unit looks for its pattern in the vector.

    Args:
        vectors: (..., embed_dim)
        kernel: (embed_dim, feed_forward_dim), one pattern a column.
        bias: (feed_forward_dim,)

    Returns:
        (..., feed_forward_dim), never below zero.
    """
    return relu(vectors @ kernel + bias)


def project_down(hidden, kernel, bias):
    """Project down: each inner unit writes its own row, as strongly as it
    fired.

    Args:
        hidden: (..., feed_forward_dim)
        kernel: (feed_forward_dim, embed_dim), what each unit writes.
        bias: (embed_dim,)

    Returns:
        (..., embed_dim)
    """
    return hidden @ kernel + bias
