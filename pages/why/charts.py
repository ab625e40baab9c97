"""Reading one word after the other, and what is left of an early word."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import MODEL, OTHERS, QUIET

LSTM_COLOUR = OTHERS[1]
NETWORKS = (("LSTM", LSTM_COLOUR), ("tiny LLM", MODEL))


def chain_data(tokens, steps):
    """One row a word, for `chain`.

    Args:
        tokens: (num_tokens,) words.
        steps: how many words have been read.

    Returns:
        A DataFrame with columns place, word, read, before.
    """
    places = np.arange(len(tokens))
    return pd.DataFrame({
        "place": places,
        "word": numbered(tokens),
        "read": places < steps,
        "before": np.maximum(places - 1, 0),
    })


@cache
def chain(num_tokens):
    """States in a row, each joined to the one before it; filled once it is reached.

    Data: as in `chain_data`.
    """
    x = alt.X("place:Q").scale(domain=[-0.5, num_tokens - 0.5], nice=False).axis(None)
    base = alt.Chart().encode(x=x, y=alt.value(26))
    tooltip = [
        alt.Tooltip("word:N", title="word"),
        alt.Tooltip("read:N", title="read already"),
    ]
    empty = base.mark_circle(size=170, fillOpacity=0, stroke=QUIET, strokeWidth=1.5,
                             opacity=1)
    read = base.transform_filter("datum.read")
    links = read.mark_rule(color=LSTM_COLOUR, strokeWidth=2).encode(x2="before:Q")
    states = read.mark_circle(size=170, color=LSTM_COLOUR, opacity=1)
    return spec(alt.layer(links, empty, states.encode(tooltip=tooltip)).properties(
        height=52
    ))


def chain_alt(tokens, steps):
    """How far the reading has come, in words."""
    if steps < 2:
        return f"A chain of {len(tokens)} states; words read so far: {steps}."
    return (
        f"A chain of {len(tokens)} states. {steps} words are read, the last is "
        f"'{tokens[steps - 1]}'; what the first word said was handed on {steps - 1} "
        f"{'time' if steps == 2 else 'times'}."
    )


def along_data(tokens, series):
    """One row a word and curve, for `along_words`.

    Args:
        tokens: (num_tokens,) words.
        series: a dictionary from name to values, (num_tokens,).

    Returns:
        A DataFrame with columns place, word, value, series.
    """
    return pd.concat([
        pd.DataFrame({
            "place": range(len(tokens)), "word": numbered(tokens),
            "value": np.asarray(values, float), "series": name,
        })
        for name, values in series.items()
    ], ignore_index=True)


@cache
def along_words(colours, y_title, top=None, height=250):
    """A curve a network along the words of a sentence.

    Data: as in `along_data`.

    Args:
        colours: a tuple of (series, colour).
        y_title: what is measured.
        top: the highest value of the axis; None to fit the data.
    """
    y = alt.Y("value:Q").title(y_title).axis(format="%", tickCount=5)
    base = alt.Chart().encode(
        x=alt.X("word:N").sort(field="place", op="min").title(None).axis(
            labelAngle=-90, labelOverlap=False, labelLimit=90, ticks=False,
            labelFlush=False,
        ),
        y=y.scale(domain=[0, top]) if top else y,
        color=alt.Color("series:N").scale(
            domain=[name for name, _ in colours],
            range=[colour for _, colour in colours],
        ).legend(orient="top", title=None, symbolType="stroke", symbolStrokeWidth=3),
        tooltip=[
            alt.Tooltip("series:N", title="network"),
            alt.Tooltip("word:N", title="word"),
            alt.Tooltip("value:Q", title=y_title, format=".1%"),
        ],
    )
    lines = base.mark_line(strokeWidth=2.5)
    points = base.mark_point(filled=True, size=40, opacity=1)
    return spec(alt.layer(lines, points).properties(height=height))


def along_alt(data, what):
    """Where each curve is highest and where it ends, in words."""
    said = []
    for name, part in data.groupby("series", sort=False):
        best, last = part.loc[part["value"].idxmax()], part.iloc[-1]
        said.append(
            f"{name} highest at '{best['word']}' with {percent(best['value'])}, at the "
            f"end {percent(last['value'])}"
        )
    return f"{what}: {'; '.join(said)}."


def along_table(data):
    """The curves as a table: one row a word, one column a curve."""
    table = data.pivot_table(index=["place", "word"], columns="series", values="value",
                             sort=False)
    table.columns.name = None
    return table.reset_index().drop(columns="place").round(6)


def groups_data(groups, series, counts):
    """One row a bar, for `grouped_bars`; groups without a case are left out.

    Args:
        groups: (num_groups,) names, from left to right.
        series: a dictionary from name to shares, (num_groups,), None without a case.
        counts: (num_groups,) how many cases each group has.

    Returns:
        A DataFrame with columns group, place, value, series, count.
    """
    return pd.DataFrame([
        (group, place, value, name, count)
        for name, values in series.items()
        for place, (group, value, count) in enumerate(
            zip(groups, values, counts, strict=True))
        if value is not None
    ], columns=["group", "place", "value", "series", "count"])


@cache
def grouped_bars(colours, x_title, y_title, top=1.05, angle=0, height=240):
    """Bars side by side in each group, with a figure on top.

    Data: as in `groups_data`.

    Args:
        colours: a tuple of (series, colour).
        top: the highest value of the axis, just above 1 for shares of one; None to
            fit the data.
        angle: of the names of the groups.
    """
    names = [name for name, _ in colours]
    y = alt.Y("value:Q").title(y_title)
    base = alt.Chart().encode(
        x=alt.X("group:N").sort(field="place", op="min").title(x_title).axis(
            labelAngle=angle, labelOverlap=False, ticks=False, domain=False,
            labelLimit=90),
        xOffset=alt.XOffset("series:N").sort(names),
        y=y.scale(domain=[0, top], nice=False).axis(
            format="%", values=[0, 0.25, 0.5, 0.75, 1]
        ) if top else y.axis(format="%", tickCount=5),
        tooltip=[
            alt.Tooltip("series:N", title="network"),
            alt.Tooltip("group:N", title=x_title),
            alt.Tooltip("value:Q", title=y_title, format=".1%"),
            alt.Tooltip("count:Q", title="cases", format=",d"),
        ],
    )
    bars = base.mark_bar(opacity=1, cornerRadiusEnd=2).encode(
        color=alt.Color("series:N").scale(
            domain=names, range=[colour for _, colour in colours]
        ).legend(orient="top", title=None, symbolType="square"),
    )
    figures = base.mark_text(baseline="bottom", dy=-2, fontSize=11).encode(
        text=alt.Text("value:Q", format=".0%")
    )
    return spec(alt.layer(bars, figures).properties(height=height))


def groups_alt(data, what):
    """Every bar in words."""
    said = []
    for name, part in data.groupby("series", sort=False):
        bars = ", ".join(f"{row.group}: {percent(row.value)}"
                         for row in part.itertuples())
        said.append(f"{name} {bars}")
    return f"{what}. {'; '.join(said)}."


def groups_table(data, group_title):
    """The bars as a table: one row a group, one column a series."""
    table = data.pivot_table(index=["place", "group", "count"], columns="series",
                             values="value", sort=False)
    table.columns.name = None
    table = table.reset_index().sort_values("place").drop(columns="place")
    return table.rename(columns={"group": group_title, "count": "cases"}).round(4)
