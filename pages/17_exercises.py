"""Exercises: can you work it out yourself?"""

import streamlit as st

from llm.exercises import KINDS, Exercise, make
from pages.exercises.words import how_far
from pages.ui.controls import choose, sentence_input
from pages.ui.deeper import go_deeper
from pages.ui.exercise import TITLES, by_lesson, exercise, named
from pages.ui.frame import lesson, lesson_link
from pages.ui.progress import buttons, done
from pages.ui.source import show_source

lesson(__file__)

OWN, DRAWN = "from a sentence of mine", "drawn"

st.markdown("""
Paper and a calculator help. Most numbers come from the models that are running here,
and your answer is marked by the functions that the lessons show. If it is wrong, you
are told what was probably mixed up. After a second try, or once you have solved it, the
whole way to the answer is shown.
""")
kinds = by_lesson()
stem = choose(
    "Lesson", list(kinds), "exercises_lesson", kind="list",
    format_func=lambda one: TITLES[one],
)
kind = choose(
    "Exercise", kinds[stem], f"exercises_{stem}", kind="pills", format_func=named
)
words = None
if KINDS[kind].from_sentence:
    if choose("Numbers", [DRAWN, OWN], "exercises_numbers") == OWN:
        words = sentence_input("the cat sat on the mat all day", key="exercises_start")
exercise(kind, "exercises", words, heading="")
st.caption(how_far(done()["exercises"]))
lesson_link(stem, f"Look it up: {TITLES[stem]}")

if section := go_deeper("save what you have done, or forget it", "exercises_done"):
    with section:
        buttons("exercises")
if section := go_deeper("how an exercise is made and marked", "exercises_made"):
    with section:
        st.markdown("""
        Each kind is a function of the models and of a chain of random numbers that
        starts from the number under the exercise. The answer and well-known wrong
        answers are computed with it; if two of them cannot be told apart, the numbers
        are drawn again. The answer leaves the server only once it may be shown.
        """)
        show_source(make, Exercise)
