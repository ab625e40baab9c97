"""The block: what is inside a Transformer?"""

import numpy as np
import streamlit as st

from llm.glassbox.block import block
from llm.models.parameters import GPT_3, count_parameters, total
from llm.studies.stream import logit_lens, residual_steps
from pages.block.charts import columns, shares_of, way_table
from pages.block.measures import without_feed_forward
from pages.block.parts import explained, pick_in_chart
from pages.block.sections import (
    both_of_norm,
    counted_section,
    in_parallel,
    strips,
    units_section,
    without_parts,
)
from pages.block.words import (
    guess_replies,
    settled_in_words,
    sizes_in_words,
    without_in_words,
)
from pages.ui.chart import show
from pages.ui.charts.bars import bars
from pages.ui.colours import FEED_FORWARD
from pages.ui.controls import (
    choose,
    choose_position,
    last_side_by_side,
    sentence_input,
)
from pages.ui.deeper import deeper_sections
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.models import tiny_llm
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.skills import skills_popover
from pages.ui.source import show_source
from pages.ui.words import numbered

lesson(__file__)

START = "mia has a blue kite . mia 's kite is"
llm = tiny_llm()
config, vocabulary = llm.config, llm.tokenizer.vocabulary

st.markdown(f"""
You know attention. What else is in there? Surprisingly little. A Transformer is **one
piece, stacked**: the **block**. In each block the words first look at each other
(attention); then every word works alone (the feed-forward layer). The tiny LLM has
{config.num_layers} blocks, GPT-3 has {GPT_3.num_layers}. What was layer
{config.num_layers} so far is the attention of block {config.num_layers}.
""")
with st.container(horizontal=True, gap="xsmall"):
    glossary("block", "residual stream", "residual connection", "feed-forward layer")
    skills_popover()
picture = st.container()
written, followed, opened = st.columns((2, 1, 1.3))
with written:
    tokens = sentence_input(START, key="block_start")
tokens = last_side_by_side(tokens)
run = llm.trace(tokens)
labels = numbered(run.tokens)
ways = [residual_steps(run, position) for position in range(len(labels))]
with followed:
    # `<start>` sees nothing else, so it is followed only where it is alone; so the
    # last word is followed again as soon as there is one.
    first = min(1, len(labels) - 1)
    if st.session_state.get("block_word") == st.session_state.get("block_last"):
        st.session_state.pop("block_word", None)  # the last word follows the last word
    st.session_state["block_last"] = labels[-1]
    position = first + choose_position("Follow this word", labels[first:], "block_word",
                                       default=-1)
with opened:
    names = [step.name for step in ways[0]]
    picked = choose("Look inside", names, "block_part",
                    f"{config.num_layers}: attention", kind="list")
shares = logit_lens(llm.weights, np.stack(
    [[step.stream for step in way] for way in ways]))
said = [[(vocabulary[one.argmax()], float(one.max())) for one in row] for row in shares]
weights = np.stack([found.attention_weights.mean(axis=0) for found in run.blocks])
with picture:
    show(columns(run.tokens, ways, said, weights, position, picked), "way_up",
         key="columns", on_select=pick_in_chart(labels), selection_mode="part")
    st.caption(
        "The line above a word is its **residual stream**: its vector on the way up. A "
        "dot is what a part adds to it; the larger the dot, the more. Arrows are "
        "attention (mean of the heads), the only way from one word to another. Right: "
        "what the network would predict if it ended there; lower down a rough guess, "
        "because the output table was trained for the top only. Point at a word; click "
        "a dot."
    )

part = next(step for step in ways[position] if step.name == picked)
told = explained(part, run, position)
with st.container(border=True):
    st.markdown(f"**{picked[0].upper()}{picked[1:]}, at `{labels[position]}`.** "
                f"{told.what} Shapes, with {len(run.tokens)} tokens (`<start>` "
                f"counts): {told.shapes}.")
    st.latex(told.formula)
    show(strips(told.vectors), "block_vectors")
    if told.units:
        show(bars(told.units, "how strongly the unit fires", colour=FEED_FORWARD,
                  domain=None, form=".2f", what="unit"), "fired")
        st.caption("Behind the number of a unit stand the words at which it fires "
                   "most, measured over many stories.")
    show_source(*told.functions, key="block_part_code")

st.header("A block is two additions", anchor=False)
st.latex(r"""
\begin{aligned}
x &\leftarrow x + \text{attention}(\text{LayerNorm}(x)) \\
x &\leftarrow x + \text{feed-forward}(\text{LayerNorm}(x))
\end{aligned}
""")
st.markdown("""
What comes in goes straight past each part, and what the part makes is **added** to it:
a **residual connection**, also called a skip connection. So each part only has to learn
what to add, and in training the gradient, which says how to change each weight, has a
straight way past it. **LayerNorm** brings a vector to mean 0 and standard deviation 1
before a part reads it, then rescales it by learned numbers. So every part reads vectors
of a steady size, however large the stream has grown. The stream itself stays as it is.
""")
show_source(block)

parts = count_parameters(config)
replies, answer = guess_replies(shares_of(parts))
pick_first(
    f"The tiny LLM has learned {total(parts):,} numbers, its **parameters**. Where do "
    "most of them sit?", replies, answer=answer, key="block_guess", horizontal=True,
)

st.markdown(f"""
**Why a feed-forward layer?** What a head brings is a weighted mean of values, so
attention **moves** things from word to word. To work something out from what has
arrived takes another step. Each of the {config.feed_forward_dim} inner units of a
feed-forward layer responds to one direction in the vector, often a mixture that has no
name; when it responds, it writes numbers of its own into the stream.
{without_in_words(*without_feed_forward())}
""")

way = way_table(ways[position], said[position])
st.markdown(f"""
**What to notice**

- {sizes_in_words(way)}
- {settled_in_words(way)}
""")

deeper_sections((
    ("LayerNorm by hand, and before or after?", "norm_by_hand", both_of_norm),
    ("what the inner units respond to", "block_units", units_section),
    ("every parameter, counted", "counted", counted_section),
    ("would it learn without them?", "without_parts", without_parts),
    ("why it reads at once, and writes one by one", "at_once", in_parallel),
), run)

check_yourself(
    "The sentence is `tom has a red ball .` In one block, where can the vector of "
    "`ball` learn that the ball is red?",
    {
        "In the feed-forward layer, the last part of a block.": "There each word "
        "is alone: the same function is applied to every vector by itself, so nothing "
        "of `red` can come in.",
        "In the attention.": "It is the only part in which anything passes from one "
        "word to another.",
        "In LayerNorm, which looks at all numbers at once.": "At all numbers of one "
        "vector, that of `ball`; not at other words.",
        "In the residual stream, where everything is added up.": "Each word has a "
        "stream of its own. They run side by side and meet only in attention.",
    },
    answer="In the attention.",
    key="block_check",
)
work_it_out("residual_sum", tokens)
