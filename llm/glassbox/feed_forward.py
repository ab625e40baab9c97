"""Feed-forward: after looking around, each word thinks by itself."""

import numpy as np


def relu(numbers):
    """Keep what is above zero; everything else becomes zero."""
    return np.maximum(numbers, 0)


def project_up(vectors, kernel, bias):
    """Ask each inner unit whether it finds its pattern in the vector.

    Args:
        vectors: (..., embed_dim)
        kernel: (embed_dim, feed_forward_dim), one pattern a column.
        bias: (feed_forward_dim,)

    Returns:
        (..., feed_forward_dim), never below zero.
    """
    return relu(vectors @ kernel + bias)


def project_down(hidden, kernel, bias):
    """Let each inner unit write its own row, as strongly as it fired.

    Args:
        hidden: (..., feed_forward_dim)
        kernel: (feed_forward_dim, embed_dim), what each unit writes.
        bias: (embed_dim,)

    Returns:
        (..., embed_dim)
    """
    return hidden @ kernel + bias


def feed_forward(
    vectors, hidden_kernel, hidden_bias, output_kernel, output_bias
):
    """Find patterns, then write for each found pattern what follows from it.

    Args:
        vectors: (..., embed_dim)
        hidden_kernel: (embed_dim, feed_forward_dim)
        hidden_bias: (feed_forward_dim,)
        output_kernel: (feed_forward_dim, embed_dim)
        output_bias: (embed_dim,)

    Returns:
        (..., embed_dim)
    """
    hidden = project_up(vectors, hidden_kernel, hidden_bias)
    return project_down(hidden, output_kernel, output_bias)
