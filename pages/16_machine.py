"""The machine: how does it write a word?"""

import streamlit as st

from llm.studies.flow import answer_flow, answer_paths
from llm.studies.link_cuts import lost_by_cuts
from llm.studies.machine import machine_at_work
from pages.machine.panel import opened, part_picker
from pages.machine.picture import component, picture
from pages.machine.state import (
    num_written,
    opened_at,
    start_again,
    take_open,
    take_written,
)
from pages.machine.words import MEASURES, lead_told, lines_told
from pages.ui.controls import (
    sentence_input,
    tiny_llm,
    truth_at,
    word_buttons,
    world,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.source import show_source

lesson(__file__)

START = "tom has a red ball . mia has a blue kite . mia 's kite is"
LEAST_CUT = 0.02  # links with less attention are not cut


@st.cache_resource(max_entries=64, show_spinner=False)
def at_work(tokens):
    """The machine on one prompt, and what each of its links is needed for."""
    llm = tiny_llm()
    machine = machine_at_work(llm, list(tokens))
    lost = lost_by_cuts(
        llm.weights, machine.trace, machine.answer, machine.rival, LEAST_CUT
    )
    return machine, lost


llm = tiny_llm()
vocabulary = llm.tokenizer.vocabulary
above = st.container(key="machine_controls", horizontal=True, vertical_alignment="bottom")
with above:
    tokens = sentence_input(START, "machine_start", on_change=start_again)
    measure = st.segmented_control(
        "Lines show what a head …", MEASURES, default=MEASURES[0], required=True,
        key="machine_lines", bind="query-params",
    ) or MEASURES[0]
    with st.popover("Temperature and seed"):
        temperature = st.slider(
            "Temperature", 0.1, 2.0, 1.0, 0.05, key="machine_temperature",
            bind="query-params",
        )
        seed = st.number_input(
            "Seed of the draws", 0, 999_999, 1, key="machine_seed", bind="query-params",
        )
number = num_written()
steps = list(llm.steps(tokens, number + 1, temperature, seed=seed or 0))
written = [step.token for step in steps[:-1]][:number]
step = steps[-1]
seen = tokens + written
word_buttons(seen, "machine_start", on_change=start_again)
machine, lost = at_work(tuple(seen))
truth = world().next_word_probabilities(seen)
left, right = st.columns([3, 1])
with right, st.container(key="machine_panel", gap="small"):
    st.markdown(lines_told(machine, lost, measure))
    part, word = part_picker(machine)
    if part:
        opened(machine, llm, lost, part, word, step)
    else:
        st.markdown(lead_told(machine, vocabulary))
with left:
    content = picture(
        machine, vocabulary, llm.next_token(seen, temperature),
        truth_at(truth, temperature), step, measure, lost,
    )
    component(
        key="machine",
        data=content | {
            "written": number, "ended": step.token == "<end>",
            "open": opened_at(part, word, machine.trace.tokens, len(machine.said)),
        },
        on_write_change=take_written,
        on_open_change=take_open(machine.trace.tokens),
    )

if section := go_deeper("the code that ran", "machine_code"):
    with section:
        show_source(machine_at_work, answer_flow, answer_paths, lost_by_cuts)
