"""The machine on one prompt, measured once for all students."""

import streamlit as st

from llm.studies.link_cuts import lost_by_cuts
from llm.studies.machine import machine_at_work
from pages.ui.models import tiny_llm

LEAST_CUT = 0.02  # links with less attention are not cut


@st.cache_resource(max_entries=64, show_spinner=False)
def at_work(tokens):
    """What the picture of the machine shows on one prompt.

    Args:
        tokens: a tuple of words.

    Returns:
        machine: a `Machine`.
        lost: what each link is needed for, from `lost_by_cuts`.
    """
    llm = tiny_llm()
    machine = machine_at_work(llm, list(tokens))
    lost = lost_by_cuts(
        llm.weights, machine.trace, machine.answer, machine.rival, LEAST_CUT
    )
    return machine, lost
