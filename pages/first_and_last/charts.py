"""Where each head of the digit model looks: a strip a head, from each end of a row."""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.matrix import heat
from pages.ui.words import percent

STRIP = 23  # pixels for the height of a strip
ABOVE, BELOW = 2.0, 0.7  # strips: room for a title with digits, and between two groups


def digit_strips(attention, digits=None):
    """Where each head looks from the first position and from the last.

    Args:
        attention: (num_heads, length, length)
        digits: (length,), what stands there; None for an average over many rows.
    """
    data = strips_data(attention, digits)
    return Chart(
        strips_spec(*attention.shape[:2]), data, strips_said(data),
        partial(strips_table, data),
    )


def strips_data(attention, digits=None):
    """One row a cell, a title, a name of a head or a digit; positions count from 0."""
    num_heads, length, _ = attention.shape
    heads, positions = (part.ravel() for part in np.indices((num_heads, length)))
    written = [""] * length if digits is None else [str(digit) for digit in digits]
    names = [f"head {head + 1}" for head in range(num_heads)]
    parts = []
    for group, (end, looks) in enumerate((("first", 0), ("last", length - 1))):
        top = ABOVE + group * (num_heads + ABOVE + BELOW)
        holds = f", which holds {written[looks]}" if digits is not None else ""
        parts += [
            pd.DataFrame({
                "kind": "cell", "from": looks, "x": positions, "y": top + heads,
                "head": np.array(names)[heads], "digit": np.array(written)[positions],
                "value": attention[:, looks].ravel().astype(float),
            }),
            pd.DataFrame({
                "kind": "name", "from": looks, "x": 0, "y": top + np.arange(num_heads),
                "text": names,
            }),
            pd.DataFrame({
                "kind": "digit", "from": looks, "x": range(length), "y": top,
                "text": written,
            }),
            pd.DataFrame({
                "kind": "title", "from": looks, "x": [0], "y": top,
                "text": f"From the {end} position, {looks}{holds}",
            }),
        ]
    data = pd.concat(parts, ignore_index=True)
    texts = ["head", "digit", "text"]
    return data.assign(**data[texts].fillna(""), value=data["value"].fillna(0.0))


@cache
def strips_spec(num_heads, length):
    """How the strips are drawn. Data: kind, from, x, y, head, digit, value, text."""
    rows = 2 * (num_heads + ABOVE) + BELOW
    ticks = [*range(0, length - 2, 5), length - 1]
    across = alt.Scale(domain=[-0.06 * length - 1, length], nice=False)
    down = alt.Scale(domain=[rows, 0], nice=False)

    positions = alt.Axis(
        values=[tick + 0.5 for tick in ticks], labelExpr="datum.value - 0.5",
        grid=False, domain=False, ticks=False, labelOverlap=False,
    )

    def x(field):
        return alt.X(f"{field}:Q", scale=across, axis=positions, title="position")

    def y(field):
        return alt.Y(f"{field}:Q", scale=down, axis=None)

    base = alt.Chart().transform_calculate(
        middle="datum.x + 0.5", right="datum.x + 1", bottom="datum.y + 0.92",
        centre="datum.y + 0.46",
    )
    cells = heat(
        base.transform_filter("datum.kind == 'cell'").encode(
            x=x("x"), x2="right:Q", y=y("y"), y2="bottom:Q"
        ),
        tooltip=[
            alt.Tooltip("head:N"), alt.Tooltip("from:Q", title="from position"),
            alt.Tooltip("x:Q", title="to position"), alt.Tooltip("digit:N"),
            alt.Tooltip("value:Q", title="share of attention", format=".1%"),
        ],
    )
    names = base.transform_filter("datum.kind == 'name'").mark_text(
        align="right", fontSize=12.5, dx=-6
    ).encode(x=x("x"), y=y("centre"), text="text:N")
    # On a telephone the cells of long rows are too narrow for a digit.
    digits = base.transform_filter("datum.kind == 'digit'").mark_text(
        fontSize=12, fontWeight="bold", baseline="bottom", dy=-3,
        text=alt.expr(f"width > {11 * length} ? datum.text : ''"),
    ).encode(x=x("middle"), y=y("y"))
    titles = base.transform_filter("datum.kind == 'title'").mark_text(
        align="left", fontSize=13, baseline="bottom", dy=-22
    ).encode(x=x("x"), y=y("y"), text="text:N")
    chart = alt.layer(*cells, names, digits, titles)
    return spec_of(chart.properties(height=round(STRIP * rows)))


def strips_said(data):
    """Where each head looks most, in words."""
    cells, said = data[data["kind"] == "cell"], []
    for looks, group in cells.groupby("from"):
        best = group.loc[group.groupby("head")["value"].idxmax()]
        most = ", ".join(
            f"{one['head']} most at {one['x']} ({percent(one['value'])})"
            for one in best.to_dict("records")
        )
        said.append(f"From position {looks} the heads look: {most}.")
    return " ".join(said)


def strips_table(data):
    """The strips as a table for readers: a row a position, a column a head."""
    cells = data[data["kind"] == "cell"].rename(columns={"x": "to"})
    table = cells.pivot_table(
        index=["from", "to", "digit"], columns="head", values="value", sort=False
    )
    table.columns.name = None
    return table.round(4).reset_index()
