"""Inside a block: one token's way up, its vectors, and where the parameters sit."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from llm.studies.stream import ATTENTION as LOOKS
from llm.studies.stream import FEED_FORWARD as THINKS
from llm.studies.stream import length
from pages.ui.charts.matrix import scale_of
from pages.ui.charts.spec import spec
from pages.ui.charts.words import percent
from pages.ui.colours import ATTENTION, FEED_FORWARD, KEYS, MODEL, QUIET

# The width of the picture is 100. From left to right: the boxes, the stream with its
# plus signs, how much each part adds, and what would be said here.
BOX_END, STREAM, BARS, BARS_END, SAID = 33, 37, 41, 66, 76
KINDS = ("embedding", "position", "LayerNorm", LOOKS, THINKS, "logits")
COLOURS_OF_KINDS = (QUIET, QUIET, KEYS, ATTENTION, FEED_FORWARD, MODEL)
OTHER_PARTS = "embedding and output tables"
PARTS = ((OTHER_PARTS, QUIET), (LOOKS, ATTENTION), (THINKS, FEED_FORWARD),
         ("LayerNorm", KEYS))


def tower_data(steps, said, picked):
    """One row a part, for `tower`.

    Args:
        steps: a list of `llm.studies.stream.Step`, the lowest first.
        said: for each step the likeliest word if one stopped there, and its
            probability.
        picked: the name of the part that the reader picked.

    Returns:
        A DataFrame with columns place, name, kind, adds, added, stream, word,
        probability, picked, bar.
    """
    data = pd.DataFrame({
        "place": range(len(steps)),
        "name": [step.name for step in steps],
        "kind": [step.kind for step in steps],
        "adds": [step.adds for step in steps],
        "added": [float(length(step.output)) if step.adds else np.nan
                  for step in steps],
        "stream": [float(length(step.stream)) for step in steps],
        "word": [word for word, _ in said],
        "probability": [share for _, share in said],
    })
    data["picked"] = data["name"] == picked
    longest = max(float(data["added"].max()), 1e-9)
    data["bar"] = BARS + data["added"].fillna(0) / longest * (BARS_END - BARS)
    return data


def tower_alt(data, token):
    """The way up in words."""
    said = [
        f"{row.name_} adds {row.added:.1f}, then '{row.word}' "
        f"{percent(row.probability)}"
        for row in data.rename(columns={"name": "name_"}).itertuples() if row.adds
    ]
    return f"The way up of '{token}', from below: {'; '.join(said)}."


def tower_table(data):
    """The way up as a table for readers, the top of the picture first."""
    table = data[["name", "added", "stream", "word", "probability"]][::-1]
    return table.round(4).rename(columns={
        "name": "part", "added": "size (norm) of what it adds",
        "stream": "size (norm) of the stream after it",
        "word": "prediction so far",
    })


def place_in_tower(field):
    """An upward place in the tower; every layer shares the scale of the first."""
    return alt.Y(f"{field}:Q").axis(None)


@cache
def tower(num_parts):
    """Every part that a token passes, from below; a click picks one.

    Data: as in `tower_data`.
    """
    domain = [-0.6, num_parts + 0.3]  # room for the headings above
    rows = alt.Chart().transform_calculate(
        left="0", right=f"{BOX_END}", middle=f"{BOX_END / 2}", line=f"{STREAM}",
        start=f"{BARS}", said=f"{SAID}",
        low="datum.place - 0.38", high="datum.place + 0.38",
        sentence="datum.word + '  ' + format(datum.probability, '.0%')",
    )
    boxes = rows.mark_rect(cornerRadius=5, cursor="pointer").encode(
        x=alt.X("left:Q").scale(domain=[0, 100], nice=False).axis(None),
        x2="right:Q",
        y=place_in_tower("low").scale(domain=domain, nice=False),
        y2="high:Q",
        fill=of_kind(alt.Fill),
        stroke=of_kind(alt.Stroke),
        fillOpacity=alt.condition("datum.picked", alt.value(0.22), alt.value(0.08)),
        strokeWidth=alt.condition("datum.picked", alt.value(3), alt.value(1)),
        tooltip=TOLD,
    )
    pick = alt.selection_point(
        name="part", fields=["name"], on="click", toggle=False, clear=False
    )
    layers = [boxes.add_params(pick), *beside_boxes(rows), *headings(num_parts)]
    chart = alt.layer(*layers).properties(height=26 * (num_parts + 1))
    return spec(chart.properties(usermeta={"embedOptions": {"renderer": "svg"}}))


TOLD = [
    alt.Tooltip("name:N", title="part"),
    alt.Tooltip("added:Q", title="size (norm) of what it adds", format=".2f"),
    alt.Tooltip("stream:Q", title="size (norm) of the stream", format=".2f"),
    alt.Tooltip("word:N", title="prediction so far"),
    alt.Tooltip("probability:Q", title="probability", format=".1%"),
]


def of_kind(channel):
    """The colour of a kind of part, for a channel of Altair."""
    return channel("kind:N").scale(
        domain=list(KINDS), range=list(COLOURS_OF_KINDS)
    ).legend(None)


def beside_boxes(rows):
    """The stream with its plus signs, the bars, and what would be said."""
    y = place_in_tower("place")
    names = rows.mark_text(fontSize=12, cursor="pointer").encode(
        x="middle:Q", y=y, text="name:N", tooltip=TOLD
    )
    stream = rows.mark_line(strokeWidth=3, color=QUIET).encode(
        x="line:Q", y=y, order="place:Q"
    )
    adders = rows.transform_filter("datum.adds")
    plus = adders.mark_point(
        shape="circle", size=110, filled=True, opacity=1
    ).encode(x="line:Q", y=y, color=of_kind(alt.Color), tooltip=TOLD)
    cross = adders.mark_point(shape="cross", size=60, filled=True, opacity=1,
                              color="white").encode(x="line:Q", y=y)
    bars = adders.mark_rect(cornerRadius=2).encode(
        x="start:Q", x2="bar:Q", y=place_in_tower("bar_low"), y2="bar_high:Q",
        color=of_kind(alt.Color), tooltip=TOLD,
    ).transform_calculate(
        bar_low="datum.place - 0.24", bar_high="datum.place + 0.24"
    )
    lengths = adders.mark_text(align="left", dx=4, fontSize=11).encode(
        x="bar:Q", y=y, text=alt.Text("added:Q", format=".1f")
    )
    said = rows.transform_filter("datum.adds || datum.kind == 'logits'").mark_text(
        align="left", fontSize=12, limit=110
    ).encode(x="said:Q", y=y, text="sentence:N", tooltip=TOLD)
    return [stream, plus, cross, names, bars, lengths, said]


def headings(num_parts):
    """What stands in each column, above the highest part."""
    top = alt.Chart().transform_filter("datum.place == 0").transform_calculate(
        above=f"{num_parts - 0.2}", box="0", bars=f"{BARS}", said=f"{SAID}"
    ).mark_text(align="left", fontSize=11, fontWeight="bold")
    y = place_in_tower("above")
    return [
        top.encode(x=f"{field}:Q", y=y, text=alt.value(text))
        for field, text in (("box", "part"), ("bars", "how much it adds"),
                            ("said", "prediction so far"))
    ]


def strips_data(vectors):
    """One row a number, for `vector_strips`.

    Args:
        vectors: a dictionary from what it is to a vector, (embed_dim,).

    Returns:
        A DataFrame with columns vector, row, column, value.
    """
    return pd.concat([
        pd.DataFrame({
            "vector": name, "row": row, "column": range(1, len(vector) + 1),
            "value": np.asarray(vector, float),
        })
        for row, (name, vector) in enumerate(vectors.items())
    ], ignore_index=True)


def strips_alt(data):
    """The smallest and largest number of every strip, in words."""
    said = [
        f"{name} from {part['value'].min():.2f} to {part['value'].max():.2f}"
        for name, part in data.groupby("vector", sort=False)
    ]
    return f"Vectors of {data['column'].max()} numbers: {'; '.join(said)}."


def strips_table(data):
    """The vectors as a table, one column each."""
    table = data.pivot_table(index="column", columns="vector", values="value",
                             sort=False)
    table.columns.name = None
    return table.round(4).rename_axis("number").reset_index()


@cache
def vector_strips(num_vectors, largest):
    """One strip a vector, one cell a number: orange below zero, blue above.

    Data: as in `strips_data`.

    Args:
        largest: from here on, in both directions, colours get no stronger.
    """
    chart = alt.Chart().mark_rect(opacity=1).encode(
        x=alt.X("column:O").axis(
            values=[1, 16, 32, 48, 64], labelAngle=0, domain=False, ticks=False
        ).title("the numbers of the vector").scale(paddingInner=0.06),
        y=alt.Y("vector:N").sort(field="row", op="min").title(None).axis(
            domain=False, ticks=False, labelLimit=110
        ).scale(paddingInner=0.15),
        color=alt.Color("value:Q").scale(scale_of(largest)).legend(None),
        tooltip=[
            alt.Tooltip("vector:N"), alt.Tooltip("column:O", title="number"),
            alt.Tooltip("value:Q", title="value", format=".3f"),
        ],
    )
    return spec(chart.properties(
        height=alt.Step(30), usermeta={"embedOptions": {"renderer": "svg"}}
    ))


def shares_data(models):
    """How the parameters of some models are shared out, for `shares_of_parts`.

    Args:
        models: a dictionary from name to a list of `llm.models.parameters.Part`.

    Returns:
        A DataFrame with columns model, part, order, count, share.
    """
    rows = []
    for name, parts in models.items():
        counts = dict.fromkeys([part for part, _ in PARTS], 0)
        for part in parts:
            counts[kind_of(part.name)] += part.total
        everything = sum(counts.values())
        rows += [(name, part, order, count, count / everything)
                 for order, (part, count) in enumerate(counts.items())]
    return pd.DataFrame(rows, columns=["model", "part", "order", "count", "share"])


def kind_of(name):
    """The kind that a part of `llm.models.parameters` belongs to in the picture."""
    if name in (LOOKS, THINKS):
        return name
    return "LayerNorm" if "LayerNorm" in name else OTHER_PARTS


def shares_alt(data):
    """The shares in words."""
    said = []
    for model, part in data.groupby("model", sort=False):
        shares = ", ".join(f"{row.part} {percent(row.share)}"
                           for row in part.itertuples())
        said.append(f"{model}: {shares}")
    return f"Where the parameters sit. {'. '.join(said)}."


@cache
def shares_of_parts(models):
    """One bar a model, cut into its parts.

    Data: as in `shares_data`.

    Args:
        models: a tuple of their names, from top to bottom.
    """
    names = [name for name, _ in PARTS]
    colours = alt.Scale(domain=names, range=[colour for _, colour in PARTS])
    chart = alt.Chart().mark_bar(height=30, opacity=1).encode(
        y=alt.Y("model:N").sort(list(models)).title(None)
        .axis(domain=False, ticks=False, labelLimit=140),
        x=alt.X("share:Q").stack("zero").scale(domain=[0, 1])
        .title("share of all parameters").axis(
            format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
        order="order:Q",
        color=alt.Color("part:N").scale(colours).legend(
            orient="top", title=None, columns=2, labelLimit=220),
        tooltip=[
            alt.Tooltip("model:N"), alt.Tooltip("part:N"),
            alt.Tooltip("count:Q", title="parameters", format=","),
            alt.Tooltip("share:Q", title="share", format=".1%"),
        ],
    )
    return spec(chart.properties(height=alt.Step(44)))


def word_bars_data(words, values):
    """One row a word, for `word_bars`, from top to bottom.

    Returns:
        A DataFrame with columns word, value, place.
    """
    return pd.DataFrame({"word": words, "value": values, "place": range(len(words))})


def word_bars_alt(data, what):
    """Every bar in words."""
    said = [f"'{row.word}' {row.value:.2f}" for row in data.itertuples()]
    return f"{what}: {', '.join(said)}."


@cache
def word_bars(title, colour=FEED_FORWARD):
    """One bar a word, with its figure.

    Data: as in `word_bars_data`.
    """
    rows = alt.Chart().encode(
        y=alt.Y("word:N").sort(field="place", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=140),
        x=alt.X("value:Q").title(title).scale(zero=True),
        tooltip=[alt.Tooltip("word:N"),
                 alt.Tooltip("value:Q", title=title, format=".3f")],
    )
    bars = rows.mark_bar(height=17, cornerRadiusEnd=3, opacity=1, color=colour)
    figures = rows.mark_text(align="left", dx=6, fontSize=12).encode(
        text=alt.Text("value:Q", format=".2f")
    )
    return spec(alt.layer(bars, figures).properties(height=alt.Step(25)))
