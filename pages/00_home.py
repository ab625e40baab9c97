"""Home: the tiny LLM at work, the map of the course, and its three promises."""

import streamlit as st

from pages.home.course_map import course_map
from pages.home.roadmap import MODULES, roadmap
from pages.ui.announce import announce
from pages.ui.chart import sentence, show
from pages.ui.charts.bars import next_words
from pages.ui.controls import Counter, sentence_input, word_buttons
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.models import record, tiny_llm, world
from pages.ui.progress import buttons, progress_table
from pages.ui.words import about_time

lesson(__file__)

START = "the cat sat on the"
written = Counter("home_written", highest=40, name="written")

st.markdown("""
A **language model** does one thing: it reads the start of a text, and assigns every
word it knows a **probability** of coming next. Large ones are called **LLMs**, *large
language models*. Here is a tiny LLM, running right now. Give it a start, and let it
continue.
""")

llm = tiny_llm()
tokens = sentence_input(START, "home_start", on_change=lambda: written.go_to(0))
steps = list(llm.steps(tokens, written.keep() + 1, seed=1))
words = [step.token for step in steps[:-1]]
written.at_most(len(words))
seen = tokens + words
announce(f"{words[-1]} written" if words else "")
sentence(tokens, words, blank=steps[-1].token != "<end>")
with st.container(horizontal=True):
    written.button("Next word", add=1, type="primary",
                   disabled=steps[-1].token == "<end>" or len(words) == written.highest)
    written.button("Undo", add=-1)
    written.button("Start again", to=0)
show(next_words(llm.next_token(seen), world().next_word_probabilities(seen), words=6),
     "home")
st.caption(
    "Blue is what the tiny LLM expects. The orange tick is the exact truth: the "
    "stories that it learned from were written by rules that we know."
)
word_buttons(seen, "home_start", on_change=lambda: written.go_to(0))
glossary("language model", "large language model", "token", "probability", "toy world")

st.header("Inside", anchor=False)
st.markdown(f"""
Inside is a **Transformer**, the design behind ChatGPT and Claude, only far smaller:
it knows {len(llm.tokenizer)} tokens, most of them words, and was trained in
{about_time(record("tiny_llm")["training"]["seconds"])}. Follow one word through all of
it:
""")
lesson_link("machine", "See the whole machine at work")
st.markdown("""
The same machine is the map of this course. Words enter at the bottom; every lesson
explains one part.
""")
course_map()

st.header("Three promises", anchor=False)
with st.grid(3, min_column_width=210, border=True):
    st.markdown("""
    **Every number is real.** It comes from the model that is running here, from the
    code beside it, or from a training whose record is kept. Where a page makes numbers
    up to show a step, it says so.
    """)
    st.markdown("""
    **The truth is known.** The stories were written by a small *toy world* whose rules
    we know. So the exact probability of every word stands beside the model's.
    """)
    st.markdown("""
    **The code shown is the code that runs.** A few lines of NumPy for each idea; put
    together, they are the model. A faster version of the same steps writes the long
    texts, and tests check that it gives the same words.
    """)

st.header("Where this fits in", anchor=False)
st.markdown(f"""
This is module 10 of the {MODULES} of your course. You have met softmax, images and
recurrent networks. Here we ask what came after those networks, and why. Next comes
transfer learning: you take a large model that others have trained, and make it your
own.
""")
roadmap()
st.markdown("""
In each lesson you guess first, then change something and see real numbers move. *Go
deeper* sections are for the curious and can all be skipped.
""")

if section := go_deeper("what you have done so far", "home_done"):
    with section:
        progress_table()
        buttons("home")
