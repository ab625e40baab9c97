"""Queries, keys and values as coloured strips, and the four steps between them.

The words stand from left to right on one scale, the query in front of them and the
output behind. All heights are in pixels from the top.
"""

from dataclasses import dataclass
from functools import cache, cached_property, partial

import altair as alt
import numpy as np
import pandas as pd

from pages.queries_keys_values.words import (
    adding_up,
    bare,
    captions,
    shares_as_printed,
    strongest_other,
)
from pages.ui.chart import Chart, spec_of
from pages.ui.colours import KEYS, MODEL, QUERIES, QUIET, VALUES
from pages.ui.words import in_a_row, numbered, percent

SEVERAL = (list, np.ndarray)  # what has a value for each row
TITLE = 34  # the name of a step, and its sum with these numbers
LINE = 17  # a row of figures
BARS = 46  # the bars of softmax
GAP = 6  # between two steps
ASIDE = 1.25  # how far the query and the output stand beside the words, in columns
FEW = 8  # words; with more, there is no room for the figures on the cells
DARKEST = 0.6  # so that text in the colour of the page can be read on every cell
COLOURS = {"query": QUERIES, "key": KEYS, "product": MODEL, "value": VALUES,
           "part": VALUES, "output": VALUES}


@dataclass(frozen=True)
class Layout:
    """Where each part of the picture of the four steps stands.

    Attributes:
        num_tokens: how many words there are.
        head_dim: numbers of a query and of a key.
        value_dim: numbers of a value.
        answered: whether the steps are drawn, or only the query and the keys.
    """

    num_tokens: int
    head_dim: int
    value_dim: int
    answered: bool = True

    @cached_property
    def cell(self):
        """The height of one number in a strip."""
        return 16 if max(self.head_dim, self.value_dim) <= FEW else 6

    @cached_property
    def tops(self):
        """A dictionary from the name of a part to its top; `end` is the last."""
        narrow, wide = self.cell * self.head_dim, self.cell * self.value_dim
        parts = {"title 0": 22, "keys": narrow}
        if self.answered:
            parts |= {
                "gap 0": GAP, "title 1": TITLE, "products": narrow, "scores": LINE,
                "gap 1": GAP, "title 2": TITLE, "scaled": LINE,
                "gap 2": GAP, "title 3": TITLE, "room": LINE, "bars": BARS,
                "gap 3": GAP, "title 4": TITLE, "values": wide, "gap 4": 6,
                "parts": wide,
            }
        tops = np.cumsum([0, *parts.values()])
        return dict(zip([*parts, "end"], map(int, tops)))

    @property
    def behind(self):
        """Where the output stands."""
        return self.num_tokens - 1 + ASIDE

    def x(self, field):
        """Words from left to right."""
        label = (
            f"datum.value < 0 ? 'query' : datum.value > {self.num_tokens - 1} ? "
            "'output' : words[datum.value]"
        )
        return alt.X(f"{field}:Q").scale(
            domain=[-ASIDE - 0.5, self.behind + 0.5], nice=False
        ).axis(
            values=[-ASIDE, *range(self.num_tokens), *[self.behind][: self.answered]],
            labelExpr=label, orient="top", labelFontSize=13,
            labelAngle=0 if self.num_tokens <= FEW else -50, labelOverlap=False,
            labelFlush=False, domain=False, ticks=False, grid=False, title=None,
        )

    def y(self, field="y"):
        """Pixels from the top."""
        scale = {"domain": [self.tops["end"], 0], "nice": False}
        return alt.Y(f"{field}:Q").scale(**scale).axis(None)


def names_of(tokens):
    """Labels of the words, numbered only where a word repeats."""
    return list(tokens) if len(set(tokens)) == len(tokens) else numbered(tokens)


def steps_data(layout, steps, row, key, labels, mask=None):
    """A row for each cell, figure, bar and line of text in the picture.

    Args:
        layout: a `Layout`.
        steps: a `Steps` of `llm/studies/by_hand.py`.
        row: the position of the word that looks.
        key: the position of the word whose sums are written out at first.
        labels: the words.
        mask: (num_tokens, num_tokens), False where a word must not look.

    Returns:
        A DataFrame with columns kind, column, dim, x, y, y2, value, shade, text, first.
    """
    size, tops = layout.num_tokens, layout.tops
    seen = np.arange(size) if mask is None else np.flatnonzero(mask[row])
    largest = max(abs(steps.keys[seen]).max(), abs(steps.queries[row]).max())

    def strip(kind, numbers, column, top, largest, said=None):
        edges = tops[top] + layout.cell * np.arange(len(numbers) + 1)
        return rows_of({
            "kind": kind, "column": column, "dim": np.arange(len(numbers)),
            "y": edges[:-1], "y2": edges[1:], "value": numbers,
            "shade": np.abs(numbers) / (largest or 1.0),
            "text": [bare(number) for number in (numbers if said is None else said)],
        })

    parts = [strip("query", steps.queries[row], -1, "keys", largest)]
    parts += [strip("key", steps.keys[n], n, "keys", largest) for n in seen]
    parts += [title_rows(layout, labels[row])]
    if layout.answered:
        parts += answer_rows(layout, steps, row, seen, labels, strip)
    data = pd.DataFrame([one for part in parts for one in part])
    data["text"] = data["text"].fillna("")
    beside = {-1: -ASIDE, size: layout.behind}
    return data.fillna(0.0).assign(
        x=[beside.get(column, column) for column in data["column"]],
        first=data["column"] == key,
    ).astype({"column": "int16", "dim": "int16"})


def rows_of(columns):
    """Columns as a list of rows; a column with one value has it in every row.

    One table is made of all rows at the end: one for each part takes longer than the
    rest of the lesson.
    """
    length = max(len(one) for one in columns.values() if isinstance(one, SEVERAL))
    each = [one if isinstance(one, SEVERAL) else [one] * length
            for one in columns.values()]
    return [dict(zip(columns, values, strict=True)) for values in zip(*each)]


def title_rows(layout, word):
    """The names of the steps."""
    names = [
        f"The query of “{word}”, and the keys",
        "1  Score: query times key",
        f"2  Scale: divide by √{layout.head_dim}",
        "3  Softmax: shares that add up to 1",
        "4  Blend: weight times value, added up",
    ][: 5 if layout.answered else 1]
    tops = [layout.tops[f"title {step}"] + 11.0 for step in range(len(names))]
    return rows_of({"kind": "title", "column": -1, "y": tops, "text": names})


def answer_rows(layout, steps, row, seen, labels, strip):
    """What is computed in the four steps, and the sums of each pair of words."""
    tops, shares = layout.tops, steps.attention_weights[row, seen]
    products = steps.queries[row] * steps.keys[seen]
    weighted = shares[:, None] * steps.values[seen]
    most = max(abs(steps.values[seen]).max(), abs(steps.output[row]).max())
    # Whatever stands here as a sum adds up as it is printed.
    products_said = [adding_up(numbers) for numbers in products]
    weighted_said = np.transpose([adding_up(numbers) for numbers in weighted.T])
    for n, column in enumerate(seen):
        yield strip("product", products[n], column, "products", abs(products).max(),
                    products_said[n])
        yield strip("value", steps.values[column], column, "values", most)
        yield strip("part", weighted[n], column, "parts", most, weighted_said[n])
    yield strip("output", steps.output[row], layout.num_tokens, "parts", most)
    few = layout.num_tokens <= FEW
    for name, values in (
        ("scores", steps.dots[row, seen]), ("scaled", steps.scores[row, seen])
    ):
        yield rows_of({
            "kind": "figure", "column": seen, "y": tops[name] + LINE / 2,
            "value": values,
            "text": [bare(value) if few else bare(value, 1) for value in values],
        })
    bar = tops["bars"] + BARS * (1 - shares)
    yield rows_of({
        "kind": "figure", "column": seen, "y": bar - 9, "value": shares,
        "text": shares_as_printed(shares),
    })
    yield rows_of({
        "kind": "bar", "column": seen, "value": shares, "y": bar,
        "y2": tops["bars"] + BARS,
    })
    for key in seen:
        yield rows_of({
            "kind": "sum", "column": key, "text": captions(steps, row, key, labels),
            "y": [tops[f"title {step}"] + 25.0 for step in (1, 2, 3, 4)],
        })
    yield rows_of({
        "kind": "label", "column": -1, "text": ["products", "sum", "value", "× weight"],
        "y": [tops[part] + LINE / 2 for part in ("products", "scores", "values",
                                                 "parts")],
    })


def steps_alt(steps, labels, row, answered=True):
    """The four steps of one word, in words."""
    if not answered:
        return (
            f"The query of '{labels[row]}' and the keys of {in_a_row(labels)}, as "
            f"strips of {steps.keys.shape[1]} numbers. The four steps follow the guess."
        )
    shares = steps.attention_weights[row]
    order = np.argsort(-shares, kind="stable")[:4]
    said = [
        f"'{labels[n]}' scores {bare(steps.dots[row, n])}, scaled "
        f"{bare(steps.scores[row, n])}, and gets {percent(shares[n])}"
        for n in order if np.isfinite(steps.scores[row, n])
    ]
    more = ", …" if steps.output.shape[1] > 4 else ""
    output = ", ".join(bare(value) for value in steps.output[row][:4])
    return f"'{labels[row]}' looks: {'; '.join(said)}. Output: {output}{more}."


def steps_table(steps, labels, row):
    """The four steps of one word as a table for readers."""
    return pd.DataFrame({
        "word": labels, "score": steps.dots[row], "scaled": steps.scores[row],
        "weight": steps.attention_weights[row],
        **{f"weight × value {n + 1}": steps.attention_weights[row] * steps.values[:, n]
           for n in range(steps.values.shape[1])},
    })


def four_steps_picture(steps, tokens, row, mask=None, answered=True):
    """The query of one word and the keys and values of all, through the four steps.

    Args:
        as in `steps_data`; with `answered` False, only the query and the keys.
    """
    labels, size = names_of(tokens), len(tokens)
    layout = Layout(size, steps.keys.shape[1], steps.values.shape[1], answered)
    key = strongest_other(steps.attention_weights, row)
    return Chart(
        steps_spec(layout),
        steps_data(layout, steps, row, key, labels, mask),
        steps_alt(steps, labels, row, answered),
        partial(steps_table, steps, labels, row) if answered else None,
    ).with_params(words=labels)


@cache
def steps_spec(layout):
    """How the picture is drawn; data as in `steps_data`."""
    pointed = alt.selection_point(
        name="pointed", fields=["column"], on="pointerover", clear="pointerout",
        empty=False,
    )
    base = alt.Chart().encode(y=layout.y())
    layers = [cells(base, layout), texts(base, layout, "title", 13, "bold")]
    if layout.answered:
        layers = [
            band(base, layout), *layers, bars(base, layout), figures(base, layout),
            texts(base.transform_filter(POINTED), layout, "sum", 12.5),
            texts(base, layout, "label", 12),
        ]
    if layout.num_tokens <= FEW:
        layers += [figures_on_cells(base, layout)]
    chart = alt.layer(*layers).properties(height=layout.tops["end"])
    return spec_of(chart.add_params(alt.param("words", value=[]), pointed))


NAME = "(datum.column < 0 ? 'query' : words[datum.column] || 'output')"
# The word that is pointed at; where there is none, the one chosen at first.
POINTED = ("isDefined(pointed.column) && isDefined(words[pointed.column[0]]) ? "
           "pointed.column[0] === datum.column : datum.first")


def of_kinds(base, *kinds):
    """The rows of these kinds."""
    return base.transform_filter(alt.FieldOneOfPredicate("kind", list(kinds)))


def cells(base, layout):
    """The strips: the larger a number, the stronger the colour; grey is below zero."""
    colours = [QUIET, *COLOURS.values()]
    return of_kinds(base, *COLOURS).transform_calculate(
        left="datum.x - 0.46", right="datum.x + 0.46", word=NAME,
        colour="datum.value < 0 ? 'below zero' : datum.kind",
        said=f"{NAME} + ', ' + datum.kind + ' ' + (datum.dim + 1) + ': ' + datum.text",
    ).mark_rect(strokeWidth=0.5, strokeOpacity=0.6).encode(
        x=layout.x("left"), x2="right:Q", y2="y2:Q",
        color=alt.Color("colour:N").legend(None).scale(
            domain=["below zero", *COLOURS], range=colours
        ),
        stroke=alt.Stroke("kind:N").legend(None).scale(
            domain=list(COLOURS), range=colours[1:]
        ),
        fillOpacity=alt.FillOpacity("shade:Q").legend(None).scale(
            domain=[0, 1], range=[0.02, DARKEST], clamp=True
        ),
        tooltip=[alt.Tooltip("word:N", title="word"), alt.Tooltip("kind:N"),
                 alt.Tooltip("value:Q", title="number", format=".3f")],
        description="said:N",
    )


def bars(base, layout):
    """The weights as bars that stand on one line."""
    return of_kinds(base, "bar").transform_calculate(
        left="datum.x - 0.36", right="datum.x + 0.36", word=NAME,
        said=f"{NAME} + ' gets ' + format(datum.value, '.3f')",
    ).mark_rect(color=MODEL, opacity=1).encode(
        x=layout.x("left"), x2="right:Q", y2="y2:Q",
        tooltip=[alt.Tooltip("word:N", title="word"),
                 alt.Tooltip("value:Q", title="weight", format=".3f")],
        description="said:N",
    )


def band(base, layout):
    """A pale band behind the word whose sums are written out."""
    return of_kinds(base, "bar").transform_filter(POINTED).transform_calculate(
        left="datum.x - 0.5", right="datum.x + 0.5", top=f"{layout.tops['keys'] - 3}",
        bottom=f"{layout.tops['end']}",
    ).mark_rect(aria=False, color=MODEL, opacity=0.13, cornerRadius=4).encode(
        x=layout.x("left"), x2="right:Q", y=layout.y("top"), y2="bottom:Q"
    )


def room(layout):
    """The text of a mark, where the picture is wide enough for it."""
    return alt.expr(f"width > {38 * (layout.num_tokens + 2)} ? datum.text : ''")


def figures(base, layout):
    """Scores, scaled scores and weights under the words."""
    return of_kinds(base, "figure").mark_text(
        fontSize=12.5, fontWeight="bold", text=room(layout)
    ).encode(x=layout.x("x"))


def figures_on_cells(base, layout):
    """The numbers of the strips."""
    return of_kinds(base, *COLOURS).transform_calculate(
        middle="(datum.y + datum.y2) / 2"
    ).mark_text(fontSize=12, text=room(layout), aria=False).encode(
        x=layout.x("x"), y=layout.y("middle")
    )


def texts(base, layout, kind, size, weight="normal"):
    """Lines of text that begin at the left edge."""
    return of_kinds(base, kind).transform_calculate(
        start=f"{-ASIDE - 0.5}"
    ).mark_text(align="left", fontSize=size, fontWeight=weight).encode(
        x=layout.x("start"), text="text:N"
    )


GROUPS = ("row", "query", "key", "value")


def matrices_picture(table, queries, keys, values, words):
    """What three matrices make of each word's row, as strips from left to right.

    Args:
        table: (num_words, 4), the rows that go in.
        queries, keys, values: (num_words, head_dim) each, what comes out.
        words: the words.
    """
    parts, x, heads = [], 0.0, []
    for group, numbers in zip(GROUPS, (table, queries, keys, values)):
        size, width = numbers.shape
        rows, dims = (part.ravel() for part in np.indices(numbers.shape))
        parts.append(pd.DataFrame({
            "kind": group, "column": rows, "dim": dims, "x": x + dims, "y": rows,
            "value": numbers.ravel(),
            "shade": abs(numbers).ravel() / (abs(numbers).max() or 1.0),
            "text": [bare(number) for number in numbers.ravel()],
        }))
        heads.append((x + width / 2, group))
        x += width + 0.7
    data = pd.concat(parts, ignore_index=True)
    said = "; ".join(
        f"'{word}': query {listed_numbers(queries[n])}, key {listed_numbers(keys[n])}, "
        f"value {listed_numbers(values[n])}" for n, word in enumerate(words)
    )
    table_of = partial(matrices_table, data, words)
    drawn = matrices_spec(len(words), tuple(heads), x - 0.7)
    return Chart(drawn, data, said, table_of).with_params(words=list(words))


def matrices_table(data, words):
    """The strips as a table for readers: one row a word and strip."""
    return data.assign(word=[words[n] for n in data["column"]]).pivot_table(
        index=["word", "kind"], columns="dim", values="value", sort=False
    ).rename(columns=lambda dim: f"number {dim + 1}").reset_index()


def listed_numbers(numbers):
    """`(3.4, −0.6)`."""
    return "(" + ", ".join(bare(number) for number in numbers) + ")"


@cache
def matrices_spec(num_words, heads, width):
    """How the strips of all words are drawn, one word a line."""
    height = 24 + 28 * num_words
    colours = {"row": QUIET, "query": QUERIES, "key": KEYS, "value": VALUES}
    x = {"scale": alt.Scale(domain=[-1.2, width], nice=False), "axis": None}
    y = {"scale": alt.Scale(domain=[num_words, -0.9], nice=False), "axis": None}
    base = alt.Chart().transform_calculate(
        right="datum.x + 0.94", left="datum.x + 0.06", middle="datum.x + 0.5",
        bottom="datum.y + 0.9", centre="datum.y + 0.45",
        said="words[datum.column] + ', ' + datum.kind + ' ' + (datum.dim + 1) + ': ' + "
             "datum.text",
    )
    strips = base.mark_rect(strokeWidth=0.5, strokeOpacity=0.6).encode(
        x=alt.X("left:Q", **x), x2="right:Q", y=alt.Y("y:Q", **y), y2="bottom:Q",
        color=alt.Color("kind:N").legend(None).scale(
            domain=list(colours), range=list(colours.values())
        ),
        fillOpacity=alt.condition(
            "datum.value < 0", alt.value(0.0),
            alt.FillOpacity("shade:Q").legend(None).scale(
                domain=[0, 1], range=[0.02, DARKEST]
            ),
        ),
        stroke=alt.Stroke("kind:N").legend(None).scale(
            domain=list(colours), range=list(colours.values())
        ),
        description="said:N",
    )
    figures = base.mark_text(fontSize=12, aria=False).encode(
        x=alt.X("middle:Q", **x), y=alt.Y("centre:Q", **y), text="text:N"
    )
    first = base.transform_filter("datum.kind == 'row' && datum.dim == 0")
    named = first.transform_calculate(edge="-0.2", word="words[datum.column]")
    names = named.mark_text(align="right", fontSize=13).encode(
        x=alt.X("edge:Q", **x), y=alt.Y("centre:Q", **y), text="word:N"
    )
    headings = [
        first.transform_filter("datum.column == 0").transform_calculate(
            at=f"{middle}", above="-0.45", name=f"'{group}'"
        ).mark_text(fontSize=13, fontWeight="bold").encode(
            x=alt.X("at:Q", **x), y=alt.Y("above:Q", **y), text="name:N"
        )
        for middle, group in heads
    ]
    chart = alt.layer(strips, figures, names, *headings).properties(height=height)
    return spec_of(chart.add_params(alt.param("words", value=[])))
