"""Notebooks: a lesson's calculation, from the functions of the glass box.

notebook.py: What a notebook is made of, and how functions get into it.
lessons.py: Which lessons have a notebook, and the sentence of each.
parts.py: Parts that several notebooks have.
attention.py: Notebooks of the lessons on attention.
transformer.py: Notebooks of the lessons on the Transformer.
tiny_llm.py: Notebooks of the lessons on language models.
"""

from llm.notebooks.lessons import NOTEBOOKS
from llm.notebooks.notebook import as_text

__all__ = ["NOTEBOOKS", "as_text", "make_notebook"]


def make_notebook(lesson, llm, words=None):
    """The notebook of a lesson, for a sentence.

    Args:
        lesson: one of `NOTEBOOKS`.
        llm: a `TinyLLM`.
        words: known words, without `<start>`; None for the lesson's own.

    Returns:
        A notebook of `nbformat`; `as_text` makes the file of it.
    """
    found = NOTEBOOKS[lesson]
    return found.make(llm, tuple(words or found.words)).made()
