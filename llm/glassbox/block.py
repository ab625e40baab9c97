"""One Transformer block: look around, then think, and add what was found."""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.ablation import NO_ABLATION
from llm.glassbox.attention import attention_scores, attention_weights, blend
from llm.glassbox.feed_forward import project_down, project_up
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
        attention_weights: (..., num_heads, num_tokens, num_tokens), rows sum
            to one.
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
    attention_weights: np.ndarray
    head_outputs: np.ndarray
    attention_output: np.ndarray
    residual_between: np.ndarray
    feed_forward_input: np.ndarray
    hidden: np.ndarray
    feed_forward_output: np.ndarray
    residual_after: np.ndarray


def block(residual, weights, mask=None, ablation=NO_ABLATION, layer=0):
    """Add to the stream what attention finds, then what thinking adds.

    Args:
        residual: (..., num_tokens, embed_dim)
        weights: a `BlockWeights`.
        mask: (num_tokens, num_tokens), False where a token must not look.
        ablation: what is taken out, to see what it did.
        layer: the number of this block, which ablation go by.

    Returns:
        A `BlockTrace`; its `residual_after` goes into the next block.
    """
    attention = attention_sublayer(residual, weights, mask, ablation, layer)
    between = residual + attention["attention_output"]
    thinking = feed_forward_sublayer(between, weights, ablation, layer)
    return BlockTrace(
        residual_before=residual,
        **attention,
        residual_between=between,
        **thinking,
        residual_after=between + thinking["feed_forward_output"],
    )


def attention_sublayer(residual, weights, mask=None, ablation=NO_ABLATION, layer=0):
    """Normalise, let every head look around, and join what the heads found.

    Args:
        residual: (..., num_tokens, embed_dim)

    Returns:
        A dictionary with the arrays of `BlockTrace` from `attention_input` to
        `attention_output`.
    """
    norm = weights.attention_norm
    vectors = layer_norm(residual, norm.scale, norm.shift)
    found = multi_head_attention(vectors, weights.attention, mask, ablation, layer)
    return {"attention_input": vectors, **found}


def multi_head_attention(vectors, learned, mask=None, ablation=NO_ABLATION, layer=0):
    """Let every head look around, and join what the heads found.

    Args:
        vectors: (..., num_tokens, embed_dim)
        learned: an `AttentionWeights`.

    Returns:
        A dictionary with the arrays of `BlockTrace` from `queries` to
        `attention_output`.
    """
    queries = project_to_heads(vectors, learned.query_kernel, learned.query_bias)
    keys = project_to_heads(vectors, learned.key_kernel, learned.key_bias)
    values = project_to_heads(vectors, learned.value_kernel, learned.value_bias)
    mask = ablation.mask(mask, layer, *queries.shape[-3:-1])
    shares = attention_weights(queries, keys, mask)
    found = ablation.head_outputs(blend(shares, values), layer)
    output = project_from_heads(
        found, learned.output_kernel, learned.output_bias
    )
    return {
        "queries": queries,
        "keys": keys,
        "values": values,
        "scores": attention_scores(queries, keys),
        "attention_weights": shares,
        "head_outputs": found,
        "attention_output": ablation.output(output, layer, "attention"),
    }


def feed_forward_sublayer(residual, weights, ablation=NO_ABLATION, layer=0):
    """Normalise, ask the inner units, and write what follows from it.

    Args:
        residual: (..., num_tokens, embed_dim)

    Returns:
        A dictionary with the arrays of `BlockTrace` from
        `feed_forward_input` to `feed_forward_output`.
    """
    norm = weights.feed_forward_norm
    vectors = layer_norm(residual, norm.scale, norm.shift)
    found = feed_forward(vectors, weights.feed_forward, ablation, layer)
    return {"feed_forward_input": vectors, **found}


def feed_forward(vectors, learned, ablation=NO_ABLATION, layer=0):
    """Ask the inner units, and write what follows from it.

    Args:
        vectors: (..., num_tokens, embed_dim)
        learned: a `FeedForwardWeights`.

    Returns:
        A dictionary with the arrays `hidden` and `feed_forward_output`.
    """
    hidden = project_up(vectors, learned.hidden_kernel, learned.hidden_bias)
    output = project_down(hidden, learned.output_kernel, learned.output_bias)
    return {
        "hidden": hidden,
        "feed_forward_output": ablation.output(output, layer, "feed_forward"),
    }
