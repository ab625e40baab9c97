"""Pictures of the block: every word's way up, and where the parameters sit."""

import json
from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from llm.studies.stream import ATTENTION as LOOKS
from llm.studies.stream import EMBEDDING, LOGITS, NORM, POSITION
from llm.studies.stream import FEED_FORWARD as THINKS
from pages.ui.chart import Chart, spec, spec_of
from pages.ui.colours import ATTENTION, FEED_FORWARD, KEYS, MODEL, QUIET
from pages.ui.words import numbered, percent

# Heights of the parts in the picture, from below; the arrows need room below attention.
EMBEDDED, PLACED, BELOW_ATTENTION, BETWEEN = 0, 8, 17, 10
HALF_CELL = 5
PIXELS = 2.9  # for each unit of height
LEAST_WEIGHT = 0.05  # weaker arrows are not drawn
POINTS = 9  # of an arrow; enough for it to look bent
BESIDE = 0.3  # of a column: where an arrow ends, to the left of the dot
ROOMY = 9  # with more words their names stand aslant
LEAST_TOLD = 0.1  # of attention, in words
KINDS = (EMBEDDING, POSITION, LOOKS, THINKS, LOGITS, NORM)
COLOURS_OF_KINDS = (QUIET, QUIET, ATTENTION, FEED_FORWARD, MODEL, KEYS)
OTHER_PARTS = "embedding and output tables"
PARTS = {OTHER_PARTS: QUIET, LOOKS: ATTENTION, THINKS: FEED_FORWARD, "LayerNorm": KEYS}


def columns(tokens, ways, said, weights, chosen, picked):
    """Every word's way up, side by side, with attention as the arrows between them.

    The word that is pointed at stands out; when the pointer leaves, the chosen one
    does again. A click picks a word and a part.

    Args:
        tokens: (num_tokens,) words.
        ways: for each word the list of its `llm.studies.stream.ResidualStep`.
        said: for each word, for each of these steps, the likeliest next word if the
            network ended there, and its probability.
        weights: (num_layers, num_tokens, num_tokens), the mean over the heads.
        chosen: the position of the word that is followed.
        picked: the name of the part that is looked into.

    Returns:
        A `Chart`. Selection "part", by column and name.
    """
    labels, num_layers = numbered(tokens), len(weights)
    data = pd.DataFrame([
        *word_rows(tokens, num_layers),
        *arrow_rows(weights),
        *dot_rows(labels, ways, said, weights),
        *frame_row(ways[chosen], chosen, picked, num_layers),
    ])
    way = way_table(ways[chosen], said[chosen])
    return Chart(
        columns_spec(len(tokens), num_layers), data,
        columns_said(labels, chosen, way, weights), partial(readable, way),
    ).with_params(chosen=int(chosen))


@cache
def heights(num_layers):
    """How high each part stands in the picture, by its name, from below."""
    found = {EMBEDDING: EMBEDDED, POSITION: PLACED}
    at = PLACED
    for layer in range(1, num_layers + 1):
        at += BELOW_ATTENTION
        found |= {f"{layer}: {NORM}": at - HALF_CELL, f"{layer}: {LOOKS}": at}
        at += BETWEEN
        found |= {f"{layer}: {NORM} again": at - HALF_CELL, f"{layer}: {THINKS}": at}
    at += BETWEEN
    return found | {f"last {NORM}": at - HALF_CELL, LOGITS: at}


def word_rows(tokens, num_layers):
    """One row a word: its name at the bottom, and the line of its stream."""
    top = heights(num_layers)[LOGITS]
    return [
        {"kind": "word", "column": column, "x": column, "y": EMBEDDED - HALF_CELL,
         "y2": top, "label": token}
        for column, token in enumerate(tokens)
    ]


def arrow_rows(weights):
    """The points of every arrow, and one row for its head."""
    turn = np.linspace(0, 1, POINTS)
    bend = turn**2 * (3 - 2 * turn)
    rows = []
    for link in zip(*np.nonzero(np.tril(weights, k=-1) >= LEAST_WEIGHT), strict=True):
        layer, query, key = (int(number) for number in link)
        end = heights(len(weights))[f"{layer + 1}: {LOOKS}"]
        start = end - BELOW_ATTENTION + 3
        name = f"{layer}-{query}-{key}"
        size = round(float(weights[link]), 4)
        rows += [
            {"kind": "arrow", "column": query, "link": name, "size": size,
             "x": round(key + (query - BESIDE - key) * far, 3),
             "y": round(start + (end - start) * up, 2), "step": step}
            for step, (far, up) in enumerate(zip(turn, bend, strict=True))
        ]
        rows.append({"kind": "head", "column": query, "size": size,
                     "x": query - BESIDE, "y": end})
    return rows


def dot_rows(labels, ways, said, weights):
    """One row a word and part: what it adds, and what would be said there."""
    rows = []
    for column, (way, told) in enumerate(zip(ways, said, strict=True)):
        for step, (word, share) in zip(way, told, strict=True):
            if step.kind == NORM:
                continue
            height = heights(len(weights))[step.name]
            below = BELOW_ATTENTION - HALF_CELL if step.kind == LOOKS else HALF_CELL
            rows.append({
                "kind": "dot", "column": column, "x": column, "y": height,
                "low": height - below, "high": height + HALF_CELL,
                "left": column - 0.5, "right": column + 0.5,
                "name": step.name, "part": step.kind, "at": labels[column],
                "size": size_of(step.output) if step.adds else np.nan,
                "stream": size_of(step.stream),
                "label": f"{word} {percent(share)}",
                "looks": looks_at(weights[step.layer][column], labels)
                if step.kind == LOOKS else "",
            })
    return rows


def frame_row(way, chosen, picked, num_layers):
    """The ring around the part that is looked into."""
    return [
        {"kind": "frame", "column": chosen, "x": chosen, "part": step.kind,
         "y": heights(num_layers)[step.name]}
        for step in way if step.name == picked
    ]


def size_of(vector):
    """The size (norm) of a vector."""
    return round(float(np.linalg.norm(vector)), 3)


def looks_at(row, labels):
    """What a word looks at most, by the mean of the heads: `6 kite 64%, 8 mia 11%`."""
    order = [at for at in np.argsort(-row, kind="stable")[:3] if row[at] >= LEAST_TOLD]
    return ", ".join(f"{labels[at]} {percent(row[at])}" for at in order)


def way_table(way, said):
    """One row a part of the followed word, from below."""
    return pd.DataFrame({
        "part": [step.name for step in way],
        "adds": [size_of(step.output) if step.adds else np.nan for step in way],
        "stream": [size_of(step.stream) for step in way],
        "word": [word for word, _ in said],
        "probability": [share for _, share in said],
    })


def readable(way):
    """The way up as a table for readers, the top of the picture first."""
    return way[::-1].round(4).rename(columns={
        "adds": "size (norm) of what it adds",
        "stream": "size (norm) of the stream after it",
        "word": "prediction so far",
    })


def columns_said(labels, chosen, way, weights):
    """The way up of the followed word, and where it looks."""
    told = "; ".join(
        f"{row.part} adds {row.adds:.1f}, then '{row.word}' {percent(row.probability)}"
        for row in way.itertuples() if not np.isnan(row.adds)
    )
    looks = "; ".join(
        f"in block {block} at {looks_at(rows[chosen], labels) or 'many words alike'}"
        for block, rows in enumerate(weights, start=1)
    )
    return (
        f"{len(labels)} words side by side. The way up of '{labels[chosen]}', from "
        f"below: {told}. It looks {looks}."
    )


# While nothing is pointed at, the word that is followed stands out.
IN_SIGHT = "datum.column == (isValid(looking.column) ? looking.column[0] : chosen)"


@cache
def columns_spec(num_tokens, num_layers):
    """How the columns are drawn.

    Data: kind ("word", "arrow", "head", "dot" or "frame"), column, and what belongs to
    the kind. Parameter: chosen.
    """
    named = {name: height for name, height in heights(num_layers).items()
             if NORM not in name}
    low, high = EMBEDDED - HALF_CELL, named[LOGITS] + HALF_CELL
    x = alt.X("x:Q").axis(None).scale(domain=[-0.5, num_tokens - 0.5], nice=False)

    def up(field):
        """The way up; every layer says it alike, else the axis drops names."""
        return alt.Y(f"{field}:Q").title(None).scale(
            domain=[low, high], nice=False
        ).axis(
            values=list(named.values()), domain=False, ticks=False, grid=False,
            labelOverlap=False, labelLimit=110,
            labelExpr=f"{list(named)}[indexof({list(named.values())}, datum.value)]",
        )

    base = alt.Chart().encode(x=x, y=up("y"))
    looking = alt.selection_point(
        name="looking", fields=["column"], empty=False, on="rect:pointerover",
        clear="rect:pointerout",
    )
    pick = alt.selection_point(
        name="part", fields=["column", "name"], on="click", toggle=False, clear=False
    )
    chart = alt.layer(
        *streams(base), *arrows(base), *dots(base), *words(base, num_tokens),
        *beside(base), cells(base, up("low")).add_params(looking, pick),
    ).properties(
        height=round(PIXELS * (high - low)),
        padding={"top": 22, "bottom": 4, "left": 5, "right": 5},
    )
    drawn = spec(chart)
    own = [{"name": "chosen", "value": 0}]
    return json.dumps({**drawn, "params": [*own, *drawn.get("params", [])]})


def only(base, kind, and_also="true"):
    """The rows of a kind."""
    return base.transform_filter(f"datum.kind == '{kind}' && ({and_also})")


def streams(base):
    """The line of every word, and the band behind the word in sight."""
    band = only(base, "word", IN_SIGHT).mark_rule(
        strokeWidth=26, color=QUIET, opacity=0.16).encode(y2="y2:Q")
    line = only(base, "word").mark_rule(
        strokeWidth=2, color=QUIET, opacity=0.75).encode(y2="y2:Q")
    return [band, line]


def arrows(base):
    """Attention: pale into all words, strong into the one in sight."""
    def drawn(where, opacity):
        return only(base, "arrow", where).mark_line(
            color=ATTENTION, opacity=opacity, strokeCap="round"
        ).encode(
            detail="link:N", order="step:Q",
            strokeWidth=alt.StrokeWidth("size:Q").scale(
                domain=[0, 1], range=[0.6, 9]).legend(None),
        )

    heads = only(base, "head", IN_SIGHT).mark_point(
        shape="triangle-right", filled=True, color=ATTENTION, opacity=1, size=70)
    return [drawn(f"!({IN_SIGHT})", 0.13), drawn(IN_SIGHT, 0.8), heads]


def dots(base):
    """What each part adds, and a ring around the one that is looked into."""
    colour = alt.Color("part:N").scale(
        domain=list(KINDS), range=list(COLOURS_OF_KINDS)).legend(None)
    adds = only(base, "dot", "isValid(datum.size)").mark_circle(opacity=1).encode(
        color=colour,
        size=alt.Size("size:Q").scale(
            domainMin=0, range=[30, 380], zero=True).legend(None),
    )
    logits = only(base, "dot", "!isValid(datum.size)").mark_square(
        opacity=1, size=80).encode(color=colour)
    ring = only(base, "frame").mark_point(
        size=520, strokeWidth=2.5, filled=False, opacity=1).encode(color=colour)
    return [adds, logits, ring]


def words(base, num_tokens):
    """The words at the bottom; that in sight is bold."""
    aslant = {"angle": 315, "align": "right", "dx": -2, "dy": 10} if (
        num_tokens > ROOMY) else {"align": "center", "dy": 14}
    return [
        only(base, "word", where).mark_text(
            fontSize=13, fontWeight=weight, clip=False, **aslant).encode(text="label:N")
        for where, weight in ((f"!({IN_SIGHT})", 400), (IN_SIGHT, 700))
    ]


def beside(base):
    """On the right what would be predicted so far, under its heading."""
    right = alt.value(alt.expr("width + 10"))
    said = only(base, "dot", IN_SIGHT).mark_text(
        align="left", fontSize=12.5, clip=False).encode(x=right, text="label:N")
    heading = only(base, "word", "datum.column == 0").mark_text(
        align="left", fontSize=12, fontWeight="bold", clip=False, dy=-8,
        text=alt.expr("width < 330 ? 'so far' : 'prediction so far'"),
    ).encode(x=right, y=alt.value(0))
    return [said, heading]


def cells(base, low):
    """What can be pointed at and picked: a field for each word and part."""
    return only(base, "dot").mark_rect(
        fillOpacity=0, fill=QUIET, strokeWidth=0, cursor="pointer"
    ).encode(
        x="left:Q", x2="right:Q", y=low, y2="high:Q",
        tooltip=[
            alt.Tooltip("at:N", title="word"),
            alt.Tooltip("name:N", title="part"),
            alt.Tooltip("size:Q", title="size (norm) of what it adds", format=".1f"),
            alt.Tooltip("looks:N", title="looks at (mean of the heads)"),
            alt.Tooltip("label:N", title="prediction so far"),
        ],
    )


def shares_of(parts):
    """How the parameters of a model are shared out.

    Args:
        parts: a list of `llm.models.parameters.Part`.

    Returns:
        A dictionary from each of `PARTS` to its share of one.
    """
    counts = dict.fromkeys(PARTS, 0)
    for part in parts:
        counts[kind_of(part.name)] += part.total
    everything = sum(counts.values())
    return {name: count / everything for name, count in counts.items()}


def kind_of(name):
    """The kind that a part of `llm.models.parameters` belongs to in the picture."""
    if name in (LOOKS, THINKS):
        return name
    return "LayerNorm" if "LayerNorm" in name else OTHER_PARTS


def shared_out(models):
    """One bar a model, cut into the shares of its parts.

    Args:
        models: a dictionary from name to a list of `llm.models.parameters.Part`.
    """
    data = pd.DataFrame([
        (name, part, order, share)
        for name, parts in models.items()
        for order, (part, share) in enumerate(shares_of(parts).items())
    ], columns=["model", "part", "order", "share"])
    told = ". ".join(
        f"{name}: " + ", ".join(f"{row.part} {percent(row.share)}"
                                for row in rows.itertuples())
        for name, rows in data.groupby("model", sort=False)
    )
    return Chart(shared_spec(tuple(models)), data,
                 f"Where the parameters sit. {told}.",
                 lambda: data.drop(columns="order").round(4))


@cache
def shared_spec(models):
    """How the shares are drawn. Data: model, part, order, share."""
    chart = alt.Chart().mark_bar(height=30, opacity=1).encode(
        y=alt.Y("model:N").sort(list(models)).title(None)
        .axis(domain=False, ticks=False, labelLimit=180),
        x=alt.X("share:Q").stack("zero").scale(domain=[0, 1])
        .title("share of all parameters").axis(format="%", tickCount=5),
        order="order:Q",
        color=alt.Color("part:N").scale(
            domain=list(PARTS), range=list(PARTS.values())
        ).legend(orient="top", title=None, columns=alt.expr("width < 300 ? 1 : 2"),
                 labelLimit=220),
        tooltip=[
            alt.Tooltip("model:N"), alt.Tooltip("part:N"),
            alt.Tooltip("share:Q", title="share", format=".1%"),
        ],
    )
    return spec_of(chart.properties(height=alt.Step(46)))
