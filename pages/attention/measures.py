"""The course's own sentence with its two endings, as both networks read it."""

from typing import NamedTuple

import streamlit as st

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import Trace
from llm.models.encoder_twin import MASK
from llm.studies.links import (
    ACTOR,
    IT,
    OBSTACLE,
    SO_THE,
    because,
    cut_distributions,
    looking_head,
)
from pages.ui.models import encoder_twin, tiny_llm

TIRED, WIDE = "tired", "wide"
ENDINGS = {last: because("animal", "cross", "street", last) for last in (TIRED, WIDE)}
NOUNS = {TIRED: "animal", WIDE: "street"}
POSITIONS = {"animal": ACTOR, "street": OBSTACLE}
KINDS = {TIRED: "actor", WIDE: "obstacle"}


class Reading(NamedTuple):
    """How the tiny LLM reads the sentence with one ending.

    Attributes:
        tokens: the words, `<start>` in front, `so the` at the end.
        trace: its `Trace`.
        head: (layer, head) in which the last word looks at the right noun most.
        noun: the right answer.
    """

    tokens: tuple
    trace: Trace
    head: tuple
    noun: str


def reading(last):
    """The tiny LLM on the sentence that ends with this word, a `Reading`."""
    tokens, noun = (*ENDINGS[last], *SO_THE), NOUNS[last]
    trace = tiny_llm().trace(tokens)
    head = looking_head(trace, len(tokens) - 1, POSITIONS[noun])
    return Reading(tokens, trace, head, noun)


@st.cache_data(show_spinner=False)
def cut_answers(last):
    """What the tiny LLM says next with the link to the right noun cut.

    Args:
        last: one of `ENDINGS`.

    Returns:
        A dictionary from what is cut to a dictionary from word to probability.
    """
    llm, one = tiny_llm(), reading(last)
    size = len(one.tokens)
    said = cut_distributions(
        llm.weights, one.trace, one.head, size - 1, POSITIONS[one.noun],
        causal_mask(size),
    )
    words = llm.tokenizer.vocabulary
    return {name: dict(zip(words, shares.tolist())) for name, shares in said.items()}


def lost_by_cut(last, answers):
    """How much the right answer loses when this one link is cut.

    Args:
        last: one of `ENDINGS`.
        answers: from `cut_answers`.
    """
    whole, without, *_ = answers.values()
    return whole[NOUNS[last]] - without[NOUNS[last]]


def cut_answers_of_twin(last, head):
    """What the encoder twin takes `it` for with links of `it` cut, as above."""
    twin, noun = encoder_twin(), NOUNS[last]
    said = cut_distributions(
        twin.weights, twin.ask(ENDINGS[last]), head, IT, POSITIONS[noun]
    )
    ids = twin.tokenizer.ids
    return {name: float(shares[ids[noun]]) for name, shares in said.items()}


def blanked(last):
    """The sentence with a blank in the place of the noun that `it` stands for."""
    tokens = ENDINGS[last]
    return [*tokens[:IT], "the", MASK, *tokens[IT + 1:]]
