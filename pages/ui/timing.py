"""How long this server takes; measured once and kept."""

import numpy as np
import streamlit as st

from llm.memory import reading_seconds
from pages.ui.controls import lstm_twin, tiny_llm

COUNTS = (16, 64, 256, 1024)


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
