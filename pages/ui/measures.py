"""What two lessons need measured on a trained model; once, for all students."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm.glassbox.attention import causal_mask
from llm.glassbox.entropy import entropy
from llm.studies.exam import FRESH_SEED
from llm.studies.link_cuts import lost_by_cuts
from llm.studies.links import (
    KINDS,
    SO_THE,
    asked,
    head_with_most,
    left_without_link,
    link_in_all_heads,
    right_answers,
    right_by_link_alone,
    sizes,
)
from llm.studies.machine import machine_at_work
from llm.studies.units import measure_activations
from pages.ui.models import encoder_twin, tiny_llm, world

LEAST_CUT = 0.02  # links with less attention are not cut
SHORT, LEAST_CUT_IN_LONG = 24, 0.1  # a long text has too many links for all of them
ASKED = 12  # sentences of each kind; more change no second digit


class Links(NamedTuple):
    """What the link to the right noun is worth, on sentences of one kind.

    Attributes:
        whole: the mean probability of the right noun with nothing cut.
        without: with the link cut in all heads.
        alone: (num_layers, num_heads), with the link left to one head alone.
        num_sentences: how many sentences were asked.
    """

    whole: float
    without: float
    alone: np.ndarray
    num_sentences: int

    @property
    def head(self):
        """(layer, head) whose link by itself brings most of the answer."""
        return head_with_most(self.alone)


@st.cache_resource(show_spinner="Cutting one link after the other…")
def links_of_tiny_llm():
    """The links from the last word of `so the` to the right noun.

    Returns:
        A dictionary from each of `KINDS` to its `Links`.
    """
    llm = tiny_llm()
    batches = {kind: asked(llm.tokenizer, kind, SO_THE, ASKED) for kind in KINDS}
    return {
        kind: measured_links(llm.weights, batch, mask_for(batch))
        for kind, batch in batches.items()
    }


@st.cache_resource(show_spinner="Cutting one link after the other…")
def links_of_twin():
    """The links from `it` to the right noun in the encoder twin, by kind."""
    twin = encoder_twin()
    return {
        kind: measured_links(twin.weights, asked(twin.tokenizer, kind, (), ASKED))
        for kind in KINDS
    }


@st.cache_resource(show_spinner="Cutting one link after the other…")
def left_of_tiny_llm(kind):
    """What each head's link is missed by when cut, (num_layers, num_heads)."""
    batch = asked(tiny_llm().tokenizer, kind, SO_THE, ASKED)
    return left_without_link(tiny_llm().weights, batch, mask_for(batch))


def mask_for(batch):
    return causal_mask(batch.token_ids.shape[1])


def measured_links(weights, batch, mask=None):
    """Ask with nothing cut, with all links cut, and with one link left."""
    everywhere = link_in_all_heads(*sizes(weights), batch.position, batch.noun)
    return Links(
        float(right_answers(weights, batch, mask).mean()),
        float(right_answers(weights, batch, mask, everywhere).mean()),
        right_by_link_alone(weights, batch, mask), len(batch.token_ids),
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def at_work(tokens):
    """The tiny LLM at work on one prompt, a `Machine`.

    Args:
        tokens: a tuple of words.
    """
    return machine_at_work(tiny_llm(), list(tokens))


@st.cache_resource(max_entries=64, show_spinner="Cutting one link after the other…")
def lost_at_work(tokens):
    """What is lost without each link of the machine, from `lost_by_cuts`.

    Only asked for when it is shown, because it runs the network once for each link.
    """
    machine = at_work(tokens)
    return lost_by_cuts(
        tiny_llm().weights, machine.trace, machine.answer, machine.rival,
        least_cut(len(tokens)),
    )


def least_cut(num_words):
    """The smallest attention weight whose link is cut, for a text of so many words."""
    return LEAST_CUT if num_words <= SHORT else LEAST_CUT_IN_LONG


@st.cache_resource(show_spinner="Reading a few hundred stories, once…")
def activations():
    """What every inner unit fires for, an `Activations`."""
    llm = tiny_llm()
    # A seed that no training uses, so that the stories are fresh.
    return measure_activations(llm.weights, llm.tokenizer, world(), seed=FRESH_SEED)


def widest_row(weights, hidden=2, least=5):
    """The position whose attention is most evenly spread, to show softmax with.

    Args:
        weights: (num_tokens, num_tokens), rows sum to one.
        hidden: how many later words there must be at least.
        least: how many earlier words.
    """
    rows = range(least, len(weights) - hidden)
    return max(rows, key=lambda row: float(entropy(weights[row])))
