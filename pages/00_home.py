"""Home: the tiny LLM at work, the map of the course, and its three promises."""

import streamlit as st

from pages.ui.controls import tiny_llm, world
from pages.ui.course import COURSE
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary

lesson(__file__)

START = "the cat sat on the"

st.markdown("""
A **language model** does one thing. It reads the start of a text, and gives every word
that it knows a **probability** to come next. Here is a tiny one, running now, on:
""")

# Charts come after the opening text, which is then on the screen first.
from pages.ui.chart import numbers, sentence, show  # noqa: E402
from pages.ui.charts.bars import (  # noqa: E402
    bars_alt,
    bars_data,
    bars_table,
    probability_bars,
)

sentence(START.split())
truth = world().next_word_probabilities(START.split())
bars = bars_data(tiny_llm().next_token(START), truth)
show(probability_bars(), bars, bars_alt(bars, START))
numbers(bars_table(bars), "home")

st.markdown(f"""
Inside is a **Transformer**, the design behind ChatGPT and Claude, only far smaller: the
same parts, {len(tiny_llm().tokenizer)} words, learned in minutes. This course takes it
apart until nothing about it is a secret.
""")
glossary("language model", "token", "probability", "toy world")
lesson_link("next_token", "Try it: give it a start and let it write")

st.header("Three promises", anchor=False)
with st.grid(3, min_column_width=210, border=True):
    st.markdown("""
    **Every number is real.** It comes from the model that is running here, or from the
    code beside it. Nothing is drawn for show.
    """)
    st.markdown("""
    **The truth is known.** The stories were written by a small *toy world* whose rules
    we know. So the exact probability of every word stands beside the model's.
    """)
    st.markdown("""
    **The code shown is the code that runs.** A few lines of NumPy for each idea; put
    together, they are the model.
    """)

st.header("The course", anchor=False)
for section, lessons in COURSE.items():
    there = [one for one in lessons if one.number]
    if there:
        st.markdown(f"**{section}**")
    for one in there:
        lesson_link(one.stem, f"{one.number}. {one.question}")

st.header("Where this stands", anchor=False)
st.markdown("""
This is module 10 of 12. You have met softmax in module 3, images in module 8 and
recurrent networks in module 9. Here we ask what came after those networks, and why. In
module 11, transfer learning, you make a large model that others have trained your own.

A lesson takes about ten minutes: you guess first, then change something and see real
numbers move. *Go deeper* sections are for the curious, and can all be skipped.
""")
