"""A picture of how often each word was drawn, beside what theory expects."""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from llm.studies.sampling import allowed, deviation, is_enough
from pages.ui.chart import Chart, spec_of
from pages.ui.charts.bars import GUESS_NAME, OTHERS
from pages.ui.colours import DRAW, MODEL, WORDS
from pages.ui.words import counted

DRAWN, THEORY = "share of the draws", "probability, and how far chance may go"
ROW_HEIGHT = 24


def counts_chart(vocabulary, probabilities, counts, rows, guess=None):
    """A bar for each word's share of the draws, and what theory expects.

    Args:
        vocabulary: (vocab_size,) words.
        probabilities: (vocab_size,), what was drawn from.
        counts: (vocab_size,), how often each word was drawn.
        rows: the words that get a row of their own; the others share one.
        guess: (word, lowest share, highest share), as the student guessed; None where
            there is no guess to draw.

    Returns:
        A `Chart` with a table.
    """
    data = counts_data(vocabulary, probabilities, counts, rows)
    shown = data.drop(columns="enough").assign(guess_low=np.nan, guess_high=np.nan)
    if guess:
        word, *bounds = guess
        shown.loc[shown["word"] == word, ["guess_low", "guess_high"]] = bounds
    return Chart(
        counts_spec(guess is not None), shown, counts_said(data),
        partial(counts_table, data),
    )


def counts_data(vocabulary, probabilities, counts, rows):
    """One row a word; the other words share one.

    Returns:
        A DataFrame with columns word, position, count, drawn and theory (shares),
        enough (whether there are enough draws to say how far chance may go), low and
        high (how far; nan without enough draws).
    """
    numbers = [vocabulary.index(word) for word in rows]
    chances = [*probabilities[numbers].astype(float)]
    found = [*counts[numbers]]
    chances.append(max(1 - sum(chances), 0.0))
    found.append(counts.sum() - sum(found))
    total = int(counts.sum())
    enough = np.array([is_enough(chance, total) for chance in chances])
    bands = np.array([allowed(chance, total) for chance in chances])
    bands[~enough] = np.nan
    return pd.DataFrame({
        "word": [*rows, OTHERS],
        "position": range(len(chances)),
        "count": np.array(found, int),
        "drawn": np.array(found) / total,
        "theory": chances,
        "enough": enough,
        "low": bands[:, 0],
        "high": bands[:, 1],
    })


def within(data):
    """Which counts lie where chance alone may have put them; of those with enough."""
    return data["drawn"].between(data["low"], data["high"])


def counts_table(data):
    """The counts as a table for readers."""
    total = data["count"].sum()
    spread = [deviation(chance, total) for chance in data["theory"]]
    verdicts = np.where(within(data), "yes", "no")
    return pd.DataFrame({
        "word": data["word"],
        "drawn": data["count"],
        "expected": (data["theory"] * total).round(2),
        "standard deviation": np.round(spread, 2),
        "share": data["drawn"].round(4),
        "probability": data["theory"].round(4),
        "within two deviations": np.where(data["enough"], verdicts, "too few draws"),
    })


def counts_said(data):
    """The counts in words."""
    total = int(data["count"].sum())
    said = [
        f"'{word}' {counted(count, 'time')} (expected {chance * total:.1f})"
        for word, count, chance in zip(
            data["word"], data["count"], data["theory"], strict=True)
        if chance >= 0.005 or count
    ]
    return f"In {counted(total, 'draw')}: {', '.join(said)}."


@cache
def counts_spec(with_guess):
    """A bar for the share of draws, a tick for the probability, a band for chance.

    Data: word, position, count, drawn, theory, low, high, guess_low, guess_high.
    """
    rows = alt.Chart().encode(
        y=alt.Y("word:N").sort(field="position", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=140)
    )
    names = [DRAWN, THEORY, *([GUESS_NAME] if with_guess else [])]
    colour = alt.Color("series:N").scale(
        domain=names, range=[DRAW, MODEL, WORDS][:len(names)]
    ).legend(
        orient="top", title=None, symbolType="square", labelLimit=280,
        columns=alt.expr("width < 420 ? 1 : 3"),
    )
    tooltip = [
        alt.Tooltip("word:N", title="word"),
        alt.Tooltip("count:Q", title="times drawn", format=","),
        alt.Tooltip("drawn:Q", title="share", format=".2%"),
        alt.Tooltip("theory:Q", title="probability", format=".2%"),
    ]
    x = alt.X("drawn:Q").scale(domain=[0, 1]).title("share of all draws").axis(
        format="%", tickCount=5)

    def series(name):
        return rows.transform_calculate(series=repr(name))

    theory = series(THEORY)
    layers = [
        series(DRAWN).mark_bar(height=13, cornerRadiusEnd=3, opacity=0.85).encode(
            x=x, color=colour, tooltip=tooltip),
        theory.transform_filter("isValid(datum.low)").mark_bar(
            height=19, opacity=0.3).encode(x="low:Q", x2="high:Q", color=colour),
        theory.mark_tick(thickness=3, height=19, opacity=1).encode(
            x="theory:Q", color=colour, tooltip=tooltip),
        rows.mark_text(align="right", fontSize=12.5).encode(
            x=alt.value(alt.expr("width + 52")), text=alt.Text("count:Q", format=",")),
    ]
    if with_guess:
        guess = series(GUESS_NAME).transform_filter("isValid(datum.guess_low)")
        layers.append(guess.mark_rule(strokeWidth=1.5, opacity=1).encode(
            x="guess_low:Q", x2="guess_high:Q", color=colour))
        layers += [
            guess.mark_point(
                shape="diamond", size=130, filled=False, strokeWidth=2, opacity=1
            ).encode(x=f"{end}:Q", color=colour)
            for end in ("guess_low", "guess_high")
        ]
    return spec_of(alt.layer(*layers).properties(height=alt.Step(ROW_HEIGHT)))
