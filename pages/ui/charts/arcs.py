"""Arcs from each word to the words it looks at, and the matrix under them.

In `linked_arcs` both stand in one picture with one scale for the words, so that the
browser links them by itself and everything keeps to the width of the page.
"""

import json
from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec
from pages.ui.charts.matrix import (
    FIGURES_UP_TO,
    cell_figures,
    heat,
    hidden_cells,
    labels_of,
)
from pages.ui.colours import MODEL, QUIET
from pages.ui.words import numbered, percent

POINTS = 25  # of an arc; enough for it to look round
LEAST = 0.04  # weaker links get no arc
ARCS = 150  # pixels for the arcs
BASE = ARCS - 12  # where they stand, a little above the words
BETWEEN = 90  # pixels for the words between arcs and matrix
KINDS = ["cell", "hidden", "arc", "frame"]
ARC, FRAME = 2, 3  # places in KINDS


def plain_arcs(weights, tokens, row=None, least=LEAST, colour=MODEL, said=None):
    """Arcs from word to word; the wider, the more attention.

    Args:
        weights: (num_tokens, num_tokens), row by row what each token looks at.
        tokens: the words, which stand under the arcs.
        row: draw the arcs of this word only; None for all.
        least: weaker links are not drawn.
        colour: of the arcs.
        said: what the picture shows, in words; None for the strongest links.

    Returns:
        A `Chart` with a table.
    """
    data = arcs_data(weights, tokens, row, least)
    return Chart(
        plain_spec(labels_for_json(tokens), colour), data,
        said or arcs_said(data), partial(links_table, data),
    )


def labels_for_json(tokens):
    """The words as one string, so that a picture is built once for each sentence."""
    return json.dumps(list(tokens))


def arcs_said(data, count=3):
    """The strongest links, in words."""
    links = data[data["step"] == 0].nlargest(count, "weight")
    told = [f"'{link['from']}' gives {percent(link['weight'])} to '{link['to']}'"
            for link in links.to_dict("records")]
    return f"Arcs of attention. The widest: {', '.join(told) or 'none'}."


@cache
def plain_spec(words, colour):
    """How plain arcs are drawn. Data: as in `arcs_data`."""
    return json.dumps(arcs(tuple(json.loads(words)), colour))


def linked_arcs(weights, tokens, row, hidden="later"):
    """Arcs above, a matrix below; the word that is pointed at stands out in both.

    When the pointer leaves, the chosen word stands out again.

    Args:
        weights: (num_tokens, num_tokens), row by row what each token looks at.
        tokens: the words.
        row: the index of the word that is chosen on the page.
        hidden: as in `matrix`.

    Returns:
        A `Chart` with a table.
    """
    data = linked_data(weights, tokens, hidden)
    labels = labels_of(numbered(tokens))
    return Chart(
        linked_spec(len(tokens)), data, linked_said(weights, labels, row, hidden),
        partial(linked_table, data),
    ).with_params(words=labels, chosen=int(row))


def linked_said(weights, labels, row, hidden, count=3):
    """What one word looks at most, in words."""
    order = np.argsort(-np.asarray(weights[row], float), kind="stable")[:count]
    links = [
        f"{percent(weights[row][column])} to "
        + ("itself" if column == row else f"'{labels[column]}'")
        for column in order if weights[row][column] > 0
    ]
    both = "It may look both ways." if hidden is None else "Later words are hidden."
    return f"'{labels[row]}' gives {', '.join(links)}. {both}"


def linked_table(data):
    """The cells as a table: one row a link that may be seen."""
    cells = data[data["kind"] == "cell"][["from", "to", "value"]]
    names = {"from": "looks", "to": "at", "value": "weight"}
    return cells.rename(columns=names).round(4)


def cell_height(num_tokens):
    """Pixels for a row of the matrix."""
    return max(14, min(28, 420 // num_tokens))


def linked_data(weights, tokens, hidden="later"):
    """One row a cell, a point of an arc, or a frame around a row, for `linked_arcs`.

    Returns:
        A DataFrame with columns kind, row, x, y, value, from, to, link, step; y is in
        pixels from the top.
    """
    weights, size = np.asarray(weights, np.float32), len(tokens)
    cell, top = cell_height(size), ARCS + BETWEEN
    rows, columns = (part.ravel() for part in np.indices(weights.shape))
    unseen = hidden_cells(hidden, weights.shape).ravel()
    # One arc a link that is strong enough, as points on an ellipse.
    linked = (weights.ravel() >= LEAST) & (rows != columns) & ~unseen
    start, end = (np.repeat(part[linked], POINTS) for part in (rows, columns))
    turn = np.tile(np.linspace(0, np.pi, POINTS), linked.sum())
    tall = abs(start - end) / max(size - 1, 1)
    everyone = np.arange(size)
    parts = {
        "kind": [unseen.astype(int), np.full(start.size, ARC), np.full(size, FRAME)],
        "row": [rows, start, everyone],
        "column": [columns, end, everyone],
        "x": [columns, (start + end) / 2 + (start - end) / 2 * np.cos(turn), everyone],
        "y": [top + cell * rows, BASE * (1 - tall * np.sin(turn)),
              top + cell * everyone],
        "value": [weights.ravel(), weights[start, end], np.zeros(size)],
        "step": [0 * rows, np.tile(np.arange(POINTS), linked.sum()), 0 * everyone],
    }
    whole = {name: np.concatenate(columns) for name, columns in parts.items()}
    labels = pd.Index(labels_of(numbered(tokens)))
    return pd.DataFrame({
        "kind": pd.Categorical.from_codes(whole["kind"], KINDS),
        "row": whole["row"].astype("int16"),
        "x": whole["x"].astype("float32"),
        "y": whole["y"].astype("float32"),
        "value": whole["value"].astype("float32"),
        "from": pd.Categorical.from_codes(whole["row"], labels),
        "to": pd.Categorical.from_codes(whole["column"], labels),
        "link": (whole["row"] * size + whole["column"]).astype("int16"),
        "step": whole["step"].astype("int16"),
    })


# While nothing is pointed at, the word that is chosen on the page stands out.
IN_SIGHT = "datum.row == (isValid(looking.row) ? looking.row[0] : chosen)"


@cache
def linked_spec(num_tokens):
    """How arcs and matrix are drawn.

    Data: as in `linked_data`. Parameters: words, chosen.
    """
    cell, top = cell_height(num_tokens), ARCS + BETWEEN
    height = top + cell * num_tokens
    looking = alt.selection_point(
        name="looking", fields=["row"], empty=False, on="rect:pointerover",
        clear="rect:pointerout",
    )
    y = alt.Y("y:Q").scale(domain=[height, 0], nice=False).axis(
        values=[top + cell * (row + 0.5) for row in range(num_tokens)],
        labelExpr=f"words[floor((datum.value - {top}) / {cell})]", **AXIS,
    )
    base = alt.Chart().encode(x=word_places("x", num_tokens), y=y)
    layers = [*squares(base, num_tokens), *linked_lines(base),
              frame(base, num_tokens)]
    drawn = spec(alt.layer(*layers).properties(height=height).add_params(looking))
    own = [{"name": "words", "value": []}, {"name": "chosen", "value": 0}]
    return json.dumps({**drawn, "params": [*own, *drawn["params"]]})


AXIS = {"domain": False, "ticks": False, "labelOverlap": False, "grid": False,
        "labelFlush": False, "labelLimit": 95, "title": None}


def word_places(field, num_tokens):
    """Words from left to right, named in the gap between arcs and matrix."""
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
        alt.Tooltip("value:Q", title="attention weight", format=".1%"),
    ]


def linked_lines(base):
    """Pale arcs for all words, and strong ones for the word that stands out."""
    lines = base.transform_filter("datum.kind == 'arc'").mark_line(
        aria=False, strokeCap="round"
    ).encode(
        detail="link:N", order="step:Q",
        strokeWidth=alt.StrokeWidth("value:Q").scale(domain=[0, 1], range=[1, 11])
        .legend(None),
        tooltip=links_tooltip(),
    )
    pale = lines.encode(color=alt.value(QUIET), opacity=alt.value(0.22))
    strong = lines.transform_filter(IN_SIGHT).encode(
        color=alt.value(MODEL), opacity=alt.value(0.95)
    )
    return [pale, strong]


def squares(base, num_tokens):
    """The cells of the matrix, with figures where there is room."""
    cell, left = cell_height(num_tokens), word_places("left", num_tokens)

    def of(kind):
        return base.transform_filter(f"datum.kind == '{kind}'").transform_calculate(
            said="datum.from + ' gives ' + format(datum.value, '.1%') + ' to '"
                 " + datum.to",
            left="datum.x - 0.5", right="datum.x + 0.5",
            bottom=f"datum.y + {cell}", middle=f"datum.y + {cell / 2}",
        )

    # A layer that may be empty has no name, or screen readers would find nothing.
    unseen = of("hidden").mark_rect(
        aria=False, color=QUIET, opacity=0.16, strokeWidth=0
    ).encode(x=left, x2="right:Q", y2="bottom:Q")
    (seen,) = heat(of("cell"), tooltip=links_tooltip())
    layers = [unseen, seen.encode(
        x=left, x2="right:Q", y2="bottom:Q", description="said:N")]
    if num_tokens <= FIGURES_UP_TO:
        layers.append(cell_figures(of("cell"), 1.0, "percent", num_tokens).encode(
            y="middle:Q"))
    return layers


def frame(base, num_tokens):
    """A frame around the row of the word that stands out."""
    around = base.transform_filter("datum.kind == 'frame'").transform_filter(IN_SIGHT)
    return around.transform_calculate(
        left="-0.5", right=f"{num_tokens - 0.5}",
        bottom=f"datum.y + {cell_height(num_tokens)}",
    ).mark_rect(
        aria=False, filled=False, stroke=MODEL, strokeWidth=2.5, fill=None
    ).encode(x=word_places("left", num_tokens), x2="right:Q", y2="bottom:Q")


def arcs_data(weights, tokens, row=None, least=0.05):
    """The points of every arc, for `arcs`.

    Args:
        weights: (num_tokens, num_tokens).
        row: draw the arcs of this word only; None for all.
        least: weaker links are not drawn.

    Returns:
        A DataFrame with columns link, step, x, y, weight, from, to.
    """
    weights = np.asarray(weights, float)
    starts, ends = np.nonzero(weights >= least)
    kept = (starts != ends) & ((starts == row) if row is not None else True)
    starts, ends = starts[kept], ends[kept]
    turn = np.linspace(0, np.pi, POINTS)
    labels = np.array(labels_of(numbered(tokens)), object)
    # All arcs in one table: one row a point, POINTS rows an arc.
    middle, half = (starts + ends) / 2, (starts - ends) / 2
    names = np.array([f"{start}-{end}" for start, end in zip(starts, ends)], object)
    return pd.DataFrame({
        "link": np.repeat(names, POINTS),
        "step": np.tile(np.arange(POINTS), len(starts)),
        "x": (middle[:, None] + half[:, None] * np.cos(turn)).ravel(),
        "y": (2 * abs(half)[:, None] * np.sin(turn)).ravel(),
        "weight": np.repeat(weights[starts, ends], POINTS),
        "from": np.repeat(labels[starts], POINTS),
        "to": np.repeat(labels[ends], POINTS),
    })


def links_table(data):
    """The arcs as a table: one row a link.

    Args:
        data: from `arcs_data`.
    """
    links = data[data["step"] == 0].sort_values("weight", ascending=False)
    return links[["from", "to", "weight"]].round(4)


@cache
def arcs(tokens, colour=MODEL):
    """Arcs from word to word; the wider, the more attention.

    Data: as in `arcs_data`.

    Args:
        tokens: a tuple of the words, which stand under the arcs.
    """
    last = len(tokens) - 1
    x = alt.X("x:Q").scale(domain=[-0.5, last + 0.5], nice=False).axis(
        values=list(range(len(tokens))), labelExpr=f"{json.dumps(tokens)}[datum.value]",
        labelAngle=-45, labelOverlap=False, labelFlush=False, ticks=False, grid=False,
        domain=False, title=None, labelFontSize=13,
    )
    y = alt.Y("y:Q").scale(domain=[0, max(last, 1)], nice=False).axis(None)
    lines = alt.Chart().mark_line(color=colour, strokeCap="round").encode(
        x=x,
        y=y,
        detail="link:N",
        order="step:Q",
        strokeWidth=alt.StrokeWidth("weight:Q").scale(domain=[0, 1], range=[0.5, 9])
        .legend(None),
        opacity=alt.Opacity("weight:Q").scale(domain=[0, 1], range=[0.25, 1])
        .legend(None),
        tooltip=[
            alt.Tooltip("from:N", title="looks"),
            alt.Tooltip("to:N", title="at"),
            alt.Tooltip("weight:Q", title="weight", format=".3f"),
        ],
    )
    return spec(lines.properties(height=220))
