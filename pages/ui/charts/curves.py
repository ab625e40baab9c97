"""Curves over steps, bars of amounts, and a map of words."""

from functools import cache

import altair as alt
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.colours import TRUTH


def curves_data(steps, series):
    """One row a point, for `line_curves`.

    Args:
        steps: (num_steps,) what runs to the right.
        series: a dictionary from name to its values, (num_steps,).

    Returns:
        A DataFrame with columns step, value, series.
    """
    return pd.concat([
        pd.DataFrame({"step": steps, "value": values, "series": name})
        for name, values in series.items()
    ], ignore_index=True)


@cache
def line_curves(colours, x_title, y_title, floor=None, floor_name="the exact floor",
                y_domain=None, log_x=False, y_format=".3~g", height=300):
    """One line a series, named at its end, and a rule that nobody gets below.

    Data: as in `curves_data`.

    Args:
        colours: a tuple of (series, colour).
        floor: where the rule stands; None for none.
        y_domain: a tuple of lowest and highest value; None to fit the data.
    """
    names = [name for name, _ in colours]
    colour = alt.Color("series:N").scale(
        domain=names, range=[colour for _, colour in colours]
    ).legend(None)
    x = alt.X("step:Q").title(x_title).scale(type="symlog" if log_x else "linear")
    y = alt.Y("value:Q").title(y_title).axis(format=y_format)
    y = y.scale(domain=list(y_domain)) if y_domain else y.scale(zero=False)
    base = alt.Chart().encode(x=x, y=y, color=colour)
    tooltip = [
        alt.Tooltip("series:N", title="curve"),
        alt.Tooltip("step:Q", title=x_title),
        alt.Tooltip("value:Q", title=y_title, format=".4~g"),
    ]
    lines = base.mark_line(strokeWidth=2.5)
    points = base.mark_point(filled=True, size=36, opacity=1).encode(tooltip=tooltip)
    ends = base.transform_joinaggregate(last="max(step)", groupby=["series"])
    ends = ends.transform_filter("datum.step == datum.last").mark_text(
        align="left", dx=8, fontWeight="bold"
    ).encode(text="series:N")
    layers = [lines, points, ends]
    if floor is not None:
        at_floor = alt.Chart().transform_aggregate(first="min(step)", last="max(step)")
        at_floor = at_floor.transform_calculate(
            value=f"{floor}", name=f"'{floor_name}'"
        )
        layers += [
            at_floor.mark_rule(color=TRUTH, strokeDash=[5, 4], strokeWidth=2).encode(
                y="value:Q"),
            at_floor.mark_text(color=TRUTH, align="left", baseline="top", dx=4, dy=5)
            .encode(x="first:Q", y="value:Q", text="name:N"),
        ]
    room = 12 + 7 * max(map(len, names))
    return spec(alt.layer(*layers).properties(
        height=height, padding={"right": room, "left": 5, "top": 5, "bottom": 5}
    ))


def curves_alt(data, y_title):
    """Where every curve begins and ends, in words."""
    said = []
    for name, part in data.groupby("series", sort=False):
        first, last = part.iloc[0], part.iloc[-1]
        said.append(f"{name} goes from {first['value']:.3g} at {first['step']:g} "
                    f"to {last['value']:.3g} at {last['step']:g}")
    return f"{y_title}: {'; '.join(said)}."


@cache
def amount_bars(colours, title, domain=None, value_format=".2f"):
    """One bar a thing, with its figure.

    Data: name, value.

    Args:
        colours: a tuple of (name, colour), from top to bottom.
        title: what is measured.
        domain: a tuple of lowest and highest value; None to fit the data.
    """
    names = [name for name, _ in colours]
    base = alt.Chart().encode(
        y=alt.Y("name:N").sort(names).title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=180),
        x=alt.X("value:Q").title(title)
        .scale(**({"domain": list(domain)} if domain else {"zero": True})),
        tooltip=[alt.Tooltip("name:N", title="what"),
                 alt.Tooltip("value:Q", title=title, format=value_format)],
    )
    bars = base.mark_bar(height=17, cornerRadiusEnd=3, opacity=1).encode(
        color=alt.Color("name:N").scale(
            domain=names, range=[colour for _, colour in colours]).legend(None)
    )
    figures = base.mark_text(align="left", dx=6, fontSize=12).encode(
        text=alt.Text("value:Q", format=value_format)
    )
    return spec(alt.layer(bars, figures).properties(
        height=alt.Step(27), padding={"right": 30, "left": 5, "top": 5, "bottom": 5}
    ))


def amounts_alt(data, title):
    """Every amount in words."""
    said = [f"{row.name_} {row.value:.3g}" for row in
            data.rename(columns={"name": "name_"}).itertuples()]
    return f"{title}: {', '.join(said)}."


@cache
def scatter_words(colours, x_title="", y_title="", height=460):
    """A map of words: a point each, and a name where there is room.

    Data: x, y, word, kind, named (whether the word is written out).

    Args:
        colours: a tuple of (kind, colour).
    """
    base = alt.Chart().encode(
        x=alt.X("x:Q").title(x_title or None).scale(zero=False, padding=25)
        .axis(labels=False, ticks=False, grid=False),
        y=alt.Y("y:Q").title(y_title or None).scale(zero=False, padding=15)
        .axis(labels=False, ticks=False, grid=False),
        color=alt.Color("kind:N").scale(
            domain=[kind for kind, _ in colours],
            range=[colour for _, colour in colours],
        ).legend(orient="top", title=None, columns=4),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("kind:N")],
    )
    points = base.mark_point(filled=True, size=45, opacity=0.9)
    names = base.transform_filter("datum.named").mark_text(
        align="left", dx=6, fontSize=12
    ).encode(text="word:N")
    return spec(alt.layer(points, names).properties(
        height=height, usermeta={"embedOptions": {"renderer": "svg"}}
    ))
