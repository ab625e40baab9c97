"""One row of attention: a bar for each word that is looked at."""

from functools import cache

import altair as alt
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import MODEL


def row_bars_data(shares, words):
    """One row a word, for `row_bars`.

    Args:
        shares: (num_words,), sums to one.
        words: each but once.
    """
    place = range(len(words))
    return pd.DataFrame({"word": list(words), "share": shares, "place": place})


def row_bars_alt(data, word):
    """Every share in words, the largest first."""
    order = data.sort_values("share", ascending=False, kind="stable")
    said = [f"{percent(one.share)} to '{one.word}'" for one in order.itertuples()]
    return f"'{word}' gives {', '.join(said)}."


@cache
def row_bars():
    """One upright bar a word, from nothing to all.

    Data: as in `row_bars_data`.
    """
    base = alt.Chart().encode(
        x=alt.X("word:N").sort(field="place", op="min").title(None).axis(
            labelAngle=-45, labelOverlap=False, ticks=False, domain=False
        ),
        y=alt.Y("share:Q").scale(domain=[0, 1]).title("attention weight").axis(
            format="%", values=[0, 0.25, 0.5, 0.75, 1]
        ),
    )
    bars = base.mark_bar(color=MODEL, opacity=1).encode(tooltip=[
        alt.Tooltip("word:N", title="word"),
        alt.Tooltip("share:Q", title="attention weight", format=".3f"),
    ])
    figures = base.mark_text(dy=-7, fontSize=11).encode(
        text=alt.Text("share:Q", format=".2f")
    )
    return spec(alt.layer(bars, figures).properties(height=230))
