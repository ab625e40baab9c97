"""Why scores are divided by the square root of head_dim: the same words, more
numbers.

At the start of training the numbers of two words have nothing to do with each
other. Each product of two of them is as often above zero as below, so a sum of
d products does not grow like d but spreads like the square root of d.
"""

import numpy as np

from llm.glassbox.entropy import entropy
from llm.glassbox.softmax import softmax

DIMS = (1, 2, 4, 8, 16, 32, 64)
DIVISORS = {"nothing": 0.0, "√d": 0.5, "d": 1.0}  # powers of d


def unit_spread(embeddings):
    """Bring the numbers of each word to mean 0 and spread 1.

    Args:
        embeddings: (num_words, embed_dim)
    """
    centred = embeddings - embeddings.mean(axis=-1, keepdims=True)
    return centred / centred.std(axis=-1, keepdims=True)


def dot_products(queries, keys, dim):
    """Every query times every key, by their first `dim` numbers only."""
    return queries[:, :dim] @ keys[:, :dim].T


def spread_of_dots(vectors, dim):
    """How far the dot products of different words lie apart (standard
    deviation).
    """
    dots = dot_products(vectors, vectors, dim)
    return float(dots[~np.eye(len(dots), dtype=bool)].std())


def rows_of_weights(queries, keys, dim, power):
    """The attention of every query, with scores divided by a power of `dim`.

    Args:
        power: 0 divides by nothing, 0.5 by the square root, 1 by `dim` itself.

    Returns:
        (num_queries, num_keys), each row sums to one.
    """
    return softmax(dot_products(queries, keys, dim) / dim**power)


def mean_entropy(queries, keys, dim, power):
    """How evenly attention is spread, on average over all queries, in nats."""
    return float(entropy(rows_of_weights(queries, keys, dim, power)).mean())
