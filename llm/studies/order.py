"""Order: what a network can know about the order of its words."""

from dataclasses import replace
from itertools import permutations

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.models.twins import first_positions

FEW_TOKENS = 5  # `<start>` among them


def without_positions(weights):
    """A network with an empty position table: zeros for every position.

    Args:
        weights: a `Weights`.
    """
    empty = np.zeros_like(weights.position_embeddings)
    return replace(weights, position_embeddings=empty)


def new_order(num_tokens, number):
    """Return a new order of some tokens; the first, `<start>`, stays first.

    Args:
        num_tokens: how many tokens, at least 1.
        number: 0 reverses the order; every other number shuffles.

    Returns:
        (num_tokens,), which token comes first, second, third and so on. It is
        never the old order if there is another, and with few tokens each
        number gives another order than the number before it.
    """
    same, rng = np.arange(1, num_tokens), np.random.default_rng(number)
    if number == 0 or num_tokens < 3:
        return np.concatenate([[0], same[::-1]])
    if num_tokens <= FEW_TOKENS:
        # Shuffles of a few words repeat; going through all orders does not.
        others = list(permutations(same))[:0:-1]
        return np.concatenate([[0], others[number % len(others)]])
    others = rng.permutation(same)
    while (others == same).all():
        others = rng.permutation(same)
    return np.concatenate([[0], others])


def outputs(weights, token_ids, order):
    """What a two-sided network computes for each token, in two orders.

    Args:
        weights: a `Weights`.
        token_ids: (num_tokens,)
        order: (num_tokens,), from `new_order`.

    Returns:
        Two arrays (num_tokens, embed_dim): the rows of both belong to the same
        tokens, in the first order.
    """
    token_ids = np.asarray(token_ids)
    before = trace(weights, token_ids, mask=None).final
    after = np.empty_like(before)
    after[order] = trace(weights, token_ids[order], mask=None).final
    return before, after


def change(before, after):
    """How far the output of each token moves, as a share of its length.

    Args:
        before, after: (num_tokens, embed_dim)

    Returns:
        (num_tokens,), 0 where nothing changed.
    """
    distance = np.linalg.norm(after - before, axis=-1)
    return distance / np.linalg.norm(before, axis=-1)


def share_on_start(weights, token_id, count):
    """How much attention the last of many equal words gives to `<start>`.

    The words have no positions, so nothing but their number tells them apart.

    Args:
        weights: a `Weights` without positions.
        token_id: the word.
        count: the most words.

    Returns:
        (count, num_heads), in the first layer: for 1 word, 2 words and so on.
    """
    token_ids = [0] + count * [token_id]
    first = trace(weights, token_ids, causal_mask(count + 1)).blocks[0]
    return first.attention_weights[:, 1:, 0].T


def similarity_by_distance(table):
    """How alike the rows of two positions are, by how far apart the positions
    are.

    Args:
        table: (num_positions, embed_dim)

    Returns:
        mean, spread: each (num_positions,), of the dot products of all rows so
            far apart, in shares of the mean dot product of a row with itself.
    """
    products = table @ table.T / (table**2).sum(axis=-1).mean()
    by_distance = [np.diagonal(products, away) for away in range(len(table))]
    return (np.array([some.mean() for some in by_distance]),
            np.array([some.std() for some in by_distance]))


def untouched_positions(table):
    """Which positions were never trained: they stand where every training
    began.

    Args:
        table: (context_length, embed_dim), learned positions.

    Returns:
        (context_length,) booleans.
    """
    return (table == first_positions(*table.shape)).all(axis=-1)


def moved_along(weights, offset, num_tokens, table=None):
    """A network in which the first token stands at a later position.

    Args:
        weights: a `Weights`.
        offset: how many positions later.
        num_tokens: tokens that will be read.
        table: the positions; None for those of the network.

    Returns:
        A `Weights` with `num_tokens` positions.
    """
    table = weights.position_embeddings if table is None else table
    positions = table[offset : offset + num_tokens].astype(np.float32)
    return replace(weights, position_embeddings=positions)


def wavelengths(embed_dim):
    """How many positions one wave takes, for each pair of columns.

    Returns:
        (embed_dim // 2,), from 2 pi upwards.
    """
    return 2 * np.pi * 10000 ** (2 * np.arange(embed_dim // 2) / embed_dim)


def overlaps(token_embeddings, position_embeddings):
    """How much the directions of words and of positions have in common.

    Args:
        token_embeddings: (vocab_size, embed_dim)
        position_embeddings: (num_positions, embed_dim)

    Returns:
        (vocab_size, num_positions), the cosines, each between -1 and 1.
    """
    def directions(rows):
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True)

    return directions(token_embeddings) @ directions(position_embeddings).T
