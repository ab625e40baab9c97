"""A map of words: a mark for the kind of each, and its name where there is room."""

from functools import cache, partial

import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.colours import (
    ATTENTION,
    DRAW,
    KEYS,
    MODEL,
    QUERIES,
    TRUTH,
    VALUES,
    WORDS,
)

# Kinds of words on the map: no two have both colour and shape in common.
LOOKS = (
    (MODEL, "circle"), (TRUTH, "square"), (VALUES, "triangle-up"), (QUERIES, "diamond"),
    (KEYS, "cross"), (DRAW, "triangle-down"), (WORDS, "square"), (ATTENTION, "circle"),
)  # fmt: skip
WIDE, NARROW = 660, 300  # the width of the plot for which names are placed, in pixels
WIDE_FROM = 560  # from this width on the map takes the names of the wide one
MARGIN = 26  # pixels between the outermost words and the edge
LETTER, LINE, AWAY = 6.6, 14, 8  # of a name: a letter, its height, and from its mark


def word_map(points, kinds, said, height=480):
    """Words on a plane; names do not cover each other, and pointing names every word.

    Where there is no room for all names, as on a telephone, each kind keeps at least
    the name of the word in its middle.

    Args:
        points: (num_words, 2)
        kinds: a dictionary from word to kind, in the same order.
        said: what the map shows, in words.
        height: of the plot, in pixels.

    Returns:
        A `Chart` with a table.
    """
    points = np.asarray(points, float)
    data = pd.DataFrame({
        "x": points[:, 0], "y": points[:, 1],
        "word": list(kinds), "kind": list(kinds.values()),
    })
    order = middle_first(points, list(kinds.values()))
    for name, width in (("wide", WIDE), ("narrow", NARROW)):
        data[name] = sides(points, list(kinds), order, width, height)
    every = tuple(dict.fromkeys(kinds.values()))
    return Chart(map_spec(every, height), data, said, partial(map_table, data))


def map_table(data):
    """Every word with its place, for readers."""
    return data[["word", "kind", "x", "y"]].round(3)


def middle_first(points, kinds):
    """Indices of the words: first the middle one of each kind, then all others."""
    kinds = np.array(kinds)
    middles = []
    for kind in dict.fromkeys(kinds):
        members = np.flatnonzero(kinds == kind)
        middle = np.median(points[members], axis=0)
        apart = np.linalg.norm(points[members] - middle, axis=1)
        middles.append(int(members[apart.argmin()]))
    return middles + [n for n in range(len(points)) if n not in middles]


def sides(points, words, order, width, height):
    """On which side of its mark each name stands, so that no two touch.

    Args:
        points: (num_words, 2)
        words: the names.
        order: which word is placed first.
        width, height: of the plot, in pixels.

    Returns:
        A list of "right", "left", "above" or "below", and "" for no name.
    """
    lowest, highest = points.min(axis=0), points.max(axis=0)
    scaled = (points - lowest) / np.maximum(highest - lowest, 1e-12)
    at = MARGIN + scaled * (np.array([width, height]) - 2 * MARGIN)
    at[:, 1] = height - at[:, 1]
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in at]
    chosen = [""] * len(words)
    for number in order:
        x, y = at[number]
        long = LETTER * len(words[number])
        places = {
            "right": (x + AWAY, y - LINE / 2, x + AWAY + long, y + LINE / 2),
            "left": (x - AWAY - long, y - LINE / 2, x - AWAY, y + LINE / 2),
            "above": (x - long / 2, y - AWAY - LINE, x + long / 2, y - AWAY),
            "below": (x - long / 2, y + AWAY, x + long / 2, y + AWAY + LINE),
        }
        for side, box in places.items():
            inside = box[0] >= 0 and box[2] <= width + MARGIN
            if inside and not any(touch(box, other) for other in taken):
                chosen[number] = side
                taken.append(box)
                break
    return chosen


def touch(one, other):
    """Whether two boxes (left, top, right, bottom) have a point in common."""
    return (one[0] < other[2] and other[0] < one[2]
            and one[1] < other[3] and other[1] < one[3])


@cache
def map_spec(kinds, height):
    """How a map is drawn.

    Data: x, y, word, kind; wide and narrow, as from `sides`.
    """
    import altair as alt

    colours, shapes = zip(*LOOKS[: len(kinds)], strict=True)

    def along(channel, field, title):
        return channel(f"{field}:Q").title(title).scale(
            zero=False, nice=False, padding=MARGIN
        ).axis(labels=False, ticks=False, grid=False, domain=False)

    base = alt.Chart().encode(
        x=along(alt.X, "x", "first direction"),
        y=along(alt.Y, "y", "second direction"),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("kind:N")],
    )
    points = base.mark_point(filled=True, size=55, opacity=1).encode(
        color=alt.Color("kind:N").scale(domain=list(kinds), range=list(colours))
        .legend(orient="top", title=None, symbolOpacity=1,
                columns=alt.expr("width < 320 ? 2 : width < 560 ? 3 : 4")),
        shape=alt.Shape("kind:N").scale(domain=list(kinds), range=list(shapes)),
    )
    side = f"(width > {WIDE_FROM} ? datum.wide : datum.narrow)"

    def by_side(right, left, above, below):
        return alt.expr(f"{side} == 'left' ? {left} : {side} == 'above' ? {above} : "
                        f"{side} == 'below' ? {below} : {right}")

    names = base.mark_text(
        fontSize=12, baseline="middle",
        align=by_side("'left'", "'right'", "'center'", "'center'"),
        dx=by_side(AWAY, -AWAY, 0, 0),
        dy=by_side(0, 0, -AWAY - LINE / 2, AWAY + LINE / 2),
        text=alt.expr(f"{side} ? datum.word : ''"),
    )
    return spec_of(alt.layer(points, names).properties(height=height))
