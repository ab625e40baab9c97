"""Look inside: can it show its working?"""

import numpy as np
import streamlit as st

from llm.glassbox.layer_norm import EPSILON
from llm.glassbox.softmax import softmax
from llm.studies.attribution import (
    HEAD,
    attribution,
    decompose_residual,
    logit_attribution,
    read_by_head,
    through_norm,
    trail,
    value_attribution,
)
from llm.studies.link_effects import link_effects, without_link
from llm.studies.stream import logit_lens
from llm.studies.units import direct_logit_effect, top_words
from pages.look_inside.charts import (
    amount_chart,
    amounts_alt,
    amounts_table,
    dot_product_by_hand,
    probability_by_hand,
    reading_data,
)
from pages.look_inside.sections import (
    cut_section,
    honesty_section,
    lens_section,
    search_section,
)
from pages.look_inside.steps import (
    OPENED,
    at_the_bottom,
    picked,
    recomputed,
    trail_told,
)
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.words import percent
from pages.ui.controls import sentence_input, tiny_llm
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source
from pages.ui.words import plain

lesson(__file__)

START = "tom has a red ball . mia has a blue kite . mia 's kite is"
llm = tiny_llm()
config, weights, vocabulary = llm.config, llm.weights, llm.tokenizer.vocabulary

st.markdown("""
Networks are called black boxes. This one is made of glass: whatever it says is a
**sum**, and each term can be looked at. Pick one of its probabilities, and walk back
from it, step by step, down to the words that you typed. Every step is worked out again
on this page and held against what the model itself had there.
""")
glossary("logit", "residual stream", "attention head", "logit lens", "contribution")

st.header("Your guess first", anchor=False)
st.markdown("The colour of Mia's kite must come now:")
sentence(START.split())
guess = pick_first(
    "One head of the last block finds it. At which word does that head look most?",
    ["mia", "blue", "kite", "is"],
    key="look_guess",
)
if guess:
    first = llm.trace(START)
    answer = int(first.logits[-1].argmax())
    whole = logit_attribution(first, weights, len(first.tokens) - 1, answer)
    in_last = [part for part in whole.parts if part.layer == config.num_layers - 1
               and part.kind == HEAD]
    finder = max(in_last, key=whole.amount_of)
    share, push = read_by_head(first, weights, whole, finder)
    seen = int((share * push).argmax())
    carried = value_attribution(first, weights, whole, finder, seen)
    carrier = carried.parts[carried.strongest((HEAD,)) or 0]
    st.markdown(
        f"{'Yes' if guess == first.tokens[seen] else 'No'}: most of what "
        f"**{finder.name}** gives to {plain(vocabulary[answer])} it takes from "
        f"**{plain(first.tokens[seen])}**, word {seen + 1}, which gets "
        f"{percent(share[seen])} of its attention. "
        + ("It looks at the answer itself." if first.tokens[seen] == vocabulary[answer]
           else f"Not at {plain(vocabulary[answer])}: by then the colour has already "
           f"been carried into the vector of {plain(first.tokens[seen])}, most of all "
           f"by {carrier.name}. Below you can watch it.")
    )

st.header("Show your working", anchor=False)
words = sentence_input(START, key="look_start")
run = llm.trace(words)
last = len(run.tokens) - 1
logits = run.logits[last].astype(float)
order = np.argsort(-logits, kind="stable")
with st.container(horizontal=True):
    chosen = picked("Explain the probability of", [vocabulary[n] for n in order],
                    vocabulary[order[0]], "look_word", width=230)
    against = st.selectbox(
        "Compared with", [vocabulary[n] for n in order], index=None,
        placeholder="nothing", key="look_other", bind="query-params", width=200,
    )
word = llm.tokenizer.ids[chosen]
other = llm.tokenizer.ids[against] if against and against != chosen else None
asked = f"the logit of {plain(chosen)}" if other is None else (
    f"the lead of {plain(chosen)} over {plain(against)}"
)
title = "the logit" if other is None else "the lead"

st.subheader("1 · The probability, from the logits", anchor=False)
probabilities = softmax(logits)
runner_up = next(n for n in order if n != word)
st.latex(probability_by_hand(chosen, logits[word], logits, logits[runner_up]))
recomputed(probabilities[word], llm.next_token(words)[chosen])

st.subheader(f"2 · {title[0].upper()}{title[1:]}, a dot product", anchor=False)
found = logit_attribution(run, weights, last, word, other)
pair = (word,) if other is None else (word, other)
columns = weights.output_kernel[:, pair].astype(float)
biases = weights.output_bias[list(pair)].astype(float)
direction = columns[:, 0] - columns[:, 1:].sum(axis=1)
bias = biases[0] - biases[1:].sum()
total = float(run.final[last].astype(float) @ direction + bias)
st.markdown(
    f"The last vector of {plain(run.tokens[last])} has {config.embed_dim} numbers. "
    f"Each is multiplied with a number that was learned for {plain(chosen)}"
    + ("" if other is None else f", less the one for {plain(against)}") + "."
)
st.latex(dot_product_by_hand(
    run.tokens[last], [vocabulary[n] for n in pair], run.final[last], direction, bias,
    total,
))
in_model = logits[word] - (0 if other is None else logits[other])
recomputed(total, in_model)

st.subheader(f"3 · What every part gave to {title}", anchor=False)
data = reading_data(found, count=10)
stream = run.blocks[-1].residual_after[last].astype(float)
spread = float(np.sqrt(stream.var() + EPSILON))
st.markdown(
    f"That vector is what all parts added, {len(found.parts)} of them, brought to size "
    f"by the last LayerNorm: here it divides by {spread:.2f}. With that spread, each "
    f"part goes through by itself. So {asked} is a sum. Magenta is a head, green a "
    "feed-forward layer, blue the word and its place."
)
show(amount_chart(title), data, amounts_alt(data, title.capitalize()))
numbers(lambda: amounts_table(reading_data(found, 99, 0)), "parts",
        "All parts, as a table")
recomputed(found.total, in_model)

st.subheader("4 · One of them opened", anchor=False)
ranked = np.argsort(-abs(found.amounts), kind="stable")
names = [found.parts[n].name for n in ranked]
strongest = found.strongest((HEAD,))
default = found.parts[strongest if strongest is not None else ranked[0]]
name = picked("Open this part", names, default.name, "look_part", width=260)
part = next(one for one in found.parts if one.name == name)
open_part = OPENED.get(part.kind, at_the_bottom)
open_part(run, found, part, asked)

step = 5 if open_part is at_the_bottom else 6
st.subheader(f"{step} · Down to the words", anchor=False)
st.markdown(
    f"And so on, until nothing is left below. From {part.name}, always following what "
    "gave most:"
)
stops = trail(run, weights, found, part)
st.markdown(trail_told(stops, run, asked))
st.caption(
    "An amount larger than the sum means that other parts pulled the other way. The "
    "spread of each LayerNorm and the attention weights are held as they are."
)
show_source(through_norm, attribution, decompose_residual)

held = sum(abs(amount) for amount in found.amounts)
heads_hold = sum(
    abs(amount) for one, amount in zip(found.parts, found.amounts) if one.kind == HEAD
)
positive = int((found.amounts > 0).sum())
st.markdown(f"""
**What to notice**

- Nobody decides. {positive} of {len(found.parts)} parts spoke for {plain(chosen)}, the
  others against it. The largest gave {found.amounts.max():+.2f}, the sum is
  {found.total:.2f}.
- Of all that was added or taken off directly, the heads hold
  {percent(heads_hold / held)}. But feed-forward layers work on what heads brought them,
  so a small bar can be the start of a large one.
- No step is a guess: each sum meets the model's own number, up to its last digits.
- The sums say *how* the number came about. What would happen *without* a part is
  another question, and is answered by cutting it out.
""")

if section := go_deeper("what it would say after each block", "look_lens"):
    with section:
        st.markdown("""
        The **logit lens**: read out the vector of every word too early, as if the
        network ended there. Rows are the words of your sentence, each with what would
        come after it; columns go up the network; dark is sure.
        """)
        lens_section(run)
        show_source(logit_lens)

if section := go_deeper("cut it out and see", "look_cut"):
    with section:
        st.markdown("""
        A proof of another kind: take a part away, let the rest run, and look at the
        bars again. A head that is cut finds nothing; a layer that is cut adds nothing;
        a word that is cut is seen by no other; a link that is cut gets no weight, and
        the rest of its row shares what is free.
        """)
        cut_section(run, words, word, other)

if section := go_deeper("is attention an explanation?", "look_honest"):
    with section:
        st.markdown("""
        A weight says how much was **read**. What it **gave** to this logit depends on
        the value that was read, too. And what is **missed** without it shows only when
        the link is cut: then the others share its weight, and later blocks see
        something else. Three measures, the same links:
        """)
        honesty_section(run, word, other, asked)
        show_source(link_effects, without_link)

if section := go_deeper("search for what a unit fires at", "look_search"):
    with section:
        st.markdown("""
        What does a unit of a feed-forward layer look for? We search stories that the
        model was not trained on, and try every word that it knows.
        """)
        search_section(run, found)
        show_source(top_words, direct_logit_effect)

check_yourself(
    "A head gives one word 90% of its attention. Does that explain the answer?",
    {
        "Yes, the head listens to almost nothing else.": "The head may do so, but the "
        "value that it takes may hold nothing about this answer, and other heads and "
        "layers speak too. The weight is one factor of two, in one part of many.",
        "Only a cut can tell: see how the answer changes without that link.": "The "
        "weight says what was read. Weight × push says what it gave. Only the cut says "
        "what is missed.",
        "No, attention never means anything.": "Often it does. It has to be tested "
        "each time: by what the link gives, and by what is missed without it.",
        "Yes, if it is a head of the last block.": "The last block is nearest to the "
        "logits, but there too the value decides what is handed over, and the "
        "feed-forward layer and LayerNorm still come after it.",
    },
    answer="Only a cut can tell: see how the answer changes without that link.",
    key="look_check",
)
