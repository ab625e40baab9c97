"""LayerNorm before or after each part: what it does to the residual stream."""

import numpy as np

from llm.glassbox.variants import Design, variant_block
from llm.glassbox.weights import BlockWeights
from llm.studies.stream import length


def digit_block(weights, row):
    """The one block of the digit model, at work on one row of digits.

    Args:
        weights: a `llm.digits.reader.DigitWeights`.
        row: (length,), whole numbers from 0 to 9.

    Returns:
        A `BlockTrace`; the model normalises after each part.
    """
    x = weights.digit_embeddings[row] + weights.position_embeddings
    block = BlockWeights(weights.attention_norm, weights.attention,
                         weights.feed_forward_norm, weights.feed_forward)
    return variant_block(x, block, None, Design(norm="post"))


def stream_lengths(blocks):
    """How long the vectors are behind each part, averaged over the words.

    Args:
        blocks: `BlockTrace`s of one sentence.

    Returns:
        A list of 2 * num_layers + 1 numbers, the start first.
    """
    stops = [blocks[0].residual_before]
    for block in blocks:
        stops += [block.residual_between, block.residual_after]
    return [float(np.mean(length(stop))) for stop in stops]
