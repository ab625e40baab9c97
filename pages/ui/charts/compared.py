"""Bars that compare two moments: a bar for what is now, a tick for what else was."""

from functools import cache

import altair as alt
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import DRAW, MODEL


def compared_data(now, other):
    """One row a word, for `compared_bars`.

    Args:
        now, other: dictionaries from word to share, with the same words in order.

    Returns:
        A DataFrame with columns word, now, other, place.
    """
    return pd.DataFrame({
        "word": list(now), "now": list(now.values()),
        "other": [other[word] for word in now], "place": range(len(now)),
    })


def compared_alt(data, what, now_name, other_name):
    """Every bar and its tick, in words."""
    said = [
        f"'{row.word}' {percent(row.now)} ({other_name}: {percent(row.other)})"
        for row in data.itertuples()
    ]
    return f"{what} {now_name}: {', '.join(said)}."


@cache
def compared_bars(now_name, other_name, title, height=27):
    """A bar a word, and a tick for the same word in the other case.

    Data: as in `compared_data`.

    Args:
        now_name, other_name: what the bars and the ticks are, for the legend.
        title: what is measured, from 0 to 1.
    """
    rows = alt.Chart().encode(
        y=alt.Y("word:N").sort(field="place", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=190)
    )
    share = alt.Scale(domain=[0, 1])
    names = alt.Scale(domain=[now_name, other_name], range=[MODEL, DRAW])
    tooltip = [
        alt.Tooltip("word:N", title="word"),
        alt.Tooltip("now:Q", title=now_name, format=".3f"),
        alt.Tooltip("other:Q", title=other_name, format=".3f"),
    ]

    def colour(name):
        return rows.transform_calculate(series=f"'{name}'").encode(
            color=alt.Color("series:N").scale(names)
            .legend(orient="top", title=None, symbolType="square"),
            tooltip=tooltip,
        )

    bars = colour(now_name).mark_bar(height=17, cornerRadiusEnd=3, opacity=1).encode(
        x=alt.X("now:Q").scale(share).title(title)
        .axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    )
    figures = rows.mark_text(align="left", dx=6, fontSize=12).encode(
        x=alt.X("now:Q"), text=alt.Text("now:Q", format=".1%")
    )
    ticks = colour(other_name).mark_tick(thickness=3, height=23, opacity=1).encode(
        x=alt.X("other:Q")
    )
    return spec(alt.layer(bars, figures, ticks).properties(height=alt.Step(height)))
