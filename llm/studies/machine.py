"""The whole tiny LLM at work on one prompt: everything that its picture shows.

The residual stream of every token is a column, and what is added to it makes
its rows: first the embeddings, then in each block the attention and the
feed-forward layer. Where a row crosses a column, the network can be asked what
it would say if it ended there.

Layers, heads, rows and positions count from 0.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from llm.glassbox.model import Trace
from llm.studies.flow import (
    Flow,
    Path,
    answer_flow,
    answer_paths,
    strongest_path,
)
from llm.studies.stream import logit_lens


@dataclass(frozen=True)
class Machine:
    """One prompt on its way through the tiny LLM.

    Attributes:
        trace: the `Trace`, with every array.
        answer: the number of the likeliest next word.
        rival: the number of the second likeliest, which the answer is compared
            with.
        said: (num_rows, num_tokens), the word that would come next if the
            network ended at a crossing.
        sure: (num_rows, num_tokens), its probability.
        flow: the `Flow` of the answer's lead over its rival.
        path: the `Path` that brings most of this lead.
    """

    trace: Trace
    answer: int
    rival: int
    said: np.ndarray
    sure: np.ndarray
    flow: Flow
    path: Path


def machine_at_work(llm, prompt):
    """Run the tiny LLM on a prompt, and measure all that its picture shows.

    Args:
        llm: a `TinyLLM`.
        prompt: a text, or its tokens.

    Returns:
        A `Machine`.
    """
    trace = llm.trace(prompt)
    answer, rival = (
        int(n) for n in np.argsort(-trace.logits[-1], kind="stable")[:2]
    )
    shares = logit_lens(llm.weights, np.stack(trace.residuals()))
    paths = answer_paths(trace, llm.weights, answer, rival)
    return Machine(
        trace=trace,
        answer=answer,
        rival=rival,
        said=shares.argmax(axis=-1),
        sure=shares.max(axis=-1),
        flow=answer_flow(trace, llm.weights, answer, rival),
        path=strongest_path(paths, len(trace.tokens) - 1),
    )


def heads_on_path(machine):
    """The head that brings most on each step of the path.

    Returns:
        A list of (layer, head, query, key), for the blocks in which the path
        goes from one token to another.
    """
    steps = enumerate(pairwise(machine.path.tokens))
    return [
        (
            layer,
            int(machine.flow.links[layer, :, query, key].argmax()),
            query,
            key,
        )
        for layer, (key, query) in steps
        if key != query
    ]


def needed_link(lost, brings):
    """The link whose cut loses most beyond what the link brings.

    Args:
        lost: (num_layers, num_heads, num_tokens, num_tokens), how far the lead
            falls without each link; NaN where none was cut.
        brings: of the same shape, what each link brings to the lead.

    Returns:
        (layer, head, query, key)
    """
    place = np.unravel_index(np.nanargmax(lost - brings), lost.shape)
    return tuple(int(number) for number in place)


def wrote(machine, weights, layer, position):
    """What each inner unit of a feed-forward layer wrote for one token.

    Returns:
        fired: (feed_forward_dim,), how strongly each fired.
        brought: (feed_forward_dim,), what that brings to the answer's lead.
            With the bias of the layer they add up to `Flow.feed_forward`.
    """
    fired = machine.trace.blocks[layer].hidden[position].astype(float)
    rows = weights.blocks[layer].feed_forward.output_kernel.astype(float)
    return fired, fired * (rows @ machine.flow.pulls[layer, position])
