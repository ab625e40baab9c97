"""Writes a sentence only if there is one: an empty element would leave a gap."""

import streamlit as st


def tell(text, write=st.markdown):
    """Write a text; nothing at all if it is empty.

    Args:
        text: what is said.
        write: by what, `st.markdown` or `st.caption`.
    """
    if text:
        write(text)
