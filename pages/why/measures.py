"""What lessons measure and no control changes: done once, for all students."""

import numpy as np
import streamlit as st

from llm.glassbox.softmax import softmax
from llm.models.twins import TWINS, twin_trace
from llm.studies.memory import movement, reading_seconds, remembering
from llm.studies.order import first_positions, moved_along
from pages.ui.controls import lstm_twin, retrained_twin, tiny_llm

COUNTS = (16, 64, 256, 1024)  # words that are read while the time is taken
STEPS = {"full": 4, "sinusoidal positions": 8}  # places between two measurements


@st.cache_data(show_spinner=False, max_entries=4)
def movement_as_it_grows(most_others):
    """How far the last state moves when an early word is exchanged.

    Args:
        most_others: the most other facts that stand between.

    Returns:
        A dictionary from network to a list: with no other fact, with one and so on.
    """
    read = [remembering(tiny_llm(), lstm_twin(), count)
            for count in range(most_others + 1)]
    return {
        name: [float(movement(networks[name]["states"])[-1]) for networks in read]
        for name in read[0]
    }


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


@st.cache_data(show_spinner=False, max_entries=4)
def probability_by_place(run, token_ids, answer, num_places):
    """How likely a word is after some others, by the place where these begin.

    Args:
        run: which of `STEPS`.
        token_ids: a tuple, what is read.
        answer: the token id of the word.
        num_places: the length of the table; waves can be of any length.

    Returns:
        A list of (place of the first token, probability).
    """
    rows = retrained_twin(run).position_embeddings
    if run == "sinusoidal positions":
        rows = first_positions(num_places, rows.shape[1])
    found = []
    for start in range(0, num_places - len(token_ids) + 1, STEPS[run]):
        weights = moved_along(retrained_twin(run), start, len(token_ids), rows)
        logits = twin_trace(weights, TWINS[run], token_ids).logits[-1]
        found.append((start, float(softmax(logits)[answer])))
    return found
