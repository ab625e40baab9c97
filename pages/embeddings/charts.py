"""Pictures of the embedding table: rows of numbers, likeness, and a map of words."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.charts.spec import spec
from pages.ui.charts.words import numbered
from pages.ui.colours import (
    ATTENTION,
    DRAW,
    KEYS,
    MODEL,
    QUERIES,
    QUIET,
    STEPS_AROUND_ZERO,
    TRUTH,
    VALUES,
    WORDS,
)

# Kinds of words on the map: no two have both colour and shape in common.
LOOKS = (
    (MODEL, "circle"), (TRUTH, "square"), (VALUES, "triangle-up"), (QUERIES, "diamond"),
    (KEYS, "cross"), (DRAW, "triangle-down"), (WORDS, "square"), (ATTENTION, "circle"),
)
FIRST_NUMBERS = 4  # of a row that are written out


def rows_data(rows, tokens, token_ids):
    """One row a number, for `row_picture`.

    Args:
        rows: (num_tokens, embed_dim)
        tokens: the words.
        token_ids: their numbers.

    Returns:
        A DataFrame with columns token, place, column, value.
    """
    places, columns = np.indices(rows.shape)
    labels = np.array([
        f"{label} → {token_id}"
        for label, token_id in zip(numbered(tokens), token_ids, strict=True)
    ])
    return pd.DataFrame({
        "token": labels[places.ravel()],
        "place": places.ravel().astype("int16"),
        "column": columns.ravel().astype("int16") + 1,
        "value": rows.ravel().astype("float32"),
    })


def rows_alt(rows, tokens, token_ids):
    """The rows in words: which token has which row, and how it begins."""
    said = [
        f"'{token}' is row {token_id}, which begins {beginning(row)}"
        for token, token_id, row in zip(tokens[:3], token_ids, rows, strict=False)
    ]
    more = f"; and {len(tokens) - 3} more" if len(tokens) > 3 else ""
    return f"{len(tokens)} rows of {rows.shape[1]} numbers: {'; '.join(said)}{more}."


def rows_table(rows, tokens, token_ids):
    """The rows as a table for readers."""
    table = pd.DataFrame(
        rows.round(4), columns=[str(n) for n in range(1, rows.shape[1] + 1)]
    )
    table.insert(0, "id", token_ids)
    table.insert(0, "token", tokens)
    return table


def beginning(row, count=FIRST_NUMBERS):
    """The first numbers of a row, as text: `0.12, -0.53, 0.08, 0.31`."""
    return ", ".join(f"{number:.2f}" for number in row[:count])


@cache
def row_picture(num_tokens, embed_dim, largest):
    """One stripe a token, one cell for each number of its row.

    Data: as in `rows_data`.

    Args:
        largest: the value from which on the colour is full.
    """
    chart = alt.Chart().mark_rect(opacity=1).encode(
        x=alt.X("column:O").title(f"the {embed_dim} numbers of a row").axis(
            values=[1, *range(8, embed_dim + 1, 8)], labelAngle=0, ticks=False,
            domain=False, labelOverlap=False,
        ),
        y=alt.Y("token:N").sort(field="place", op="min").title("token → id").axis(
            domain=False, ticks=False, labelOverlap=False, labelFlush=False,
            labelLimit=130,
        ),
        color=alt.Color("value:Q").scale(
            domain=[-largest, largest], range=list(STEPS_AROUND_ZERO), clamp=True
        ).legend(None),
        tooltip=[
            alt.Tooltip("token:N"),
            alt.Tooltip("column:O", title="number"),
            alt.Tooltip("value:Q", format=".3f"),
        ],
    )
    return spec(chart.properties(
        height=max(90, 26 * num_tokens), usermeta={"embedOptions": {"renderer": "svg"}}
    ))


def likeness_data(words, group=()):
    """One row a word, for `likeness_bars`.

    Args:
        words: a list of (word, cosine).
        group: words that stand out.
    """
    data = pd.DataFrame(words, columns=["word", "cosine"])
    data["kind"] = np.where(data["word"].isin(group), "guess", "other")
    return data.assign(place=range(len(data)))


def likeness_alt(word, words):
    """The likeness of some words to one, in words."""
    said = ", ".join(f"'{other}' {cosine:.2f}" for other, cosine in words)
    return f"Cosine with the row of '{word}': {said}."


@cache
def likeness_bars():
    """One bar a word, to the right if its row points the same way.

    Data: as in `likeness_data`.
    """
    base = alt.Chart().encode(
        y=alt.Y("word:N").sort(field="place", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=140),
        x=alt.X("cosine:Q").title("cosine of the two rows")
        .scale(domain=[-1, 1]).axis(format=".1f", tickCount=5),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("cosine:Q", format=".3f")],
    )
    bars = base.mark_bar(height=17, cornerRadiusEnd=3, opacity=1).encode(
        color=alt.Color("kind:N").scale(
            domain=["guess", "other"], range=[MODEL, QUIET]
        ).legend(None)
    )
    figures = base.transform_calculate(
        right="max(datum.cosine, 0)"
    ).mark_text(align="left", dx=6, fontSize=12).encode(
        x="right:Q", text=alt.Text("cosine:Q", format=".2f")
    )
    return spec(alt.layer(bars, figures).properties(height=alt.Step(27)))


def map_data(points, words_with_kinds):
    """One row a word, for `word_map`.

    Args:
        points: (num_words, 2)
        words_with_kinds: a dictionary from word to kind, in the same order.
    """
    return pd.DataFrame({
        "x": points[:, 0], "y": points[:, 1],
        "word": list(words_with_kinds), "kind": list(words_with_kinds.values()),
    })


def map_alt(data, share, beside, step):
    """What the map shows, in words: how tightly each kind lies together."""
    spread = data[["x", "y"]].std().mean()
    size = data.groupby("kind", sort=False)[["x", "y"]].std().mean(axis=1) / spread
    tightest = size.sort_values().index[:3]
    return (
        f"Map of {len(data)} words after {step:,} steps; it keeps {share:.0%} of the "
        f"variance. For {beside} of the words the nearest other word is of the same "
        f"kind. Lying closest together here: {', '.join(tightest)}."
    )


@cache
def word_map(kinds, height=480):
    """A map of words: a sign for the kind, and the word where there is room.

    Data: as in `map_data`.

    Args:
        kinds: a tuple of kinds, in the order of the legend.
    """
    colours, shapes = zip(*LOOKS[: len(kinds)], strict=True)
    def axis(title):
        return alt.Axis(title=title, labels=False, ticks=False, grid=False)

    base = alt.Chart().encode(
        x=alt.X("x:Q", axis=axis("first direction"))
        .scale(zero=False, nice=False, padding=30),
        y=alt.Y("y:Q", axis=axis("second direction"))
        .scale(zero=False, nice=False, padding=15),
        color=alt.Color("kind:N").scale(domain=list(kinds), range=list(colours))
        .legend(orient="top", title=None, symbolOpacity=1,
                columns=alt.expr("width < 480 ? 3 : 4")),
        shape=alt.Shape("kind:N").scale(domain=list(kinds), range=list(shapes)),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("kind:N")],
    )
    points = base.mark_point(filled=True, size=55, opacity=1)
    # On a telephone the words would cover each other; there a touch names each.
    names = base.mark_text(
        align="left", dx=6, fontSize=11, text=alt.expr("width > 480 ? datum.word : ''")
    )
    return spec(alt.layer(points, names).properties(
        height=height, usermeta={"embedOptions": {"renderer": "svg"}}
    ))
