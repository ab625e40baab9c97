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
    first, last = shaded or (0, 0)
    parts = [escape(part) for part in (text[:first], text[first:last], text[last:])]
    marked = f"<mark>{parts[1]}</mark>" if parts[1] else ""
    begun = f"<i>{escape(start)}</i>" if start else ""
    st.html(
        f'<p class="written" translate="no" dir="auto">{begun}{parts[0]}{marked}'
        f"{parts[2]}</p>"
    )
