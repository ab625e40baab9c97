"""What two lessons need measured on a trained model; once, for all students."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm.experiments.links import (
    KINDS,
    SO_THE,
    asked,
    carrying_head,
    left_without_link,
    link_in_all_heads,
    right_answers,
    sizes,
)
from llm.glassbox.attention import causal_mask
from pages.ui.controls import encoder_twin, tiny_llm

ASKED = 12  # sentences of each kind; more change no second digit


class Links(NamedTuple):
    """How much of the right answer is left without the link to it.

    Attributes:
        whole: the mean probability of the right noun with nothing cut.
        left: (num_layers, num_heads), with the link cut in one head.
        without: with the link cut in all heads.
        num_sentences: how many sentences were asked.
    """

    whole: float
    left: np.ndarray
    without: float
    num_sentences: int

    @property
    def head(self):
        """(layer, head) whose link is missed most."""
        return carrying_head(self.left)


@st.cache_resource(show_spinner="Cutting one link after the other…")
def links_of_tiny_llm():
    """The links from the last word of `so the` to the right noun, as `Links`."""
    llm = tiny_llm()
    batches = [asked(llm.tokenizer, kind, SO_THE, ASKED) for kind in KINDS]
    num_tokens = batches[0].token_ids.shape[1]
    return measured_links(llm.weights, batches, causal_mask(num_tokens))


@st.cache_resource(show_spinner="Cutting one link after the other…")
def links_of_twin():
    """The links from `it` to the right noun in the encoder twin, as `Links`."""
    twin = encoder_twin()
    batches = [asked(twin.tokenizer, kind, (), ASKED) for kind in KINDS]
    return measured_links(twin.weights, batches, None)


def measured_links(weights, batches, mask):
    """Ask with nothing cut, with each link cut, and with all of them cut."""

    def mean(cuts_of):
        return float(np.mean([
            right_answers(weights, batch, mask, cuts_of(batch)).mean()
            for batch in batches
        ]))

    def everywhere(batch):
        return link_in_all_heads(*sizes(weights), batch.place, batch.noun)

    return Links(
        mean(lambda batch: None), left_without_link(weights, batches, mask),
        mean(everywhere), sum(len(batch.token_ids) for batch in batches),
    )
