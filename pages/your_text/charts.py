"""Bars for the next token of one's own model, beside counting pairs."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import MODEL, VALUES

MODEL_NAME, PAIRS_NAME, REST = "your model", "counting pairs", "all others"
SEEN = {" ": "␣ (space)", "\n": "⏎ (new line)", "\t": "⇥"}


def seen(token):
    """A token so that it can be seen: a space has a character of its own."""
    return SEEN.get(token, token)


def own_bars_data(vocabulary, model, pairs, count=10):
    """A row for each of the likeliest tokens and one for all others.

    Args:
        vocabulary: (vocab_size,) tokens.
        model, pairs: (vocab_size,) probabilities.

    Returns:
        A DataFrame with columns token, model, pairs, place; both shares add up to one.
    """
    likeliest = np.argsort(-model, kind="stable")[:count]
    data = pd.DataFrame({
        "token": [seen(vocabulary[number]) for number in likeliest],
        "model": model[likeliest], "pairs": pairs[likeliest],
    })
    if len(vocabulary) > len(likeliest):
        rest = (1 - data[["model", "pairs"]].sum()).clip(lower=0)
        data.loc[len(data)] = [REST, rest["model"], rest["pairs"]]
    return data.assign(place=range(len(data)))


def own_bars_alt(data, start):
    """What the bars say, in words."""
    said = [f"'{row.token}' {percent(row.model)} (by pairs {percent(row.pairs)})"
            for row in data.head(5).itertuples()]
    return f"After '{start}' your model expects: {', '.join(said)}."


def own_bars_table(data):
    """The bars as a table for readers."""
    table = data.rename(columns={"model": MODEL_NAME, "pairs": PAIRS_NAME})
    return table.drop(columns="place").round(6)


@cache
def own_bars():
    """One bar a token for the model; a tick for counting pairs.

    Data: as in `own_bars_data`.
    """
    names = alt.Scale(domain=[MODEL_NAME, PAIRS_NAME], range=[MODEL, VALUES])
    tooltip = [
        alt.Tooltip("token:N"),
        alt.Tooltip("model:Q", title=MODEL_NAME, format=".2%"),
        alt.Tooltip("pairs:Q", title=PAIRS_NAME, format=".2%"),
    ]
    rows = alt.Chart().encode(
        y=alt.Y("token:N").sort(field="place", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=140)
    )

    def colour(name):
        return rows.transform_calculate(series=f"'{name}'").encode(
            color=alt.Color("series:N").scale(names)
            .legend(orient="top", title=None, symbolType="square")
        )

    bars = colour(MODEL_NAME).mark_bar(height=17, cornerRadiusEnd=3, opacity=1).encode(
        x=alt.X("model:Q").scale(domain=[0, 1]).title("probability")
        .axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
        tooltip=tooltip,
    )
    figures = rows.mark_text(align="left", dx=6, fontSize=12).encode(
        x="model:Q", text=alt.Text("model:Q", format=".1%")
    )
    ticks = colour(PAIRS_NAME).mark_tick(thickness=3, height=23, opacity=1).encode(
        x="pairs:Q", tooltip=tooltip
    )
    return spec(alt.layer(bars, figures, ticks).properties(height=alt.Step(27)))
