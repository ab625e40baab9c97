"""Home: the tiny LLM at work, the map of the course, and its three promises."""

import streamlit as st

from pages.ui.controls import tiny_llm, world
from pages.ui.course import COURSE
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary

lesson(__file__)

START = "the cat sat on the"

st.markdown(f"""
A **language model** does one thing: it reads the start of a text and gives every word it
knows a probability to come next. Here is one, running now, on the start

> {START} ___
""")

# Charts come after the opening text, which is then on the screen first.
from pages.ui.charts.bars import bars_alt, bars_data, probability_bars  # noqa: E402
from pages.ui.show import numbers, show  # noqa: E402

bars = bars_data(tiny_llm().next_token(START), world().next_word_probabilities(START.split()))
show(probability_bars(), bars, bars_alt(bars, START))
numbers(bars[["word", "model", "truth"]], "home")
