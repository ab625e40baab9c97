"""Keeps the libraries out of the garbage collector's rounds."""

import gc

import streamlit as st

# How many more objects than before may stand before Python looks for those that only
# hold each other. Its own 700 makes rounds of a session's 20,000 objects all the time.
BETWEEN_ROUNDS = 10_000


@st.cache_resource(show_spinner=False)
def settle():
    """Take all that is loaded so far out of the rounds, once for the whole server.

    Walking the libraries' objects each time costs more than the lesson itself. For the
    same reason `runner.postScriptGC` is off in `.streamlit/config.toml`: Streamlit
    would make a whole round after every run, through what all students hold.
    """
    freeze()
    gc.set_threshold(BETWEEN_ROUNDS)


def freeze():
    """Collect, and never look at what is left again; after a large library is loaded.
    """
    gc.collect()
    gc.freeze()
