"""Text that a model wrote, or that somebody typed: shown exactly as it is.

Nothing in it acts as Markdown, the browser translates none of it, and a text from right
to left is read from the right.
"""

from html import escape

import streamlit as st


def written(text, shaded=(), start=""):
    """Show a text as it is.

    Args:
        text: any text.
        shaded: (first, last) of the part to be shaded, as in a slice; nothing if empty.
        start: what stood before it and was not written; shown in grey.
    """
    parts = (f"<i>{escape(start)}</i>" if start else "") + marked(text, shaded)
    st.html(f'<p class="written" translate="no" dir="auto">{parts}</p>')


def written_rows(rows):
    """Show several texts one below the other, each with a few words before it.

    Args:
        rows: a list of (label, text, shaded).
    """
    parts = "".join(
        f'<dt>{escape(label)}</dt><dd class="written" translate="no" dir="auto">'
        f"{marked(text, shaded)}</dd>"
        for label, text, shaded in rows
    )
    st.html(f'<dl class="written-rows">{parts}</dl>')


def marked(text, shaded):
    """A text as HTML in which nothing acts, with a part of it shaded."""
    first, last = shaded or (0, 0)
    parts = [escape(part) for part in (text[:first], text[first:last], text[last:])]
    return f"{parts[0]}<mark>{parts[1]}</mark>{parts[2]}" if parts[1] else escape(text)
