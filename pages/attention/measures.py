"""The course's own sentence with its two endings, as both networks read it."""

from typing import NamedTuple

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import Trace
from llm.glassbox.softmax import softmax
from llm.models.encoder_twin import MASK
from llm.studies.links import (
    ACTOR,
    IT,
    OBSTACLE,
    SO_THE,
    because,
    cut_distributions,
)
from pages.ui.measures import links_in_sentence
from pages.ui.models import encoder_twin, tiny_llm

TIRED, WIDE = "tired", "wide"
ENDINGS = {last: because("animal", "cross", "street", last) for last in (TIRED, WIDE)}
NOUNS = {TIRED: "animal", WIDE: "street"}
POSITIONS = {"animal": ACTOR, "street": OBSTACLE}
KINDS = {TIRED: "actor", WIDE: "obstacle"}


class Reading(NamedTuple):
    """How the tiny LLM reads the sentence with one ending, and what it says next.

    Attributes:
        tokens: the words, `<start>` in front, `so the` at the end.
        trace: its `Trace`.
        head: (layer, head) whose link to the right noun brings most of the answer.
        noun: the right answer.
        probability: what the model gives to it.
    """

    tokens: tuple
    trace: Trace
    head: tuple
    noun: str
    probability: float


def reading(last):
    """The tiny LLM on the sentence that ends with this word, a `Reading`."""
    tokens, noun = (*ENDINGS[last], *SO_THE), NOUNS[last]
    llm = tiny_llm()
    trace = llm.trace(tokens)
    probabilities = softmax(trace.logits[-1].astype(np.float64))
    return Reading(
        tokens, trace, links_in_sentence(tokens, KINDS[last]).head, noun,
        float(probabilities[llm.tokenizer.ids[noun]]),
    )


def cut_answers(one, head, key):
    """What the tiny LLM says next with links of the last word cut.

    Args:
        one: a `Reading`.
        head: (layer, head) of the link.
        key: the position of the word that is looked at.

    Returns:
        A dictionary from what is cut to a dictionary from word to probability.
    """
    llm, size = tiny_llm(), len(one.tokens)
    said = cut_distributions(
        llm.weights, one.trace, head, size - 1, key, causal_mask(size)
    )
    words = llm.tokenizer.vocabulary
    return {name: dict(zip(words, shares.tolist())) for name, shares in said.items()}


def most_needed(readings):
    """The ending whose answer loses most when the link to its noun is cut.

    Args:
        readings: a dictionary from ending to `Reading`.

    Returns:
        The ending, and what is said with each cut, as from `cut_answers`.
    """
    answers = {
        last: cut_answers(one, one.head, POSITIONS[one.noun])
        for last, one in readings.items()
    }

    def lost(last):
        noun, (whole, without, *_) = NOUNS[last], answers[last].values()
        return whole[noun] - without[noun]

    needed = max(readings, key=lost)
    return needed, answers[needed]


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
