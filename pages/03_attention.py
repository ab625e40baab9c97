"""Attention: which words matter to each other?"""

import streamlit as st

from llm.glassbox.attention import attention_weights, causal_mask
from llm.glassbox.softmax import softmax
from llm.models.encoder_twin import MASK, POINTING_HEAD
from llm.studies.links import (
    ACTOR,
    IT,
    OBSTACLE,
    SO_THE,
    because,
    cut_probabilities,
    link_in_all_heads,
)
from pages.attention.charts import at_word, linked, linked_alt, linked_data
from pages.attention.sections import (
    by_head,
    cut_verdict,
    flip_verdict,
    head_name,
    head_verdict,
    other_ending_verdict,
    own_sentence,
    row_table,
    show_cuts,
)
from pages.ui.chart import numbers, sentence, show
from pages.ui.charts.compared import compared_alt, compared_bars, compared_data
from pages.ui.charts.sums import weight
from pages.ui.charts.words import numbered, percent
from pages.ui.controls import encoder_twin, tiny_llm
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson, lesson_link
from pages.ui.glossary import glossary
from pages.ui.measures import (
    left_of_tiny_llm,
    links_in_sentence,
    links_of_tiny_llm,
    links_of_twin,
)
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source

lesson(__file__)

COURSE_WORDS = ("animal", "cross", "street")
NOUNS = {"animal": ACTOR, "street": OBSTACLE}
RIGHT = {"tired": "animal", "wide": "street"}
KIND = {"animal": "actor", "street": "obstacle"}
ENDINGS = {last: because(*COURSE_WORDS, last) for last in RIGHT}

st.markdown("""
Read the sentence below. Who was too tired, and how do you know? The word `it` does not
say: it is the same word whoever is meant. The words around it tell you.

**Attention** lets a network do the same. Each word looks at the others and takes
something from each, more from those that matter to it. How much is a number, the
**attention weight**; the weights that one word gives add up to 1.
""")
sentence(ENDINGS["tired"][1:], blank=False)
glossary("attention", "attention weight", "attention head", "encoder", "decoder")

st.header("Your guess first", anchor=False)
guess = pick_first(
    "Put `wide` in the place of `tired`, and change nothing else. Which word will a "
    "trained network let `it` look at most?",
    ["animal", "street", "because", "wide"], key="attention_guess",
)
twin = encoder_twin()
layer, head = twin.flipping_head
read = {last: twin.ask(tokens) for last, tokens in ENDINGS.items()}
rows = {last: found.attention(layer, head)[IT] for last, found in read.items()}
links = {
    last: {noun: float(row[at]) for noun, at in NOUNS.items()}
    for last, row in rows.items()
}
if guess:
    most = int(rows["wide"].argmax())
    st.success(
        f"You said `{guess}`. In the network below, `it` now gives most, "
        f"{percent(float(rows['wide'][most]))}, to `{ENDINGS['wide'][most]}`."
    )

st.header("One word decides", anchor=False)
scores = twin.record["scores"]
found = scores["flipping_head"]
st.markdown("""
This is the **encoder twin** of our tiny LLM: the same network, but every word may look
both ways. What you see is one of its **heads**, a part that looks in its own way.
Choose the last word, and watch the row of `it`; point at any other word to see its
links.
""")
last = st.segmented_control(
    "The last word", list(RIGHT), default="tired", required=True, key="last_word",
    bind="query-params",
) or "tired"
other = next(word for word in RIGHT if word != last)
tokens, noun = read[last].tokens, RIGHT[last]
place = NOUNS[noun]
labels = numbered(tokens)
picked = st.selectbox(
    "Show the links of", labels, index=IT, key="attention_word", bind="query-params"
)
row = labels.index(picked) if picked in labels else IT
weights = read[last].attention(layer, head)
show(
    at_word(linked(len(tokens)), tokens, row), linked_data(weights, tokens, False),
    linked_alt(weights, tokens, row, False),
)
st.caption("Each row is a word that looks, each column a word that is looked at. The "
           "wider an arc and the darker a cell, the more attention.")
numbers(row_table(weights[row], tokens), "attention")
st.markdown(flip_verdict(links))
shown = compared_data(links[last], links[other])
now_name, other_name = f"with {last}", f"with {other}"
show(
    compared_bars(now_name, other_name, "what it gives to this word"), shown,
    compared_alt(shown, "Attention of 'it'", now_name, other_name),
)
st.caption(
    f"This is {head_name(layer, head)}, chosen by measurement: of all heads it is the "
    "one whose strongest link of `it` goes most surely to the right noun, on fresh "
    f"sentences in {percent(found['right_if_actor'])} where the one who acts is meant "
    f"and in {percent(found['right_if_obstacle'])} where the obstacle is."
)

st.markdown("""
The same word decides what the network says. Hide the noun behind a blank, and ask:
""")
blanked = {
    ending: [*sentence_[:IT], "the", MASK, *sentence_[IT + 1:]]
    for ending, sentence_ in ENDINGS.items()
}
sentence(blanked[last][1:], blank=False)
answers = {ending: twin.answers(words, IT + 1) for ending, words in blanked.items()}
filled = {ending: {one: said[one] for one in NOUNS}
          for ending, said in answers.items()}
shown = compared_data(filled[last], filled[other])
show(
    compared_bars(now_name, other_name, "probability in the blank"), shown,
    compared_alt(shown, "Behind the blank", now_name, other_name),
)
st.caption(
    f"How it was trained: {twin.record['training']['schedule']['num_steps']:,} steps "
    "on the stories of the toy world, with two kinds of question. Which word is behind "
    "a blank? Which noun does each `it` stand for? Head "
    f"{POINTING_HEAD + 1} of the last layer was also asked to point at that noun; no "
    "other head was told where to look. On fresh sentences it fills "
    f"{percent(scores['fresh']['blank'])} of such blanks rightly and reads "
    f"{percent(scores['fresh']['it'])} of the `it`; with pairs of words that never met "
    f"in training, {percent(scores['held_out']['blank'])} and "
    f"{percent(scores['held_out']['it'])}."
)

st.header("From scores to weights", anchor=False)
score_row = read[last].blocks[layer].scores[head, IT]
st.markdown(f"""
The head gives each pair of words a **score**; the next lesson shows how. Softmax then
makes the scores of one row into weights: powers of e, divided by their sum. (Large
scores are written with the largest taken off; that changes no share.) For `it` and
`{noun}`, with these numbers:
""")
st.latex(weight(score_row, tokens, place, "it"))
queries, keys = read[last].queries_and_keys(layer, head)
attention_weights(queries, keys)  # what is shown is what runs, and gives the same row
show_source(attention_weights, softmax)

st.header("A model that writes cannot look ahead", anchor=False)
llm, start = tiny_llm(), (*ENDINGS[last], *SO_THE)
measured = links_in_sentence(start, KIND[noun])
traced = llm.trace(start)
end, head_of_llm = len(start) - 1, measured.head
st.markdown("""
The tiny LLM writes from left to right, so a word must not look at the words after it:
when it reads `it`, it cannot know yet how the sentence ends. It works the answer out
later, at the place where it is needed:
""")
sentence(start[1:])
llm_weights = traced.attention(*head_of_llm)
show(
    at_word(linked(len(start)), start, end), linked_data(llm_weights, start),
    linked_alt(llm_weights, start, end),
)
numbers(row_table(llm_weights[end], start), "attention_llm")
said = softmax(traced.logits[end])[llm.tokenizer.ids[noun]]
other_row = llm.trace([*ENDINGS[other], *SO_THE]).attention(*head_of_llm)[end]
st.markdown(
    f"Next it says `{noun}` with {percent(float(said))}. The head above is "
    f"{head_name(*head_of_llm)}, found by cutting. First `{noun}` was hidden from the "
    f"last `the` in every head: {percent(measured.without)} were left. Then one head "
    "after the other was allowed to see it again. This one brings most back: "
    f"{percent(float(measured.alone[head_of_llm]))}. "
    + other_ending_verdict(
        noun, other, float(llm_weights[end, place]), float(other_row[place])
    )
)

st.header("Where it looks is not yet why", anchor=False)
st.markdown("""
It is tempting to read such a picture as the reason for the answer. Test it: **cut the
link** and see what changes. If little changes, the answer came another way, too.
""")
llm_left = cut_probabilities(
    llm.weights, traced, llm.tokenizer.ids[noun], head_of_llm, end, place,
    causal_mask(len(start)),
)
twin_left = cut_probabilities(
    twin.weights, read[last], twin.tokenizer.ids[noun], (layer, head), IT, place
)
st.markdown(f"**The tiny LLM**, the link from the last `the` to `{noun}`. "
            + cut_verdict(noun, llm_left))
show_cuts(llm_left, noun, "cuts_llm")
st.markdown(f"**The encoder twin**, the link from `it` to `{noun}`, and which noun it "
            "takes `it` for. " + cut_verdict(noun, twin_left))
show_cuts(twin_left, noun, "cuts_twin")
st.caption("The grey bar is the control: the strongest other link of the same word and "
           "head is cut instead.")

st.markdown("""
**What to notice**

- One word, at the other end of the sentence, moves the attention of `it`.
- In the tiny LLM the cells for later words are empty: looking ahead is not allowed.
- Each row adds up to 1, so to give one word more is to give the others less.
- Attention weights are where a head looks. Only a cut shows what the answer needs.
""")

if section := go_deeper("is attention an explanation?", "explanation"):
    with section:
        st.markdown("""
        By itself, no. A weight says how much of a word's **value** a head takes. It
        does not say what is in that value, whether later layers use it, or whether the
        same news comes another way: from another head, or through words in between that
        had looked there before. Measured on many sentences of this kind, as the mean
        probability of the right noun:
        """)
        of_twin, of_llm = links_of_twin()[KIND[noun]], links_of_tiny_llm()[KIND[noun]]
        for name, link in (("encoder twin", of_twin), ("tiny LLM", of_llm)):
            st.markdown(
                f"- {name}: {percent(link.whole)} with nothing cut, "
                f"{percent(link.without)} with the link to the right noun cut in every "
                f"head, {percent(float(link.alone.max()))} with it left to "
                f"{head_name(*link.head)} alone."
            )
        st.markdown(head_verdict((layer, head), of_twin))
        st.markdown(
            f"The tiny LLM, head by head, on {of_llm.num_sentences} sentences: what is "
            "left of the right noun when this head alone loses the link, and when it "
            "alone has it."
        )
        heads = by_head(of_llm.alone, left_of_tiny_llm(KIND[noun]))
        having, losing = "it alone has the link", "it alone loses the link"
        show(
            compared_bars(having, losing, "probability of the right noun"), heads,
            compared_alt(heads, "The right noun, if", having, losing),
        )
        numbers(heads.drop(columns="place").rename(
            columns={"word": "head", "now": having, "other": losing}
        ), "attention_heads")
        st.markdown("The code of the cuts above:")
        show_source(cut_probabilities, link_in_all_heads)

if section := go_deeper("a sentence of your own", "own"):
    with section:
        st.markdown("Type a sentence of the toy world's words, and pick a word.")
        own_sentence((layer, head), head_of_llm)

lesson_link("queries_keys_values", "How does a head come to its scores?")
check_yourself(
    "The tiny LLM reads `it` in `… because it was too tired`. What can it know there "
    "about `tired`?",
    {
        "That it means the animal.": "That follows from `tired`, which comes later. A "
        "decoder looks left only; it works the answer out at `so the`.",
        "Nothing.": "Every word looks at itself and to its left. The encoder twin may "
        "look right, too, and there the link of `it` flips.",
        "What other heads tell it.": "No head of a decoder looks to the right, in no "
        "layer.",
    },
    answer="Nothing.",
    key="attention_check",
)
