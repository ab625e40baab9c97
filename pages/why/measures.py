"""What the lesson on why measures once, for all students."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm.studies.flow import answer_paths, strongest_path
from llm.studies.links import left_without_each
from llm.studies.memory import (
    COLOURS,
    OTHER_FACTS,
    reading_seconds,
    remembering,
    story_to_remember,
)
from pages.ui.models import lstm_twin, record, tiny_llm
from pages.why.words import NEEDED

COUNTS = (16, 64, 256, 1024)  # words that are read while the time is taken


class Reading(NamedTuple):
    """What both networks make of the story with some other facts in it.

    Attributes:
        sure: the probability of the right colour, by network: with no other fact,
            with one, and so on up to those of the story.
        sure_along: for each token, how sure the LSTM would be if the question came
            behind the fact of this token; None before the colour is said.
        instead: the word that the LSTM finds likeliest at the end, and its
            probability.
        path: the index of the token at which the answer stands in the tiny LLM: in the
            words, and behind each layer.
        needed: the other links without which the answer falls clearly, as (place of
            the word that looks, place of the word looked at, what is left); the one
            that is missed most comes first.
        rivals: what the LSTM gives at the end to the colours of the other facts,
            all together.
    """

    sure: tuple
    sure_along: tuple
    instead: tuple
    path: tuple
    needed: tuple
    rivals: float


@st.cache_data(show_spinner=False, max_entries=8)
def reading(num_others):
    """Let both networks read the story and answer: a `Reading`.

    Args:
        num_others: how many other facts stand between colour and question.
    """
    llm, lstm = tiny_llm(), lstm_twin()
    tokens = story_to_remember(COLOURS[0], num_others)
    colour = llm.tokenizer.ids[COLOURS[0]]
    expected = [
        {name: found["expected"][0]
         for name, found in remembering(llm, lstm, count).items()}
        for count in range(num_others + 1)
    ]
    sure = [
        {name: float(shares[colour]) for name, shares in networks.items()}
        for networks in expected
    ]
    by_lstm = expected[-1]["LSTM"]
    top = int(by_lstm.argmax())
    trace = llm.trace(tokens)
    rival = int(np.argsort(-trace.logits[-1])[1])
    paths = answer_paths(trace, llm.weights, colour, rival)
    path = tuple(strongest_path(paths, len(tokens) - 1).tokens)
    left = left_without_each(llm.weights, trace.token_ids, colour)
    others = set(named_in_other_facts(num_others)) - {COLOURS[0]}
    return Reading(
        tuple(sure),
        tuple(sure_along(tokens, [networks["LSTM"] for networks in sure])),
        (llm.tokenizer.vocabulary[top], float(by_lstm[top])),
        path,
        needed_beside(path, left, sure[-1]["tiny LLM"]),
        float(by_lstm[llm.tokenizer.ids_of(sorted(others))].sum()),
    )


def named_in_other_facts(num_others):
    """The colours of the facts that stand between colour and question."""
    words = " ".join(OTHER_FACTS[:num_others]).split()
    return [colour for colour in COLOURS if colour in words]


def needed_beside(path, left, whole):
    """The links beside a path without which the answer falls clearly.

    Args:
        path: the index of the token at which the answer stands, layer by layer.
        left: (num_tokens, num_tokens), from `left_without_each`.
        whole: the probability of the answer with nothing cut.

    Returns:
        A tuple of (query, key, what is left), the one that is missed most first.
    """
    # Where a path stays with its word it needs no link.
    hops = {(late, early) for early, late in zip(path, path[1:]) if late != early}
    return tuple(sorted(
        ((int(query), int(key), float(left[query, key]))
         for query, key in np.argwhere(left < NEEDED * whole)
         if (query, key) not in hops),
        key=lambda link: link[-1],
    ))


@st.cache_data(show_spinner=False)
def sure_by_colour():
    """How sure the LSTM is of each colour with one other fact in between.

    Returns:
        A dictionary from colour to probability, without the colour of that fact.
    """
    llm, num_others = tiny_llm(), 1
    expected = remembering(llm, lstm_twin(), num_others)["LSTM"]["expected"]
    named = named_in_other_facts(num_others)
    return {
        colour: float(shares[llm.tokenizer.ids[colour]])
        for colour, shares in zip(COLOURS, expected, strict=True)
        if colour not in named
    }


def binding_by_facts():
    """How often binding is right by the number of facts, from the record.

    Returns:
        counts: (num_facts, num_distances), how often it was asked.
        right: the same, how often each network was right, by name.
    """
    found = record("distance")["binding_by_facts"]
    return np.array(found["counts"]), {
        name: np.array(right) for name, right in found["right"].items()
    }


def sure_along(tokens, sure):
    """Give each token how sure the LSTM is behind the fact that it belongs to.

    Args:
        tokens: the words of the story.
        sure: with no other fact, with one and so on.

    Returns:
        A number for each token; None before the colour is said.
    """
    said, fact = [], 0
    for token in tokens:
        known = COLOURS[0] in tokens[: len(said) + 1]
        said.append(sure[min(fact, len(sure) - 1)] if known else None)
        fact += token == "." and known
    return said


@st.cache_data(show_spinner="Measuring…", max_entries=4)
def milliseconds(token_ids):
    """The time of each network for more and more words.

    Args:
        token_ids: a tuple; these words over and over.

    Returns:
        A dictionary from name to a list of (number of words, milliseconds).
    """
    found = {"attention": [], "LSTM": []}
    for count in COUNTS:
        words = np.resize(token_ids, count)
        for name, seconds in reading_seconds(tiny_llm(), lstm_twin(), words).items():
            found[name].append((count, 1000 * seconds))
    return found
