"""Masks, a blank filled in, and the loop in which a language model writes."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import DRAW, KEYS, MODEL, QUERIES, QUIET, TRUTH, VALUES

BACK, AHEAD, ACROSS = "itself or back", "ahead", "across, into the text that is read"
TRUTH_NAME = "the exact truth"


def mask_data(mask, tokens, num_read, blank):
    """One row a cell, for `mask_map`.

    Args:
        mask: (num_tokens, num_tokens), True where a row may look at a column.
        tokens: the words.
        num_read: how many of them are a text of their own that is only read; 0 if
            there is one text.
        blank: the place of the hidden word.

    Returns:
        A DataFrame with columns from, to, row, column, kind, allowed, asked.
    """
    rows, columns = (places.ravel() for places in np.indices(mask.shape))
    labels = np.array(numbered(tokens))
    across = (rows >= num_read) & (columns < num_read)
    kind = np.select([across, columns <= rows], [ACROSS, BACK], AHEAD)
    return pd.DataFrame({
        "from": labels[rows], "to": labels[columns], "row": rows, "column": columns,
        "kind": kind, "allowed": mask.ravel(), "asked": rows == blank,
    })


def mask_alt(data, family):
    """How many pairs a mask allows, and what the blank may look at."""
    asked = data[data["asked"] & data["allowed"]]
    total = len(data)
    return (
        f"The mask, {family}: {int(data['allowed'].sum())} of {total} pairs are "
        f"allowed. The blank may look at {len(asked)} of {int(total ** 0.5)} words: "
        f"{', '.join(asked['to'])}."
    )


def mask_table(data):
    """The mask as a table: one row a pair."""
    return data[["from", "to", "allowed"]].rename(columns={
        "from": "looks", "to": "at",
    })


@cache
def mask_map(num_tokens):
    """A square a pair: coloured by where the look goes, pale if it is forbidden.

    Data: as in `mask_data`. The row of the blank has a frame.
    """
    axis = {"domain": False, "ticks": False, "labelOverlap": False, "labelLimit": 90,
            "labelFlush": False, "grid": False}
    base = alt.Chart().encode(
        x=alt.X("to:N").sort(field="column", op="min").title("at").axis(
            orient="top", labelAngle=-45, **axis),
        y=alt.Y("from:N").sort(field="row", op="min").title("looks").axis(**axis),
        tooltip=[alt.Tooltip("from:N", title="looks"), alt.Tooltip("to:N", title="at"),
                 alt.Tooltip("kind:N", title="that is"),
                 alt.Tooltip("allowed:N", title="allowed")],
    )
    forbidden = base.transform_filter("!datum.allowed").mark_rect(
        color=QUIET, opacity=0.13, stroke=QUIET, strokeOpacity=0.25, strokeWidth=0.5
    )
    allowed = base.transform_filter("datum.allowed").mark_rect(
        opacity=1, stroke="white", strokeWidth=0.7
    ).encode(color=alt.Color("kind:N").scale(
        domain=[BACK, AHEAD, ACROSS], range=[MODEL, VALUES, QUERIES]
    ).legend(orient="bottom", title=None, columns=1, labelLimit=240))
    frame = base.transform_filter("datum.asked").mark_rect(
        fillOpacity=0, stroke=DRAW, strokeWidth=2
    )
    height = max(14, min(30, 460 // num_tokens)) * num_tokens
    return spec(alt.layer(forbidden, allowed, frame).properties(
        height=height, usermeta={"embedOptions": {"renderer": "svg"}}
    ))


def blank_data(said, truth, words=5):
    """The likeliest words for a blank, for `blank_bars`.

    Args:
        said: a dictionary from every word to its probability.
        truth: the same for the truth; empty where there is none.
        words: how many.

    Returns:
        A DataFrame with columns word, said, truth, place.
    """
    weight = {word: max(share, truth.get(word, 0.0)) for word, share in said.items()}
    shown = sorted(weight, key=weight.get, reverse=True)[:words]
    shown.sort(key=said.get, reverse=True)
    return pd.DataFrame({
        "word": shown,
        "said": [said[word] for word in shown],
        "truth": [truth.get(word, 0.0) if truth else np.nan for word in shown],
        "place": range(len(shown)),
    })


def blank_alt(data, name):
    """What a model puts into the blank, in words."""
    said = [
        f"'{row.word}' {percent(row.said)}"
        + ("" if pd.isna(row.truth) else f" (truth {percent(row.truth)})")
        for row in data.itertuples() if row.said >= 0.005 or row.truth >= 0.005
    ]
    return f"{name} puts into the blank: {', '.join(said)}."


@cache
def blank_bars(name, colour):
    """One bar a word with its figure; a tick marks the truth.

    Data: as in `blank_data`.

    Args:
        name: who fills the blank.
        colour: of the bars.
    """
    names = alt.Scale(domain=[name, TRUTH_NAME], range=[colour, TRUTH])
    legend = alt.Legend(orient="top", title=None, symbolType="square", columns=1)
    tooltip = [alt.Tooltip("word:N"), alt.Tooltip("said:Q", title=name, format=".2%"),
               alt.Tooltip("truth:Q", title=TRUTH_NAME, format=".2%")]
    rows = alt.Chart().encode(
        y=alt.Y("word:N").sort(field="place", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=110),
        tooltip=tooltip,
    )

    def series(which):
        return rows.transform_calculate(series=f"'{which}'").encode(
            color=alt.Color("series:N").scale(names).legend(legend))

    bars = series(name).mark_bar(height=17, cornerRadiusEnd=3, opacity=1).encode(
        x=alt.X("said:Q").scale(domain=[0, 1]).title("probability").axis(
            format="%", values=[0, 0.5, 1])
    )
    # Beyond the tick too, which would stand on the figure.
    figures = rows.transform_calculate(
        beyond="max(datum.said, isValid(datum.truth) ? datum.truth : 0)"
    ).mark_text(align="left", dx=6, fontSize=12).encode(
        x="beyond:Q", text=alt.Text("said:Q", format=".0%"))
    ticks = series(TRUTH_NAME).mark_tick(thickness=3, height=23, opacity=1).encode(
        x="truth:Q")
    return spec(alt.layer(bars, figures, ticks).properties(height=alt.Step(27)))


def loop_data(stations):
    """One row a station of the loop, for `writing_loop`.

    Args:
        stations: four pairs (heading, [lines]), clockwise from the upper left.

    Returns:
        A DataFrame with columns station, heading, text, x, y.
    """
    corners = [(0, 1), (1, 1), (1, 0), (0, 0)]
    return pd.DataFrame([
        {"station": number, "heading": heading, "text": "\n".join(lines),
         "x": x * 56, "y": y * 62}
        for number, ((heading, lines), (x, y)) in enumerate(
            zip(stations, corners, strict=True), start=1)
    ])


def loop_alt(data):
    """The loop in words."""
    said = [f"{row.heading}: {row.text}".replace("\n", ", ")
            for row in data.itertuples()]
    return f"One turn of the loop. {'; '.join(said)}; and again from the start."


@cache
def writing_loop():
    """Four boxes in a ring, with arrows: one turn of the loop.

    Data: as in `loop_data`. The picture is 100 wide and 100 high.
    """
    wide, high = 44, 38
    rows = alt.Chart().transform_calculate(
        right=f"datum.x + {wide}", top=f"datum.y + {high}",
        middle=f"datum.x + {wide / 2}", head=f"datum.y + {high - 7}",
        body=f"datum.y + {high - 16}", lines="split(datum.text, '\\n')",
    )
    x = alt.X("x:Q").scale(domain=[0, 100], nice=False).axis(None)
    y = alt.Y("y:Q").scale(domain=[0, 100], nice=False).axis(None)
    boxes = rows.mark_rect(cornerRadius=8, fillOpacity=0.08, strokeWidth=1.5).encode(
        x=x, x2="right:Q", y=y, y2="top:Q",
        fill=station_colour(alt.Fill), stroke=station_colour(alt.Stroke),
        tooltip=[alt.Tooltip("heading:N"), alt.Tooltip("text:N")],
    )
    headings = rows.mark_text(fontSize=13, fontWeight="bold").encode(
        x="middle:Q", y="head:Q", text="heading:N")
    lines = rows.mark_text(fontSize=12, baseline="top", lineHeight=17).encode(
        x="middle:Q", y="body:Q", text="lines:N")
    # One arrow behind each station, in the gap to the next.
    places = {1: (50, 81, "→"), 2: (78, 50, "↓"), 3: (50, 19, "←"), 4: (22, 50, "↑")}
    arrows = [
        alt.Chart().transform_filter(f"datum.station == {station}")
        .transform_calculate(ax=f"{ax}", ay=f"{ay}")
        .mark_text(fontSize=26, fontWeight="bold").encode(
            x="ax:Q", y="ay:Q", text=alt.value(sign))
        for station, (ax, ay, sign) in places.items()
    ]
    return spec(alt.layer(boxes, headings, lines, *arrows).properties(
        height=300, usermeta={"embedOptions": {"renderer": "svg"}}))


def station_colour(channel):
    """One colour a station, for a channel of Altair."""
    return channel("station:N").scale(
        domain=[1, 2, 3, 4], range=[QUIET, MODEL, KEYS, DRAW]).legend(None)


def with_gaps(rows, size, across, zoom, gap):
    """Patches side by side with gaps, large enough to be looked at.

    Args:
        rows: (num_patches, size * size * 3)
        size: the side of a patch.
        across: how many stand beside each other.
        zoom: screen points for each point of the picture.
        gap: screen points between two patches.

    Returns:
        (height, width, 4) whole numbers to 255; the gaps are transparent.
    """
    down, side = -(-len(rows) // across), size * zoom
    step = side + gap
    shown = np.zeros((down * step - gap, across * step - gap, 4), np.uint8)
    for number, row in enumerate(rows):
        top, left = number // across * step, number % across * step
        patch = row.reshape(size, size, 3).repeat(zoom, 0).repeat(zoom, 1)
        shown[top : top + side, left : left + side, :3] = np.rint(255 * patch)
        shown[top : top + side, left : left + side, 3] = 255
    return shown
