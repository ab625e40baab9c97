"""The path of an answer as a picture: words across, blocks upwards."""

from functools import cache, partial
from itertools import pairwise

import altair as alt
import numpy as np
import pandas as pd

from pages.ui.chart import Chart, spec_of
from pages.ui.colours import MODEL, QUIET, TRUTH
from pages.ui.words import numbered, signed

LEAST_SHARE = 0.03  # of the lead; what brings less has no line
ROOMY = 9  # with more words their names stand aslant
PATH, OTHER, AGAINST = "the strongest path", "other paths", "against it"


def path_picture(tokens, brought, path, answer, total):
    """The ways by which the lead of an answer comes up from the words.

    Args:
        tokens: (num_tokens,) words.
        brought: (num_blocks, num_tokens, num_tokens), from `brought_between`.
        path: the `Path` that brings most.
        answer: the word that leads.
        total: its lead.

    Returns:
        A `Chart`.
    """
    lines = lines_between(tokens, brought, path, total)
    data = pd.DataFrame([*lines, *words_below(tokens, path),
                         top_word(tokens, answer, len(brought))])
    return Chart(
        path_spec(len(tokens), len(brought)), data,
        path_said(lines, answer, total), partial(path_table, tokens, brought),
    )


def lines_between(tokens, brought, path, total):
    """One row for each line, the thinnest first so that the thickest lies on top."""
    names, steps = numbered(tokens), set(enumerate(pairwise(path.tokens)))
    rows = []
    for block, start, end in zip(*np.nonzero(brought), strict=True):
        amount = float(brought[block, start, end])
        if abs(amount) < LEAST_SHARE * abs(total):
            continue
        on_path = (block, (start, end)) in steps
        rows.append({
            "kind": "line", "x": start, "x2": end, "y": block, "y2": block + 1,
            "size": abs(amount), "shade": 0.95 if on_path else 0.55,
            "what": PATH if on_path else OTHER if amount > 0 else AGAINST,
            "name": f"block {block + 1}: {names[start]} → {names[end]}",
            "amount": amount,
        })
    return sorted(rows, key=lambda row: (row["what"] == PATH, row["size"]))


def words_below(tokens, path):
    """One row for each word, at the bottom."""
    return [
        {"kind": "on path" if position in path.tokens else "word", "x": position,
         "y": 0, "label": token}
        for position, token in enumerate(tokens)
    ]


def top_word(tokens, answer, num_blocks):
    """The answer, on top of the last word."""
    return {"kind": "answer", "x": len(tokens) - 1, "y": num_blocks, "label": answer}


def path_said(lines, answer, total):
    """The picture in words, the thickest line first."""
    ordered = sorted(lines, key=lambda row: -row["size"])
    said = "; ".join(f"{row['name']} {signed(row['amount'])}" for row in ordered[:8])
    return f"The lead of '{answer}' is {total:.2f}. It comes by: {said or 'nothing'}."


def path_table(tokens, brought):
    """Every way between two words in every block, for a table."""
    names = numbered(tokens)
    rows = [
        (f"block {block + 1}", names[start], names[end],
         round(float(brought[block, start, end]), 4))
        for block, start, end in zip(*np.nonzero(brought), strict=True)
    ]
    return pd.DataFrame(rows, columns=["block", "from", "to", "brings"])


@cache
def path_spec(num_tokens, num_blocks):
    """How the path is drawn."""
    x = alt.X("x:Q").axis(None).scale(domain=(-0.7, num_tokens - 0.3), nice=False)
    y = alt.Y("y:Q").scale(domain=(0, num_blocks), nice=False).title(None).axis(
        values=[block + 0.5 for block in range(num_blocks)], domain=False, ticks=False,
        grid=False, labelExpr="'block ' + (datum.value + 0.5)",
    )
    lines = alt.Chart().transform_filter("datum.kind == 'line'").mark_rule(
        strokeCap="round"
    ).encode(
        x=x, x2="x2:Q", y=y, y2="y2:Q",
        strokeWidth=alt.StrokeWidth("size:Q").scale(
            type="linear", domainMin=0, range=[1, 11]).legend(None),
        color=alt.Color("what:N").scale(
            domain=[PATH, OTHER, AGAINST], range=[MODEL, QUIET, TRUTH]
        ).title(None).legend(orient="top"),
        opacity=alt.Opacity("shade:Q").scale(None),
        tooltip=[alt.Tooltip("name:N", title="way"),
                 alt.Tooltip("amount:Q", title="brings", format="+.2f")],
    )
    aslant = {"angle": 315, "align": "right", "dx": -2, "dy": 10} if (
        num_tokens > ROOMY) else {"align": "center", "dy": 16}
    words = [
        alt.Chart().transform_filter(f"datum.kind == '{kind}'").mark_text(
            fontSize=13, fontWeight=weight, clip=False, **aslant
        ).encode(x=x, y=y, text="label:N")
        for kind, weight in (("word", 400), ("on path", 700))
    ]
    answer = alt.Chart().transform_filter("datum.kind == 'answer'").mark_text(
        fontSize=14, fontWeight=700, dy=-12, align="right", dx=8
    ).encode(x=x, y=y, text="label:N")
    return spec_of(alt.layer(lines, *words, answer).properties(height=230))
