"""Pictures of positions: the table, and trainings with and without one."""

from functools import cache

import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.matrix import matrix
from pages.ui.colours import MODEL, QUIET
from pages.ui.words import percent

WITH, WITHOUT = "with positions", "without positions"


def position_map(table, name):
    """A table of positions: one row a position, one column a number.

    Args:
        table: (num_positions, embed_dim)
        name: what the table is called.
    """
    num_positions, embed_dim = table.shape
    return matrix(
        table, range(num_positions), range(1, embed_dim + 1), row_title="position",
        column_title="column", what="number",
        largest=float(np.ceil(10 * np.abs(table).max()) / 10), signed=True,
        form=".2f", figures=False, cell=5, said=map_said(table, name),
    )


def map_said(table, name):
    """What the table looks like, in words: its size, and where it changes fastest."""
    turns = (np.diff(np.sign(table), axis=0) != 0).sum(axis=0)
    half = table.shape[1] // 2
    return (
        f"Positions, {name}: {table.shape[0]} rows, {table.shape[1]} columns, from "
        f"{table.min():.2f} to {table.max():.2f}. Down a column the sign changes "
        f"{turns[:half].mean():.0f} times on average in the left half and "
        f"{turns[half:].mean():.0f} times in the right half."
    )


def skill_dots(skills):
    """How often each skill is right: a dot for each training.

    Args:
        skills: a dictionary from skill to two lists of accuracies, with positions and
            without, one number a training.
    """
    data = pd.DataFrame([
        (skill, name, draw, share)
        for skill, pair in skills.items()
        for name, shares in zip((WITH, WITHOUT), pair, strict=True)
        for draw, share in enumerate(shares, start=1)
    ], columns=["skill", "series", "draw", "right"])
    told = "; ".join(
        f"{skill} {name} {', '.join(percent(share) for share in part['right'])}"
        for (skill, name), part in data.groupby(["skill", "series"], sort=False)
    )
    return Chart(skill_dots_spec(), data, f"How often each skill is right: {told}.",
                 lambda: data.rename(columns={"draw": "training"}))


@cache
def skill_dots_spec():
    """How the dots are drawn. Data: skill, series, draw, right."""
    import altair as alt

    chart = alt.Chart().mark_point(filled=True, size=90, opacity=0.75).encode(
        x=alt.X("right:Q").title("right").scale(domain=[0, 1]).axis(format="%"),
        y=alt.Y("skill:N").sort(None).title(None).axis(labelOverlap=False),
        yOffset=alt.YOffset("series:N").sort([WITH, WITHOUT]),
        color=alt.Color("series:N").title(None).scale(
            domain=[WITH, WITHOUT], range=[MODEL, QUIET]
        ).legend(orient="top"),
        tooltip=[
            alt.Tooltip("skill:N"), alt.Tooltip("series:N", title="network"),
            alt.Tooltip("draw:Q", title="training"),
            alt.Tooltip("right:Q", format=".1%"),
        ],
    )
    return spec_of(chart.properties(height=alt.Step(34)))
