"""Rows of the embedding table as coloured strips."""

from functools import cache

import altair as alt
import pandas as pd

from pages.ui.charts.matrix import matrix
from pages.ui.charts.spec import spec
from pages.ui.charts.word_map import LOOKS
from pages.ui.words import numbered

FIRST_NUMBERS = 4  # of a row that are written out


def rows_of_table(rows, tokens, token_ids, largest):
    """One strip for each token: the numbers of its row.

    Args:
        rows: (num_tokens, embed_dim)
        tokens: the words.
        token_ids: their numbers.
        largest: the value from which on a cell has its full colour.
    """
    labels = [
        f"{label} → {token_id}"
        for label, token_id in zip(numbered(tokens), token_ids, strict=True)
    ]
    return matrix(
        rows, labels, range(1, rows.shape[1] + 1), row_title=None,
        column_title=f"the {rows.shape[1]} numbers of a row", what="number",
        largest=largest, signed=True, form=".2f", figures=False, cell=26,
        said=rows_said(rows, tokens, token_ids),
    )


def rows_said(rows, tokens, token_ids):
    """The rows in words: which token has which row, and how it begins."""
    said = [
        f"'{token}' is row {token_id}, which begins "
        + ", ".join(f"{value:.2f}" for value in row[:FIRST_NUMBERS])
        for token, token_id, row in zip(tokens[:3], token_ids, rows, strict=False)
    ]
    return f"{len(rows)} rows of the table. {'; '.join(said)}."


# What lesson 12 still draws its map with, until it uses `ui/charts/word_map.py`.

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
