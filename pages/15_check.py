"""Check: what do you know now?"""

import streamlit as st

from pages.check.concept_views import concept_test
from pages.check.progress import verdicts
from pages.check.questions import Question, make
from pages.check.takeaways import takeaways
from pages.check.views import (
    NAMES,
    glossary_view,
    one_question,
    result,
    score_line,
    set_input,
    steps,
    turned_to,
)
from pages.ui.deeper import go_deeper
from pages.ui.exercise import models
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import terms
from pages.ui.source import show_source

lesson(__file__)

st.markdown(f"""
{len(NAMES)} questions over all lessons, in three rounds. They ask what you understood,
not which words you remember. Many are made **from the models that are running here**:
their numbers are real, and the right answer was computed a moment ago. Your first try
counts. Answers are kept in this browser only.
""")

questions, learned, words, concepts = st.tabs(
    ["Questions", "Takeaways", "Glossary", "Before and after"], key="check_view",
    on_change="rerun", bind="query-params",
)
if questions.open:
    with questions:
        numbers = set_input()
        above, name = st.container(), turned_to()
        one_question(name, numbers)
        with above:  # filled once the answer is noted
            score_line(numbers)
            steps(name, numbers)
        st.header("Your result", anchor=False)
        result(numbers)
        if section := go_deeper("how a question is made and scored", "check_made"):
            with section:
                st.markdown("""
                Each question is a function of the models and of a chain of random
                numbers that starts from the set. Nothing about the right option leaves
                the server before you have picked one.
                """)
                show_source(make, Question, verdicts)
if learned.open:
    with learned:
        st.markdown("One thought from each lesson, and the way back to it.")
        for stem, thought in takeaways(models()).items():
            with st.container(border=True):
                st.markdown(thought)
                lesson_link(stem)
if words.open:
    with words:
        glossary_view(terms())
if concepts.open:
    with concepts:
        concept_test()
