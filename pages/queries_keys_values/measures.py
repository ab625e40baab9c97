"""The four steps inside a trained head, on the sentence of the lesson before."""

from typing import NamedTuple

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.studies.by_hand import Steps, four_steps
from llm.studies.links import ACTOR, SO_THE, because, head_with_most, looking_head
from pages.ui.models import tiny_llm

SENTENCE = (*because("animal", "cross", "street", "tired"), *SO_THE)


class TrainedHead(NamedTuple):
    """One head of the tiny LLM at work on `SENTENCE`.

    Attributes:
        layer, head: which head, counted from 0.
        steps: its `Steps`.
        mask: (num_tokens, num_tokens), False where a word must not look.
    """

    layer: int
    head: int
    steps: Steps
    mask: np.ndarray


def trained_head():
    """The head in which the last word looks at the right noun most."""
    trace, mask = tiny_llm().trace(SENTENCE), causal_mask(len(SENTENCE))
    layer, head = looking_head(trace, len(SENTENCE) - 1, ACTOR)
    queries, keys = trace.queries_and_keys(layer, head)
    steps = four_steps(queries, keys, trace.values(layer, head), mask)
    return TrainedHead(layer, head, steps, mask)


def sharpest_head():
    """The head in which the last word of `SENTENCE` gives most to a single word.

    Returns:
        (layer, head), and the share.
    """
    blocks = tiny_llm().trace(SENTENCE).blocks
    most = np.array([block.attention_weights[:, -1].max(axis=-1) for block in blocks])
    return head_with_most(most), float(most.max())
