"""For teachers: how can I teach with it?"""

import streamlit as st

from llm.exercises import make
from pages.teacher.sections import (
    in_class,
    link_builder,
    paths,
    results,
    worksheets,
)
from pages.ui.deeper import go_deeper
from pages.ui.exercise import models
from pages.ui.frame import lesson
from pages.ui.source import show_source

lesson(__file__)

PARTS = {
    "Paths": paths,
    "Links": link_builder,
    "Worksheets": worksheets,
    "Results": results,
    "In class": in_class,
}

with st.container(key="no_print_intro"):
    st.markdown("""
    Ready paths with links to exact screens, exercises on paper with their keys, links
    of your own, and the results of a class. Nothing needs an account. Students'
    answers are kept only in their browsers or in files that they save.
    """)
tabs = st.tabs(
    list(PARTS), key="teacher_part", on_change="rerun", bind="query-params"
)
for tab, draw in zip(tabs, PARTS.values()):
    if tab.open:
        with tab:
            draw()
if section := go_deeper("how a worksheet is made", "teacher_made"):
    with section:
        example = make("mask", models(), 1)
        st.markdown(
            "A worksheet is made by the same function as the exercises on the pages, "
            "from the number of the sheet. For number 1, one of them asks:"
        )
        st.markdown(example.task)
        show_source(make)
