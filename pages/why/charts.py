"""The picture of the lesson on why: one network carries, the other fetches."""

from functools import cache

import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.colours import MODEL, OTHERS, QUIET
from pages.ui.words import numbered, percent

LSTM_COLOUR = OTHERS[1]
POINTS = 25  # of an arc; enough for it to look round
ARCS, WORDS_TOP, CHAIN, HEIGHT = 140, 148, 232, 292  # pixels from the top
LEAST_SEEN = 0.06  # so much of its colour a bead keeps, or it could not be found


def two_ways(tokens, path, sure_along):
    """Above the words the arcs of the answer, below them the beads of the LSTM.

    Args:
        tokens: the words.
        path: the index of the token at which the answer stands, layer by layer.
        sure_along: for each token how sure the LSTM would be; None where it cannot be.
    """
    words = numbered(tokens)
    rows = [
        {"kind": "word", "word": word, "shown": tokens[x], "x": x,
         "sure": np.nan if sure is None else sure, "previous": max(x - 1, 0),
         "figure": figure}
        for x, (word, sure, figure) in enumerate(
            zip(words, sure_along, figures(tokens, sure_along), strict=True))
    ]
    for number, (early, late) in enumerate(hops(path)):
        turn = np.linspace(0, np.pi, POINTS)
        rows += [
            {"kind": "arc", "arc": number, "step": step, "x": x,
             "y": ARCS * (1 - y),
             "word": f"{words[late]} looks at {words[early]}"}
            for step, (x, y) in enumerate(zip(
                (early + late) / 2 + (early - late) / 2 * np.cos(turn),
                height_of(late - early, len(tokens)) * np.sin(turn), strict=True))
        ]
    return Chart(
        two_ways_spec(len(tokens)), pd.DataFrame(rows),
        two_ways_said(tokens, path, sure_along),
        lambda: pd.DataFrame({"word": words, "how sure the LSTM is": sure_along}),
    )


def hops(path):
    """The steps of a path that lead from one token to another, the lowest first."""
    return [(a, b) for a, b in zip(path, path[1:]) if a != b]


def height_of(distance, num_tokens):
    """How high an arc is, as a share of the room; short ones can be seen too."""
    return 0.2 + 0.65 * distance / num_tokens


def figures(tokens, sure_along):
    """How sure the LSTM is, written once at the end of each fact."""
    said = []
    for x, (token, sure) in enumerate(zip(tokens, sure_along, strict=True)):
        ends = token == "." or x == len(tokens) - 1
        said.append(percent(sure) if ends and sure is not None else "")
    return said


def two_ways_said(tokens, path, sure_along):
    """Both ways in words."""
    looks = ", then ".join(
        f"'{tokens[late]}' looks at '{tokens[early]}'" for early, late in hops(path)
    )
    faded = ", ".join(figure for figure in figures(tokens, sure_along) if figure)
    return (
        f"Two ways to remember. The tiny LLM fetches: {looks or 'no look is needed'}. "
        f"The LSTM carries a state through {len(tokens)} tokens, counting <start>; how "
        f"sure it is of the colour behind each fact: {faded}."
    )


@cache
def two_ways_spec(num_tokens):
    """How both ways are drawn, with y in pixels from the top.

    Data: kind, word, shown, x, y, sure, previous, figure, arc, step.
    """
    import altair as alt

    x = alt.X("x:Q").axis(None).scale(domain=[-0.6, num_tokens - 0.4], nice=False)
    y = alt.Y("y:Q").axis(None).scale(domain=[HEIGHT, 0], nice=False)
    every = alt.Chart().encode(x=x)
    arcs = every.transform_filter("datum.kind == 'arc'").mark_line(
        color=MODEL, strokeWidth=3.5, opacity=1
    ).encode(
        y=y, detail="arc:N", order="step:Q",
        tooltip=[alt.Tooltip("word:N", title="tiny LLM")],
    )
    base = every.transform_filter("datum.kind == 'word'")
    words = base.mark_text(angle=270, align="right", baseline="middle", fontSize=13)
    beads = base.encode(y=alt.value(CHAIN))
    known = beads.transform_filter("isValid(datum.sure)")
    layers = [
        arcs,
        words.encode(y=alt.value(WORDS_TOP), text="shown:N"),
        known.mark_rule(color=LSTM_COLOUR, strokeWidth=2, opacity=0.45).encode(
            x2="previous:Q"
        ),
        beads.mark_circle(size=150, fill="transparent", stroke=QUIET, opacity=1),
        known.transform_calculate(
            strength=f"max(datum.sure, {LEAST_SEEN})"
        ).mark_circle(size=150, color=LSTM_COLOUR).encode(
            opacity=alt.Opacity("strength:Q").scale(domain=[0, 1], range=[0, 1])
            .legend(None),
            tooltip=[
                alt.Tooltip("word:N", title="word"),
                alt.Tooltip("sure:Q", title="LSTM, if asked now", format=".1%"),
            ],
        ),
        known.mark_text(fontSize=13, fontWeight=600, dy=24, align="right", dx=7)
        .encode(text="figure:N"),
    ]
    for colour, height, text in (
        (MODEL, 9, "tiny LLM: fetches the colour"),
        (LSTM_COLOUR, CHAIN + 52, "LSTM: carries it (the paler, the less sure)"),
    ):
        layers.append(
            base.transform_filter("datum.x == 0").mark_text(
                align="left", fontSize=13, fontWeight=600, color=colour
            ).encode(x=alt.value(0), y=alt.value(height), text=alt.value(text))
        )
    return spec_of(alt.layer(*layers).properties(height=HEIGHT))
