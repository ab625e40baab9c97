"""Curves of trainings: several lines with a legend, some of them dashed."""

from functools import cache

import altair as alt
import pandas as pd

from pages.ui.charts.spec import spec


def training_data(**curves):
    """One row a point, for `training_curves`.

    Args:
        curves: from name to a list of (step, value); underscores become spaces.

    Returns:
        A DataFrame with columns step, value, series.
    """
    rows = [
        (step, value, name.replace("_", " "))
        for name, points in curves.items()
        for step, value in points
    ]
    return pd.DataFrame(rows, columns=["step", "value", "series"])


@cache
def training_curves(colours, x_title, y_title, y_domain=None, dashed=(), points=True,
                    y_format=".3~g", height=260):
    """One line a series, named in a legend on top.

    Data: as in `training_data`.

    Args:
        colours: a tuple of (series, colour).
        y_domain: a tuple of lowest and highest value; None to fit the data.
        dashed: names of series that are no training, but what to compare with.
        points: whether each point can be pointed at.
    """
    names = [name for name, _ in colours]
    y = alt.Y("value:Q").title(y_title).axis(format=y_format, tickCount=5)
    base = alt.Chart().encode(
        x=alt.X("step:Q").title(x_title).axis(format=",d", tickCount=5, grid=False),
        y=y.scale(domain=list(y_domain)) if y_domain else y.scale(zero=False),
        color=alt.Color("series:N").scale(
            domain=names, range=[colour for _, colour in colours]
        ).legend(orient="top", title=None, columns=2, symbolType="stroke",
                 labelLimit=220, symbolStrokeWidth=3),
    )
    lines = base.mark_line(strokeWidth=2.5).encode(
        strokeDash=alt.StrokeDash("series:N").scale(
            domain=names,
            range=[[5, 4] if name in dashed else [1, 0] for name in names],
        ).legend(None),
    )
    layers = [lines]
    if points:
        layers.append(base.mark_point(filled=True, size=34, opacity=1).encode(tooltip=[
            alt.Tooltip("series:N", title="curve"),
            alt.Tooltip("step:Q", title=x_title, format=",d"),
            alt.Tooltip("value:Q", title=y_title, format=".4~g"),
        ]))
    return spec(alt.layer(*layers).properties(height=height))


def training_alt(data, y_title, x_title="step"):
    """Where every curve ends, in words."""
    if data.empty:
        return f"{y_title}: nothing measured yet."
    said = []
    for name, part in data.groupby("series", sort=False):
        first, last = part.iloc[0], part.iloc[-1]
        said.append(f"{name} from {first['value']:.3g} to {last['value']:.3g} "
                    f"at {x_title} {last['step']:,.0f}")
    return f"{y_title}: {'; '.join(said)}."


def training_table(data, x_title):
    """The curves as a table: one row a step, one column a curve."""
    table = data.pivot_table(index="step", columns="series", values="value", sort=False)
    table.columns.name = None
    return table.round(4).rename_axis(x_title).sort_index().reset_index()
