"""A button that gives the calculation of a lesson as a notebook."""

import streamlit as st

from pages.ui.models import tiny_llm


def notebook_button(lesson, words=None):
    """Offer the notebook of a lesson; it is made when the button is pressed.

    Args:
        lesson: one of `llm.notebooks.NOTEBOOKS`, the stem of the lesson.
        words: the student's sentence, without `<start>`; None for the lesson's own.
    """
    st.download_button(
        "Download as a notebook", lambda: notebook_file(lesson, tuple(words or ())),
        f"{lesson}.ipynb", "application/x-ipynb+json", key=f"{lesson}_notebook",
        icon=":material/terminal:", on_click="ignore",
        help="The same calculation with your sentence, in NumPy alone.",
    )


@st.cache_data(show_spinner=False, max_entries=50)
def notebook_file(lesson, words):
    """The text of the notebook; the same that `python -m llm notebook` writes."""
    from llm.notebooks import as_text, make_notebook

    return as_text(make_notebook(lesson, tiny_llm(), words or None))
