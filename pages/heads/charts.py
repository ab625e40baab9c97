"""Pictures of heads: all at a glance."""

from functools import cache, partial

import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.matrix import heat
from pages.ui.colours import ATTENTION
from pages.ui.words import numbered, percent

COLUMNS = 4  # panels beside each other: the heads of one layer
GAP, HEADING = 1, 1.6  # between panels and above them, in cells
PANEL = 108  # pixels for the height of one panel
FIRST_TOLD = 4  # the words before have so few to look at that their links say little


def head_grid(weights, names, tokens, chosen):
    """The attention of all heads; a click on one picks it.

    Args:
        weights: (num_heads, num_tokens, num_tokens), nothing on later words.
        names: what each head is called.
        tokens: the words.
        chosen: the name of the head that has a frame.
    """
    data = grid_rows(weights, names, tokens, chosen)
    return Chart(
        grid_spec(len(names), len(tokens)), data, grid_said(weights, names, tokens),
        partial(grid_table, data),
    )


def grid_rows(weights, names, tokens, chosen):
    """One row a cell of every head, one a heading, and one for the frame."""
    size, count = len(tokens), len(names)
    rows, columns = np.tril_indices(size)
    labels, panel = np.array(numbered(tokens)), np.arange(count)
    left = panel % COLUMNS * (size + GAP)
    top = panel // COLUMNS * (size + HEADING)
    cells = pd.DataFrame({
        "kind": "cell",
        "head": np.repeat(names, len(rows)),
        "from": np.tile(labels[rows], count),
        "to": np.tile(labels[columns], count),
        "value": weights[:, rows, columns].ravel().astype("float32").round(4),
        "x": (left[:, None] + columns).ravel(),
        "y": (top[:, None] + rows).ravel(),
    })
    headings = pd.DataFrame({"kind": "heading", "head": names, "x": left, "y": top})
    frame = headings[headings["head"] == chosen].assign(kind="frame")
    return pd.concat([cells, headings, frame], ignore_index=True)


def grid_said(weights, names, tokens):
    """The strongest link of every head, in words; that of a word to itself left out."""
    labels, said = numbered(tokens), []
    for name, panel in zip(names, weights, strict=True):
        links = np.tril(panel, k=-1)
        links[: min(FIRST_TOLD, len(tokens) - 1)] = 0
        row, column = np.unravel_index(links.argmax(), links.shape)
        said.append(
            f"{name}: '{labels[row]}' gives {percent(links[row, column])} to "
            f"'{labels[column]}'"
        )
    return (
        f"{len(names)} heads, the strongest link of each to another word. "
        f"{'; '.join(said)}."
    )


def grid_table(data):
    """Every link of every head as a table for readers."""
    links = data.loc[data["kind"] == "cell", ["head", "from", "to", "value"]]
    return links.rename(columns={"from": "looks", "to": "at", "value": "attention"})


@cache
def grid_spec(num_heads, num_tokens):
    """How the heads are drawn.

    Data: kind, head, from, to, value, x, y. Selection: picked, by head.
    """
    import altair as alt

    rows = -(-num_heads // COLUMNS)
    x = alt.X("x:Q").axis(None).scale(
        domain=[-0.15, COLUMNS * (num_tokens + GAP) - GAP + 0.15], nice=False)
    y = alt.Y("y:Q").axis(None).scale(
        domain=[rows * (num_tokens + HEADING) - HEADING + 0.15, -HEADING], nice=False)
    base = alt.Chart().encode(x=x, y=y)
    picked = alt.selection_point(name="picked", fields=["head"], empty=False)
    cells = heat(
        base.transform_filter("datum.kind == 'cell'").transform_calculate(
            right="datum.x + 1", bottom="datum.y + 1"
        ).encode(x2="right:Q", y2="bottom:Q"),
        tooltip=[
            alt.Tooltip("head:N", title="head"),
            alt.Tooltip("from:N", title="looks"),
            alt.Tooltip("to:N", title="at"),
            alt.Tooltip("value:Q", title="attention weight", format=".1%"),
        ],
    )
    headings = base.transform_filter("datum.kind == 'heading'").mark_text(
        align="left", baseline="bottom", fontSize=13, dy=-2
    ).encode(text="head:N")
    frame = base.transform_filter("datum.kind == 'frame'").transform_calculate(
        right=f"datum.x + {num_tokens}", bottom=f"datum.y + {num_tokens}"
    ).mark_rect(fill="transparent", stroke=ATTENTION, strokeWidth=2.5).encode(
        x2="right:Q", y2="bottom:Q"
    )
    chart = alt.layer(cells[0].add_params(picked), *cells[1:], headings, frame)
    return spec_of(chart.properties(height=rows * PANEL))


def cell_size(labels):
    """The height of a cell of the large picture, so that all of it stays in sight."""
    return max(18, min(37, 420 // len(labels)))
