"""Puts a chart on the page, with words and with the same numbers as a table."""

import streamlit as st

from pages.ui.charts.spec import ROWS
from pages.ui.words import escaped


def show(spec, data, alt, key=None, width="stretch", on_select="ignore"):
    """Draw a chart.

    Args:
        spec: a dictionary from `pages/ui/charts`, without data, built once.
        data: a DataFrame with the columns that the chart function names.
        alt: what the chart shows, in words, computed from the data.
        key: a name, needed with `on_select="rerun"`.

    Returns:
        The selection if `on_select` is not "ignore".
    """
    # By name and not as the chart's only data, because with layers Streamlit finds the
    # rows of a named table only.
    return st.vega_lite_chart(
        {**spec, "datasets": {ROWS: data}},
        alt=alt,
        key=key,
        width=width,
        on_select=on_select,
    )


def while_unchanged(key, fingerprint, value):
    """The value that held when the fingerprint last changed.

    A chart with a slider must get the same picture again while only the slider moves,
    or the browser would draw it anew under the reader's hand.

    Args:
        key: the key of the chart.
        fingerprint: what the chart's data follow from.
        value: what holds now.
    """
    held = st.session_state.get(f"{key}_held")
    on_page = key in st.session_state
    if not on_page or held is None or held[0] != fingerprint:
        held = st.session_state[f"{key}_held"] = (fingerprint, value)
    return held[1]


def in_words(said, key):
    """The words of a chart under it; they stay right while only its slider moves.

    Args:
        said: what the chart shows now.
        key: the key of the chart; the browser takes these words as its name.
    """
    with st.container(key=f"{key}_in_words"):
        st.caption(said)


def sentence(words, written=(), blank=True):
    """A start of a sentence in a box, what was written on in bold, and a blank.

    Args:
        words: words of the vocabulary.
        written: the words that a model added.
        blank: whether a word is to follow.
    """
    parts = [" ".join(escaped(word) for word in words)]
    if written:
        parts.append("**" + " ".join(escaped(word) for word in written) + "**")
    if blank:
        parts.append("\\_\\_\\_")
    with st.container(border=True):
        st.markdown(" ".join(parts))


def numbers(data, name, label="The same numbers as a table"):
    """A table of what a chart shows, to read and to keep; built only while open.

    Args:
        data: a DataFrame whose columns are named for readers, or a function without
            arguments that makes it, called only while the table is open.
        name: names the file and the widget; different on each page.
    """
    table = st.expander(label, key=f"{name}_table", type="compact", on_change="rerun")
    if table.open:
        data = data() if callable(data) else data
        with table:
            st.dataframe(data, hide_index=True, alt=f"{label}: {name}.")
            st.download_button(
                "Keep it as CSV",
                data.to_csv(index=False),
                file_name=f"{name}.csv",
                mime="text/csv",
                key=f"{name}_csv",
                on_click="ignore",
            )
