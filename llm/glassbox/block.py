"""One Transformer block: look around, then think, and add what was found."""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.attention import attention_scores, attention_weights, blend
from llm.glassbox.cuts import NOTHING
from llm.glassbox.feed_forward import hidden_units, write_back
from llm.glassbox.heads import project_from_heads, project_to_heads
from llm.glassbox.layer_norm import layer_norm


@dataclass(frozen=True)
class BlockTrace:
    """Everything that one block computed, in the order in which it did.

    Attributes:
        residual_before: (..., num_tokens, embed_dim)
        attention_input: (..., num_tokens, embed_dim), normalised.
        queries: (..., num_heads, num_tokens, head_dim)
        keys: (..., num_heads, num_tokens, head_dim)
        values: (..., num_heads, num_tokens, head_dim)
        scores: (..., num_heads, num_tokens, num_tokens), scaled, not masked.
        weights: (..., num_heads, num_tokens, num_tokens), rows sum to one.
        head_outputs: (..., num_heads, num_tokens, head_dim)
        attention_output: (..., num_tokens, embed_dim)
        residual_between: (..., num_tokens, embed_dim)
        feed_forward_input: (..., num_tokens, embed_dim), normalised.
        hidden: (..., num_tokens, feed_forward_dim), after ReLU.
        feed_forward_output: (..., num_tokens, embed_dim)
        residual_after: (..., num_tokens, embed_dim)
    """

    residual_before: np.ndarray
    attention_input: np.ndarray
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    head_outputs: np.ndarray
    attention_output: np.ndarray
    residual_between: np.ndarray
    feed_forward_input: np.ndarray
    hidden: np.ndarray
    feed_forward_output: np.ndarray
    residual_after: np.ndarray


def block(residual, weights, mask=None, cuts=NOTHING, layer=0):
    """Add to the stream what attention finds, then what thinking adds.

    Args:
        residual: (..., num_tokens, embed_dim)
        weights: a `BlockWeights`.
        mask: (num_tokens, num_tokens), False where a token must not look.
        cuts: what is taken out, to see what it did.
        layer: the number of this block, which cuts go by.

    Returns:
        A `BlockTrace`; its `residual_after` goes into the next block.
    """
    attention = self_attention(residual, weights, mask, cuts, layer)
    between = residual + attention["attention_output"]
    thinking = think(between, weights, cuts, layer)
    return BlockTrace(
        residual_before=residual,
        **attention,
        residual_between=between,
        **thinking,
        residual_after=between + thinking["feed_forward_output"],
    )


def self_attention(residual, weights, mask=None, cuts=NOTHING, layer=0):
    """Normalise, let every head look around, and join what the heads found.

    Args:
        residual: (..., num_tokens, embed_dim)

    Returns:
        A dictionary with the arrays of `BlockTrace` from `attention_input` to
        `attention_output`.
    """
    norm = weights.attention_norm
    vectors = layer_norm(residual, norm.scale, norm.shift)
    found = look_around(vectors, weights.attention, mask, cuts, layer)
    return {"attention_input": vectors, **found}


def look_around(vectors, learnt, mask=None, cuts=NOTHING, layer=0):
    """Let every head look around, and join what the heads found.

    Args:
        vectors: (..., num_tokens, embed_dim)
        learnt: an `AttentionWeights`.

    Returns:
        A dictionary with the arrays of `BlockTrace` from `queries` to
        `attention_output`.
    """
    queries = project_to_heads(vectors, learnt.query_kernel, learnt.query_bias)
    keys = project_to_heads(vectors, learnt.key_kernel, learnt.key_bias)
    values = project_to_heads(vectors, learnt.value_kernel, learnt.value_bias)
    mask = cuts.mask(mask, layer, *queries.shape[-3:-1])
    shares = attention_weights(queries, keys, mask)
    found = cuts.head_outputs(blend(shares, values), layer)
    output = project_from_heads(
        found, learnt.output_kernel, learnt.output_bias
    )
    return {
        "queries": queries,
        "keys": keys,
        "values": values,
        "scores": attention_scores(queries, keys),
        "weights": shares,
        "head_outputs": found,
        "attention_output": cuts.output(output, layer, "attention"),
    }


def think(residual, weights, cuts=NOTHING, layer=0):
    """Normalise, ask the inner units, and write what follows from it.

    Args:
        residual: (..., num_tokens, embed_dim)

    Returns:
        A dictionary with the arrays of `BlockTrace` from
        `feed_forward_input` to `feed_forward_output`.
    """
    norm = weights.feed_forward_norm
    vectors = layer_norm(residual, norm.scale, norm.shift)
    found = ask_units(vectors, weights.feed_forward, cuts, layer)
    return {"feed_forward_input": vectors, **found}


def ask_units(vectors, learnt, cuts=NOTHING, layer=0):
    """Ask the inner units, and write what follows from it.

    Args:
        vectors: (..., num_tokens, embed_dim)
        learnt: a `FeedForwardWeights`.

    Returns:
        A dictionary with the arrays `hidden` and `feed_forward_output`.
    """
    hidden = hidden_units(vectors, learnt.hidden_kernel, learnt.hidden_bias)
    output = write_back(hidden, learnt.output_kernel, learnt.output_bias)
    return {
        "hidden": hidden,
        "feed_forward_output": cuts.output(output, layer, "feed_forward"),
    }
