"""The draw of each word on the line from 0 to 1, and softmax step by step."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.charts.bars import OTHERS
from pages.ui.colours import DRAW, MODEL, QUIET, WORDS
from pages.ui.words import percent

NAMED_FROM = 0.06  # a narrower stretch has no room for its word
TAKEN, LEFT = "the word it fell on", "other words"


def draws(steps, vocabulary, start, truth_of):
    """One line for each written word, with the number that was drawn.

    Args:
        steps: `Step`s of the tiny LLM.
        vocabulary: (vocab_size,) words.
        start: the words before the first step.
        truth_of: a function from words to the exact distribution of the next one.
    """
    return Chart(draw_lines(), draws_data(steps, vocabulary), draws_alt(steps),
                 lambda: draws_table(steps, start, truth_of))


def draws_data(steps, vocabulary):
    """Stretches of the line for each step, in the order of the vocabulary.

    Args:
        steps: `Step`s of the tiny LLM.
        vocabulary: (vocab_size,) words.

    Returns:
        A DataFrame with columns step, from, to, word, name, part, u. Neighbouring
        words too unlikely to be named share one stretch.
    """
    rows = []
    for number, step in enumerate(steps, start=1):
        for start, end, ids in stretches(step.probabilities, step.token_id):
            word = vocabulary[ids[0]] if len(ids) == 1 else f"{len(ids)} other words"
            name = word if len(ids) == 1 and end - start >= NAMED_FROM else ""
            part = TAKEN if ids == [step.token_id] else LEFT
            rows.append((f"{number} {step.token}", number, start, end, word, name, part,
                         step.u))
    columns = ["label", "step", "from", "to", "word", "name", "part", "u"]
    return pd.DataFrame(rows, columns=columns)


def stretches(probabilities, token_id):
    """Cut the line at the words that can be named and at the one that was drawn.

    Returns:
        A list of (start, end, token ids), from 0 to 1.
    """
    borders = np.concatenate([[0.0], np.cumsum(probabilities)])
    found = []
    for number in np.flatnonzero(probabilities):
        alone = probabilities[number] >= NAMED_FROM or number == token_id
        if found and not alone and not found[-1][3]:
            start, _, ids, _ = found.pop()
            found.append((start, borders[number + 1], [*ids, int(number)], False))
        else:
            found.append((borders[number], borders[number + 1], [int(number)], alone))
    return [(float(start), float(end), ids) for start, end, ids, _ in found]


def draws_alt(steps):
    """Every draw in words."""
    return "; ".join(
        f"step {number}: the number {step.u:.2f} fell on '{step.token}', which had "
        f"{percent(step.probabilities[step.token_id])}"
        for number, step in enumerate(steps, start=1)
    ) + "."


def draws_table(steps, start, truth_of):
    """Each written word with its figures, for a table.

    Args:
        steps: `Step`s of the tiny LLM.
        start: the words before the first step.
        truth_of: a function from words to the exact distribution of the next one.
    """
    rows, words = [], list(start)
    for step in steps:
        truth = truth_of(words).get(step.token, 0.0) if truth_of(words) else None
        rows.append((step.token, step.u, step.probability, truth, step.surprise))
        words.append(step.token)
    columns = ["word", "number drawn", "probability", "truth at T = 1",
               "surprise (nats)"]
    return pd.DataFrame(rows, columns=columns)


@cache
def draw_lines():
    """One line a step, from 0 to 1; a tick marks the number that was drawn.

    Data: as in `draws_data`.
    """
    rows = alt.Chart().encode(
        y=alt.Y("label:N").sort(field="step", op="min").title(None)
        .axis(domain=False, ticks=False, labelOverlap=False, labelLimit=120)
    )
    parts = alt.Scale(domain=[TAKEN, LEFT], range=[MODEL, "#8a93a133"])
    line = rows.mark_bar(height=20, stroke=QUIET, strokeWidth=0.5, opacity=1).encode(
        x=alt.X("from:Q").scale(domain=[0, 1]).title("a number from 0 to 1").axis(
            values=[0, 0.2, 0.4, 0.6, 0.8, 1], grid=False
        ),
        x2="to:Q",
        color=alt.Color("part:N").scale(parts).legend(
            orient="top", title=None, symbolStrokeWidth=0, symbolType="square"
        ),
        tooltip=[
            alt.Tooltip("word:N", title="word"),
            alt.Tooltip("from:Q", title="from", format=".3f"),
            alt.Tooltip("to:Q", title="to", format=".3f"),
            alt.Tooltip("u:Q", title="number drawn", format=".3f"),
        ],
    )
    fits = "(datum.to - datum.from) * width > 7 * length(datum.name)"
    names = rows.transform_calculate(middle="(datum.from + datum.to) / 2").mark_text(
        fontSize=12, text=alt.expr(f"{fits} ? datum.name : ''")
    ).encode(
        x="middle:Q",
        color=alt.condition(
            f"datum.part == '{TAKEN}'", alt.value("white"), alt.value(WORDS)
        ),
    )
    number = rows.mark_tick(thickness=3, height=26, color=DRAW, opacity=1)
    chart = alt.layer(line, names, number.encode(x="u:Q"))
    return spec_of(chart.properties(height=alt.Step(30)))


def softmax_table(vocabulary, logits, temperature, rows):
    """Every step from a logit to a probability.

    Args:
        vocabulary: (vocab_size,) words.
        logits: (vocab_size,)
        rows: the words that get a row of their own; all others share one.

    Returns:
        A DataFrame, one row a word.
    """
    logits = np.asarray(logits, np.float64)
    divided = (logits - logits.max()) / temperature
    table = pd.DataFrame({
        "word": vocabulary,
        "logit": logits,
        "minus the largest, ÷ temperature": divided,
        "exponential": np.exp(divided),
    })
    table["share of the sum"] = table["exponential"] / table["exponential"].sum()
    shown = table.set_index("word").loc[list(rows)].reset_index()
    others = table[~table["word"].isin(rows)]
    shown.loc[len(shown)] = [
        OTHERS, None, None, others["exponential"].sum(),
        others["share of the sum"].sum(),
    ]
    return shown
