"""Attention: which words matter to each other?"""

import streamlit as st

from llm.glassbox.attention import causal_mask, masked
from llm.glassbox.softmax import softmax
from llm.studies.links import CUT_NAMES
from pages.attention.charts import endings_picture
from pages.attention.measures import (
    NOUNS,
    POSITIONS,
    TIRED,
    WIDE,
    cut_answers,
    lost_by_cut,
    reading,
)
from pages.attention.sections import (
    both_ways_section,
    explanation_section,
    own_section,
    rows_section,
)
from pages.attention.words import (
    cut_said,
    first_ending_said,
    guess_replies,
    label_said,
    masked_softmax,
    needed_said,
    other_ending_said,
    share_guess,
)
from pages.ui.chart import show
from pages.ui.charts.bars import bars
from pages.ui.controls import choose
from pages.ui.deeper import go_deeper
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.measures import widest_row
from pages.ui.models import tiny_llm
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.words import head_name, percent

lesson(__file__)

st.markdown("""
"The animal didn't cross the street because it was too **tired**." What was too tired?
The animal, because streets don't get tired. You read each word in the light of the
others, even of those far away.

**Self-attention** lets a network do the same. Each word looks at the words of its own
sentence and takes something from each, most from those that matter to it. How much is a
number, the **attention weight**. The weights that one word gives add up to 1. They come
from **scores**, which say how well two words fit; the next lesson computes them. Below,
the tiny LLM must continue the sentence: `… because it was too tired . so the`.
""")
glossary("self-attention", "attention weight", "score", "attention head",
         "causal mask")

readings = {last: reading(last) for last in (TIRED, WIDE)}
tired, wide = readings.values()
end, animal = len(tired.tokens) - 1, POSITIONS[tired.noun]
rows = [one.trace.attention(*tired.head)[end] for one in readings.values()]
sentences = [one.tokens for one in readings.values()]
answers = {last: cut_answers(last) for last in readings}
says = {last: one[CUT_NAMES[0]] for last, one in answers.items()}  # with nothing cut
labels = [label_said(one.noun, says[last]) for last, one in readings.items()]
lost = {last: lost_by_cut(last, one) for last, one in answers.items()}
whole = says[TIRED][tired.noun]
picture, config = st.container(), tiny_llm().config
st.caption(
    f"Where the last `the` looks in {head_name(*tired.head)} of the tiny LLM, the head "
    f"in which it looks at `{tired.noun}` most. "
    f"{needed_said(tired.noun, whole, whole - lost[TIRED])} A head is one of several "
    f"small attentions side by side; the tiny LLM has {config.num_heads} in each of "
    f"its {config.num_layers} layers. The thicker the arc, the larger the weight."
)
guess = pick_first(
    f"Now put `{WIDE}` in the place of `{TIRED}`. How much of its attention does the "
    f"last `the` give to `{tired.noun}` now?",
    guess_replies(tired.noun, rows[0][animal], rows[1][animal]),
    share_guess(rows[1][animal]), "attention_guess", horizontal=True,
)
seen = guessed(guess, "attention_guess")
names = [f"with {TIRED}", f"with {WIDE}" if seen else f"with {WIDE}: your guess first"]
with picture:
    shown = 2 if seen else 1
    show(endings_picture(
        rows[:shown], sentences[:shown], end, names, labels[:shown]
    ), "attention")
if seen:
    looking = [
        one.trace.attention(*wide.head)[end, POSITIONS[wide.noun]]
        for one in (wide, tired)
    ]
    st.markdown(other_ending_said(
        WIDE, rows[1], wide.tokens, wide.noun, says[WIDE], looking,
        wide.head if wide.head != tired.head else None,
    ))

st.header("Does the answer need this link?", anchor=False)
told, controls = st.container(), st.container(horizontal=True)
ending, why = TIRED, ""
with controls:
    if seen:  # before the guess nothing is told of the other ending
        first, other = sorted(readings, key=lost.get, reverse=True)
        noun = NOUNS[other]
        why = first_ending_said(
            first, lost[first], other, noun, says[other][noun],
            answers[other][CUT_NAMES[1]][noun],
        )
        ending = choose("The last word", [first, other], "attention_ending", first)
    cut = choose("What is cut?", CUT_NAMES, "attention_cut", CUT_NAMES[1], kind="list",
                 name="cut", width=360)
one, left_by = readings[ending], answers[ending]
link = one.trace.attention(*one.head)[end, POSITIONS[one.noun]]
told.markdown(f"""
A picture of attention does not explain an answer. To test it, **cut the link**. With
`{ending}`, {head_name(*one.head)} gives {percent(link)} of the attention of the last
`the` to `{one.noun}`. It may no longer look there, and all else is computed as
before. {why}
""")
whole, left = says[ending], left_by[cut]
others = sorted(set(left) - set(POSITIONS), key=left.get, reverse=True)
words = sorted([*POSITIONS, *others[:3]], key=left.get, reverse=True)
nothing_cut = cut == CUT_NAMES[0]
show(bars(
    {word: left[word] for word in words}, "probability of the next word",
    cut if nothing_cut else f"without {cut}",
    tick=None if nothing_cut else {word: whole[word] for word in words},
    tick_name=CUT_NAMES[0],
    said="What the tiny LLM says next",
), "cuts")
st.markdown(cut_said(cut, one.noun, left_by))

st.header("A model that writes must not look ahead", anchor=False)
weights = tired.trace.attention(*tired.head)
row = widest_row(weights)
st.markdown(f"""
Why does the last `the` look, and not `it`? When the tiny LLM reads `it`, `{TIRED}` has
not been said yet. It reads from left to right, and a word may only look at itself and
to its left. This rule is the **causal mask**: the scores of all later words become −∞
before softmax, and e to the power of −∞ is 0. Here is the row of `{tired.tokens[row]}`
in {head_name(*tired.head)}. Its scores are scaled, as the next lesson explains, and the
largest is subtracted from each, which keeps the powers small and changes no share.
""")
layer, head = tired.head
st.latex(masked_softmax(
    tired.trace.blocks[layer].scores[head, row], tired.tokens, row,
    int(weights[row].argmax()),
))
st.markdown("""
While the model writes, nothing stands after its last word, and earlier words look to
their left only, as in **training**. There the mask is needed: the model must predict
the next word at every position of a story, all at once, and each answer stands one
position further right. Without the mask it would copy the answer and learn nothing.
""")
show_source(causal_mask, masked, softmax)

st.markdown("""
**What to notice**

- Each row adds up to 1, so to give one word more is to give the others less.
- A weight says where a head looks. Only a cut shows what the answer needs.
""")

if section := go_deeper("every row of this head", "rows"):
    with section:
        rows_section(readings, tired.head)

if section := go_deeper("a network that looks both ways", "both_ways"):
    with section:
        both_ways_section()

if section := go_deeper("is attention an explanation?", "explanation"):
    with section:
        explanation_section(answers[TIRED])

if section := go_deeper("a sentence of your own", "own"):
    with section:
        own_section(tired.head)

check_yourself(
    "The tiny LLM reads `it` in `… because it was too tired`. What can the network "
    "know at `it` about `tired`?",
    {
        "That `it` means the animal.": "That follows from `tired`, which comes later. "
        "A decoder looks left only, so it works the answer out at `so the`.",
        "Nothing.": "Every word looks at itself and to its left, and `tired` stands to "
        "the right. A network without the causal mask could know it.",
        "What other heads tell it.": "No head of a decoder looks to the right, in "
        "any layer.",
    },
    answer="Nothing.",
    key="attention_check",
)
work_it_out("mask", tired.tokens[1:])
