"""Masks, a blank filled in, and patches of a picture."""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.bars import TRUTH_NAME, bars
from pages.ui.colours import MODEL, QUERIES, QUIET, TRUTH, VALUES, WORDS
from pages.ui.words import numbered

BACK, AHEAD, ACROSS = "itself or back", "ahead", "across, into the text that is read"
BLANK = "___"
MOST_BARS = 5


def mask_map(mask, tokens, num_read, blank, family):
    """Who may look at whom: a square for each pair, pale if it is forbidden.

    Args:
        mask: (num_tokens, num_tokens), True where a row may look at a column.
        tokens: the words; the hidden one is a blank.
        num_read: how many of them are a text of their own that is only read; 0 if
            there is one text.
        blank: the index of the blank; its row has a frame.
        family: the name of the mask.

    Returns:
        A `Chart`.
    """
    rows, columns = (index.ravel() for index in np.indices(mask.shape))
    labels = np.array(numbered(tokens))
    across = (rows >= num_read) & (columns < num_read)
    data = pd.DataFrame({
        "from": labels[rows], "to": labels[columns], "row": rows, "column": columns,
        "kind": np.select([across, columns <= rows], [ACROSS, BACK], AHEAD),
        "allowed": mask.ravel(), "asked": rows == blank,
    })
    return Chart(mask_spec(len(tokens), num_read > 0), data, mask_said(data, family),
                 partial(mask_table, data))


def mask_said(data, family):
    """How many pairs a mask allows, and what the blank may look at."""
    asked = data[data["asked"] & data["allowed"]]
    total = len(data)
    return (
        f"The mask, {family}: {int(data['allowed'].sum())} of {total} pairs are "
        f"allowed, <start> not counted. The blank may look at {len(asked)} of "
        f"{round(total ** 0.5)} words: "
        f"{', '.join(asked['to'])}."
    )


def mask_table(data):
    """The mask as a table: one row a pair."""
    return data[["from", "to", "allowed"]].rename(columns={
        "from": "looks", "to": "at",
    })


@cache
def mask_spec(num_tokens, two_texts):
    """How a mask is drawn. Data: from, to, row, column, kind, allowed, asked."""
    kinds = {BACK: MODEL, AHEAD: VALUES} | ({ACROSS: QUERIES} if two_texts else {})
    axis = {"domain": False, "ticks": False, "labelOverlap": False, "labelLimit": 90,
            "labelFlush": False, "grid": False}
    base = alt.Chart().encode(
        x=alt.X("to:N").sort(field="column", op="min").title("at").axis(
            orient="top", labelAngle=-60, **axis),
        y=alt.Y("from:N").sort(field="row", op="min").title("looks").axis(**axis),
        tooltip=[alt.Tooltip("from:N", title="looks"), alt.Tooltip("to:N", title="at"),
                 alt.Tooltip("kind:N", title="that is"),
                 alt.Tooltip("allowed:N", title="allowed")],
    )
    edge = {"stroke": QUIET, "strokeOpacity": 0.4, "strokeWidth": 0.6}
    forbidden = base.transform_filter("!datum.allowed").mark_rect(
        color=QUIET, opacity=1, fillOpacity=0.1, **edge)
    allowed = base.transform_filter("datum.allowed").mark_rect(
        opacity=1, **edge
    ).encode(color=alt.Color("kind:N").scale(
        domain=list(kinds), range=list(kinds.values())
    ).legend(orient="bottom", title=None, columns=1, labelLimit=260,
             symbolStrokeWidth=0))
    frame = base.transform_filter("datum.asked").mark_rect(
        fillOpacity=0, stroke=WORDS, strokeWidth=2)
    height = max(14, min(20, 420 // num_tokens)) * num_tokens
    return spec_of(alt.layer(forbidden, allowed, frame).properties(height=height))


def blank_bars(name, said, truth, colour):
    """What a network puts into a blank, beside the exact truth.

    Args:
        name: who fills the blank.
        said: a dictionary from every word to its probability; None where no network
            is asked, and only the truth is drawn.
        truth: the same for the truth; empty where there is none.
        colour: of the network's bars.

    Returns:
        A `Chart`.
    """
    if said is None:
        words = sorted(truth, key=truth.get, reverse=True)[:MOST_BARS]
        return bars({word: truth[word] for word in words}, "probability", TRUTH_NAME,
                    colour=TRUTH, said="The exact truth of the blank")
    weight = {word: max(share, truth.get(word, 0.0)) for word, share in said.items()}
    shown = sorted(weight, key=weight.get, reverse=True)[:MOST_BARS]
    shown.sort(key=said.get, reverse=True)
    return bars(
        {word: said[word] for word in shown}, "probability", name, colour=colour,
        tick={word: truth.get(word, 0.0) for word in shown} if truth else None,
        said=f"The {name} puts into the blank",
    )


def with_gaps(rows, size, across, zoom, gap):
    """Patches side by side with gaps, large enough to be looked at.

    Args:
        rows: (num_patches, size * size * 3)
        size: the side of a patch.
        across: how many stand beside each other.
        zoom: screen points for each point of the picture.
        gap: screen points between two patches.

    Returns:
        (height, width, 4) whole numbers to 255; the gaps are transparent.
    """
    down, side = -(-len(rows) // across), size * zoom
    step = side + gap
    shown = np.zeros((down * step - gap, across * step - gap, 4), np.uint8)
    for number, row in enumerate(rows):
        top, left = number // across * step, number % across * step
        patch = row.reshape(size, size, 3).repeat(zoom, 0).repeat(zoom, 1)
        shown[top : top + side, left : left + side, :3] = np.rint(255 * patch)
        shown[top : top + side, left : left + side, 3] = 255
    return shown
