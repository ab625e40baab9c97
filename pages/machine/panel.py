"""The numbers of one crossing, opened beside the picture, and the lesson on them."""


import numpy as np
import streamlit as st

from llm.studies.machine import wrote
from llm.studies.stream import logit_lens
from llm.studies.units import direct_logit_effect
from llm.studies.word_map import nearest_words
from pages.machine.state import ANSWER, HEAD, KEY, NAMES, PART, WORD
from pages.machine.words import positions, row_name
from pages.ui import address
from pages.ui.frame import lesson_link
from pages.ui.latex import number, score_by_hand
from pages.ui.words import listed, percent, places_that_add_up, plain, signed

SHOWN = 3  # numbers of a row that are written out

NUM_ROWS, NUM_UNITS, NUM_WORDS = 3, 4, 2


def picked(label, options, key, placeholder, **how):
    """One of some options, kept in the address; None where none of them is picked."""
    name = NAMES[key]
    if address.seed(key, name, None) not in options:
        st.session_state[key] = None
    chosen = st.selectbox(
        label, options, index=None, key=key, persist_state="session",
        placeholder=placeholder, **how,
    )
    return address.keep(name, chosen, None, old=key)


def part_picker(machine):
    """Lists of all that can be opened: the way in by keyboard and on a telephone.

    Returns:
        part: the name of a row, `ANSWER` or None.
        word: the name of a word or None.
    """
    rows = [row_name(row) for row in reversed(range(len(machine.said)))]
    names = positions(machine.trace.tokens)
    with st.container(horizontal=True):
        part = picked("Open a part", [ANSWER, *rows], PART, "none", width="stretch")
        word = picked("at the word", names, WORD, names[-1], width=130)
    return part, word


def opened(machine, llm, lost, part, word, step):
    """The numbers of the part that is open."""
    names = positions(machine.trace.tokens)
    position = names.index(word) if word in names else len(names) - 1
    if part == ANSWER:
        return open_answer(machine, llm, step)
    row = [row_name(row) for row in range(len(machine.said))].index(part)
    lens_told(machine, llm, row, position)
    if row == 0:
        return open_embedding(machine, llm, position)
    layer = (row - 1) // 2
    if row % 2:
        return open_attention(machine, llm, lost, layer, position)
    return open_feed_forward(machine, llm, layer, position)


def lens_told(machine, llm, row, position):
    """What the network would say if it ended here: its first few words."""
    shares = logit_lens(llm.weights, machine.trace.residuals()[row][position])
    best = np.argsort(-shares, kind="stable")[:NUM_WORDS]
    said = ", ".join(f"{plain(llm.tokenizer.vocabulary[n])} {percent(shares[n])}"
                     for n in best)
    gives, token = machine.flow.crossings[row, position], machine.trace.tokens[position]
    passes = (
        f"Through this box the lead of {machine.flow.total:.2f} gets "
        f"**{signed(gives)}**."
        if gives else "The answer does not pass here."
    )
    st.markdown(
        f"**{row_name(row).capitalize()}**, at {plain(token)}. If the network ended "
        f"here: {said}. {passes}"
    )


def table(header, rows):
    """A small table in Markdown."""
    lines = [header, ["---", *["--:"] * (len(header) - 1)], *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))


def open_attention(machine, llm, lost, layer, position):
    """The row of one head, and one of its scores written out."""
    found, names = machine.trace.blocks[layer], positions(machine.trace.tokens)
    heads = [f"head {head + 1}" for head in range(llm.config.num_heads)]
    brings = machine.flow.links[layer, :, position, : position + 1]
    first = int(abs(brings).max(axis=-1).argmax())
    with st.container(horizontal=True):
        head = picked("Head", heads, HEAD, heads[first], width=120)
        key = picked("looks at", names[: position + 1], KEY, "strongest", width=130)
    head = heads.index(head) if head in heads else first
    weights = found.attention_weights[head, position, : position + 1]
    key = names.index(key) if key in names else int(weights.argmax())
    order = [n for n in np.argsort(-weights, kind="stable")[:NUM_ROWS] if n != key]
    table(["looks at", "weight", "brings", "lost if cut"], [
        [plain(names[n]), percent(weights[n]), signed(brings[head, n]),
         lost_figure(lost, layer, head, position, n)]
        for n in [key, *order][:NUM_ROWS]
    ])
    st.latex(score_by_hand(machine.trace, layer, head, position, key))
    lesson_link("queries_keys_values", "Where these numbers come from")
    lesson_link("heads", "Why there are several heads")


def lost_figure(lost, layer, head, query, key):
    """What is lost without a link, or a dash where none was cut."""
    amount = lost[layer, head, query, key]
    return signed(amount) if np.isfinite(amount) else "–"


def open_feed_forward(machine, llm, layer, position):
    """The units that fire, and the words that they make likelier."""
    fired, brought = wrote(machine, llm.weights, layer, position)
    on_path = bool(abs(brought).max() > 0)
    order = np.argsort(-abs(brought if on_path else fired), kind="stable")[:NUM_UNITS]
    vocabulary = llm.tokenizer.vocabulary
    st.markdown(
        f"{int((fired > 0).sum())} of its {len(fired)} inner units fire. "
        + ("Those that bring most:" if on_path else "Those that fire most:")
    )
    table(["unit", "fires", "brings", "makes likelier"], [
        [str(unit + 1), f"{fired[unit]:.2f}", signed(brought[unit]),
         listed(vocabulary[n] for n in np.argsort(
             -direct_logit_effect(llm.weights, layer, unit), kind="stable")[:2])]
        for unit in order if fired[unit] > 0
    ])
    lesson_link("block", "What a feed-forward layer does")


def sum_by_hand(a, b):
    """Two numbers and their sum in LaTeX, all with digits enough to add up exactly."""
    places = places_that_add_up(a, b)
    total = number(a + b, places).strip("()")
    return rf"{number(a, places)} + {number(b, places)} &= {total}"


def open_embedding(machine, llm, position):
    """The row of a word and the row of its position, added up."""
    trace = machine.trace
    token, number_of = trace.tokens[position], int(trace.token_ids[position])
    word, place = trace.embeddings[position], trace.positions[position]
    terms = [sum_by_hand(a, b)
             for a, b in zip(word[:SHOWN].astype(float), place[:SHOWN].astype(float))]
    st.markdown(
        f"{plain(token)} is token {number_of} of {len(llm.tokenizer)}. Its row of the "
        f"embedding table and row {position} of the position table, the first "
        f"{SHOWN} of {len(word)} numbers:"
    )
    st.latex(r"\small\begin{aligned}" + r" \\ ".join(terms) + r"\end{aligned}")
    near = nearest_words(token, llm.weights.token_embeddings, llm.tokenizer, 3)
    st.markdown("Nearest rows: " + listed(word for word, _ in near) + ".")
    lesson_link("embeddings", "How a word becomes numbers")
    lesson_link("positions", "How it knows the order")


def open_answer(machine, llm, step):
    """Logits, softmax and the draw."""
    vocabulary, logits = llm.tokenizer.vocabulary, machine.trace.logits[-1]
    order = np.argsort(-logits, kind="stable")[:NUM_ROWS]
    shares, drawn = step.probabilities_before_cut, step.probabilities
    st.markdown("**Logits, softmax and the draw.** The last vector gives every word a "
                "logit:")
    table(["word", "logit", "probability"], [
        [plain(vocabulary[n]), f"{logits[n]:.2f}", percent(shares[n])] for n in order
    ])
    start = float(drawn[: step.token_id].sum())
    end = start + float(drawn[step.token_id])
    st.markdown(
        f"All {len(vocabulary)} probabilities, one after the other, make a line from 0 "
        f"to 1. The random number {step.u:.4f} falls between {start:.4f} and "
        f"{end:.4f}, which is the stretch of {plain(step.token)}."
    )
    lesson_link("next_token", "How logits become probabilities")
    lesson_link("sampling", "How a word is drawn")
