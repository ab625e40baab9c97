"""Arcs over a sentence and the heat-map under it, linked: point at a word in either.

Both stand in one picture with one scale for the words, so that the browser links them
by itself and everything keeps to the width of the page.
"""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.matrix import FIGURES_UP_TO, SVG_UP_TO, scale_of
from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import BLACK_TEXT, MODEL, QUIET, WHITE_TEXT_FROM

ARCS = 150  # pixels for the arcs
BASE = ARCS - 12  # where they stand, a little above the words
BETWEEN = 90  # pixels for the words between arcs and heat-map
LEAST = 0.04  # weaker links get no arc
POINTS = 25  # of an arc; enough for it to look round
KINDS = ["cell", "hidden", "arc", "frame"]
ARC, FRAME = 2, 3  # places in KINDS


def cell_height(num_tokens):
    """Pixels for a row of the heat-map."""
    return max(13, min(26, 420 // num_tokens))


def linked_data(weights, tokens, causal=True):
    """One row a cell, a point of an arc, or a frame around a row, for `linked`.

    Args:
        weights: (num_tokens, num_tokens).
        tokens: the words.
        causal: whether cells to the right of the diagonal are hidden.

    Returns:
        A DataFrame with columns kind, row, x, y, value, from, to, link, step; y is in
        pixels from the top.
    """
    weights, size = np.asarray(weights, np.float32), len(tokens)
    cell, top = cell_height(size), ARCS + BETWEEN
    rows, places = (part.ravel() for part in np.indices(weights.shape))
    hidden = causal & (places > rows)
    # One arc a link that is strong enough, as points on an ellipse.
    linked = (weights.ravel() >= LEAST) & (rows != places) & ~hidden
    start, end = (np.repeat(part[linked], POINTS) for part in (rows, places))
    turn = np.tile(np.linspace(0, np.pi, POINTS), linked.sum())
    tall = abs(start - end) / max(size - 1, 1)
    everyone = np.arange(size)
    parts = {
        "kind": [hidden.astype(int), np.full(start.size, ARC), np.full(size, FRAME)],
        "row": [rows, start, everyone],
        "column": [places, end, everyone],
        "x": [places, (start + end) / 2 + (start - end) / 2 * np.cos(turn), everyone],
        "y": [top + cell * rows, BASE * (1 - tall * np.sin(turn)),
              top + cell * everyone],
        "value": [weights.ravel(), weights[start, end], np.zeros(size)],
        "step": [0 * rows, np.tile(np.arange(POINTS), linked.sum()), 0 * everyone],
    }
    found = {name: np.concatenate(columns) for name, columns in parts.items()}
    labels = pd.Index(numbered(tokens))
    return pd.DataFrame({
        "kind": pd.Categorical.from_codes(found["kind"], KINDS),
        "row": found["row"].astype("int16"),
        "x": found["x"].astype("float32"),
        "y": found["y"].astype("float32"),
        "value": found["value"].astype("float32"),
        "from": pd.Categorical.from_codes(found["row"], labels),
        "to": pd.Categorical.from_codes(found["column"], labels),
        "link": (found["row"] * size + found["column"]).astype("int16"),
        "step": found["step"].astype("int16"),
    })


def linked_alt(weights, tokens, row, causal=True, count=3):
    """What one word looks at most, in words."""
    order = np.argsort(-np.asarray(weights[row], float), kind="stable")[:count]
    links = [
        f"{percent(float(weights[row][place]))} to "
        + ("itself" if place == row else f"'{numbered(tokens)[place]}'")
        for place in order
        if weights[row][place] > 0
    ]
    hidden = " Later words are hidden." if causal else " It may look both ways."
    return f"'{numbered(tokens)[row]}' gives {', '.join(links)}.{hidden}"


def at_word(drawn, tokens, row):
    """The same picture with these words at its axes and one of them chosen."""
    params = [
        {**param, "value": [{"row": row}]} if param["name"] == "looking" else param
        for param in drawn["params"]
        if param["name"] != "words"
    ]
    words = {"name": "words", "value": numbered(tokens)}
    return {**drawn, "params": [words, *params]}


@cache
def linked(num_tokens):
    """Arcs above, heat-map below; the word that is pointed at stands out in both.

    Data: as in `linked_data`; the words come from `at_word`.
    """
    cell, top = cell_height(num_tokens), ARCS + BETWEEN
    height = top + cell * num_tokens
    looking = alt.selection_point(
        name="looking", fields=["row"], empty=False, value=[{"row": 0}], clear=False,
        # Beside the cells there is nothing to choose, so the last word stays.
        on="rect:pointerover",
    )
    y = alt.Y("y:Q").scale(domain=[height, 0], nice=False).axis(
        values=[top + cell * (row + 0.5) for row in range(num_tokens)],
        labelExpr=f"words[floor((datum.value - {top}) / {cell})]", **AXIS,
    )
    base = alt.Chart().encode(x=word_places("x", num_tokens), y=y)
    layers = [*cells(base, num_tokens), *arcs(base, looking),
              frame(base, looking, num_tokens)]
    chart = alt.layer(*layers).properties(height=height)
    if num_tokens <= SVG_UP_TO:
        chart = chart.properties(usermeta={"embedOptions": {"renderer": "svg"}})
    return spec(chart.add_params(looking))


AXIS = {"domain": False, "ticks": False, "labelOverlap": False, "grid": False,
        "labelFlush": False, "labelLimit": 95, "title": None}


def word_places(field, num_tokens):
    """Words from left to right, named in the gap between arcs and heat-map."""
    # Said in every layer alike, or labels of one could hide those of another.
    return alt.X(f"{field}:Q").scale(domain=[-0.5, num_tokens - 0.5], nice=False).axis(
        values=list(range(num_tokens)), labelExpr="words[datum.value]",
        orient="bottom", offset=2 - cell_height(num_tokens) * num_tokens - BETWEEN,
        labelAngle=-50, **AXIS,
    )


def links_tooltip():
    return [
        alt.Tooltip("from:N", title="looks"),
        alt.Tooltip("to:N", title="at"),
        alt.Tooltip("value:Q", title="weight", format=".3f"),
    ]


def arcs(base, looking):
    """Pale arcs for all words, and strong ones for the word that is pointed at."""
    lines = base.transform_filter("datum.kind == 'arc'").mark_line(
        aria=False, strokeCap="round"
    ).encode(
        detail="link:N", order="step:Q",
        strokeWidth=alt.StrokeWidth("value:Q").scale(domain=[0, 1], range=[1, 11])
        .legend(None),
        tooltip=links_tooltip(),
    )
    pale = lines.encode(color=alt.value(QUIET), opacity=alt.value(0.22))
    strong = lines.transform_filter(looking).encode(
        color=alt.value(MODEL), opacity=alt.value(0.95)
    )
    return [pale, strong]


def cells(base, num_tokens):
    """The cells of the heat-map, with figures where there is room."""
    cell, left = cell_height(num_tokens), word_places("left", num_tokens)
    edges = {"said": "datum.from + ' gives ' + format(datum.value, '.3f') + ' to '"
                     " + datum.to",
             "left": "datum.x - 0.5", "right": "datum.x + 0.5",
             "bottom": f"datum.y + {cell}", "middle": f"datum.y + {cell / 2}"}

    def squares(kind):
        wanted = base.transform_filter(f"datum.kind == '{kind}'")
        return wanted.transform_calculate(**edges)

    # A layer that may be empty has no name, or screen readers would find nothing.
    hidden = squares("hidden").mark_rect(
        aria=False, color=QUIET, opacity=0.13, stroke=QUIET, strokeOpacity=0.25,
        strokeWidth=0.5,
    ).encode(x=left, x2="right:Q", y2="bottom:Q")
    seen = squares("cell").mark_rect(opacity=1, stroke=QUIET, strokeWidth=0.4).encode(
        x=left, x2="right:Q", y2="bottom:Q",
        color=alt.Color("value:Q").scale(scale_of(0)).legend(None),
        tooltip=links_tooltip(), description="said:N",
    )
    if num_tokens > FIGURES_UP_TO:
        return [hidden, seen]
    short = "replace(format(datum.value, '.2f'), '0.', '.')"
    figures = squares("cell").mark_text(
        fontSize=10.5, text=alt.expr(f"width > {26 * num_tokens} ? {short} : ''")
    ).encode(
        y="middle:Q",
        color=alt.condition(f"datum.value > {WHITE_TEXT_FROM}", alt.value("white"),
                            alt.value(BLACK_TEXT)),
    )
    return [hidden, seen, figures]


def frame(base, looking, num_tokens):
    """A frame around the row of the word that is pointed at."""
    around = base.transform_filter("datum.kind == 'frame'").transform_filter(looking)
    cell = cell_height(num_tokens)
    return around.transform_calculate(
        left="-0.5", right=f"{num_tokens - 0.5}", bottom=f"datum.y + {cell}"
    ).mark_rect(
        aria=False, filled=False, stroke=MODEL, strokeWidth=2.5, fill=None
    ).encode(
        x=word_places("left", num_tokens), x2="right:Q", y2="bottom:Q"
    )
