"""What the lesson on why measures once, for all students."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm.studies.flow import answer_paths, strongest_path
from llm.studies.memory import (
    COLOURS,
    reading_seconds,
    remembering,
    story_to_remember,
)
from pages.ui.models import lstm_twin, tiny_llm

COUNTS = (16, 64, 256, 1024)  # words that are read while the time is taken


class Reading(NamedTuple):
    """What both networks make of the story with some other facts in it.

    Attributes:
        sure: the probability of the right colour, by network.
        sure_along: for each token, how sure the LSTM would be if the question came
            behind the fact of this token; None before the colour is said.
        instead: the word that the LSTM finds likeliest at the end, and its
            probability.
        path: the index of the token at which the answer stands in the tiny LLM: in the
            words, and behind each layer.
    """

    sure: dict
    sure_along: tuple
    instead: tuple
    path: tuple


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
    return Reading(
        sure[-1],
        tuple(sure_along(tokens, [networks["LSTM"] for networks in sure])),
        (llm.tokenizer.vocabulary[top], float(by_lstm[top])),
        tuple(strongest_path(paths, len(tokens) - 1).tokens),
    )


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
