"""Pictures for showing the working: amounts of a sum, the logit lens, three measures.

Formulas with their numbers stand here too.
"""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

from llm.studies.attribution import BIAS, FEED_FORWARD, HEAD, PLACE, WORD
from pages.ui.chart import Chart, spec_of
from pages.ui.colours import ATTENTION as HEADS
from pages.ui.colours import FEED_FORWARD as THINKING
from pages.ui.colours import MODEL, QUIET, VALUES
from pages.ui.latex import number, word
from pages.ui.words import numbered, percent, rounded_sum, signed

OTHERS = "all others"
LONG_FIGURE = 10  # characters
MOST_TINT = 0.5  # so that words on a full cell can be read in both themes
READ = "word read"
SVG = {"embedOptions": {"renderer": "svg"}}
COLOURS = {
    HEAD: HEADS, FEED_FORWARD: THINKING, WORD: MODEL, PLACE: MODEL, BIAS: QUIET,
    OTHERS: QUIET, READ: VALUES,
}


def amounts_data(names, kinds, amounts, count=10, figures=None, least=0.01):
    """The largest amounts of a sum, and all others together, for `amounts`.

    Args:
        names: (num_amounts,)
        kinds: (num_amounts,), keys of `COLOURS`.
        amounts: (num_amounts,), of either sign.
        count: how many get a bar of their own.
        figures: (num_amounts,), what stands before the amounts; None for nothing.
        least: what is smaller than this share of the largest gets none.

    Returns:
        A DataFrame with columns name, kind, value, figure, place; the column value
        adds up to the sum of the amounts.
    """
    amounts = np.asarray(amounts, float)
    order = np.argsort(-abs(amounts), kind="stable")
    largest = abs(amounts).max()
    count = min(count, int((abs(amounts) >= least * largest).sum()))
    # One that is left over would take as much room as all others together.
    shown = order if len(order) <= count + 1 else order[:count]
    figures = figures or [""] * len(amounts)
    rows = [(names[n], kinds[n], float(amounts[n]), figures[n]) for n in shown]
    left = len(order) - len(shown)
    if left:
        rest = float(amounts[order[count:]].sum())
        rows.append((f"{left} others", OTHERS, rest, ""))
    # What is printed adds up as printed.
    printed = rounded_sum([row[2] for row in rows])
    rows = [(*row[:3], f"{row[3]}{signed(amount)}", place)
            for place, (row, amount) in enumerate(zip(rows, printed, strict=True))]
    return pd.DataFrame(rows, columns=["name", "kind", "value", "figure", "place"])


def amounts(data, title, said):
    """Amounts of a sum as bars, a `Chart`.

    Args:
        data: from `amounts_data`.
        title: what they add up to; under the axis.
        said: the same in words.
    """
    return Chart(
        amount_spec(title), data, amounts_alt(data, said), partial(amounts_table, data)
    )


def reading_data(found, count=10, least=0.01):
    """The parts of a `llm.studies.attribution.Reading`, its constant among them."""
    return amounts_data(
        [*(part.name for part in found.parts), "final shift and bias"],
        [*(part.kind for part in found.parts), BIAS],
        [*found.amounts, found.constant], count, None, least,
    )


def amounts_alt(data, what):
    """The bars in words, the largest first."""
    said = [f"{name} {signed(value)}" for name, value in
            zip(data["name"], rounded_sum(data["value"]), strict=True)]
    return f"{what} is a sum of {data['value'].sum():.2f}: {', '.join(said)}."


def amounts_table(data):
    """The bars as a table for readers."""
    return data[["name", "kind", "value"]].round(4).rename(columns={"value": "amount"})


@cache
def amount_spec(title):
    """One bar an amount, to the right above zero and to the left below it.

    Data: as in `amounts_data`.

    Args:
        title: what the amounts add up to.
    """
    rows = alt.Chart().encode(
        y=alt.Y("name:N").sort(field="place", op="min").title(None).axis(
            domain=False, ticks=False, labelOverlap=False, labelLimit=150, grid=False
        ),
        x=alt.X("value:Q").title(title).axis(grid=False, tickCount=5)
        .scale(zero=True, padding=52),
        tooltip=[
            alt.Tooltip("name:N", title="what"),
            alt.Tooltip("value:Q", title=title, format="+.4f"),
        ],
    )
    bars = rows.mark_bar(height=17, cornerRadiusEnd=3, opacity=1).encode(
        color=alt.Color("kind:N").scale(
            domain=list(COLOURS), range=list(COLOURS.values())
        ).legend(None)
    )
    # A long figure has room on the right only.
    left = f"datum.value < 0 && length(datum.figure) < {LONG_FIGURE}"
    figures = [
        rows.transform_filter(test).transform_calculate(at=at).mark_text(
            align=side, dx=shift, fontSize=12
        ).encode(x="at:Q", text="figure:N")
        for test, at, side, shift in (
            (f"!({left})", "max(datum.value, 0)", "left", 5),
            (left, "datum.value", "right", -5))
    ]
    zero = alt.Chart().transform_aggregate(all="count()").transform_calculate(
        value="0").mark_rule(color=QUIET).encode(x="value:Q")
    return spec_of(alt.layer(zero, bars, *figures).properties(
        height=alt.Step(25), usermeta=SVG
    ))


def read_data(tokens, attention, effects, count=8):
    """What a head read, word by word: weight × effect, for `amounts`.

    Args:
        tokens: (num_tokens,) words.
        attention, effects: (num_tokens,), from `llm.studies.attribution.read_by_head`.
    """
    figures = [f"{percent(share)} of it: " for share in attention]
    return amounts_data(
        numbered(tokens), [READ] * len(tokens), attention * effects, count, figures
    )


def read_table(tokens, attention, effects):
    """What a head read: every word, as a table for readers."""
    return pd.DataFrame({
        "word": numbered(tokens), "weight": attention, "effect of its value": effects,
        "weight × effect": attention * effects,
    }).round(4)


def units_data(fired, effects, count=8):
    """What inner units wrote: strength × effect, for `amounts`."""
    names = [f"unit {unit + 1}" for unit in range(len(fired))]
    return amounts_data(
        names, [FEED_FORWARD] * len(fired), fired * effects, count
    )


def units_table(fired, effects):
    """What inner units wrote: every unit that fired, as a table for readers."""
    table = pd.DataFrame({
        "unit": range(1, len(fired) + 1), "fired": fired, "effect": effects,
        "fired × effect": fired * effects,
    })
    return table[table["fired"] > 0].round(4)


def dot_product_by_hand(token, asked, vector, direction, bias, total):
    """A logit, or a lead, as a dot product with its first and last terms, in LaTeX.

    Args:
        token: the word whose vector it is.
        asked: the word whose logit it is, or two words.
        vector, direction: (embed_dim,)
        bias, total: numbers.
    """
    terms = [rf"{number(one)} \cdot {number(other)}"
             for one, other in zip(vector, direction, strict=True)]
    shown = " + ".join([*terms[:2], r"\dots", terms[-1]])
    name = " - ".join(f"z_{{{word(one)}}}" for one in asked)
    column = " - ".join(f"w_{{{word(one)}}}" for one in asked)
    column = f"({column})" if len(asked) > 1 else column
    return (
        r"\begin{aligned}"
        rf"{name} &= v_{{{word(token)}}} \cdot {column} + b \\"
        rf"&= {shown} + {number(bias)} \\"
        rf"&= {total:.4f}"
        r"\end{aligned}"
    )


def probability_by_hand(name, logit, logits, runner_up):
    """One probability from its logit, in LaTeX; the largest logit is taken off first.

    Args:
        name: the word.
        logit: its logit.
        logits: (vocab_size,)
        runner_up: the logit of another likely word.
    """
    top = float(np.max(logits))
    total = float(np.exp(np.asarray(logits, float) - top).sum())
    power, mine = np.exp(logit - top), f"e^{{{logit:.2f} - {top:.2f}}}"
    # Only what is certain is printed as 1.
    places = next((n for n in range(4, 12) if f"{power / total:.{n}f}"[0] == "0"), 4)
    return (
        r"\begin{aligned}"
        rf"P({word(name)}) &= \frac{{{mine}}}"
        rf"{{{mine} + e^{{{runner_up:.2f} - {top:.2f}}} + \dots}} \\[0.5em]"
        rf"&= \frac{{{small(power, places)}}}{{{total:.{places}f}}}"
        rf" = {small(power / total, places)}"
        r"\end{aligned}"
    )


def small(share, places=4):
    """A positive number in LaTeX; below 0.001 with a power of ten."""
    if share >= 0.001:
        return f"{share:.{places}f}"
    figures, power = f"{share:.2e}".split("e")
    return rf"{figures} \cdot 10^{{{int(power)}}}"


def lens(tokens, stops, words, shares):
    """What would be said at every word if the network ended sooner, a `Chart`.

    Args:
        as in `lens_data`.
    """
    data = lens_data(tokens, stops, words, shares)
    return Chart(
        lens_spec(len(tokens), len(stops)), data, lens_alt(data),
        partial(lens_table, data),
    )


def lens_data(tokens, stops, words, shares):
    """One row a cell, for `lens_spec`.

    Args:
        tokens: (num_tokens,) words, from the first to the last.
        stops: (num_stops,) names, from the embeddings to the end.
        words, shares: (num_stops, num_tokens), the likeliest word and its probability.
    """
    rows = [
        (label, row, stop, column, words[column][row], float(shares[column][row]))
        for row, label in enumerate(numbered(tokens))
        for column, stop in enumerate(stops)
    ]
    return pd.DataFrame(
        rows, columns=["token", "row", "stop", "column", "word", "probability"]
    )


def lens_alt(data):
    """What would be said at the last word, stop by stop, in words."""
    last = data[data["row"] == data["row"].max()]
    said = [f"{row.stop}: '{row.word}' {percent(row.probability)}"
            for row in last.itertuples()]
    return (
        f"What would be said next at each of {data['row'].max() + 1} words and each of "
        f"{len(last)} stops. At {last['token'].iloc[0]}, {'; '.join(said)}."
    )


def lens_table(data):
    """The lens as a table, one line a word."""
    cells = data.assign(cell=data["word"] + " " + data["probability"].map(percent))
    table = cells.pivot_table(
        index=["row", "token"], columns="stop", values="cell", aggfunc="first",
        sort=False, observed=True,
    )
    table.columns.name = None
    return table.reset_index().drop(columns="row")


@cache
def lens_spec(num_tokens, num_stops):
    """A cell for each word and each stop, with the word that would be said.

    Data: as in `lens_data`.
    """
    axis = {"domain": False, "ticks": False, "labelOverlap": False, "grid": False}
    base = alt.Chart().encode(
        x=alt.X("stop:N").sort(field="column", op="min").title("read out after").axis(
            orient="top", labelAngle=-35, labelLimit=110, **axis),
        y=alt.Y("token:N").sort(field="row", op="min").title(None).axis(
            labelLimit=90, **axis),
        tooltip=[
            alt.Tooltip("token:N", title="at the word"),
            alt.Tooltip("stop:N", title="read out after"),
            alt.Tooltip("word:N", title="would say"),
            alt.Tooltip("probability:Q", format=".1%"),
        ],
    )
    cells = base.mark_rect(color=MODEL, stroke=QUIET, strokeWidth=0.4).encode(
        fillOpacity=alt.FillOpacity("probability:Q").scale(
            domain=(0, 1), range=(0, MOST_TINT)).legend(None)
    )
    # In narrow cells a word is cut rather than written over its neighbour.
    room = f"floor(width / {num_stops} / 7.2)"
    short = f"length(datum.word) > {room} ? slice(datum.word, 0, {room} - 1) + '…'"
    words = base.mark_text(fontSize=12, text=alt.expr(f"{short} : datum.word"))
    return spec_of(alt.layer(cells, words).properties(
        height=alt.Step(24), usermeta=SVG
    ))


MEASURES = ("weight", "direct effect", "lost when cut")
PANEL = 1.55  # from one panel to the next, in lengths of the longest bar


def three_measures(tokens, measures):
    """Three bars a word, side by side, each as long as its share of the longest.

    Args:
        as in `measures_data`.

    Returns:
        A `Chart`.
    """
    data = measures_data(tokens, measures)
    return Chart(
        measures_spec(len(tokens)), data, measures_alt(data),
        partial(measures_table, data),
    )


def measures_data(tokens, measures):
    """One row a bar, for `measures_spec`.

    Args:
        tokens: (num_tokens,) words.
        measures: a dictionary from each of `MEASURES` to (num_tokens,) numbers.

    Returns:
        A DataFrame with columns token, row, measure, value, start, end.
    """
    parts = []
    for panel, name in enumerate(MEASURES):
        values = np.asarray(measures[name], float)
        largest = max(float(abs(values).max()), 1e-9)
        parts.append(pd.DataFrame({
            "token": numbered(tokens), "row": range(len(tokens)), "measure": name,
            "value": values, "start": panel * PANEL,
            "end": panel * PANEL + values / largest,
        }))
    return pd.concat(parts, ignore_index=True)


def measures_alt(data):
    """The word that is largest by each measure, in words."""
    said = []
    for name in MEASURES:
        best = data[data["measure"] == name].set_index("token")["value"]
        said.append(f"by {name}, '{best.idxmax()}' with {best.max():.2f}")
    return f"Three measures of the same links. Largest {'; '.join(said)}."


def measures_table(data):
    """The three measures as a table for readers."""
    table = data.pivot_table(index=["row", "token"], columns="measure", values="value")
    table.columns.name = None
    return table.reset_index()[["token", *MEASURES]].round(4)


@cache
def measures_spec(num_tokens):
    """How the three bars of each word are drawn.

    Data: as in `measures_data`.
    """
    y = alt.Y("token:N").sort(field="row", op="min").title(None).axis(
        domain=False, ticks=False, labelOverlap=False, labelLimit=90, grid=False)
    x = alt.X("start:Q").axis(None).scale(nice=False, padding=42)
    colours = alt.Scale(domain=list(MEASURES), range=[HEADS, VALUES, MODEL])
    rows = alt.Chart().encode(y=y, tooltip=[
        alt.Tooltip("token:N", title="word"), alt.Tooltip("measure:N"),
        alt.Tooltip("value:Q", format="+.4f"),
    ])
    bars = rows.mark_bar(height=14, opacity=1).encode(
        x=x, x2="end:Q", color=alt.Color("measure:N").scale(colours).legend(None)
    )
    figures = rows.transform_calculate(right="max(datum.start, datum.end)").mark_text(
        align="left", dx=4, fontSize=12
    ).encode(x="right:Q", text=alt.Text("value:Q", format=".2f"))
    headings = alt.Chart().transform_filter("datum.row == 0").mark_text(
        align="left", baseline="bottom", fontSize=12, fontWeight="bold"
    ).encode(x="start:Q", y=alt.value(-4), text="measure:N")
    return spec_of(alt.layer(bars, figures, headings).properties(
        height=alt.Step(22), usermeta=SVG,
        padding={"top": 22, "left": 5, "right": 5, "bottom": 5},
    ))
