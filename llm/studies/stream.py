"""One token on its way up: what each part did to its vector, in order.

The vector that everything is added to is called the residual stream. It has
the same width from the first embedding to the last LayerNorm, so it can be
read out anywhere: that is the logit lens (nostalgebraist 2020).
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.model import read_out
from llm.glassbox.softmax import softmax

EMBEDDING, POSITION, NORM = "embedding", "position", "LayerNorm"
ATTENTION, FEED_FORWARD, LOGITS = "attention", "feed-forward", "logits"


@dataclass(frozen=True)
class ResidualStep:
    """One part at work on the vector of one token.

    Attributes:
        name: which part, and in which block.
        kind: what kind of part it is.
        layer: the number of its block from 0; None outside the blocks.
        before: (embed_dim,), the vector that it reads.
        output: (embed_dim,), what it makes of it.
        stream: (embed_dim,), the residual stream behind it.
        adds: whether its output is added to the stream. A LayerNorm in front
            of a part only changes what that part reads.
    """

    name: str
    kind: str
    layer: int | None
    before: np.ndarray
    output: np.ndarray
    stream: np.ndarray
    adds: bool


def residual_steps(trace, position):
    """Every part that a token passes, from its embedding to its logits.

    Args:
        trace: a `Trace` of one sentence.
        position: which token, counted from 0.

    Returns:
        A list of `ResidualStep`, 4 for each block and 4 more.
    """
    embedding, offset = trace.embeddings[position], trace.positions[position]
    start = embedding + offset
    nothing = np.zeros_like(embedding)
    steps = [
        ResidualStep(
            EMBEDDING, EMBEDDING, None, nothing, embedding, embedding, True
        ),
        ResidualStep(POSITION, POSITION, None, embedding, offset, start, True),
    ]
    for layer, found in enumerate(trace.blocks):
        steps += in_block(found, layer, position)
    end = steps[-1].stream
    final = trace.final[position]
    return steps + [
        ResidualStep("last LayerNorm", NORM, None, end, final, end, False),
        ResidualStep(
            LOGITS, LOGITS, None, final, trace.logits[position], end, False
        ),
    ]


def in_block(found, layer, position):
    """The four parts of one block, as they act on one token.

    Args:
        found: a `BlockTrace` of one sentence.
        layer: its number from 0.
        position: which token, counted from 0.
    """
    def step(kind, before, output, stream, adds, name=None):
        name = f"{layer + 1}: {name or kind}"
        return ResidualStep(
            name,
            kind,
            layer,
            before[position],
            output[position],
            stream[position],
            adds,
        )

    start, middle = found.residual_before, found.residual_between
    return [
        step(NORM, start, found.attention_input, start, False),
        step(ATTENTION, start, found.attention_output, middle, True),
        step(NORM, middle, found.feed_forward_input, middle, False,
             "LayerNorm again"),
        step(FEED_FORWARD, middle, found.feed_forward_output,
             found.residual_after, True),
    ]


def logit_lens(weights, stream):
    """What the network would say next if the stream ended here.

    Args:
        weights: a `Weights`.
        stream: (..., embed_dim)

    Returns:
        (..., vocab_size), each row sums to one.
    """
    return softmax(read_out(weights, stream)[1])


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
    return [float(np.linalg.norm(stop, axis=-1).mean()) for stop in stops]
