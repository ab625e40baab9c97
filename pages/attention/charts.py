"""Where one word looks in a sentence with one ending, and below with another."""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.colours import MODEL
from pages.ui.words import in_a_row, percent

ARCS = 132  # pixels for the arcs of one ending
ABOVE = 34  # of these, for what is said of the ending, so that no arc crosses it
BETWEEN = 88  # pixels for the words, and for the shares above and below them
HEIGHT = 2 * ARCS + BETWEEN
POINTS = 25  # of an arc; enough for it to look round
LEAST = 0.03  # weaker links get no arc and no figure
NARROW = 560  # below this width the words stand upright


def arc_rows(row, position, below):
    """The points of the arcs from one word to those it looks at.

    Args:
        row: (num_tokens,), what the word gives to each.
        position: its own position.
        below: whether the arcs hang below the words.
    """
    keys = np.flatnonzero(row >= LEAST)
    keys = keys[keys != position]
    turn = np.tile(np.linspace(0, np.pi, POINTS), len(keys))
    ends = np.repeat(keys, POINTS)
    tall = 0.35 + 0.65 * abs(ends - position) / max(len(row) - 1, 1)
    rise = (ARCS - ABOVE) * tall * np.sin(turn)
    return pd.DataFrame({
        "kind": "arc", "below": below, "key": ends, "value": row[ends],
        "x": (ends + position) / 2 + (position - ends) / 2 * np.cos(turn),
        "y": ARCS + BETWEEN + rise if below else ARCS - rise,
        "step": np.tile(np.arange(POINTS), len(keys)),
    })


def share_rows(row, below):
    """The figures at the words that are looked at."""
    keys = np.flatnonzero(row >= LEAST)
    return pd.DataFrame({
        "kind": "share", "below": below, "key": keys, "x": keys, "value": row[keys],
        "y": ARCS + (BETWEEN - 14 if below else 14),
        "text": [percent(row[key]) for key in keys],
    })


def word_rows(above, below, position, two):
    """The words; where the endings differ, one stands above the other."""
    middle = ARCS + BETWEEN / 2
    for key, words in enumerate(zip(above, below, strict=True)):
        words = words[:1] if words[0] == words[1] or not two else words
        for n, word in enumerate(words):
            yield {
                "kind": "word", "key": key, "x": key, "text": word,
                "y": middle, "shift": 8.5 * (2 * n - 1) * (len(words) - 1),
                "own": key == position,
            }


def endings_picture(rows, sentences, position, names, said=None):
    """Where one word looks, with one ending above and with the other below.

    Args:
        rows: one or two arrays (num_tokens,), what the word gives to each.
        sentences: as many sequences of words, which differ in one of them.
        position: the position of the word that looks.
        names: what each half is called, as "with tired"; one more than rows is said
            in the place of a half that is not drawn yet.
        said: what the model says there, a text for each half; None for nothing.
    """
    parts = [pd.DataFrame(word_rows(
        sentences[0], sentences[-1], position, len(rows) > 1
    ))]
    for n, row in enumerate(np.asarray(rows, float)):
        parts += [arc_rows(row, position, n == 1), share_rows(row, n == 1)]
    parts.append(pd.DataFrame({
        "kind": "name", "x": -0.5, "y": [14.0, HEIGHT - 12.0][: len(names)],
        "text": names,
    }))
    if said:
        parts.append(pd.DataFrame({
            "kind": "said", "x": len(sentences[0]) - 0.5,
            "y": [14.0, HEIGHT - 12.0][: len(said)], "text": said,
        }))
    data = pd.concat(parts, ignore_index=True)
    data["text"] = data["text"].fillna("")
    data["own"] = data["own"].fillna(False).astype(bool)
    data["below"] = data["below"].fillna(False).astype(bool)
    return Chart(
        endings_spec(len(sentences[0])),
        data.fillna(0.0).astype({"key": "int16", "step": "int16"}),
        endings_alt(rows, sentences, position, names, said),
        partial(endings_table, rows, sentences, names),
    )


def endings_alt(rows, sentences, position, names, said=None):
    """Where the word looks most with each ending, in words."""
    parts = []
    for n, (row, words) in enumerate(zip(rows, sentences)):
        best = [key for key in np.argsort(-row, kind="stable")[:3] if row[key] >= LEAST]
        looks = in_a_row(f"{percent(row[key])} to '{words[key]}'" for key in best)
        parts.append(
            f"{names[n].capitalize()}, '{words[position]}' gives {looks}"
            + (f"; the model says {said[n]}." if said else ".")
        )
    return " ".join(parts)


def endings_table(rows, sentences, names):
    """What the word gives to each word, with each ending."""
    words = [
        one if one == other else f"{one} / {other}"
        for one, other in zip(sentences[0], sentences[-1])
    ]
    return pd.DataFrame({
        "position": range(len(words)), "word": words,
        **{name: row for name, row in zip(names, rows)},
    })


@cache
def endings_spec(num_tokens):
    """How the picture is drawn; data as in `endings_picture`."""
    x = alt.X("x:Q").scale(domain=[-0.5, num_tokens - 0.5], nice=False).axis(None)
    y = alt.Y("y:Q").scale(domain=[HEIGHT, 0], nice=False).axis(None)
    base = alt.Chart().encode(x=x, y=y)

    def of_kind(kind):
        return base.transform_filter(f"datum.kind == '{kind}'")

    arcs = of_kind("arc").transform_calculate(
        link="datum.key + (datum.below ? 100 : 0)"
    ).mark_line(color=MODEL, strokeCap="round", opacity=0.9, aria=False).encode(
        detail="link:N", order="step:Q",
        strokeWidth=alt.StrokeWidth("value:Q").legend(None).scale(
            domain=[0, 1], range=[1, 11]
        ),
        tooltip=alt.Tooltip("value:Q", title="attention weight", format=".3f"),
    )
    upright = f"width < {NARROW}"
    words = of_kind("word").mark_text(
        fontSize=13, angle=alt.expr(f"{upright} ? 270 : 0"),
        # An offset turns with the text: one word stands above or beside the other.
        dy=alt.expr("datum.shift"),
    ).encode(
        text="text:N",
        color=alt.condition("datum.own", alt.value(MODEL), alt.value("currentColor")),
    )
    shares = of_kind("share").mark_text(
        fontSize=12, color=MODEL, fontWeight="bold",
        text=alt.expr(f"{upright} && datum.value < .3 ? '' : datum.text"),
    )
    names = of_kind("name").mark_text(align="left", fontSize=13, fontWeight="bold")
    said = of_kind("said").mark_text(align="right", fontSize=13)
    chart = alt.layer(
        arcs, words, shares, names.encode(text="text:N"), said.encode(text="text:N")
    )
    return spec_of(chart.properties(height=HEIGHT))
