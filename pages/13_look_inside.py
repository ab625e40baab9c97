"""Look inside: can it show its working?"""

import numpy as np
import streamlit as st

from llm.studies.flow import (
    answer_flow,
    answer_paths,
    brought_between,
    strongest_path,
)
from llm.studies.link_effects import link_effects, without_link
from llm.studies.stream import logit_lens
from llm.studies.units import direct_logit_effect, top_words
from pages.look_inside.measures import guessed_link
from pages.look_inside.path import path_picture
from pages.look_inside.sections import (
    cut_section,
    honesty_section,
    lens_section,
    search_section,
)
from pages.look_inside.steps import every_step, picked
from pages.look_inside.words import (
    MORE,
    asked_in_words,
    coloured_sentence,
    cut_replies,
    cut_told,
    link_and_head_told,
    link_told,
    path_told,
    step_told,
    steps_of,
)
from pages.ui.chart import show
from pages.ui.charts.bars import bars
from pages.ui.colours import ATTENTION
from pages.ui.controls import choose, sentence_input
from pages.ui.deeper import go_deeper
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.models import tiny_llm
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.tell import tell

lesson(__file__)

KITE_ANSWER = "blue"
START = "tom has a red ball . mia has a blue kite . mia 's kite is"
llm = tiny_llm()
vocabulary = llm.tokenizer.vocabulary

st.markdown("""
Networks are called black boxes. This one is made of glass. The *logit* of a word is its
raw number: the larger, the likelier. The **lead** of one word over another is the
difference of their logits, and it is a **sum**: one part comes from the words that you
typed, the rest from *biases*, learned numbers that parts add whatever they read; where
the heads look decides how much of them arrives.
""")
box, beside = st.columns([3, 1.3], vertical_alignment="bottom")
with box:
    words = sentence_input(START, key="look_start")
run = llm.trace(words)
last, order = len(run.tokens) - 1, np.argsort(-run.logits[-1], kind="stable")
with beside.popover("Explain another word", width="stretch"):
    chosen = picked("Explain", [vocabulary[n] for n in order], vocabulary[order[0]],
                    "look_word")
    word = llm.tokenizer.ids[chosen]
    rival = vocabulary[next(n for n in order if n != word)]
    against = picked("Compared with", [w for w in vocabulary if w != chosen], rival,
                     "look_other")
    other = llm.tokenizer.ids[against]
asked = asked_in_words(chosen, against)
flow = answer_flow(run, llm.weights, word, other)
paths = answer_paths(run, llm.weights, word, other)
path, brought = strongest_path(paths, last), brought_between(paths, last)

st.markdown(coloured_sentence(run.tokens, flow.words, flow.total) + f" **{chosen}**")
show(path_picture(run.tokens, brought, path, chosen, flow.total), "path")
st.caption(
    "Words across, blocks upwards. A thick line carries much. Blue words speak for the "
    "answer, orange against."
)
st.markdown(path_told(run.tokens, path, flow, asked))
glossary("logit", "residual stream", "attention head", "logit lens", "contribution")

st.header("One step of the path", anchor=False)
steps = steps_of(path)
name = choose("Open a step of the path", list(steps), "look_step")
layer, key, query = steps[name]
by_head = flow.links[layer, :, query, key]
st.markdown(step_told(run.tokens, layer, key, query, by_head,
                      brought[layer, key, query]))
show(bars(
    {f"head {layer + 1}.{head + 1}": amount for head, amount in enumerate(by_head)},
    "what it brings to the lead", "the heads", colour=ATTENTION, domain=None,
    form="+.2f", what="head",
), "step")
show_source(answer_flow, answer_paths)

st.header("Does the sum explain it?", anchor=False)
link = guessed_link()
st.markdown(link_told(link, KITE_ANSWER))
guess = pick_first(
    "What happens to the answer when this one link is cut?", cut_replies(link),
    answer=MORE, key="look_guess",
)
if guessed(guess, "look_guess"):
    show(bars(
        {name: brings for name, brings, _ in link.compared}, "logits of the lead",
        "what the link brings", second={name: lost for name, _, lost in link.compared},
        second_name="what is lost without it", domain=None, form="+.2f", what="link",
    ), "brings_and_loses")
    st.markdown(cut_told(link, KITE_ANSWER))
lesson_link("machine", "See every link of every head, by all three measures")

st.markdown("""
**What to notice**

- Such sums hold attention weights, firing units and LayerNorm's divisors fixed. A
  probability is no sum.
- No single part decides. The strongest path is not the only one.
- A contribution says what was **carried**. Only a cut says what was **needed**.
""")

if section := go_deeper("every step, down to the words", "look_steps"):
    with section:
        every_step(run, word, other, asked, "the lead", flow.links)

if section := go_deeper("what it would say after each block", "look_lens"):
    with section:
        st.markdown("""
        The **logit lens**: read the vector of every word too early, as if the network
        ended there. Rows are the words of your sentence, columns go up the network;
        dark is sure.
        """)
        lens_section(run)
        show_source(logit_lens)

if section := go_deeper("cut it out and see", "look_cut"):
    with section:
        st.markdown("""
        Take a part away, let the rest run, and look at the bars again. A head that is
        cut finds nothing; a layer that is cut adds nothing; a word that is cut is seen
        by no other; the weight of a link that is cut goes to the other words of its
        row.
        """)
        tell(link_and_head_told(link))
        cut_section(run, words, word, other)

if section := go_deeper("is attention an explanation?", "look_honest"):
    with section:
        st.markdown("""
        Three measures of the same links: the **weight** says how much was read, the
        **direct effect** what that added to the last vector, read out as it stands,
        and the cut how far the lead **falls** without the link.
        """)
        honesty_section(run, word, other, asked)
        show_source(link_effects, without_link)

if section := go_deeper("search for what a unit fires at", "look_search"):
    with section:
        st.markdown("""
        When does a unit of a feed-forward layer fire? We search stories that were
        written afresh, and try every word that the model knows. (The world is
        small, so many of these stories also occur in the training.)
        """)
        search_section(run, word, other)
        show_source(top_words, direct_logit_effect)

check_yourself(
    "A head gives one word nearly all of its attention. Does that explain the answer?",
    {
        "Yes, the head listens to almost nothing else.": "The head may do so, but the "
        "value that it takes may hold nothing about this answer, and other heads and "
        "layers speak too. The weight is one factor of two, in one part of many.",
        "Only a cut can tell: see how the answer changes without that link.": "The "
        "weight says what was read, and the contribution what it brought. Only the cut "
        "says what was needed.",
        "No, attention never means anything.": "Often it does. It has to be tested "
        "each time: by what the link brings, and by what is lost without it.",
        "Yes, if it is a head of the last block.": "The last block is nearest to the "
        "logits, but there too the value decides what is handed over, and the "
        "feed-forward layer and LayerNorm still come after it.",
    },
    answer="Only a cut can tell: see how the answer changes without that link.",
    key="look_check",
)
work_it_out("missing_effect", words)
