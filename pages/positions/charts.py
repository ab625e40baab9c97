"""A table of positions as a picture: one row a place, one column a dimension."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.matrix import scale_of
from pages.ui.charts.spec import spec

HEIGHT = 400


def positions_data(table):
    """One row a cell, for `position_map`.

    Args:
        table: (num_places, embed_dim)

    Returns:
        A DataFrame with columns place (from 0), column (from 1), value.
    """
    places, columns = np.indices(table.shape)
    return pd.DataFrame({
        "place": places.ravel().astype("int16"),
        "column": columns.ravel().astype("int16") + 1,
        "value": table.ravel().astype("float32"),
    })


@cache
def position_map(num_places, embed_dim, largest):
    """A square a number: orange below zero, blue above.

    Data: as in `positions_data`.

    Args:
        largest: where the colours end on both sides.
    """
    x = alt.X("left:Q").title("column").scale(
        domain=[0.5, embed_dim + 0.5], nice=False
    ).axis(grid=False, tickCount=8, domain=False)
    y = alt.Y("top:Q").title("place").scale(
        domain=[num_places - 0.5, -0.5], nice=False
    ).axis(grid=False, tickCount=8, domain=False)
    chart = alt.Chart().transform_calculate(
        # A little wider than one, or the background would shine through in hairlines.
        left="datum.column - 0.53", right="datum.column + 0.53",
        top="datum.place - 0.53", bottom="datum.place + 0.53",
    ).mark_rect(opacity=1, aria=False).encode(
        x=x, x2="right:Q", y=y, y2="bottom:Q",
        color=alt.Color("value:Q").scale(scale_of(largest)).legend(
            orient="top", title=None, gradientLength=160, format=".1f"),
        tooltip=[
            alt.Tooltip("place:Q", title="place"),
            alt.Tooltip("column:Q", title="column"),
            alt.Tooltip("value:Q", title="value", format=".3f"),
        ],
    )
    return spec(chart.properties(
        height=HEIGHT, usermeta={"embedOptions": {"renderer": "svg"}}
    ))


def positions_alt(table, name):
    """What the table looks like, in words: its size, and where it changes fastest."""
    turns = (np.diff(np.sign(table), axis=0) != 0).sum(axis=0)
    half = table.shape[1] // 2
    return (
        f"{name}: {table.shape[0]} places, {table.shape[1]} columns, from "
        f"{table.min():.2f} to {table.max():.2f}. Down a column the sign changes "
        f"{turns[:half].mean():.0f} times on average in the left half and "
        f"{turns[half:].mean():.0f} times in the right half."
    )


def positions_table(table):
    """The numbers themselves: one row a place, one column a dimension."""
    frame = pd.DataFrame(table.round(4), columns=range(1, table.shape[1] + 1))
    frame.columns = frame.columns.astype(str)
    frame.insert(0, "place", range(len(table)))
    return frame
