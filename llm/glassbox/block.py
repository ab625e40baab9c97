"""One Transformer block: attention, then feed-forward, each added."""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.ablation import NO_ABLATION
from llm.glassbox.attention import attention_scores, blend, masked
from llm.glassbox.feed_forward import project_down, project_up
from llm.glassbox.heads import project_from_heads, project_to_heads
from llm.glassbox.layer_norm import layer_norm
from llm.glassbox.softmax import softmax


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
    """Add attention to the residual stream, then the feed-forward layer.

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
    thought = feed_forward_sublayer(between, weights, ablation, layer)
    return BlockTrace(
        residual_before=residual,
        **attention,
        residual_between=between,
        **thought,
        residual_after=between + thought["feed_forward_output"],
    )


def attention_sublayer(
    residual, weights, mask=None, ablation=NO_ABLATION, layer=0
):
    """Normalise the stream, and attend.

    Args:
        residual: (..., num_tokens, embed_dim)
        weights: a `BlockWeights`.
        mask: (num_tokens, num_tokens), False where a token must not look.
        ablation: what is taken out, an `Ablation`.
        layer: the number of this block.

    Returns:
        A dictionary with the arrays of `BlockTrace` from `attention_input` to
        `attention_output`.
    """
    norm = weights.attention_norm
    vectors = layer_norm(residual, norm.scale, norm.shift)
    attention = multi_head_attention(
        vectors, weights.attention, mask, ablation, layer
    )
    return {"attention_input": vectors, **attention}


def multi_head_attention(
    vectors, learned, mask=None, ablation=NO_ABLATION, layer=0
):
    """Attend with every head, and join their outputs.

    Args:
        vectors: (..., num_tokens, embed_dim)
        learned: an `AttentionWeights`.
        mask: (num_tokens, num_tokens), False where a token must not look.
        ablation: what is taken out, an `Ablation`.
        layer: the number of this block.

    Returns:
        A dictionary with the arrays of `BlockTrace` from `queries` to
        `attention_output`.
    """
    queries = project_to_heads(
        vectors, learned.query_kernel, learned.query_bias
    )
    keys = project_to_heads(vectors, learned.key_kernel, learned.key_bias)
    values = project_to_heads(
        vectors, learned.value_kernel, learned.value_bias
    )
    scores = attention_scores(queries, keys)
    mask = ablation.mask(mask, layer, *queries.shape[-3:-1])
    attention_weights = softmax(masked(scores, mask))
    head_outputs = ablation.head_outputs(
        blend(attention_weights, values), layer
    )
    output = project_from_heads(
        head_outputs, learned.output_kernel, learned.output_bias
    )
    return {
        "queries": queries,
        "keys": keys,
        "values": values,
        "scores": scores,
        "attention_weights": attention_weights,
        "head_outputs": head_outputs,
        "attention_output": ablation.output(output, layer, "attention"),
    }


def feed_forward_sublayer(residual, weights, ablation=NO_ABLATION, layer=0):
    """Normalise the stream, and run the feed-forward layer on each token.

    Args:
        residual: (..., num_tokens, embed_dim)
        weights: a `BlockWeights`.
        ablation: what is taken out, an `Ablation`.
        layer: the number of this block.

    Returns:
        A dictionary with the arrays of `BlockTrace` from
        `feed_forward_input` to `feed_forward_output`.
    """
    norm = weights.feed_forward_norm
    vectors = layer_norm(residual, norm.scale, norm.shift)
    outputs = feed_forward(vectors, weights.feed_forward, ablation, layer)
    return {"feed_forward_input": vectors, **outputs}


def feed_forward(vectors, learned, ablation=NO_ABLATION, layer=0):
    """Run the feed-forward layer on each token by itself.

    Args:
        vectors: (..., num_tokens, embed_dim)
        learned: a `FeedForwardWeights`.
        ablation: what is taken out, an `Ablation`.
        layer: the number of this block.

    Returns:
        A dictionary with the arrays `hidden` and `feed_forward_output`.
    """
    hidden = project_up(vectors, learned.hidden_kernel, learned.hidden_bias)
    output = project_down(hidden, learned.output_kernel, learned.output_bias)
    return {
        "hidden": hidden,
        "feed_forward_output": ablation.output(output, layer, "feed_forward"),
    }
