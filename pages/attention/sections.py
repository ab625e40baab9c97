"""Parts of the attention lesson: what its figures mean in words, and its sections."""

import numpy as np
import pandas as pd
import streamlit as st

from llm.models.tiny_llm import START
from llm.studies.links import CUT_NAMES
from pages.attention.charts import at_word, linked, linked_alt, linked_data
from pages.ui.chart import numbers, show
from pages.ui.charts.compared import compared_data
from pages.ui.charts.curves import amount_bars, amounts_alt
from pages.ui.charts.words import numbered, percent
from pages.ui.colours import DRAW, MODEL, QUIET
from pages.ui.controls import encoder_twin, sentence_input, tiny_llm
from pages.ui.words import plain

LITTLE = 0.05  # a change of probability that is called hardly any


def head_name(layer, head):
    """A head for readers, who count from 1."""
    return f"head {head + 1} of layer {layer + 1}"


def flip_verdict(links):
    """Whether the strongest link of `it` flips between two nouns, in words.

    Args:
        links: a dictionary from the last word to the weights of `it` on the two
            nouns, as {"tired": {"animal": .5, "street": .1}, ...}.
    """
    best = {last: max(shares, key=shares.get) for last, shares in links.items()}
    said = [
        f"with {plain(last)} it gives {percent(shares[best[last]])} to "
        f"{plain(best[last])}" for last, shares in links.items()
    ]
    flipped = "The link flips" if len(set(best.values())) > 1 else (
        "In this head the stronger of the two links does not flip")
    return f"{flipped}: {', '.join(said)}."


def cut_verdict(noun, left):
    """What cutting the link to the right noun did, in words.

    Args:
        noun: the right noun.
        left: its probability by what is cut, as in `cut_probabilities`.
    """
    whole, one, _, everywhere, by_itself = left.values()
    if whole - one < LITTLE:
        alone = (
            f"Cut this one link, and {plain(noun)} hardly suffers: "
            f"{percent(whole)} before, {percent(one)} after. Other ways lead to it."
        )
    elif one < LITTLE:
        alone = (
            f"Cut this one link, and the answer is gone: {plain(noun)} falls from "
            f"{percent(whole)} to {percent(one)}."
        )
    else:
        alone = (
            f"Cut this one link, and {plain(noun)} falls from {percent(whole)} to "
            f"{percent(one)}: the link matters, and it is not the only way."
        )
    if whole - everywhere < LITTLE:
        return (
            f"{alone} Even with the link cut in every head, {percent(everywhere)} are "
            "left: the word reaches the answer through words in between."
        )
    back = (
        f"leave it to this head, and {percent(by_itself)} are back"
        if by_itself > everywhere + LITTLE
        else f"this head by itself brings no more than {percent(by_itself)}"
    )
    return f"{alone} Cut in every head, it leaves {percent(everywhere)}; {back}."


def head_verdict(flipping, links):
    """Whether the head whose link flips is one that the answer needs, in words.

    Args:
        flipping: (layer, head)
        links: a `Links`.
    """
    if links.whole - links.without < LITTLE:
        return (
            "So in the twin, the clear picture above is not the cause of the answer: "
            "hide the noun from `it` in every head, and the answer stays. It comes "
            "through other words that had looked at the noun before."
        )
    brings = percent(float(links.alone[flipping]))
    return (
        f"The head of the picture above, {head_name(*flipping)}, brings {brings} when "
        "it alone has the link."
    )


def other_ending_verdict(noun, other, now, then):
    """Whether a head looks at a noun whatever the sentence says, in words.

    Args:
        noun: the noun that is right now.
        other: the last word of the other sentence.
        now, then: what the head gives to the noun in this and in the other sentence.
    """
    if then > 0.5 * now:
        return (
            f"But with {plain(other)} it gives {percent(then)} to {plain(noun)}, too: "
            "it brings the word along every time, and does not decide if it counts."
        )
    return (
        f"With {plain(other)} it gives {percent(then)} to {plain(noun)} in place of "
        f"{percent(now)}."
    )


def by_head(alone, left):
    """A row for each head, for `compared_bars`.

    Args:
        alone, left: (num_layers, num_heads), with the link in this head alone, and
            with the link cut in this head alone.
    """
    names = [
        f"layer {layer + 1}, head {head + 1}" for layer, head in np.ndindex(alone.shape)
    ]
    now, other = (dict(zip(names, part.ravel().tolist())) for part in (alone, left))
    return compared_data(now, other)


def show_cuts(left, noun, name):
    """The bars of `cut_probabilities`, with words and figures."""
    colours = (MODEL, DRAW, QUIET, DRAW, DRAW)
    title = "probability of the right noun"
    data = pd.DataFrame({"name": list(left), "value": list(left.values())})
    show(
        amount_bars(tuple(zip(CUT_NAMES, colours)), title, (0, 1), ".1%"),
        data, amounts_alt(data, f"Probability of '{noun}'"),
    )
    numbers(data.rename(columns={"name": "what is cut", "value": title}), name)


def own_sentence(twin_head, llm_head):
    """A sentence of one's own, read by either model."""
    reader = st.segmented_control(
        "Who reads?", READERS, default=READERS[0], required=True,
        key="attention_reader", bind="query-params",
    ) or READERS[0]
    tokens = [START, *sentence_input(
        "the dog didn't climb the hill because it was too steep .",
        key="attention_own", label="A sentence of words that they know",
    )]
    if len(tokens) < 2:
        st.info("Write at least one word.")
        return
    if reader == READERS[0]:
        head, found = twin_head, encoder_twin().ask(tokens)
    else:
        head, found = llm_head, tiny_llm().trace(tokens)
    causal = reader != READERS[0]
    labels = numbered(tokens)
    default = tokens.index("it") if "it" in tokens else len(tokens) - 1
    picked = st.selectbox(
        "Show the links of", labels, index=default, key="attention_own_word",
        bind="query-params",
    )
    row = labels.index(picked) if picked in labels else default
    weights = found.attention(*head)
    st.caption(f"{head_name(*head).capitalize()} of {reader}.")
    show(
        at_word(linked(len(tokens)), tokens, row),
        linked_data(weights, tokens, causal),
        linked_alt(weights, tokens, row, causal),
    )
    numbers(row_table(weights[row], tokens), "attention_own")


READERS = ["the encoder twin (both ways)", "the tiny LLM (left only)"]


def row_table(row, tokens):
    """What one word gives to each, as a table for readers."""
    return pd.DataFrame({"word": numbered(tokens), "attention weight": row})

