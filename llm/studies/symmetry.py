"""Symmetry: two heads with equal first weights would stay equal for ever."""

from dataclasses import fields, replace

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.softmax import log_softmax

STEP = 1e-4  # of the difference quotient; everything runs in double precision


def with_equal_heads(weights, layer, one, other):
    """A copy of a network, in which one head of a layer is a copy of another.

    Args:
        weights: a `Weights`.
        layer: of both heads, counted from 0.
        one: the head that is copied.
        other: the head that becomes its copy.

    Returns:
        A `Weights` in double precision.
    """
    weights = in_double_precision(weights)
    attention = weights.blocks[layer].attention
    copied = {}
    for field in fields(attention):
        array = getattr(attention, field.name).copy()
        if field.name == "output_kernel":  # (num_heads, head_dim, embed_dim)
            array[other] = array[one]
        elif field.name != "output_bias":  # (..., num_heads, head_dim)
            array[..., other, :] = array[..., one, :]
        copied[field.name] = array
    blocks = list(weights.blocks)
    blocks[layer] = replace(
        blocks[layer], attention=replace(attention, **copied)
    )
    return replace(weights, blocks=tuple(blocks))


def in_double_precision(part):
    """A copy of weights as 64-bit numbers.

    Args:
        part: an array, or arrays in lists, tuples and dataclasses.
    """
    if isinstance(part, np.ndarray):
        return part.astype(float)
    if isinstance(part, (list, tuple)):
        return type(part)(in_double_precision(one) for one in part)
    if hasattr(part, "__dataclass_fields__"):
        return replace(part, **{
            field.name: in_double_precision(getattr(part, field.name))
            for field in fields(part)
        })
    return part


def query_slopes(weights, layer, head, token_ids, count=4):
    """The gradient of the loss at some query weights of a head.

    Each slope is a difference quotient: the weight is moved a little to both
    sides, and the loss of the whole network is computed anew.

    Args:
        weights: a `Weights` in double precision.
        layer, head: counted from 0.
        token_ids: (num_tokens,), a story; each token is to be followed by the
            next.
        count: for how many weights.

    Returns:
        (count,), nats per unit of weight.
    """
    kernel = weights.blocks[layer].attention.query_kernel
    slopes = []
    for row in range(count):
        sides = []
        for step in (STEP, -STEP):
            moved = kernel.copy()
            moved[row, head, 0] += step
            sides.append(
                loss_of(with_kernel(weights, layer, moved), token_ids)
            )
        slopes.append((sides[0] - sides[1]) / (2 * STEP))
    return np.array(slopes)


def with_kernel(weights, layer, kernel):
    """A copy of a network with other query weights in one layer.

    Args:
        weights: a `Weights`.
        layer: counted from 0.
        kernel: (embed_dim, num_heads, head_dim), the new query weights.

    Returns:
        A `Weights`.
    """
    blocks = list(weights.blocks)
    attention = replace(blocks[layer].attention, query_kernel=kernel)
    blocks[layer] = replace(blocks[layer], attention=attention)
    return replace(weights, blocks=tuple(blocks))


def loss_of(weights, token_ids):
    """The mean loss of a network on one story, in nats per token."""
    token_ids = np.asarray(token_ids)
    logits = trace(
        weights, token_ids[:-1], causal_mask(len(token_ids) - 1)
    ).logits
    chosen = log_softmax(logits)[np.arange(len(token_ids) - 1), token_ids[1:]]
    return -float(chosen.mean())
