"""Attention: every word looks at other words and takes something from each.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, equation 1.
"""

from math import sqrt

import numpy as np

from llm.glassbox.softmax import softmax


def attention_scores(queries, keys, scaled=True):
    """Compare every query with every key by their dot product.

    A sum of head_dim products spreads like the square root of head_dim.
    Dividing by it keeps softmax from putting everything on one key.

    Args:
        queries: (..., num_queries, head_dim)
        keys: (..., num_keys, head_dim)
        scaled: whether to divide by the square root of head_dim, as section
            3.2.1 of the paper does.

    Returns:
        (..., num_queries, num_keys), the better the match the larger.
    """
    head_dim = queries.shape[-1]
    scores = queries @ keys.swapaxes(-1, -2)
    return scores / sqrt(head_dim) if scaled else scores


def masked(scores, mask=None):
    """Put minus infinity where a query must not look: softmax makes it a zero.

    Args:
        scores: (..., num_queries, num_keys)
        mask: (..., num_queries, num_keys), False where a query must not
            look; None if every query may look everywhere.

    Returns:
        (..., num_queries, num_keys)
    """
    return scores if mask is None else np.where(mask, scores, -np.inf)


def attention_weights(queries, keys, mask=None):
    """Compare every query with every key, and share out attention by softmax.

    Args:
        queries: (..., num_queries, head_dim)
        keys: (..., num_keys, head_dim)
        mask: (..., num_queries, num_keys), False where a query must not
            look; None if every query may look everywhere.

    Returns:
        (..., num_queries, num_keys), each row sums to one.
    """
    return softmax(masked(attention_scores(queries, keys), mask))


def causal_mask(num_tokens):
    """Who may look at whom when nobody may look at the future.

    Returns:
        (num_tokens, num_tokens), True on the diagonal and to its left.
    """
    return np.tri(num_tokens, dtype=bool)


def blend(weights, values):
    """Mix the values, each in proportion to the attention it gets.

    Args:
        weights: (..., num_queries, num_keys), each row sums to one.
        values: (..., num_keys, head_dim)

    Returns:
        (..., num_queries, head_dim), each between the extremes of the values.
    """
    return weights @ values


def attend(queries, keys, values, mask=None):
    """Attention as a whole: score, scale, softmax, blend.

    Args:
        queries: (..., num_queries, head_dim)
        keys: (..., num_keys, head_dim)
        values: (..., num_keys, head_dim)
        mask: (..., num_queries, num_keys), False where a query must not
            look; None if every query may look everywhere.

    Returns:
        (..., num_queries, head_dim)
    """
    return blend(attention_weights(queries, keys, mask), values)
