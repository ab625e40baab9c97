"""How an answer comes up from the words: the whole network as one flow.

With the attention weights, the spread of each LayerNorm and the units that
fire held as they are, the network is linear. So the lead of one word over
another is a sum over all ways from the words to the answer, and through each
crossing of the network goes a part of it (Elhage et al. 2021, "A Mathematical
Framework for Transformer Circuits"). What biases add on the way comes from no
word.

Sums run in double precision. Layers, heads and positions count from 0.
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.heads import project_to_heads
from llm.glassbox.layer_norm import EPSILON

NO_BIAS = np.zeros(1)


@dataclass(frozen=True)
class Flow:
    """Where the lead of one word over another comes from.

    Attributes:
        total: the lead itself.
        crossings: (2 * num_layers + 1, num_tokens), how much of it goes
            through the residual stream of each token: behind the embeddings,
            then behind the attention and the feed-forward layer of each block.
        links: (num_layers, num_heads, num_tokens, num_tokens), what each head
            brings to each query (row) from each key (column).
        feed_forward: (num_layers, num_tokens), what each feed-forward layer
            brings.
        words: (num_tokens,), what each word gives: its row and its position's
            row.
        pulls: (num_layers, num_tokens, embed_dim), how much a vector gives
            when it is added behind the feed-forward layer: their dot product.
    """

    total: float
    crossings: np.ndarray
    links: np.ndarray
    feed_forward: np.ndarray
    words: np.ndarray
    pulls: np.ndarray

    @property
    def fixed(self):
        """What comes from no word: the biases on the way."""
        return self.total - float(self.words.sum())


def answer_flow(trace, weights, word, other=None):
    """Follow the lead of one word over another back through the whole network.

    Args:
        trace: a `Trace` of one sentence, with nothing removed.
        weights: the `Weights` that it ran with.
        word: the number of the word that leads.
        other: the number of the word it is compared with; None for the logit
            alone.

    Returns:
        A `Flow`.
    """
    pull = np.zeros(trace.final.shape)
    pull[-1] = answer_pull(trace, weights, word, other)
    crossings, links, written, pulls = [], [], [], []
    for found, learned in zip(trace.blocks[::-1], weights.blocks[::-1]):
        pulls.append(pull)
        crossings.append((found.residual_after * pull).sum(axis=-1))
        written.append((found.feed_forward_output * pull).sum(axis=-1))
        pull = pull + through_feed_forward(pull, found, learned)
        crossings.append((found.residual_between * pull).sum(axis=-1))
        wanted = wanted_of_heads(pull, learned)
        links.append(
            found.attention_weights * (wanted @ found.values.swapaxes(-1, -2))
        )
        pull = pull + through_attention(wanted, found, learned)
    words = ((trace.embeddings + trace.positions) * pull).sum(axis=-1)
    return Flow(
        total=answer_lead(trace, word, other),
        crossings=np.stack([*crossings, words])[::-1],
        links=np.stack(links[::-1]),
        feed_forward=np.stack(written[::-1]),
        words=words,
        pulls=np.stack(pulls[::-1]),
    )


def answer_lead(trace, word, other=None):
    """The logit of a word after the last token, or its lead over another's."""
    logits = trace.logits[-1].astype(float)
    return float(logits[word] - (0.0 if other is None else logits[other]))


def answer_pull(trace, weights, word, other=None):
    """How much a vector gives to the lead when it is added to the last stream.

    Returns:
        (embed_dim,), the dot product with it is what a vector gives.
    """
    kernel = weights.output_kernel.astype(float)
    direction = kernel[:, word] - (0.0 if other is None else kernel[:, other])
    stream = trace.blocks[-1].residual_after[-1]
    return before_norm(direction, stream, weights.final_norm.scale)


def before_norm(directions, streams, scale):
    """What directions behind a LayerNorm are in front of it, its spread held.

    Args:
        directions: (..., embed_dim)
        streams: (..., embed_dim), which have the spread.
        scale: (embed_dim,)

    Returns:
        (..., embed_dim), each with mean 0, as LayerNorm takes the mean off.
    """
    spread = np.sqrt(
        streams.astype(float).var(axis=-1, keepdims=True) + EPSILON
    )
    scaled = directions * scale / spread
    return scaled - scaled.mean(axis=-1, keepdims=True)


def through_feed_forward(pull, found, learned, tokens=slice(None)):
    """What a feed-forward layer makes of its input, seen from behind it.

    Args:
        pull: (..., embed_dim), how much a vector gives when added behind the
            layer.
        found: the `BlockTrace`.
        learned: its `BlockWeights`.
        tokens: which tokens the rows of `pull` belong to.

    Returns:
        (..., embed_dim), how much a vector gives by way of the units that
            fired.
    """
    units, fires = learned.feed_forward, found.hidden[tokens] > 0
    directions = (pull @ units.output_kernel.T * fires) @ units.hidden_kernel.T
    streams = found.residual_between[tokens]
    return before_norm(directions, streams, learned.feed_forward_norm.scale)


def wanted_of_heads(pull, learned):
    """How much a value gives when a head hands it over with weight 1.

    Args:
        pull: (num_tokens, embed_dim), behind the attention.

    Returns:
        (num_heads, num_tokens, head_dim)
    """
    return pull @ learned.attention.output_kernel.astype(float).swapaxes(
        -1, -2
    )


def through_attention(wanted, found, learned):
    """What all heads take from each token, seen from the tokens that they
    serve.

    Args:
        wanted: (num_heads, num_tokens, head_dim), from `wanted_of_heads`.

    Returns:
        (num_tokens, embed_dim), how much a vector gives by way of the heads.
    """
    taken = found.attention_weights.swapaxes(-1, -2) @ wanted
    directions = before_values(taken, learned)
    return before_norm(
        directions, found.residual_before, learned.attention_norm.scale
    )


def before_values(wanted, learned):
    """What is wanted of the values of all heads, seen from in front of them.

    Args:
        wanted: (num_heads, ..., head_dim)

    Returns:
        (..., embed_dim)
    """
    kernel = learned.attention.value_kernel.astype(float)
    side_by_side = np.moveaxis(wanted, 0, -2)
    joined = side_by_side.reshape(*side_by_side.shape[:-2], -1)
    return joined @ kernel.reshape(len(kernel), -1).T


def answer_paths(trace, weights, word, other=None):
    """What each way through the network brings from a word to the answer.

    In each block a way stays with its token or comes from an earlier one, by
    any head. What feed-forward layers make of it belongs to it.

    Args:
        trace: a `Trace` of one sentence, with nothing removed.
        weights: the `Weights` that it ran with.
        word: the number of the word that leads.
        other: the number of the word it is compared with; None for the logit
            alone.

    Returns:
        An array with an axis of num_tokens for each block: the token that the
        way comes from in that block. Summed over all axes but the first, it is
        `Flow.words`.
    """
    num_tokens = len(trace.final)
    tokens = np.array([num_tokens - 1])
    pull = answer_pull(trace, weights, word, other)[None]
    for layer in reversed(range(len(weights.blocks))):
        found, learned = trace.blocks[layer], weights.blocks[layer]
        pull = pull + through_feed_forward(pull, found, learned, tokens)
        if layer:
            pull = split_by_origin(pull, found, learned, tokens).reshape(
                -1, pull.shape[-1]
            )
            tokens = np.tile(np.arange(num_tokens), len(tokens))
    words = trace.embeddings + trace.positions
    brought = brought_by_origin(pull, words, found, learned, tokens)
    return brought.reshape([num_tokens] * len(weights.blocks)).T


def split_by_origin(pull, found, learned, tokens):
    """Split each way by the token that it comes from in one block.

    Args:
        pull: (num_ways, embed_dim), behind the attention of the block.
        tokens: (num_ways,), where each of the ways stands there.

    Returns:
        (num_ways, num_tokens, embed_dim), in front of the block.
    """
    shares = found.attention_weights[:, tokens, :, None]
    taken = shares * wanted_of_heads(pull, learned)[:, :, None, :]
    directions = before_values(taken, learned)
    scale = learned.attention_norm.scale
    origins = before_norm(directions, found.residual_before, scale)
    origins[np.arange(len(tokens)), tokens] += pull
    return origins


def brought_by_origin(pull, vectors, found, learned, tokens):
    """What each way brings if these vectors stand in front of its first block.

    Args:
        pull: (num_ways, embed_dim), behind the attention of the block.
        found, learned: the `BlockTrace` and the `BlockWeights` of the block.
        tokens: (num_ways,), where each of the ways stands there.
        vectors: (num_tokens, embed_dim)

    Returns:
        (num_ways, num_tokens), `vectors @ split_by_origin(...)` token by
        token, without the large array in between.
    """
    spread = np.sqrt(
        found.residual_before.astype(float).var(-1, keepdims=True) + EPSILON
    )
    centred = vectors - vectors.mean(axis=-1, keepdims=True)
    normalised = centred / spread * learned.attention_norm.scale
    values = project_to_heads(
        normalised, learned.attention.value_kernel, NO_BIAS
    )
    given = wanted_of_heads(pull, learned) @ values.swapaxes(-1, -2)
    brought = (found.attention_weights[:, tokens] * given).sum(axis=0)
    brought[np.arange(len(tokens)), tokens] += (pull * vectors[tokens]).sum(
        axis=-1
    )
    return brought


@dataclass(frozen=True)
class Path:
    """One way from a word to the answer.

    Attributes:
        tokens: the position that it is at in front of each block, and at the
            end.
        amount: what it brings to the lead.
    """

    tokens: tuple
    amount: float


def strongest_path(paths, last):
    """The way that brings most.

    Args:
        paths: from `answer_paths`.
        last: the position of the token that answers.
    """
    best = np.unravel_index(paths.argmax(), paths.shape)
    return Path((*(int(token) for token in best), last), float(paths[best]))


def brought_between(paths, last):
    """How much of the lead goes from each token to each other in every block.

    Args:
        paths: from `answer_paths`.
        last: the position of the token that answers.

    Returns:
        (num_blocks, num_tokens, num_tokens), from the row's token to the
        column's; each block adds up to the same sum, that of `Flow.words`.
    """
    num_blocks, num_tokens = paths.ndim, len(paths)
    brought = np.zeros((num_blocks, num_tokens, num_tokens))
    for block in range(num_blocks):
        kept = (block, block + 1)
        others = tuple(axis for axis in range(num_blocks) if axis not in kept)
        if block + 1 < num_blocks:
            brought[block] = paths.sum(axis=others)
        else:
            brought[block][:, last] = paths.sum(axis=others)
    return brought
