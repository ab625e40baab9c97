"""A picture in one value: how it is drawn, its numbers, its words and its table."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from itertools import count

import pandas as pd
import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from pages.ui import projector
from pages.ui.colours import WORDS
from pages.ui.words import escaped

ROWS = "rows"  # the name of the table that `pages/ui/chart.py` sends with a chart

# Text is as dark as that of the page, in both themes, and large enough to read.
AXIS = {
    "labelFontSize": 12, "titleFontSize": 12.5, "labelColor": WORDS,
    "titleColor": WORDS, "labelOpacity": 0.85, "titleOpacity": 0.85,
    "titleFontWeight": 400, "gridColor": "light-dark(#e2e6ec, #2a313b)",
    "domainColor": "light-dark(#cfd6e0, #39424f)",
    "tickColor": "light-dark(#cfd6e0, #39424f)",
}  # fmt: skip
LEGEND = {
    "labelFontSize": 12.5, "titleFontSize": 12.5, "labelColor": WORDS,
    "titleColor": WORDS, "titleFontWeight": 400,
}  # fmt: skip


def spec_of(chart):
    """A chart of Altair as JSON without data, to be cached and put into a `Chart`.

    Altair names an empty table in each layer; here all layers use the one table that
    is sent.
    """
    return json.dumps(spec(chart))


def spec(chart):
    """A chart of Altair as a dictionary without data, with the page's colours.

    Every mark is drawn as SVG, and all layers use the one table that is sent.
    """
    drawn = without_data(chart.to_dict())
    config = drawn.get("config", {})
    drawn["config"] = {
        **config,
        "text": {"color": WORDS, "fontSize": 12, **config.get("text", {})},
        "axis": {**AXIS, **config.get("axis", {})},
        "legend": {**LEGEND, **config.get("legend", {})},
        "header": {"labelColor": WORDS, "labelFontSize": 12.5},
    }
    # Only drawn as SVG does text take the colour of the page, and every mark has words.
    drawn.setdefault("usermeta", {"embedOptions": {"renderer": "svg"}})
    if "vconcat" not in drawn:
        # The height is that of the plot; axis and legend come on top of it.
        drawn.setdefault("autosize", {"type": "fit-x", "contains": "padding"})
    return {**drawn, "data": {"name": ROWS}}


def without_data(part):
    """A specification without its `data` entries, those inside it too."""
    if isinstance(part, dict):
        return {
            key: without_data(value)
            for key, value in part.items()
            if key != "data" or "name" not in value
        }
    return [without_data(item) for item in part] if isinstance(part, list) else part


@dataclass(frozen=True)
class Chart:
    """One picture, with all that belongs to it.

    Attributes:
        spec: what the browser draws, without numbers, as JSON from `spec_of`. It is
            built once for all students, and a string cannot be changed by any of them.
        data: one row a mark.
        alt: what the picture shows, computed from the numbers.
        table: a function that makes the table for readers; None where none is offered.
    """

    spec: str
    data: pd.DataFrame
    alt: str
    table: Callable[[], pd.DataFrame] | None = None

    def drawn(self):
        """The specification as a dictionary of one's own."""
        return json.loads(self.spec)

    def with_params(self, **values):
        """This picture with its parameters at other values.

        Args:
            values: by the name of the parameter. A selection takes a list of
                dictionaries, as `temperature=[{"T": 0.5}]`.
        """
        drawn = self.drawn()
        unknown = set(values) - {param["name"] for param in drawn.get("params", [])}
        if unknown:
            raise ValueError(f"this picture has no parameter {sorted(unknown)}")
        for param in drawn["params"]:
            if param["name"] in values:
                param["value"] = values[param["name"]]
        return replace(self, spec=json.dumps(drawn))


def show(
    chart, name=None, *, key=None, width="stretch", on_select="ignore",
    selection_mode=None,
):
    """Draw a picture; with a name, offer its numbers and the picture itself below.

    Args:
        chart: a `Chart`.
        name: names the files and the widget; different on each page.
        key: a name, needed with `on_select="rerun"`.
        selection_mode: which selections run the lesson anew; all of them if None.

    Returns:
        The selection if `on_select` is not "ignore".
    """
    place = st.container(key=f"{name}_picture", gap=None) if name else st
    drawn = projector.enlarged(chart.drawn()) if projector.is_on() else chart.drawn()
    # By name and not as the chart's only data, because with layers Streamlit finds the
    # rows of a named table only.
    chosen = place.vega_lite_chart(
        {**drawn, "datasets": {ROWS: chart.data}},
        alt=chart.alt,
        key=key,
        width=width,
        on_select=on_select,
        selection_mode=selection_mode,
    )
    if name:
        with place:
            offer_table(chart.table, name, picture=True)
    return chosen


def offer_table(data, name, label="Numbers", picture=False):
    """A small button that opens the numbers behind a picture; built only while open.

    Args:
        data: a DataFrame whose columns are named for readers, or a function without
            arguments that makes it, called only while the table is open.
        name: names the file and the widget; different on each page.
        picture: whether the picture above can be kept too, as SVG or PNG.
    """
    table = st.popover(
        label,
        key=f"{name}_table",
        type="tertiary",
        icon=":material/table:",
        on_change="rerun",
    )
    if not table.open:
        return
    data = data() if callable(data) else data
    with table:
        if data is not None:
            st.dataframe(data, hide_index=True, alt=f"{label}: {name}.")
        with st.container(horizontal=True, vertical_alignment="center"):
            if data is not None:
                st.download_button(
                    "Download CSV",
                    data.to_csv(index=False),
                    file_name=f"{name}.csv",
                    mime="text/csv",
                    key=f"{name}_csv",
                    on_click="ignore",
                )
            if picture:
                picture_buttons(name)


def picture_buttons(name):
    """Two buttons that keep a picture as it stands; `live_charts.html` does it."""
    st.html("".join(
        f'<button type="button" class="keep-picture" data-picture="{escape(name)}" '
        f'data-kind="{kind}">Download {kind.upper()}</button> '
        for kind in ("svg", "png")
    ), width="content")


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
    with box_of_model_words():
        st.markdown(" ".join(parts))


def box_of_model_words():
    """A box that no browser translates; its key tells `translation.html` so."""
    for number in count(1):  # a page may have several
        try:
            return st.container(border=True, key=f"model_words_{number}")
        except StreamlitDuplicateElementKey:
            continue
