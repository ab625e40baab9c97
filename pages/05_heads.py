"""Heads: why several at once?"""

import numpy as np
import streamlit as st

from llm.glassbox.ablation import NO_ABLATION, Ablation
from llm.glassbox.softmax import softmax
from pages.heads.charts import cell_size, head_grid
from pages.heads.measures import cuts_of_heads, roles_of_heads
from pages.heads.sections import (
    all_of_the_vector,
    every_cut,
    first_token_rest,
    how_they_become_different,
    one_matrix_or_several,
    roles_by_measurement,
)
from pages.heads.words import (
    DEPENDS,
    cut_in_words,
    cut_options,
    one_against_several,
    role_cut_in_words,
    strongest_role_in_words,
    two_heads_in_words,
)
from pages.ui.chart import show
from pages.ui.charts.bars import next_words
from pages.ui.charts.matrix import matrix
from pages.ui.charts.trainings import ends_picture
from pages.ui.colours import MODEL, QUERIES
from pages.ui.compared import ends_compared
from pages.ui.controls import (
    choose,
    last_side_by_side,
    sentence_input,
    switch_input,
    write_into,
)
from pages.ui.deeper import deeper_sections
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.latex import joined_by_hand
from pages.ui.models import tiny_llm, trainings, world
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.skills import skills_popover
from pages.ui.words import numbered, strongest_links

lesson(__file__)

START = "the key behind the doors"
OTHERS = {
    "The key": START,
    "Whose kite?": "tom has a red ball . mia has a blue kite . mia 's",
    "Who was tired?": "the animal didn't cross the street because it was too tired . "
    "so the",
    "A parrot": "mia says : cup hat fox . the parrot says : cup",
}

llm = tiny_llm()
config, vocabulary, names = llm.config, llm.tokenizer.vocabulary, llm.head_names()
cuts, roles = cuts_of_heads(), roles_of_heads()


def take_click():
    """Choose the head whose picture was clicked, once for each click."""
    event = st.session_state.get("head_grid") or {"selection": {}}
    clicked = event["selection"].get("picked")
    if clicked and clicked != st.session_state.get("head_clicked"):
        st.session_state["head"] = clicked[0]["head"]
    st.session_state["head_clicked"] = clicked


st.markdown("""
The attention weights of a word add up to 1, so a head that gives nearly all of them to
one word has little left for others. But a word may need several things at once: the
word before it, its subject, an earlier mention. So a Transformer uses **multi-head
attention**: several **heads** look at the same time, each with queries, keys and values
of its own. Nobody tells them what to look for.
""")
tokens = llm.trace(sentence_input(START, key="heads_text")).tokens[1:]
with st.container(horizontal=True, gap="xsmall"):
    for label, text in OTHERS.items():
        st.button(label, key=f"heads_{label}", on_click=write_into,
                  args=("heads_text", text.split()))
    glossary("multi-head attention")
    skills_popover()
tokens = last_side_by_side(tokens, "These pictures have")
if not tokens:
    st.info("The box is empty, so the pictures show `<start>` alone.")
trace = llm.trace(tokens)
attention = np.concatenate([block.attention_weights for block in trace.blocks])
grid = st.container()
take_click()
best = names[roles.shares[:, roles.names.index("verb → subject")].argmax()]
picked = choose("Head to look at closely", names, "head", default=best, kind="pills",
                name="head")
row, (layer, head) = names.index(picked), llm.head_at(picked)
with grid:
    show(head_grid(attention, names, trace.tokens, picked), "all_heads",
         key="head_grid", on_select="rerun")
st.caption(
    f"One row per layer: {names[1]} is the second head of layer 1. Rows look at "
    f"columns. Layer {config.num_layers} is the attention of block {config.num_layers} "
    "(lesson 7)."
)
st.markdown(two_heads_in_words(attention, names, trace.tokens, picked))

guess = pick_first(
    f"We cut out one of the {len(names)} heads, so that it adds nothing. "
    "What happens to the model's skills?",
    cut_options(names, cuts.skills, cuts.whole, cuts.without), answer=DEPENDS,
    key="guess_cut", horizontal=True,
)
# A link to a cut shows it at once.
may_cut = "cut" in st.query_params or guessed(guess, "guess_cut")

st.header("One head up close, and without it", anchor=False)
left, right = st.columns(2)
cut = False
with left:
    if may_cut:
        cut = switch_input(f"Cut out head {picked}", "cut", "cut")
    labels = numbered(trace.tokens)
    show(matrix(attention[row], labels, hidden="later", cell=cell_size(labels),
                said=f"Head {picked}: {strongest_links(attention[row], labels)}"),
         "one_head_links")
with right:
    ablation = Ablation(heads={(layer, head)}) if cut else NO_ABLATION
    before = softmax(trace.logits[-1].astype(float))
    after = softmax(llm.trace(tokens, ablation).logits[-1].astype(float))
    show(next_words(dict(zip(vocabulary, after.tolist(), strict=True)),
                    world().next_word_probabilities(tokens), words=5,
                    said=f"After '{' '.join(tokens) or '<start>'}', "
                    + (f"with head {picked} cut out, " if cut else "")
                    + "the tiny LLM expects"), "heads_next")
if cut:
    st.markdown(cut_in_words(picked, vocabulary, before, after, cuts.skills, cuts.whole,
                             cuts.without[row]))

st.header("How the heads come together", anchor=False)
st.markdown(f"""
Each head of a layer hands over {config.head_dim} numbers for each of the
{len(trace.tokens)} tokens (`<start>` counts). They are put side by side,
{config.num_heads} × {config.head_dim} = {config.num_heads * config.head_dim}, and one
more matrix, W, mixes them:
""")
st.latex(joined_by_hand(config, len(trace.tokens)))

st.header("Would one head do?", anchor=False)
ends = {
    name: [run["scores"][-1]["excess"] for run in trainings(name)]
    for name in ("full", "one head")
}
left, right = st.columns(2)
left.markdown(f"""
We trained the same network with {config.num_heads} heads of {config.head_dim} numbers
in each layer, and with a single head of {config.embed_dim}. Every dot is one training.
{one_against_several(*ends.values())}
""")
with right:
    dots = dict(zip((f"{config.num_heads} heads", "one head"), ends.values()))
    show(ends_picture(dots, first=MODEL, others=QUERIES), "one_head")
st.markdown(f"""
{ends_compared(ends["full"], {"with one head": ends["one head"]})} Large models use
many heads, it is thought, because their texts need many things at once. Our world
cannot test that.
""")

st.markdown(f"""
**What to notice**

- What heads do can be measured. The link from a verb to its subject is followed most
  by {strongest_role_in_words(names, roles.record, roles.shares, "verb → subject")}.
- Where a head looks does not prove what it is good for. A cut is the better test:
  {role_cut_in_words(best, "agreement", cuts.skills, cuts.whole,
                            cuts.without[names.index(best)])}
""")

deeper_sections((
    ("what each head does, measured", "measured", roles_by_measurement),
    ("every cut and every skill", "all_cuts", every_cut),
    ("why do they not all learn the same?", "different", how_they_become_different),
    ("does every head get all of the vector?", "whole_vector", all_of_the_vector),
    ("why do heads look at the first token?", "sink", first_token_rest),
    ("one wide matrix, or one for each head?", "split", one_matrix_or_several),
), trace, picked)

check_yourself(
    f"A layer is {config.embed_dim} numbers wide. What can {config.num_heads} heads of "
    f"{config.head_dim} do that one head of {config.embed_dim} cannot?",
    {
        "Hold more weights.": "The matrices hold just as many: "
        f"{config.num_heads} × {config.head_dim} = {config.embed_dim}.",
        "Read only a slice of the vector each, which is simpler.": "Every head reads "
        "the whole vector. Only the results are narrow.",
        "Divide the attention of a word in several ways at once.": "One head has "
        "one row of weights for a word. What it gives to the word before, it cannot "
        "give to the owner.",
        "Be told what to look for.": "Nobody tells them. Training found what they do, "
        "and we had to measure it.",
    },
    answer="Divide the attention of a word in several ways at once.",
    key="heads_check",
)
work_it_out("falling_skill", tokens)
