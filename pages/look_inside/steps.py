"""The steps of showing the working, from the parts of a logit down to the words."""

import numpy as np
import streamlit as st

from llm.glassbox.softmax import softmax
from llm.studies.attribution import (
    FEED_FORWARD,
    HEAD,
    PLACE,
    WORD,
    read_by_head,
    score_attribution,
    unit_attribution,
    value_attribution,
    written_by_units,
)
from pages.look_inside.charts import (
    amount_chart,
    amounts_alt,
    amounts_table,
    read_data,
    read_table,
    reading_data,
    units_data,
    units_table,
)
from pages.ui.chart import numbers, show
from pages.ui.charts.sums import dot_product, scaling
from pages.ui.charts.sums import weight as weight_by_hand
from pages.ui.charts.words import numbered
from pages.ui.controls import tiny_llm
from pages.ui.words import plain

MOST_PUSHED = 6


def recomputed(ours, models):
    """Say what a step came to, what the model has there, and how far they differ."""
    apart = abs(float(ours) - float(models))
    st.caption(
        f":material/calculate: Re-computed here: {ours:.6f}. In the model: "
        f"{models:.6f}. Difference: {apart:.0e}."
    )


def picked(label, options, default, key, **more):
    """One of some options; the default holds until another is picked."""
    return st.selectbox(
        label, options, index=None, placeholder=str(default), key=key,
        bind="query-params", **more,
    ) or default


def bars_of(data, title, name):
    """Amounts as bars, with their words and their table."""
    show(amount_chart(title), data, amounts_alt(data, title.capitalize()))
    numbers(lambda: amounts_table(data), name)


def open_head(run, found, part, asked):
    """A head opened: which words it read, and then one of them.

    Args:
        run: the `Trace`.
        found: the `Reading` of the logit.
        part: the head, one of its parts.
        asked: what the logit is called.
    """
    llm, names = tiny_llm(), numbered(run.tokens)
    attention, push = read_by_head(run, llm.weights, found, part)
    best = int((attention * push).argmax())
    st.markdown(
        f"**{part.name.capitalize()}** shares out its attention over the words. From "
        "each it takes *weight × value*, and what the value would do to the logit is "
        "its push. Weight × push, added up over all words, is what the head gave."
    )
    data = read_data(run.tokens, attention, push)
    show(amount_chart("weight × push"), data,
         amounts_alt(data, f"What {part.name} gave to {asked}"))
    numbers(lambda: read_table(run.tokens, attention, push), "head_read")
    recomputed((attention * push).sum(), found.amount_of(part))

    st.subheader("5 · A word that it read", anchor=False)
    chosen = picked("Word", names, names[best], "look_key")
    key = names.index(chosen)
    st.markdown(
        f"**What did it find there?** In front of block {part.layer + 1} the vector of "
        f"{plain(run.tokens[key])} was again a sum of parts. These gave what "
        f"{part.name} took from it, {attention[key] * push[key]:+.2f}:"
    )
    value = value_attribution(run, llm.weights, found, part, key)
    bars_of(reading_data(value, MOST_PUSHED), f"what came from '{run.tokens[key]}'",
            "value_parts")
    recomputed(value.total, attention[key] * push[key])
    weight_opened(run, found, part, key)


def weight_opened(run, found, part, key):
    """A weight opened: query · key, then which parts of the word made the match."""
    llm, token = tiny_llm(), found.token
    queries, keys = run.queries_and_keys(part.layer, part.head)
    scores = run.blocks[part.layer].scores[part.head, token].astype(float)
    scores[token + 1:] = -np.inf
    pair = run.tokens[token], run.tokens[key]
    st.markdown(
        f"**Why did it look there?** The query of {plain(pair[0])} times the key of "
        f"{plain(pair[1])}, divided by √{llm.config.head_dim}, then softmax:"
    )
    dot = float(queries[token].astype(float) @ keys[key])
    st.latex(dot_product(queries[token], keys[key], pair))
    st.latex(scaling(dot, llm.config.head_dim))
    st.latex(weight_by_hand(scores, run.tokens, key, pair[0]))
    share = softmax(scores)[key]
    recomputed(share, run.attention(part.layer, part.head)[token, key])
    st.markdown(
        f"And that score, {scores[key]:.2f}, is once more a sum. What in the vector of "
        f"{plain(pair[1])} matched the query?"
    )
    match = score_attribution(run, llm.weights, part, token, key)
    bars_of(reading_data(match, MOST_PUSHED), "the score", "score_parts")
    recomputed(match.total, scores[key])


def open_units(run, found, part, asked):
    """A feed-forward layer opened: which units wrote, and why the first of them fired.

    Args:
        as in `open_head`.
    """
    llm = tiny_llm()
    fired, push = written_by_units(run, llm.weights, found, part)
    st.markdown(
        f"**{part.name.capitalize()}** has {len(fired)} inner units, and "
        f"{int((fired > 0).sum())} of them fired at {plain(run.tokens[found.token])}. "
        "Each writes a row of its own, as strongly as it fires. Strength × push, added "
        "up over all units, is what the layer gave."
    )
    data = units_data(fired, push)
    show(amount_chart("strength × push"), data,
         amounts_alt(data, f"What {part.name} gave to {asked}"))
    numbers(lambda: units_table(fired, push), "units_wrote")
    recomputed((fired * push).sum(), found.amount_of(part))

    st.subheader("5 · A unit that fired", anchor=False)
    best = int((fired * push).argmax())
    options = [f"unit {unit + 1}" for unit in np.argsort(-abs(fired * push))[:20]]
    chosen = picked("Unit", options, f"unit {best + 1}", "look_unit_of_layer")
    unit = int(chosen.split()[1]) - 1
    st.markdown(
        f"**Why did it fire?** Unit {unit + 1} looks for a pattern in the vector, "
        "which is a sum of parts there too. Below zero, ReLU makes it 0."
    )
    reason = unit_attribution(run, llm.weights, found.token, part.layer, unit)
    bars_of(reading_data(reason, MOST_PUSHED), "the unit before ReLU", "unit_parts")
    recomputed(max(reason.total, 0.0), fired[unit])


def at_the_bottom(run, found, part, asked):
    """A part that has nothing below it.

    Args:
        as in `open_head`.
    """
    token = run.tokens[found.token]
    said = {
        WORD: f"This is the row of {plain(token)} in the embedding table, as it was "
        "looked up. Nothing is below it: it was learned.",
        PLACE: f"This is row {found.token + 1 + run.dropped} of the position table: "
        f"where {plain(token)} stands. It was learned.",
    }.get(part.kind, "This was learned and is the same for every word and sentence.")
    st.markdown(
        f"**{part.name.capitalize()}** gave {found.amount_of(part):+.2f} to {asked}. "
        f"{said}"
    )


OPENED = {HEAD: open_head, FEED_FORWARD: open_units}


def trail_told(stops, run, asked):
    """The way back from a logit to the words, as a numbered list in Markdown."""
    names, lines = numbered(run.tokens), []
    for before, stop in zip([None, *stops], stops):
        of = asked if before is None else followed(before, run)
        what = {
            WORD: f"the word {plain(run.tokens[stop.token])} itself, its row in the "
            "embedding table",
            PLACE: f"its place, number {stop.token + 1}",
            HEAD: f"{stop.part.name} at *{names[stop.token]}*",
            FEED_FORWARD: f"{stop.part.name} at *{names[stop.token]}*",
        }.get(stop.part.kind, stop.part.name)
        further = ""
        if stop.key is not None:
            further = f", most of it read from *{names[stop.key]}*"
        if stop.unit is not None:
            further = f", most of it written by unit {stop.unit + 1}"
        lines.append(
            f"1. To {of}, {stop.total:.2f}, **{stop.amount:+.2f}** came from "
            f"{what}{further}."
        )
    return "\n".join(lines)


def followed(stop, run):
    """What is followed further down from a stop."""
    if stop.key is not None:
        return f"what it took from {plain(run.tokens[stop.key])}"
    return f"the firing of unit {stop.unit + 1}"
