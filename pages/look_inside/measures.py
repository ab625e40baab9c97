"""The one link that brings little and is needed most, measured once for all."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm.glassbox.ablation import Ablation
from llm.glassbox.softmax import softmax
from llm.studies.machine import heads_on_path
from pages.ui.measures import at_work, lost_at_work
from pages.ui.models import tiny_llm
from pages.ui.words import numbered

KITE = tuple("tom has a red ball . mia has a blue kite . mia 's kite is".split())


class NeededLink(NamedTuple):
    """The link whose cut loses most of an answer, beside those that bring most.

    Attributes:
        head: its name, as `1.1`.
        weight: its attention weight.
        total: the lead of the answer.
        brings: what the link brings to it.
        lost: how far the lead falls without it.
        compared: (name, brings, lost) of this link and of the links on the path.
        whole, cut: the probability of the answer, and the mean attention of the last
            block's heads to the last word of the path; with the link and without.
    """

    head: str
    weight: float
    total: float
    brings: float
    lost: float
    compared: list
    whole: tuple
    cut: tuple


@st.cache_resource(show_spinner=False)
def guessed_link():
    """The link of the kite's sentence that the guess is about, a `NeededLink`."""
    machine, lost = at_work(KITE), lost_at_work(KITE)
    names, llm = numbered(machine.trace.tokens), tiny_llm()
    needed = tuple(int(n) for n in np.unravel_index(np.nanargmax(lost), lost.shape))
    layer, head, query, key = needed
    without = llm.trace(list(KITE), Ablation(edges={needed}))

    def measured(trace):
        looked_at = machine.path.tokens[-2]
        shares = softmax(trace.logits[-1].astype(float))
        looks = [trace.attention(len(trace.blocks) - 1, n)[-1, looked_at]
                 for n in range(llm.config.num_heads)]
        return float(shares[machine.answer]), float(np.mean(looks))

    return NeededLink(
        head=f"{layer + 1}.{head + 1}",
        weight=float(machine.trace.attention(layer, head)[query, key]),
        total=machine.flow.total,
        brings=float(machine.flow.links[needed]),
        lost=float(lost[needed]),
        compared=[
            (f"{names[q]} → {names[k]}, head {number + 1}.{h + 1}",
             float(machine.flow.links[number, h, q, k]), float(lost[number, h, q, k]))
            for number, h, q, k in [needed, *heads_on_path(machine)]
        ],
        whole=measured(machine.trace),
        cut=measured(without),
    )
