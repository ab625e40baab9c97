"""Where each head of the digit model looks: one strip a head."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.matrix import scale_of
from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import QUIET, WORDS


def strips_data(attention, place, digits=None):
    """One row a cell, for `digit_strips`.

    Args:
        attention: (num_heads, length, length)
        place: the place that looks, from 0.
        digits: (length,) what stands there; None for an average over many rows.

    Returns:
        A DataFrame with columns head, place, digit, value; places count from 1.
    """
    num_heads, length, _ = attention.shape
    heads, places = np.indices((num_heads, length))
    written = [""] * length if digits is None else [str(digit) for digit in digits]
    return pd.DataFrame({
        "head": [f"head {head + 1}" for head in heads.ravel()],
        "place": places.ravel() + 1,
        "digit": np.array(written)[places.ravel()],
        "value": attention[:, place].ravel().astype(float),
    })


@cache
def digit_strips(num_heads, length):
    """One strip a head, one cell a place; the digits stand above.

    Data: as in `strips_data`.
    """
    ticks = [1, *range(5, length - 1, 5), length]
    base = alt.Chart().encode(
        x=alt.X("place:O").title("place").axis(
            values=ticks, labelAngle=0, labelOverlap=True, domain=False, ticks=False
        ),
        y=alt.Y("head:N").title(None).axis(domain=False, ticks=False),
    )
    cells = base.mark_rect(opacity=1, stroke=QUIET, strokeWidth=0.4).encode(
        color=alt.Color("value:Q").scale(scale_of(0)).legend(None),
        tooltip=[
            alt.Tooltip("head:N"), alt.Tooltip("place:O"), alt.Tooltip("digit:N"),
            alt.Tooltip("value:Q", title="share of attention", format=".1%"),
        ],
    )
    # On a telephone the cells of long rows are too narrow for a digit.
    digits = alt.Chart().transform_filter("datum.head == 'head 1'").mark_text(
        fontSize=12, fontWeight="bold", color=WORDS, baseline="bottom", dy=-3,
        text=alt.expr(f"width > {8 * length} ? datum.digit : ''"),
    ).encode(x="place:O", y=alt.value(0))
    return spec(alt.layer(cells, digits).properties(
        height=alt.Step(26), padding={"top": 20, "left": 5, "right": 5, "bottom": 5},
        usermeta={"embedOptions": {"renderer": "svg"}},
    ))


def strips_alt(data, place):
    """Where each head looks most, in words."""
    said = []
    for head, part in data.groupby("head", sort=False):
        best = part.loc[part["value"].idxmax()]
        said.append(f"{head} most at place {best['place']} ({percent(best['value'])})")
    return f"From place {place} the heads look: {', '.join(said)}."


def strips_table(data):
    """The strips as a table: one row a place, one column a head."""
    table = data.pivot_table(index=["place", "digit"], columns="head", values="value",
                             sort=False)
    table.columns.name = None
    return table.round(4).reset_index()
