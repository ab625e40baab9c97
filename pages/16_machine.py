"""The machine: how does it write a word?"""

import streamlit as st

from llm.studies.flow import answer_flow, answer_paths
from llm.studies.link_cuts import lost_by_cuts
from llm.studies.machine import machine_at_work
from pages.machine.panel import opened, part_picker
from pages.machine.picture import component, picture
from pages.machine.state import (
    MOST_WRITTEN,
    START,
    back_to,
    opened_at,
    start_again,
    take_opened,
    take_written,
    written,
)
from pages.machine.words import LOSES, MEASURES, lead_told, lines_told
from pages.ui.controls import (
    choose,
    seed_input,
    sentence_input,
    temperature_input,
    truth_at,
    word_buttons,
    world_says,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.measures import at_work, lost_at_work
from pages.ui.models import tiny_llm
from pages.ui.source import show_source

lesson(__file__)

SENTENCE = "tom has a red ball . mia has a blue kite . mia 's kite is"
llm = tiny_llm()

with st.container(
    key="machine_controls", horizontal=True, vertical_alignment="bottom"
):
    with st.container():  # what is said of an unknown word stands under the box
        tokens = sentence_input(SENTENCE, START, on_change=start_again)
    measure = choose("Lines show what a head …", MEASURES, "machine_lines")
    with st.popover("Temperature and seed"):
        temperature = temperature_input("machine_temperature")
        seed = seed_input("machine_seed")

steps = list(
    llm.steps(tokens, written.keep() + 1, seed=seed, temperature=temperature)
)
words, next_step = [step.token for step in steps[:-1]], steps[-1]
seen = tokens + words
word_buttons(seen, START, on_change=start_again)

machine = at_work(tuple(seen))
picture_side, panel_side = st.columns([3, 1])
with panel_side, st.container(key="machine_panel", gap="small"):
    lines, (part, word) = st.container(), part_picker(machine)
    cut = measure == LOSES or (part or "").endswith("attention")
    lost = lost_at_work(tuple(seen)) if cut else None
    lines.markdown(lines_told(machine, lost, measure))
    if part:
        opened(machine, llm, lost, part, word, next_step)
    else:
        st.markdown(lead_told(machine, llm.tokenizer.vocabulary))
    truth = world_says(seen, START, on_back=back_to(tokens))

with picture_side:
    content = picture(
        machine, llm.tokenizer.vocabulary,
        llm.next_token(seen, temperature=temperature),
        truth_at(truth, temperature), next_step, measure, lost,
    )
    component(
        key="machine",
        data=content | {
            "written": len(words),
            "ended": next_step.token == "<end>" or len(words) == MOST_WRITTEN,
            "open": opened_at(part, word, machine.trace.tokens, len(machine.said)),
        },
        on_write_change=take_written,
        on_open_change=take_opened(machine.trace.tokens),
    )

st.caption("`<start>` is a token of its own: it marks where the text begins.")
glossary("token", "attention head", "logit", "temperature", "contribution", "bias")

if section := go_deeper("how these numbers are computed", "machine_code"):
    with section:
        st.markdown("""
        For the path and for what a head *brings*, attention weights, LayerNorm and
        firing units are held as they are. Then the lead of one word over another is a
        sum: all ways from the words to the answer, plus what the biases add, which
        comes from no word. What is *lost* is no such sum: a link is cut and the
        network runs again.
        """)
        show_source(machine_at_work, answer_flow, answer_paths, lost_by_cuts)
