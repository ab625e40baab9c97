"""Heat-maps: who looks at whom, for one head or for many at a glance."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered, percent, strongest_links
from pages.ui.colours import (
    BLACK_TEXT,
    QUIET,
    STEPS,
    STEPS_AROUND_ZERO,
    WHITE_TEXT_FROM,
)

FIGURES_UP_TO = 16  # in a larger heat-map the figures in the cells would be too small
SVG_UP_TO = 48  # by itself Streamlit draws a canvas from 2,000 marks on: no alt text


def heatmap_data(weights, tokens, causal=True, columns=None):
    """One row a cell, for `heatmap`.

    Args:
        weights: (num_tokens, num_tokens) or (num_rows, num_columns).
        tokens: the labels of the rows, and of the columns if those are the same.
        causal: whether cells to the right of the diagonal are hidden.
        columns: the labels of the columns, if they are others; each but once.

    Returns:
        A DataFrame with columns from, to, row, column, value, hidden.
    """
    weights = np.asarray(weights, float)
    rows, places = np.indices(weights.shape)
    rows, places = rows.ravel(), places.ravel()
    left = np.array(numbered(tokens))
    top = np.array([str(column) for column in columns]) if columns else left
    return pd.DataFrame({
        "from": left[rows],
        "to": top[places],
        "row": rows.astype("int16"),
        "column": places.astype("int16"),
        "value": weights.ravel().astype("float32"),
        "hidden": (places > rows) if causal else np.zeros(rows.size, bool),
    })


def heatmap_alt(weights, tokens, causal=True, what="Attention"):
    """The strongest links of a heat-map, in words."""
    return f"{what} of {len(tokens)} words: {strongest_links(weights, tokens, causal)}"


@cache
def heatmap(num_rows, num_columns=None, around_zero=0.0, rows="looks", columns="at"):
    """A square a link; hidden cells stay pale.

    Data: as in `heatmap_data`.

    Args:
        num_rows, num_columns: the size; it decides on the height and on figures.
        around_zero: for values of either sign, the largest; 0 for shares of one.
        rows, columns: titles of the axes.
    """
    num_columns = num_columns or num_rows
    figures = max(num_rows, num_columns) <= FIGURES_UP_TO
    height = max(14, min(40, 560 // num_rows)) * num_rows
    layers = cells(around_zero, num_columns if figures else 0, rows, columns)
    chart = alt.layer(*layers).properties(height=height)
    if max(num_rows, num_columns) <= SVG_UP_TO:
        chart = chart.properties(usermeta={"embedOptions": {"renderer": "svg"}})
    return spec(chart)


def cells(around_zero, figures_in, rows, columns):
    """The layers of a heat-map: hidden cells, cells, figures."""
    axis = {"domain": False, "ticks": False, "labelOverlap": False, "labelLimit": 90,
            "labelFlush": False, "grid": False}
    base = alt.Chart().encode(
        x=alt.X("to:N").sort(field="column", op="min").title(columns)
        .axis(orient="top", labelAngle=-45, **axis),
        y=alt.Y("from:N").sort(field="row", op="min").title(rows).axis(**axis),
    )
    hidden = base.transform_filter("datum.hidden").mark_rect(
        color=QUIET, opacity=0.13, stroke=QUIET, strokeOpacity=0.25, strokeWidth=0.5
    )
    seen = base.transform_filter("!datum.hidden")
    drawn = seen.mark_rect(opacity=1, stroke=QUIET, strokeWidth=0.4).encode(
        color=alt.Color("value:Q").scale(scale_of(around_zero)).legend(None),
        tooltip=[
            alt.Tooltip("from:N", title=rows),
            alt.Tooltip("to:N", title=columns),
            alt.Tooltip("value:Q", title="value", format=".3f"),
        ],
    )
    return [hidden, drawn, *figures_on(seen, around_zero, figures_in)]


def scale_of(around_zero):
    """The colours of a heat-map, the same in both themes."""
    if around_zero:
        return alt.Scale(
            domain=[-around_zero, around_zero],
            range=list(STEPS_AROUND_ZERO),
            clamp=True,
        )
    return alt.Scale(domain=[0, 1], range=list(STEPS), clamp=True)


def figures_on(seen, around_zero, num_columns):
    """The figure in each cell, black on pale and white on dark; none if none fits."""
    if not num_columns:
        return []
    dark = (
        f"abs(datum.value) > {0.6 * around_zero}"
        if around_zero
        else f"datum.value > {WHITE_TEXT_FROM}"
    )
    # Two places suffice, and the nought in front only takes room. On a telephone the
    # cells are too narrow even for that.
    short = "replace(format(datum.value, '.2f'), '0.', '.')"
    figures = seen.mark_text(
        fontSize=11, text=alt.expr(f"width > {24 * num_columns} ? {short} : ''")
    )
    return [figures.encode(
        color=alt.condition(dark, alt.value("white"), alt.value(BLACK_TEXT))
    )]


def panels_data(weights, names, tokens, columns=4, causal=True):
    """One row a cell of every panel, and one a heading, for `small_multiples`.

    Args:
        weights: (num_panels, num_tokens, num_tokens).
        names: a heading for each panel.
        columns: panels beside each other.

    Returns:
        As `heatmap_data`, with x and y, the place of each cell in the whole picture.
    """
    size, parts = len(tokens), []
    for number, (panel, name) in enumerate(zip(weights, names, strict=True)):
        left = number % columns * (size + GAP)
        top = number // columns * (size + HEADING)
        part = heatmap_data(panel, tokens, causal).query("not hidden")
        parts.append(part.assign(
            panel=name, heading=False, x=left + part["column"], y=top + part["row"]
        ))
        parts.append(pd.DataFrame([{
            "panel": name, "heading": True, "x": left, "y": top - 0.6, "value": 0.0,
            "from": "", "to": "",
        }]))
    return pd.concat(parts, ignore_index=True)


def panels_alt(weights, names, tokens):
    """The strongest link of every panel, in words."""
    said = [
        f"{name}: {strongest_links(panel, tokens, count=1, ending='.')}"
        for name, panel in zip(names, weights, strict=True)
    ]
    return " ".join(said)


GAP, HEADING = 1.5, 3.0  # room beside and above a panel, in cells


@cache
def small_multiples(num_panels, num_tokens, columns=4):
    """Many heat-maps in one picture, which keeps to the width of the page.

    Data: as in `panels_data`, with the same `columns`.
    """
    rows = -(-num_panels // columns)
    x = alt.X("x:Q").scale(domain=[0, columns * (num_tokens + GAP) - GAP], nice=False)
    y = alt.Y("y:Q").scale(
        domain=[rows * (num_tokens + HEADING) - HEADING, -HEADING], nice=False
    )
    base = alt.Chart().encode(x=x.axis(None), y=y.axis(None))
    drawn = base.transform_filter("!datum.heading").transform_calculate(
        right="datum.x + 1", bottom="datum.y + 1"
    ).mark_rect(opacity=1).encode(
        x2="right:Q",
        y2="bottom:Q",
        color=alt.Color("value:Q").scale(scale_of(0)).legend(None),
        tooltip=[
            alt.Tooltip("panel:N", title="head"),
            alt.Tooltip("from:N", title="looks"),
            alt.Tooltip("to:N", title="at"),
            alt.Tooltip("value:Q", title="value", format=".3f"),
        ],
    )
    headings = base.transform_filter("datum.heading").mark_text(
        align="left", baseline="bottom", fontSize=12
    ).encode(text="panel:N")
    chart = alt.layer(drawn, headings).properties(height=rows * 155)
    return spec(chart.properties(usermeta={"embedOptions": {"renderer": "svg"}}))


def share_of(weights, row, column, tokens):
    """One link as a sentence: `'sat' gives 61 % to 'cat'`."""
    share = percent(float(weights[row][column]))
    return f"'{tokens[row]}' gives {share} to '{tokens[column]}'"
