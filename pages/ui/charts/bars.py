"""Horizontal bars: a bar for each thing, and marks for what it is compared with."""

from functools import cache, partial
from typing import NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.sampler import sampler_data, sampling_transforms
from pages.ui.colours import MODEL, TRUTH, VALUES, WORDS
from pages.ui.words import percent

MODEL_NAME, TRUTH_NAME = "the tiny LLM", "the exact truth"
OTHERS = "all other words"
GUESS_NAME = "your guess"
PERCENT = "percent"
FIGURE_WIDTH = 58  # room for one column of figures, in pixels
STROKE = "M0,-1L0,1"


class Series(NamedTuple):
    """What is drawn in each row: a bar, a second bar, a tick or a guess.

    Attributes:
        kind: "bar", "second", "tick" or "guess"; the name of its column too.
        name: what it is called in the legend.
        colour: of its marks; None where each row has its own.
    """

    kind: str
    name: str
    colour: str | None


def bars(
    values,
    title,
    name=MODEL_NAME,
    *,
    tick=None,
    tick_name=TRUTH_NAME,
    second=None,
    second_name=TRUTH_NAME,
    guess=None,
    colour=MODEL,
    tick_colour=TRUTH,
    domain=(0, 1),
    form=PERCENT,
    what="word",
    said=None,
):
    """One row a thing: its bar, and beside the plot its figure.

    Args:
        values: a dictionary from thing to number, from top to bottom.
        title: what is measured; under the axis.
        name: whose bars these are.
        tick: the same for what the bars are compared with, drawn as ticks: above all
            the exact truth. A thing that is missing has none.
        second: the same for a second bar in each row.
        guess: the same for what the student guessed, drawn as diamonds.
        colour: of the bars; a dictionary from thing to colour where they differ; a
            pair where bars above and below zero differ.
        domain: lowest and highest value; None to fit the numbers.
        form: "percent", or how figures are written, as ".2f"; ".1%" where shares
            that are printed must add up.
        what: one thing, for the table.
        said: what the picture says in words before it lists the numbers; the title if
            None.

    Returns:
        A `Chart` with a table.
    """
    by_row = colour if isinstance(colour, dict) else None
    pair = tuple(colour) if isinstance(colour, (tuple, list)) else ()
    columns = [Series("bar", name, None if by_row or pair else colour)]
    columns += [Series("second", second_name, VALUES)] if second else []
    columns += [Series("tick", tick_name, tick_colour)] if tick else []
    columns += [Series("guess", GUESS_NAME, WORDS)] if guess else []
    given = {"bar": values, "second": second, "tick": tick, "guess": guess}
    data = pd.DataFrame({"label": [str(thing) for thing in values]})
    for column in columns:
        data[column.kind] = [
            float(given[column.kind].get(thing, float("nan"))) for thing in values
        ]
    data["position"] = range(len(data))
    if by_row:
        data["colour"] = [by_row[thing] for thing in values]
    elif pair:
        data["colour"] = [pair[0] if v >= 0 else pair[1] for v in data["bar"]]
    return Chart(
        bars_spec(
            tuple(columns), title, tuple(domain) if domain else None, form, len(data),
            what,
        ),
        data,
        bars_said(data, columns, said or title, form),
        partial(bars_as_table, data, columns, what),
    )


def bars_said(data, columns, said, form):
    """Every row in words; of shares those that can be seen."""
    first, *others = columns
    kinds = [column.kind for column in columns]
    rows = []
    for row in data.to_dict("records"):
        if form == PERCENT and all(
            pd.isna(row[k]) or abs(row[k]) < 0.005 for k in kinds
        ):
            continue
        beside = [
            f"{other.name.removeprefix('the ')} {written(row[other.kind], form)}"
            for other in others if not pd.isna(row[other.kind])
        ]
        rows.append(
            f"'{row['label']}' {written(row[first.kind], form)}"
            + (f" ({', '.join(beside)})" if beside else "")
        )
    return f"{said[0].upper()}{said[1:]}: {', '.join(rows) or 'nothing'}."


def written(number, form):
    """A number as the figures beside the bars write it."""
    if pd.isna(number):
        return "not known"
    return percent(number) if form == PERCENT else format(float(number), form)


def bars_as_table(data, columns, what):
    """The bars as a table for readers: one row a thing, one column a series."""
    kept = data[["label", *(column.kind for column in columns)]].round(6)
    names = {column.kind: column.name for column in columns}
    return kept.rename(columns={"label": what, **names})


@cache
def bars_spec(columns, title, domain, form, num_rows, what):
    """How bars are drawn.

    Data: label, position (0 is on top), a column for each series by its kind; and
    colour, if the bars have no colour of their own.
    """
    return spec_of(bar_layers(columns, title, domain, form, num_rows, what))


def bar_layers(columns, title, domain, form, num_rows, what, *params):
    """The layers: bars, marks beside them, and a column of figures for each series."""

    rows = alt.Chart().encode(
        y=alt.Y("label:N").sort(field="position", op="min").title(None).axis(
            domain=False, ticks=False, labelOverlap=False, labelLimit=170,
            labelFontSize=13, labelFlush=False,
        ),
        tooltip=[
            alt.Tooltip("label:N", title=what),
            *(
                alt.Tooltip(
                    f"{c.kind}:Q", title=c.name,
                    format=".2%" if is_share(form) else ".4~g",
                )
                for c in columns
            ),
        ],
    )
    scale = alt.Scale(domain=list(domain)) if domain else alt.Scale(zero=True)
    axis = (
        alt.Axis(format="%", tickCount=5)
        if is_share(form)
        else alt.Axis(tickCount=5, labelFlush=True)
    )
    named = [c for c in columns if c.colour]
    colours = alt.Scale(
        domain=[c.name for c in named], range=[c.colour for c in named]
    )
    legend = alt.Legend(
        orient="top", title=None, symbolType="square", labelLimit=260,
        columns=alt.expr("width < 240 ? 1 : 3"),
    )
    two = any(c.kind == "second" for c in columns)
    thick, apart = (9, 5.5) if two else (17, 0)
    looks = {
        "bar": {"type": "bar", "height": thick, "cornerRadiusEnd": 3,
                "yOffset": -apart},
        "second": {"type": "bar", "height": thick, "cornerRadiusEnd": 3,
                   "yOffset": apart},
        "tick": {"type": "tick", "thickness": 3, "height": 23},
        "guess": {"type": "point", "shape": "diamond", "size": 130, "filled": False,
                  "strokeWidth": 2},
    }  # fmt: skip
    layers = []
    for number, column in enumerate(columns):
        # A column of its own, because only a column may have a scale and a legend.
        series = rows.transform_calculate(series=repr(column.name))
        series = series.encode(color=(
            alt.Color("series:N").scale(colours)
            .legend(legend if len(columns) > 1 else None)
            if column.colour
            else alt.Color("colour:N").scale(None)
        ))
        if column.kind == "guess":  # it has no figure: the student knows it
            series = series.transform_filter("datum.guess > 0")
        else:
            layers += figures(rows, series, column, number, form, len(columns) > 1)
        drawn = series.encode(
            x=alt.X(f"{column.kind}:Q").scale(scale).title(title).axis(axis)
        ).properties()
        drawn.mark = alt.MarkDef(**looks[column.kind], opacity=1)
        layers.append(drawn)
    layers[0] = layers[0].add_params(*params)
    step = max(25, min(40, 220 // max(num_rows, 1)))
    return alt.layer(*layers).properties(height=alt.Step(step))


def is_share(form):
    """Whether figures of this form are shares of one: "percent", or as ".1%"."""
    return form == PERCENT or form.endswith("%")


def figures(rows, series, column, number, form, with_symbol):
    """A column of figures on the right, each with the mark that it belongs to."""

    left = 10 + FIGURE_WIDTH * number
    known = f"isValid(datum['{column.kind}']) && isFinite(datum['{column.kind}'])"
    text = rows.transform_filter(known).transform_calculate(
        figure=figure_in_vega(f"datum['{column.kind}']", form)
    ).mark_text(align="right", fontSize=12.5).encode(
        x=alt.value(alt.expr(f"width + {left + FIGURE_WIDTH - 10}")), text="figure:N"
    )
    if not with_symbol:
        return [text]
    look = (
        {"shape": STROKE, "size": 130, "filled": False, "strokeWidth": 3}
        if column.kind == "tick"
        else {"shape": "square", "size": 55, "filled": True}
    )
    symbol = series.transform_filter(known).mark_point(**look, opacity=1)
    symbol = symbol.encode(x=alt.value(alt.expr(f"width + {left + 4}")))
    return [symbol, text]


def figure_in_vega(value, form):
    """How a figure is written, in Vega's own language; as `percent` writes it."""
    if form != PERCENT:
        written = f"replace(format({value}, '{form}'), '-', '−')"
        if not form.startswith("+"):
            return written
        # What is rounded to nothing has no sign.
        plain = form.removeprefix("+")
        nothing = f"+format({value}, '{plain}') == 0"
        return f"{nothing} ? format(0, '{plain}') : {written}"
    return (
        f"{value} <= 0 || {value} >= 1 ? format({value}, '.0%') : "
        f"{value} < 0.001 ? '<0.1%' : {value} >= 0.9995 ? '>99.9%' : "
        f"format({value}, {value} < 0.0995 || {value} >= 0.995 ? '.1%' : '.0%')"
    )


def next_words(model, truth=None, guess=None, words=9, said=None, rows=None):
    """The likeliest next words: a bar for the model, a tick for the truth.

    Args:
        model: a dictionary from every word to its probability.
        truth: the same for the truth; empty or None where there is none.
        guess: the same for the student's guess.
        words: how many words get a row; all others share one.
        said: as in `bars`.
        rows: which words get a row, if not those of `rows_of`.

    Returns:
        A `Chart`; each series adds up to one.
    """
    rows = rows or rows_of(model, truth, words)
    return bars(
        with_the_rest(model, rows), "probability",
        tick=with_the_rest(truth, rows) if truth else None,
        guess=with_the_rest(guess, rows) if guess else None,
        said=said or "The tiny LLM expects",
    )


def live_next_words(vocabulary, logits, truth, now, truth_now, rows=None, top_k=None,
                    top_p=None, said=None):
    """The bars of `next_words` with a slider for the temperature that moves them.

    The browser computes them; `show_with_sliders` draws the picture, with the
    selection "temperature" and its field "T".

    Args:
        vocabulary: (vocab_size,) words.
        logits: (vocab_size,)
        truth: a dictionary from word to probability at temperature 1; empty or None
            where there is none.
        now: the model's distribution at the temperature of the page, as a dictionary.
        truth_now: the truth at that temperature.
        rows: the words that get a row; those of `rows_of` if None.
        top_k, top_p: how the choice is cut; None cuts nothing.
        said: as in `bars`.
    """
    rows = rows or rows_of(now, truth_now)
    still = next_words(now, truth_now or None, said=said, rows=rows)
    data = sampler_data(vocabulary, logits, truth)
    position = {word: number for number, word in enumerate([*rows, OTHERS])}
    labels = [word if word in position else OTHERS for word in vocabulary]
    data["label"] = pd.Categorical(labels, categories=list(position))
    data["position"] = data["label"].cat.codes
    data["top_k"] = np.int16(top_k or len(data))
    data["top_p"] = top_p or 1.0
    spec = live_spec(bool(truth), len(position))
    return Chart(spec, data.drop(columns=["token", "number"]), still.alt, still.table)


TEMPERATURE = "temperature.T[0]"


@cache
def live_spec(with_truth, num_rows):
    """How the bars are drawn that the browser computes.

    Data: as in `sampler_data`, with label, position, top_k and top_p.
    """

    slider = alt.binding_range(min=0.1, max=2.0, step=0.05, name="Temperature ")
    temperature = alt.selection_point(
        name="temperature", fields=["T"], bind=slider, value=[{"T": 1.0}]
    )
    columns = [Series("bar", MODEL_NAME, MODEL)]
    if with_truth:
        columns.append(Series("tick", f"{TRUTH_NAME} at this temperature", TRUTH))
    chart = bar_layers(columns, "probability", (0, 1), PERCENT, num_rows, "word",
                       temperature)
    chart = sampling_transforms(chart, TEMPERATURE, "datum.top_k", "datum.top_p")
    return spec_of(chart.transform_aggregate(
        bar="sum(q)", tick="sum(t)", position="min(position)", groupby=["label"]
    ))


def with_the_rest(distribution, rows):
    """The shown words, and what all others have together."""
    kept = {word: distribution.get(word, 0.0) for word in rows}
    rest = max(sum(distribution.values()) - sum(kept.values()), 0.0)
    return {**kept, OTHERS: rest if rest > 1e-9 else 0.0}


def rows_of(model, truth=None, words=9):
    """The words that get a bar of their own, the model's likeliest on top.

    Args:
        model: a dictionary from every word to its probability.
        truth: the same for the truth; empty or None where there is none.
        words: how many.
    """
    truth = truth or {}
    weight = {word: max(p, truth.get(word, 0.0)) for word, p in model.items()}
    shown = sorted(weight, key=weight.get, reverse=True)[:words]
    return sorted(shown, key=model.get, reverse=True)

