"""The block: what is inside a Transformer?"""

import numpy as np
import streamlit as st

from llm.glassbox.block import block
from llm.glassbox.layer_norm import layer_norm, standardised
from llm.glassbox.variants import Variant, variant_block
from llm.models.parameters import GPT_3, count_parameters, total
from llm.models.tiny_llm import TinyLLM
from llm.studies.loss import logits_by_prefix
from llm.studies.stream import logit_lens, residual_steps
from llm.studies.units import direct_logit_effect, top_words, words_that_fire
from pages.block.charts import (
    OTHER_PARTS,
    shares_data,
    strips_alt,
    strips_data,
    strips_table,
    tower,
    tower_alt,
    tower_data,
    tower_table,
    vector_strips,
)
from pages.block.parts import explained, pick_in_chart
from pages.block.sections import (
    counted_section,
    in_parallel,
    norm_by_hand,
    places_of_norm,
    units_section,
)
from pages.ui.chart import numbers, show
from pages.ui.charts.words import numbered, percent
from pages.ui.controls import sentence_input, tiny_llm
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source
from pages.ui.words import plain

lesson(__file__)

START = "mia has a blue kite . mia 's kite is"
llm = tiny_llm()
config, vocabulary = llm.config, llm.tokenizer.vocabulary
parts = count_parameters(config)

st.markdown(f"""
You know attention. What else is in there? Surprisingly little. A Transformer is **one
piece, stacked**: the block. In a block the words first look at each other (attention),
then each thinks by itself (feed-forward). Both only ever **add** to the word's vector:
what comes in goes past them and is added to what they make. That is a **residual
connection**, also called a skip connection.
The tiny LLM has {config.num_layers} blocks, GPT-3 has {GPT_3.num_layers}.
""")
glossary("block", "residual stream", "residual connection", "LayerNorm",
         "feed-forward layer", "parameter")

st.header("Your guess first", anchor=False)
ours = shares_data({"the tiny LLM": parts})
guess = pick_first(
    f"The tiny LLM has learned {total(parts):,} numbers. Where do most of them sit?",
    ["attention", "feed-forward", "LayerNorm", OTHER_PARTS],
    key="block_guess",
)
if guess:
    most = ours.loc[ours["count"].idxmax()]
    mine = ours.set_index("part").loc[guess]
    st.markdown(
        f"**{'Yes' if guess == most['part'] else 'No'}: {most['part']}**, with "
        f"{percent(most['share'])} of all. "
        + ("" if guess == most["part"] else f"Your guess, {guess}, holds "
           f"{percent(mine['share'])}. ")
        + "Attention is the famous part, but not the largest."
    )

st.header("One word, all the way up", anchor=False)
st.markdown("""
Follow one word from below. Each part adds to its vector, the **residual stream**; the
bar says how much. The right-hand column shows what the network would predict if it
stopped there: the last LayerNorm and the output table are applied to the vector as it
is. They learned to read it at the top only, so lower down this is a rough guess, not
what the network thinks. Pick a part, in the picture or in the list.
""")
tokens = sentence_input(START, key="block_start")
run = llm.trace(tokens)
names = numbered(run.tokens)
steps = residual_steps(run, -1)
with st.container(horizontal=True):
    # `<start>` sees nothing else, so it is followed only where it is alone. And so the
    # last word is followed again as soon as there is one.
    words = names[1:] or names
    followed = st.selectbox(
        "Follow this word", words, index=len(words) - 1, key="block_word",
        bind="query-params", width=190,
    )
    picked = st.selectbox(
        "Look inside", [step.name for step in steps], index=3,
        key="block_part", bind="query-params", width=240,
    )
place = names.index(followed) if followed in names else len(names) - 1
steps = residual_steps(run, place)
part = next((step for step in steps if step.name == picked), steps[3])
shares = logit_lens(llm.weights, np.stack([step.stream for step in steps]))
said = [(vocabulary[share.argmax()], float(share.max())) for share in shares]
data = tower_data(steps, said, part.name)
show(tower(len(steps)), data, tower_alt(data, run.tokens[place]), key="tower",
     on_select=pick_in_chart("tower", "block_part"))
numbers(tower_table(data), "way_up")

told = explained(part, run, place)
with st.container(border=True):
    st.markdown(f"**{part.name[0].upper()}{part.name[1:]}.** {told.what}")
    st.latex(told.formula)
    largest = float(max(np.abs(vector).max() for vector in told.vectors.values()))
    strips = strips_data(told.vectors)
    show(vector_strips(len(told.vectors), float(np.ceil(largest))), strips,
         strips_alt(strips))
    st.caption(f"Shapes: {told.shapes}. Learned: {told.parameters:,} parameters.")
    numbers(strips_table(strips), "block_vectors")
    with st.expander("The code that ran", key="block_part_code", type="compact"):
        show_source(*told.functions)

st.markdown("""
A whole block is two additions. This is all of it, and it is the code that ran:
""")
st.latex(r"""
\begin{aligned}
x &\leftarrow x + \text{attention}(\text{LayerNorm}(x)) \\
x &\leftarrow x + \text{feed-forward}(\text{LayerNorm}(x))
\end{aligned}
""")
show_source(block)

final = said[-1][0]
settled = next(number for number in range(len(said))
               if all(word == final for word, _ in said[number:]))
heaviest = data.loc[data["added"].idxmax()]
st.markdown(f"""
**What to notice**

- Nothing is overwritten. The stream begins with a size (norm) of
  {data["stream"][1]:.1f} and ends with {data["stream"].iloc[-1]:.1f}, because each part
  adds. The sizes of all that is added come to {data["added"].sum():.1f}: vectors that
  point in different directions partly cancel. Here
  {heaviest["name"].split(": ")[-1]} {"in block " + heaviest["name"].split(":")[0]
  if ":" in heaviest["name"] else ""} added most.
- From {plain(steps[settled].name)} on, the likeliest next word is {plain(final)}. What
  follows only changes how sure it is.
- LayerNorm changes what a part reads, never the stream itself.
- Only attention carries anything from word to word. All else happens in each alone.
""")

if section := go_deeper("LayerNorm, done by hand", "norm_by_hand"):
    with section:
        st.markdown("""
        The vector that enters the first block, number by number: take off the mean,
        divide by the standard deviation, stretch by γ, shift by β. Then make it
        larger, and see what comes out.
        """)
        norm_by_hand(steps[1].stream, llm.weights.blocks[0].attention_norm)
        show_source(layer_norm, standardised)

if section := go_deeper("what the inner units look for", "block_units"):
    with section:
        units_section(run)
        show_source(top_words, words_that_fire, direct_logit_effect)

if section := go_deeper("every parameter, counted", "counted"):
    with section:
        st.markdown("Part by part. The sum is what Keras counts in the same model.")
        counted_section(parts)
        show_source(count_parameters)

if section := go_deeper("LayerNorm before or after?", "before_or_after"):
    with section:
        st.markdown("""
        - **Before** (pre-LayerNorm), `x + part(LayerNorm(x))`: GPT-2, GPT-3 and the
          tiny LLM.
        - **After** (post-LayerNorm), `LayerNorm(x + part(x))`: the paper of 2017, BERT
          and the digit model of *First and last*.

        Before: nothing stands in the way of the stream, so it can grow, and even a
        hundred blocks train stably. After: each sum is brought back to the same size,
        and deep stacks need a slow, careful start.
        """)
        places_of_norm(run)
        st.markdown("Both are one function here, which the digit model ran through:")
        show_source(variant_block, Variant)

if section := go_deeper("why it reads at once, and writes one by one", "at_once"):
    with section:
        st.markdown("""
        A recurrent network must read word 5 before word 6. In a Transformer no word
        waits for another: all go through a block together, and the mask keeps each from
        seeing what comes later. In **training** the whole text is known, so every place
        is an exercise, and one pass corrects them all. Measured just now:
        """)
        in_parallel(run)
        st.markdown("""
        When **writing**, that is impossible. Which word comes sixth is not known before
        the fifth is drawn, and what the network says next depends on it. So it goes one
        by one; but the keys and values of earlier words can be kept.
        """)
        show_source(TinyLLM.logits, logits_by_prefix)

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
