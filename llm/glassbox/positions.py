"""Positions: without them, attention could not tell one order from another."""

import numpy as np


def learned_positions(position_embeddings, num_tokens):
    """One learned row for each position: first, second, third and so on.

    Args:
        position_embeddings: (context_length, embed_dim)

    Returns:
        (num_tokens, embed_dim)
    """
    if num_tokens > len(position_embeddings):
        raise ValueError(
            f"{num_tokens} tokens are too many: this model has rows for "
            f"{len(position_embeddings)} positions."
        )
    return position_embeddings[:num_tokens]


def sinusoidal_positions(context_length, embed_dim):
    """Waves in place of learned rows: fast on the left, slow on the right.

    Even columns are sines and odd columns cosines of the same wave, as in
    Vaswani et al. 2017, section 3.5.

    Returns:
        (context_length, embed_dim), all between -1 and 1. The dot product of
        two rows depends only on how far they are apart.
    """
    positions = np.arange(context_length)[:, None]
    columns = np.arange(embed_dim)
    angles = positions / 10000 ** (2 * (columns // 2) / embed_dim)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
