"""The four steps inside a trained head, on the sentence of the lesson before."""

from typing import NamedTuple

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.studies.by_hand import Steps, four_steps
from llm.studies.links import SO_THE, because
from pages.ui.measures import links_in_sentence
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
    """The head whose link to the right noun brings most of the answer."""
    layer, head = links_in_sentence(SENTENCE, "actor").head
    trace, mask = tiny_llm().trace(SENTENCE), causal_mask(len(SENTENCE))
    queries, keys = trace.queries_and_keys(layer, head)
    steps = four_steps(queries, keys, trace.values(layer, head), mask)
    return TrainedHead(layer, head, steps, mask)
