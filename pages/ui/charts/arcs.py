"""Arcs over a sentence: from each word to the words it looks at."""

import json
from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered
from pages.ui.colours import MODEL

POINTS = 25  # enough for an arc to look round


def arcs_data(weights, tokens, row=None, least=0.05):
    """The points of every arc, for `arcs`.

    Args:
        weights: (num_tokens, num_tokens).
        row: draw the arcs of this word only; None for all.
        least: weaker links are not drawn.

    Returns:
        A DataFrame with columns link, step, x, y, weight, from, to.
    """
    weights = np.asarray(weights, float)
    starts, ends = np.nonzero(weights >= least)
    kept = (starts != ends) & ((starts == row) if row is not None else True)
    starts, ends = starts[kept], ends[kept]
    turn, labels = np.linspace(0, np.pi, POINTS), np.array(numbered(tokens), object)
    # All arcs in one table: one row a point, POINTS rows an arc.
    middle, half = (starts + ends) / 2, (starts - ends) / 2
    names = np.array([f"{start}-{end}" for start, end in zip(starts, ends)], object)
    return pd.DataFrame({
        "link": np.repeat(names, POINTS),
        "step": np.tile(np.arange(POINTS), len(starts)),
        "x": (middle[:, None] + half[:, None] * np.cos(turn)).ravel(),
        "y": (2 * abs(half)[:, None] * np.sin(turn)).ravel(),
        "weight": np.repeat(weights[starts, ends], POINTS),
        "from": np.repeat(labels[starts], POINTS),
        "to": np.repeat(labels[ends], POINTS),
    })


def links_table(data):
    """The arcs as a table: one row a link.

    Args:
        data: from `arcs_data`.
    """
    links = data[data["step"] == 0].sort_values("weight", ascending=False)
    return links[["from", "to", "weight"]].round(4)


@cache
def arcs(tokens, colour=MODEL):
    """Arcs from word to word; the wider, the more attention.

    Data: as in `arcs_data`.

    Args:
        tokens: a tuple of the words, which stand under the arcs.
    """
    last = len(tokens) - 1
    x = alt.X("x:Q").scale(domain=[-0.5, last + 0.5], nice=False).axis(
        values=list(range(len(tokens))), labelExpr=f"{json.dumps(tokens)}[datum.value]",
        labelAngle=-45, labelOverlap=False, labelFlush=False, ticks=False, grid=False,
        domain=False, title=None, labelFontSize=13,
    )
    y = alt.Y("y:Q").scale(domain=[0, max(last, 1)], nice=False).axis(None)
    lines = alt.Chart().mark_line(color=colour, strokeCap="round").encode(
        x=x,
        y=y,
        detail="link:N",
        order="step:Q",
        strokeWidth=alt.StrokeWidth("weight:Q").scale(domain=[0, 1], range=[0.5, 9])
        .legend(None),
        opacity=alt.Opacity("weight:Q").scale(domain=[0, 1], range=[0.25, 1])
        .legend(None),
        tooltip=[
            alt.Tooltip("from:N", title="looks"),
            alt.Tooltip("to:N", title="at"),
            alt.Tooltip("weight:Q", title="weight", format=".3f"),
        ],
    )
    return spec(lines.properties(height=220))
