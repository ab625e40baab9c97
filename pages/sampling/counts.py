"""Counts of draws beside what theory expects, and how far chance may go."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from llm.studies.sampling import allowed, deviation
from pages.ui.charts.bars import OTHERS
from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import DRAW, MODEL

DRAWN, THEORY = "share of the draws", "probability, and how far chance may go"


def counts_data(vocabulary, probabilities, counts, rows):
    """One row a word, for `count_bars`; the other words share one.

    Args:
        vocabulary: (vocab_size,) words.
        probabilities: (vocab_size,), what was drawn from.
        counts: (vocab_size,), how often each word was drawn.
        rows: the words that get a row of their own.

    Returns:
        A DataFrame with columns word, place, count, drawn, theory, low, high.
    """
    numbers = [vocabulary.index(word) for word in rows]
    chances = [*probabilities[numbers].astype(float)]
    found = [*counts[numbers]]
    chances.append(max(1 - sum(chances), 0.0))
    found.append(counts.sum() - sum(found))
    total = int(counts.sum())
    bands = np.array([allowed(chance, total) for chance in chances])
    return pd.DataFrame({
        "word": [*rows, OTHERS],
        "place": range(len(chances)),
        "count": np.array(found, int),
        "drawn": np.array(found) / total,
        "theory": chances,
        "low": bands[:, 0],
        "high": bands[:, 1],
    })


def counts_table(data):
    """The counts as a table for readers."""
    total = data["count"].sum()
    spread = [deviation(chance, total) for chance in data["theory"]]
    table = pd.DataFrame({
        "word": data["word"],
        "drawn": data["count"],
        "expected": (data["theory"] * total).round(2),
        "standard deviation": np.round(spread, 2),
        "share": data["drawn"].round(4),
        "probability": data["theory"].round(4),
    })
    return table.assign(**{"within two deviations": within(data)})


def within(data):
    """Which counts lie where chance alone may have put them."""
    # A hair of room, because a share of 0 or 1 has no deviation at all.
    hair = 1e-6
    return data["drawn"].between(data["low"] - hair, data["high"] + hair)


def counts_alt(data):
    """The counts in words."""
    total = int(data["count"].sum())
    said = [
        f"'{word}' {count} times (expected {chance * total:.1f})"
        for word, count, chance in zip(
            data["word"], data["count"], data["theory"], strict=True)
        if chance >= 0.005 or count
    ]
    return f"In {total:,} draws: {', '.join(said)}."


def counts_in_words(data):
    """One sentence on chance, computed from the counts."""
    drawable = data[data["theory"] > 0]
    inside, total = int(within(drawable).sum()), int(data["count"].sum())
    best = data.iloc[0]
    low, high = best["low"] * total, best["high"] * total
    chance = percent(best["theory"])
    return (
        f"{inside} of {len(drawable)} counts lie within two standard deviations of "
        f"what is expected; about 95 in 100 should. For the first word, {chance} of "
        f"{total:,} is {best['theory'] * total:.1f}, and chance allows {low:.0f} to "
        f"{high:.0f}: it came {best['count']:,} times."
    )


@cache
def count_bars():
    """A bar for the share of draws, a tick for the probability, a band for chance.

    Data: as in `counts_data`.
    """
    rows = alt.Chart().encode(
        y=alt.Y("word:N").sort(field="place", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=140)
    )
    names = alt.Scale(domain=[DRAWN, THEORY], range=[DRAW, MODEL])
    colour = alt.Color("series:N").scale(names).legend(
        orient="top", title=None, symbolType="square", labelLimit=260, columns=1
    )
    tooltip = [
        alt.Tooltip("word:N", title="word"),
        alt.Tooltip("count:Q", title="times drawn", format=","),
        alt.Tooltip("drawn:Q", title="share", format=".2%"),
        alt.Tooltip("theory:Q", title="probability", format=".2%"),
    ]
    x = alt.X("drawn:Q").scale(domain=[0, 1]).title("share of all draws").axis(
        format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    drawn = rows.transform_calculate(series=f"'{DRAWN}'").mark_bar(
        height=13, cornerRadiusEnd=3, opacity=0.85
    ).encode(x=x, color=colour, tooltip=tooltip)
    theory = rows.transform_calculate(series=f"'{THEORY}'")
    band = theory.mark_bar(height=21, opacity=0.3).encode(
        x="low:Q", x2="high:Q", color=colour)
    tick = theory.mark_tick(thickness=3, height=21, opacity=1).encode(
        x="theory:Q", color=colour, tooltip=tooltip)
    figures = rows.transform_calculate(
        edge="max(datum.drawn, datum.high)").mark_text(
        align="left", dx=6, fontSize=12
    ).encode(x="edge:Q", text=alt.Text("count:Q", format=","))
    return spec(alt.layer(drawn, band, tick, figures).properties(height=alt.Step(27)))
