"""Check: what do you know now?"""

import streamlit as st

from pages.check.progress import verdicts
from pages.check.questions import Question, make
from pages.check.takeaways import takeaways
from pages.check.views import (
    NAMES,
    glossary_view,
    models,
    one_question,
    result,
    score_line,
    set_input,
)
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import terms
from pages.ui.source import show_source

lesson(__file__)

st.markdown(f"""
{len(NAMES)} questions over all lessons: on understanding, not on words. Many are made
**from the models that are running here**, at this moment: their numbers are real, and
the right answer was computed a moment ago. A wrong answer is answered too, by what is
easily mixed up. Your first try counts; nothing is stored but in this tab.
""")

questions, learned, words = st.tabs(
    ["Questions", "Takeaways", "Glossary"], key="check_view", on_change="rerun",
    bind="query-params",
)
if questions.open:
    with questions:
        numbers = set_input()
        score = st.container()  # filled below, once the answer is noted
        one_question(numbers)
        with score:
            score_line(numbers)
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
