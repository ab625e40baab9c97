"""Keeps the libraries out of the garbage collector's rounds."""

import gc
import sys

import streamlit as st


def settle():
    """Take all that is loaded so far out of the rounds, once; and once for TensorFlow.

    Streamlit collects after every run, and walking the libraries' objects each time
    costs more than the lesson itself.
    """
    freeze("tensorflow" in sys.modules)


@st.cache_resource(show_spinner=False)
def freeze(with_tensorflow):
    """Collect, and never look at what is left again; once for each argument."""
    gc.collect()
    gc.freeze()
