"""Score, scale, softmax, blend: four pictures in one, for the word that is pointed at.

They stand above each other on one scale for the words, so the browser keeps them on the
same word by itself. All heights are in pixels.
"""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import (
    BLACK_TEXT,
    MODEL,
    QUERIES,
    QUIET,
    STEPS_AROUND_ZERO,
    WORDS,
)

STRIP = 24  # the row of words to point at
TITLE = 40  # a step's name, and room for the figures on the bars
PANEL = 64  # the bars of a step
KINDS = ["pick", "title", "score", "scaled", "weight", "hidden", "part", "sum"]
GAP = 0.6  # between the words and the sum of the blend, in columns
FIGURES_UP_TO = 8  # words; with more, the figures would not fit
# Orange below zero, blue above, and nearly white where nothing is.
AROUND_NOTHING = alt.Scale(
    domain=[round(-1 + 0.2 * n, 1) for n in range(11)],
    range=[*STEPS_AROUND_ZERO[:5], "#f3f4f6", *STEPS_AROUND_ZERO[5:]], clamp=True,
)


def panel_top(step):
    """Where the bars of a step begin; 3 is the blend."""
    return STRIP + step * (TITLE + PANEL) + TITLE


def cell_height(head_dim):
    """A row of the blend."""
    return 24 if head_dim <= 8 else 13


def steps_height(head_dim):
    return panel_top(3) + head_dim * cell_height(head_dim)


def steps_data(steps, mask=None):
    """A row for each thing that is drawn, for `four_steps_chart`.

    Args:
        steps: a `Steps` of `llm/studies/by_hand.py`.
        mask: (num_tokens, num_tokens), False where a word must not look.

    Returns:
        A DataFrame with columns kind, row (the word that looks), column (the word that
        is looked at), dim, x, y, y2, value, colour. `colour` is from -1 to 1.
    """
    size = len(steps.weights)
    seen = np.ones((size, size), bool) if mask is None else mask
    parts = [pick_rows(size), *bars(steps, seen), *blend_cells(steps, seen)]
    columns = {
        name: np.concatenate([np.broadcast_to(part.get(name, 0), len(part["row"]))
                              for part in parts])
        for name in ("row", "column", "dim", "x", "y", "y2", "value", "colour")
    }
    codes = np.concatenate([
        np.full(len(part["row"]), KINDS.index(part["kind"])) for part in parts
    ])
    whole = {"row": "int16", "column": "int16", "dim": "int16"}
    return pd.DataFrame({
        "kind": pd.Categorical.from_codes(codes, KINDS),
        **{name: column.astype(whole.get(name, "float32"))
           for name, column in columns.items()},
    })


def pick_rows(size):
    """The strip of words to point at."""
    everyone = np.arange(size)
    return {"kind": "pick", "row": everyone, "column": everyone, "x": everyone,
            "y": 0.0, "y2": STRIP - 4.0}


def bars(steps, seen):
    """The bars of the first three steps, and pale places for hidden words."""
    rows, places = np.nonzero(seen)
    dots, scores = steps.dots[seen], steps.scores[seen]
    # Steps 1 and 2 share one scale, so that scaling is seen as shrinking; each word has
    # its own.
    both = np.where(seen, [steps.dots, steps.scores], 0.0)
    high, low = both.max(axis=(0, 2))[rows], both.min(axis=(0, 2))[rows]
    spans = [(low, high), (low, high), (0.0 * low, 1.0 + 0.0 * high)]
    values = [dots, scores, steps.weights[seen]]
    for step, (kind, (low, high), value) in enumerate(
        zip(("score", "scaled", "weight"), spans, values)
    ):
        unit = PANEL / np.where(high > low, high - low, 1.0)
        yield {"kind": kind, "row": rows, "column": places, "x": places,
               "y": panel_top(step) + (high - value) * unit,
               "y2": panel_top(step) + high * unit, "value": value}
        hidden_rows, hidden_places = np.nonzero(~seen)
        yield {"kind": "hidden", "row": hidden_rows, "column": hidden_places,
               "x": hidden_places, "y": float(panel_top(step)),
               "y2": float(panel_top(step) + PANEL)}


def blend_cells(steps, seen):
    """Every word's share of every number, and their sums on the right."""
    size, head_dim = steps.values.shape
    cell, top = cell_height(head_dim), panel_top(3)
    parts = steps.weights[:, :, None] * steps.values[None]
    largest = max(abs(parts).max(), abs(steps.output).max()) or 1.0
    rows, places, dims = np.nonzero(np.broadcast_to(seen[:, :, None], parts.shape))
    value = parts[rows, places, dims]
    yield {"kind": "part", "row": rows, "column": places, "dim": dims, "x": places,
           "y": top + cell * dims, "y2": top + cell * (dims + 1), "value": value,
           "colour": value / largest}
    rows, dims = (part.ravel() for part in np.indices((size, head_dim)))
    value = steps.output.ravel()
    yield {"kind": "sum", "row": rows, "column": np.full(rows.size, size), "dim": dims,
           "x": np.full(rows.size, size + GAP), "y": top + cell * dims,
           "y2": top + cell * (dims + 1), "value": value, "colour": value / largest}


def steps_alt(steps, tokens, row, scaled=True):
    """The four steps of one word, in words."""
    labels = tokens if len(set(tokens)) == len(tokens) else numbered(tokens)
    order = np.argsort(-steps.weights[row], kind="stable")[:4]
    order = [place for place in order if np.isfinite(steps.scores[row, place])]
    said = [
        f"'{labels[n]}' scores {steps.dots[row, n]:.2f}"
        + (f", scaled {steps.scores[row, n]:.2f}" if scaled else "")
        + f", and gets {percent(float(steps.weights[row, n]))}"
        for n in order
    ]
    blend = ", ".join(f"{value:.2f}" for value in steps.output[row][:4])
    more = " and so on" if steps.output.shape[1] > 4 else ""
    return f"For '{labels[row]}': {'; '.join(said)}. The blend: {blend}{more}."


def steps_table(steps, tokens, row):
    """The four steps of one word as a table for readers."""
    labels = tokens if len(set(tokens)) == len(tokens) else numbered(tokens)
    return pd.DataFrame({
        "word": labels, "score": steps.dots[row], "scaled": steps.scores[row],
        "weight": steps.weights[row],
        **{f"weight × value {n + 1}": steps.weights[row] * steps.values[:, n]
           for n in range(steps.values.shape[1])},
    })


def at_query(drawn, tokens, row, divisor):
    """The same picture with these words, one of them chosen.

    Args:
        divisor: what scores are divided by, as text for the name of step 2.
    """
    labels = list(tokens) if len(set(tokens)) == len(tokens) else numbered(tokens)
    given = {"words": labels, "divisor": divisor, "looking": [{"row": row}]}
    params = [
        {**param, "value": given.get(param["name"], param.get("value"))}
        for param in drawn["params"]
    ]
    return {**drawn, "params": params}


@cache
def four_steps_chart(num_tokens, head_dim):
    """The four steps of one word, and a strip of words to point at.

    Data: as in `steps_data`; words and chosen word come from `at_query`.
    """
    looking = alt.selection_point(
        name="looking", fields=["row"], empty=False, value=[{"row": 0}], clear=False,
        on="rect:pointerover",
    )
    height = steps_height(head_dim)
    base = alt.Chart().encode(y=heights("y", height))
    layers = [
        *strip(base, looking, num_tokens),
        *panels(base, looking, num_tokens, height),
        *blend_layers(base, looking, num_tokens, cell_height(head_dim), height),
        *titles(num_tokens, height),
    ]
    chart = alt.layer(*layers).add_params(looking).properties(
        height=height, usermeta={"embedOptions": {"renderer": "svg"}}
    )
    drawn = spec(chart)
    own = [{"name": "words", "value": []}, {"name": "divisor", "value": ""}]
    return {**drawn, "params": [*own, *drawn["params"]]}


def heights(field, height):
    """Pixels from the top."""
    return alt.Y(f"{field}:Q").scale(domain=[height, 0], nice=False).axis(None)


def places(field, num_tokens):
    """Words from left to right, and the sum of the blend after a gap."""
    return alt.X(f"{field}:Q").scale(
        domain=[-0.5, num_tokens + GAP + 0.5], nice=False
    ).axis(
        values=list(range(num_tokens)), labelExpr="words[datum.value]", orient="top",
        labelAngle=0 if num_tokens <= 6 else -50, labelOverlap=False, labelFlush=False,
        labelFontSize=13, domain=False, ticks=False, grid=False, title=None,
    )


NAME = "(words[datum.column] || 'all words')"  # the sum stands behind the last word


def columns_of(base, kind, num_tokens, wide=0.5):
    """The marks of one kind, each as wide as its column."""
    return base.transform_filter(f"datum.kind == '{kind}'").transform_calculate(
        left=f"datum.x - {wide}", right=f"datum.x + {wide}", word=NAME,
        middle="(datum.y + datum.y2) / 2",
        said=f"{NAME} + ', {kind}: ' + format(datum.value, '.3f')",
    ).encode(x=places("left", num_tokens), x2="right:Q", y2="y2:Q")


def strip(base, looking, num_tokens):
    """The words to point at; the chosen one has the colour of queries."""
    words = columns_of(base, "pick", num_tokens, 0.46)
    return [words.transform_calculate(pick="'look from ' + datum.word").mark_rect(
        cornerRadius=3, cursor="pointer"
    ).encode(
        color=alt.condition(looking, alt.value(QUERIES), alt.value(QUIET)),
        opacity=alt.condition(looking, alt.value(1.0), alt.value(0.3)),
        tooltip=alt.Tooltip("word:N", title="the word that looks"),
        description="pick:N",
    )]


def panels(base, looking, num_tokens, height):
    """The bars of scores, scaled scores and weights, with their figures."""
    room = f"width > {34 * (num_tokens + 1)}"
    # Scores by hand are short; the weights of a row are read best with two places.
    scores = ".3~f" if num_tokens <= FIGURES_UP_TO else ".2f"
    places_of = {"score": scores, "scaled": scores, "weight": ".2f"}
    layers = [
        columns_of(base, "hidden", num_tokens).transform_filter(looking).mark_rect(
            # Empty for the last word: nothing for screen readers to read.
            aria=False, color=QUIET, opacity=0.13
        )
    ]
    for kind, colour in (("score", QUERIES), ("scaled", QUERIES), ("weight", MODEL)):
        bars_ = columns_of(base, kind, num_tokens, 0.36).transform_filter(looking)
        layers.append(bars_.mark_rect(
            color=colour, opacity=0.75 if kind == "scaled" else 1.0
        ).encode(tooltip=[
            alt.Tooltip("word:N", title="word that is looked at"),
            alt.Tooltip("value:Q", title=kind, format=".3f"),
        ], description="said:N"))
        figures = base.transform_filter(f"datum.kind == '{kind}'").transform_filter(
            looking).transform_calculate(above="min(datum.y, datum.y2)")
        layers.append(figures.mark_text(
            baseline="bottom", dy=-2, fontSize=11,
            text=alt.expr(f"{room} ? format(datum.value, '{places_of[kind]}') : ''"),
        ).encode(x=places("x", num_tokens), y=heights("above", height)))
    return layers


def blend_layers(base, looking, num_tokens, cell, height):
    """The cells of the blend and of its sum; orange below zero, blue above."""
    layers = []
    for kind in ("part", "sum"):
        cells = columns_of(base, kind, num_tokens).transform_filter(looking)
        layers.append(cells.mark_rect(opacity=1, stroke=QUIET, strokeWidth=0.4).encode(
            color=alt.Color("colour:Q").scale(AROUND_NOTHING).legend(None),
            tooltip=[
                alt.Tooltip("word:N", title="from"),
                alt.Tooltip("value:Q", title="weight × value", format=".3f"),
            ],
            description="said:N",
        ))
        if cell >= 20 and num_tokens <= FIGURES_UP_TO:
            layers.append(
                base.transform_filter(f"datum.kind == '{kind}'").transform_filter(
                    looking
                ).transform_calculate(middle="(datum.y + datum.y2) / 2").mark_text(
                    fontSize=11,
                    text=alt.expr("format(abs(datum.value) < .005 ? 0 : datum.value,"
                                  " '.2f')"),
                ).encode(
                    x=places("x", num_tokens), y=heights("middle", height),
                    color=alt.condition("abs(datum.colour) > 0.6", alt.value("white"),
                                        alt.value(BLACK_TEXT)),
                )
            )
    return layers


def titles(num_tokens, height):
    """The names of the steps, at the left above their bars."""
    names = {
        0: "'1  score: query times key'",
        1: "'2  scale: divided by ' + divisor",
        2: "'3  softmax: shares that add up to 1'",
        3: "'4  blend: weight times value, added up'",
    }
    first = alt.Chart().transform_filter("datum.kind == 'pick' && datum.row == 0")
    return [
        first.transform_calculate(
            at=f"{panel_top(step) - TITLE + 14}", start="-0.5", name=name
        ).mark_text(align="left", fontSize=13, fontWeight="bold", color=WORDS).encode(
            x=places("start", num_tokens),
            y=heights("at", height),
            text="name:N",
        )
        for step, name in names.items()
    ] + [
        first.transform_calculate(
            at=f"{panel_top(3) - 8}", end=f"{num_tokens + GAP}", name="'sum'"
        ).mark_text(fontSize=12, color=WORDS).encode(
            x=places("end", num_tokens),
            y=heights("at", height),
            text="name:N",
        )
    ]
