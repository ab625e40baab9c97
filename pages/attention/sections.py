"""Go deeper: every row, a network that looks both ways, and cuts in many sentences."""

import numpy as np
import streamlit as st

from llm.models.encoder_twin import POINTING_HEAD
from llm.models.tiny_llm import START
from llm.studies.links import CUT_NAMES, IT, cut_distributions, link_in_all_heads
from pages.attention.charts import endings_picture
from pages.attention.measures import (
    ENDINGS,
    KINDS,
    NOUNS,
    POSITIONS,
    TIRED,
    blanked,
    cut_answers_of_twin,
)
from pages.attention.words import (
    explained,
    how_trained,
    one_against_many,
    only_row_said,
    pointing_said,
    twin_cut_said,
)
from pages.ui.chart import sentence, show
from pages.ui.charts.arcs import linked_arcs
from pages.ui.charts.bars import bars
from pages.ui.controls import (
    choose,
    choose_position,
    last_side_by_side,
    sentence_input,
)
from pages.ui.measures import left_of_tiny_llm, links_of_tiny_llm, links_of_twin
from pages.ui.models import encoder_twin, tiny_llm
from pages.ui.source import show_source
from pages.ui.tell import tell
from pages.ui.words import head_name, numbered

NAMES = [f"with {last}" for last in ENDINGS]


def rows_section(readings, head):
    """Every row of the head, with either ending.

    Args:
        readings: a dictionary from last word to `Reading`.
        head: (layer, head)
    """
    last = choose("The last word", readings, "last_word", TIRED)
    tokens, trace = readings[last].tokens, readings[last].trace
    weights = trace.attention(*head)
    row = choose_position(
        "Show the links of", numbered(tokens), "attention_word", len(tokens) - 1,
        name="word",
    )
    show(linked_arcs(weights, tokens, row), "attention_rows")
    st.caption(
        "Each row is a word that looks, each column a word that is looked at. The "
        "causal mask hides the grey cells. Point at a word to see its links."
    )
    key = POSITIONS[NOUNS[TIRED]]
    if last == TIRED:
        st.markdown(only_row_said(weights, len(tokens) - 1, key, tokens))


def both_ways_section():
    """The encoder twin: `it` may look at the words behind it."""
    twin = encoder_twin()
    head = twin.flipping_head
    trained = head == (twin.config.num_layers - 1, POINTING_HEAD)
    st.markdown(pointing_said(twin.record["scores"], trained))
    st.markdown(
        "This is the **encoder twin** of the tiny LLM: a network of the same parts "
        "without a causal mask, so every word may look both ways. The row of `it`:"
    )
    traces = {last: twin.ask(tokens) for last, tokens in ENDINGS.items()}
    weights = {last: trace.attention(*head) for last, trace in traces.items()}
    show(endings_picture(
        [one[IT] for one in weights.values()], list(ENDINGS.values()), IT, NAMES
    ), "attention_twin")
    noun = NOUNS[TIRED]
    st.markdown(only_row_said(weights[TIRED], IT, POSITIONS[noun], ENDINGS[TIRED]))
    st.markdown(twin_cut_said(cut_answers_of_twin(TIRED, head), noun))
    st.markdown("It can also be asked for the word behind a **blank**, `[mask]`, a "
                "token that has nothing to do with the causal mask:")
    sentence(blanked(TIRED)[1:], blank=False)
    filled = {last: twin.answers(blanked(last), IT + 1) for last in ENDINGS}
    tired, wide = ({word: filled[last][word] for word in POSITIONS} for last in filled)
    show(bars(
        tired, "probability in the blank", NAMES[0], tick=wide, tick_name=NAMES[1],
        said="Behind the blank",
    ), "attention_blank")
    st.caption(how_trained(twin.record))


def explanation_section(answers):
    """What the link to the right noun is worth on many sentences.

    Args:
        answers: what is said in the sentence of the page, from `cut_answers`.
    """
    st.markdown("""
    By itself, no. A weight says how much of a word's **value** a head takes. It does
    not say what is in that value, whether later layers use it, or whether the same
    information comes another way: from another head, or through words in between that
    had looked there before. The mean probability of the right noun, over sentences in
    which the mover is too tired:
    """)
    kind = KINDS[TIRED]
    of_llm, of_twin = links_of_tiny_llm()[kind], links_of_twin()[kind]
    st.markdown("\n".join([
        explained("tiny LLM", of_llm), explained("encoder twin", of_twin)
    ]))
    noun = NOUNS[TIRED]
    tell(one_against_many(noun, answers[CUT_NAMES[3]][noun], of_llm.without))
    st.markdown(
        f"The tiny LLM, head by head, on {of_llm.num_sentences} sentences: the right "
        "noun when a head alone has the link, and when it alone loses it."
    )
    names = [head_name(*head) for head in np.ndindex(of_llm.alone.shape)]
    having, losing = (
        dict(zip(names, part.ravel().tolist()))
        for part in (of_llm.alone, left_of_tiny_llm(kind))
    )
    show(bars(
        having, "probability of the right noun", "it alone has the link", tick=losing,
        tick_name="it alone loses the link", what="head", said="The right noun",
    ), "attention_heads")
    show_source(cut_distributions, link_in_all_heads)


def own_section(llm_head):
    """A sentence of one's own, read by either network.

    Args:
        llm_head: (layer, head) of the tiny LLM.
    """
    st.markdown("Type a sentence of the toy world's words, and choose a word.")
    reader = choose("Who reads?", READERS, "attention_reader")
    tokens = [START, *sentence_input(
        "the dog didn't climb the hill because it was too steep .",
        key="attention_own", label="A sentence of words that they know",
        name="sentence",
    )]
    if len(tokens) < 2:
        if not st.session_state["attention_own"]:
            st.info("Write at least one word.")
        return
    tokens = [START, *last_side_by_side(tokens[1:])]
    twin = reader == READERS[0]
    head = encoder_twin().flipping_head if twin else llm_head
    trace = encoder_twin().ask(tokens) if twin else tiny_llm().trace(tokens)
    default = tokens.index("it") if "it" in tokens else len(tokens) - 1
    row = choose_position(
        "Show the links of", numbered(tokens), "attention_own_word", default,
    )
    st.caption(f"{head_name(*head).capitalize()} of {reader}.")
    show(linked_arcs(
        trace.attention(*head), tokens, row, hidden=None if twin else "later"
    ), "attention_own")


READERS = ["the encoder twin (both ways)", "the tiny LLM (left only)"]
