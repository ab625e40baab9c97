"""The link that is needed far more than it brings, measured once for all."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm.glassbox.ablation import Ablation
from llm.glassbox.softmax import softmax
from llm.studies.link_effects import logit_difference
from llm.studies.machine import heads_on_path, needed_link
from pages.ui.measures import at_work, lost_at_work
from pages.ui.models import tiny_llm
from pages.ui.words import numbered

KITE = tuple("tom has a red ball . mia has a blue kite . mia 's kite is".split())


class NeededLink(NamedTuple):
    """The link whose cut loses most beyond what it brings, beside those of the path.

    Attributes:
        head: its name, as `1.1`.
        looks, at: the words that it links, numbered.
        edge: (layer, head, query, key), counted from 0.
        weight: its attention weight.
        total: the lead of the answer.
        brings: what the link brings to it.
        lost: how far the lead falls without it.
        most: the most that is lost without any single link.
        compared: (name, brings, lost) of this link and of the links on the path.
        whole, cut: the probability of the answer, and the mean attention of the last
            block's heads to the last word of the path; with the link and without.
        instead: (word, weight), the largest in the row of the head without the link.
        head_lost: how far the lead falls when the whole head is cut out.
    """

    head: str
    looks: str
    at: str
    edge: tuple
    weight: float
    total: float
    brings: float
    lost: float
    most: float
    compared: list
    whole: tuple
    cut: tuple
    instead: tuple
    head_lost: float


@st.cache_resource(show_spinner=False)
def guessed_link():
    """The link of the kite's sentence that the guess is about, a `NeededLink`."""
    machine, lost = at_work(KITE), lost_at_work(KITE)
    names, llm = numbered(machine.trace.tokens), tiny_llm()
    needed = needed_link(lost, machine.flow.links)
    layer, head, query, key = needed
    without = llm.trace(list(KITE), Ablation(edges={needed}))
    row = without.attention(layer, head)[query]
    silent = llm.trace(list(KITE), Ablation(heads={(layer, head)}))

    def measured(trace):
        looked_at = machine.path.tokens[-2]
        shares = softmax(trace.logits[-1].astype(float))
        looks = [trace.attention(len(trace.blocks) - 1, n)[-1, looked_at]
                 for n in range(llm.config.num_heads)]
        return float(shares[machine.answer]), float(np.mean(looks))

    return NeededLink(
        head=f"{layer + 1}.{head + 1}",
        looks=names[query],
        at=names[key],
        edge=needed,
        weight=float(machine.trace.attention(layer, head)[query, key]),
        total=machine.flow.total,
        brings=float(machine.flow.links[needed]),
        lost=float(lost[needed]),
        most=float(np.nanmax(lost)),
        compared=[
            (f"{names[q]} → {names[k]}, head {number + 1}.{h + 1}",
             float(machine.flow.links[number, h, q, k]), float(lost[number, h, q, k]))
            for number, h, q, k in [needed, *heads_on_path(machine)]
        ],
        whole=measured(machine.trace),
        cut=measured(without),
        instead=(names[int(row.argmax())], float(row.max())),
        head_lost=machine.flow.total - float(
            logit_difference(silent.logits[-1], machine.answer, machine.rival)),
    )
