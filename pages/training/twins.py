"""The retrained twins on a page: which part each lacks, and what that did."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from llm.models.twins import TWINS, TwinLLM
from llm.studies.exam import evaluate, fresh_exam, log_probabilities_unseen
from pages.ui.charts.words import percent
from pages.ui.controls import retrained_twin, tiny_llm

PEEKING = "no causal mask"
NUM_UNSEEN = 60  # stories that a peeking twin is examined on, without peeking


@dataclass(frozen=True)
class Removed:
    """What is said about one twin.

    Attributes:
        what: what is other than in the full model.
        matters: why that shows, if the figures fell.
        spared: why it does not show, if they did not.
    """

    what: str
    matters: str
    spared: str


WORDS = {
    "no positions": Removed(
        "no word knows its place",
        "A word still sees how many words stand before it, because the mask hides what "
        "comes later; so simple orders can be learned. But it cannot find a neighbour "
        "by its place, and look-up needs that.",
        "The causal mask alone tells a word how many come before it, and here that "
        "was enough.",
    ),
    "sinusoidal positions": Removed(
        "the places are fixed waves instead of learned rows",
        "Fixed waves are as large as the word itself at first, and the network must "
        "learn to read around them.",
        "Waves tell the places apart as well as learned rows do; our learned rows even "
        "begin as small waves.",
    ),
    "no causal mask": Removed(
        "every word may look at the words after it",
        "It could look at the answer.",
        "It could look at the answer.",
    ),
    "no scaling": Removed(
        "scores are not divided by √d, the square root of the head's width",
        "Undivided scores are large. Softmax then puts nearly everything on one word "
        "too early, and where it is that sure, hardly any gradient comes through.",
        "Our heads are narrow, so the scores were not large enough to do harm; learned "
        "queries and keys can also be small from the start.",
    ),
    "no residual": Removed(
        "each part replaces what came in, instead of adding to it",
        "Nothing is handed on by itself any more: every part must carry the word, its "
        "place and all that was found, and the gradient must pass through all of them.",
        "Three layers are few; the trouble begins with many.",
    ),
    "no LayerNorm": Removed(
        "nothing brings the vectors back to one size",
        "The sizes of the vectors drift, and one learning rate no longer fits all.",
        "Three layers are too few for the sizes to run away, and gradients were "
        "clipped. In a deep network it would matter.",
    ),
    "post-LayerNorm": Removed(
        "LayerNorm comes after each addition, as in 2017, not before each part",
        "The stream is squeezed after each addition, so gradients reach the lower "
        "layers less directly.",
        "With three layers both places work. The newer one is chosen because deep "
        "networks train more calmly with it.",
    ),
    "one head": Removed(
        "one wide head a layer instead of four narrow ones",
        "One head can look in one way only, and several looks at once are needed.",
        "Three layers give it three looks, one after the other, and for our small "
        "world that is enough.",
    ),
    "one layer": Removed(
        "one block instead of three",
        "Look-up takes two steps: first each word notes who stands before it, then the "
        "question finds that note. One layer can do only one of them.",
        "What our stories ask could be found in one look.",
    ),
}


@st.cache_resource(show_spinner="Opening a twin…")
def twin_llm(name):
    """A twin that can be asked, opened once for all students: a `TwinLLM`."""
    vocabulary = tiny_llm().tokenizer.vocabulary
    return TwinLLM(retrained_twin(name), vocabulary, TWINS[name])


@st.cache_resource(show_spinner="Examining it without the answers in sight…")
def scores_unseen(name):
    """Loss and skills of a twin that is given only the words before each word."""
    tokenizer = tiny_llm().tokenizer
    exam = fresh_exam(tokenizer, NUM_UNSEEN)
    log_q = log_probabilities_unseen(twin_llm(name).logits, exam)
    return evaluate(exam, np.maximum(log_q, -700.0), tokenizer)


def found_in_words(name, found):
    """What the removal did, in sentences that follow from the figures.

    Args:
        found: an `llm.studies.arrivals.Difference`.
    """
    words = WORDS[name]
    if found.nothing:
        return (
            f"**{name[0].upper() + name[1:]}**: {words.what}. Here that changes "
            f"nothing worth a word: it ends {amount(found.excess)} the full model. "
            f"{words.spared}"
        )
    changes = [f"it ends {amount(found.excess)} the full model"]
    for verb, skills in (("falls", found.lost), ("rises", found.gained)):
        changes += [
            f"{skill} {verb} from {percent(before)} to {percent(after)}"
            for skill, (before, after) in skills.items()
        ]
    worse = bool(found.lost) or found.excess > 0
    return (
        f"**{name[0].upper() + name[1:]}**: {words.what}. {listed_plainly(changes)}. "
        + (words.matters if worse else words.spared)
    )


def amount(excess):
    """A difference of losses in words."""
    if abs(excess) < 0.0005:
        return "level with"
    return f"{abs(excess):.3f} nats per token {'above' if excess > 0 else 'below'}"


def listed_plainly(parts):
    """`It ends …, binding falls … and order falls …`."""
    text = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return text[0].upper() + text[1:]


def peeking_in_words(training_loss, full_loss, unseen, last, vocab_size):
    """The twin that could look at the answers, in sentences from its figures.

    Args:
        training_loss: its loss at the end of its training.
        full_loss: the full model's, at the same step.
        unseen: its scores when it is given only the words before.
        last: the full model's last scores.
        vocab_size: how many words it could guess among.
    """
    return (
        f"**No causal mask**: every word may look at the words after it. In training "
        f"its loss ended at {training_loss:.3f} nats per token, where the full model "
        f"had {full_loss:.3f}. Splendid, and worthless: the floor, below which nobody "
        f"gets without cheating, is {last['floor']:.3f}. The next word stood in front "
        "of it, so it learned to copy it. When it writes, there is no next word to "
        f"look at. Given only the words before, its loss is **{unseen['loss']:.2f}**; "
        f"the full model's is {last['loss']:.3f}, and one who guesses all {vocab_size} "
        f"words alike has ln {vocab_size} = {np.log(vocab_size):.2f}."
    )


def table_row(name, record, full):
    """One twin as a row of the table that compares all."""
    last = record["scores"][-1]
    row = {"twin": name, "parameters": record["parameters"]}
    if name == PEEKING:
        last = scores_unseen(name)
    row["loss on fresh stories"] = round(last["loss"], 4)
    row["above the full model"] = round(last["loss"] - full["scores"][-1]["loss"], 4)
    for skill, found in last["skills"].items():
        if found["accuracy"] is not None:
            row[skill] = round(found["accuracy"], 3)
    return row
