"""Queries, keys, values: where do attention weights come from?"""

import streamlit as st

from llm.glassbox.attention import attention_scores, blend
from llm.glassbox.softmax import softmax
from llm.studies.by_hand import MATRICES, TABLE, WORDS, by_hand, four_steps
from pages.queries_keys_values.charts import (
    four_steps_picture,
    matrices_picture,
    names_of,
)
from pages.queries_keys_values.measures import SENTENCE, trained_head
from pages.queries_keys_values.sections import kernels_section, scale_section
from pages.queries_keys_values.tables import Tables, edit
from pages.queries_keys_values.words import (
    FORMULA,
    RIGHT_GUESS,
    both_ways,
    guess_replies,
    trained_said,
)
from pages.ui.chart import show
from pages.ui.controls import choose, choose_position
from pages.ui.deeper import go_deeper
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.measures import widest_row
from pages.ui.models import tiny_llm
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.words import head_name

lesson(__file__)

HAND, THREE, TRAINED = "by hand", "three matrices", "trained"
CAT, IT = WORDS.index("cat"), WORDS.index("it")

st.markdown("""
Looking something up in a library takes three things. You have a question, the
**query**. Every book has a label on its spine, the **key**. And you take home what is
inside, the **value**. In attention every word does all three. The dot product of its
query with each key says how well they fit, and the better they fit, the more of that
value is taken. That takes four steps: **score, scale, softmax, blend**. Here is the
table of your course: four words, four made-up numbers each. For now each row is query,
key and value at once.
""")
hand = Tables("table", {"words": TABLE, **MATRICES})
first_look = st.container()
guess = pick_first(
    "Which words does `it` give most of its attention to?",
    guess_replies(four_steps(*by_hand(TABLE))), RIGHT_GUESS, "qkv_guess",
    horizontal=True,
)
seen = guessed(guess, "qkv_guess", "Show me the four steps")
with st.container(horizontal=True, vertical_alignment="bottom"):
    mode = choose(
        "Where do queries, keys and values come from?", [HAND, THREE, TRAINED],
        "qkv_mode", THREE if st.query_params.get("qkv_matrices") == "true" else HAND,
    ) if seen else HAND
    glossary("query", "key", "value", "softmax")
if seen:
    picture = st.container()  # filled below, once the numbers are known
    labels = names_of(SENTENCE if mode == TRAINED else WORDS)
    change = st.expander(
        "Change the word that looks" + (", or the numbers" if mode != TRAINED else ""),
        key="change", type="compact",
        on_change="rerun", bind="query-params", icon=":material/edit:",
    )
    if mode == TRAINED:
        layer, head, steps, mask = trained_head()
    with change:
        row = choose_position(
            "The word that looks", labels,
            f"qkv_word_{'trained' if mode == TRAINED else 'hand'}",
            widest_row(steps.attention_weights)
            if mode == TRAINED else -1, kind="pills",
        )
        if change.open and mode != TRAINED:
            edit(hand, with_matrices=mode == THREE)
    with picture:
        if mode == TRAINED:
            st.markdown(trained_said(head_name(layer, head), tiny_llm().config))
        else:
            matrices = hand.chosen(MATRICES) if mode == THREE else None
            steps, mask = four_steps(*by_hand(hand["words"], matrices)), None
        show(four_steps_picture(steps, labels, row, mask), "four_steps")
        st.caption(
            "Point at another word to see its sums. The larger a number, the stronger "
            "its colour; grey is below zero."
        )
else:
    with first_look:
        rows = four_steps(*by_hand(hand["words"]))
        show(four_steps_picture(rows, WORDS, IT, answered=False))

st.header("Why three matrices?", anchor=False)
st.markdown("""
With one row for all three, a word can only find what is like it. That is not enough:

- **Looking for something is different from being like it.** The word `it` looks for a
  noun, not for another `it`. So one matrix turns the row of a word into its query,
  another into its key.
- **A word is not found by what it hands over.** A book is found by its label and read
  for its content. So a third matrix makes the value.

These matrices are learned in training, and then they are fixed. Queries, keys and
values are computed anew for every sentence. Here with three made-up matrices; a number
below zero is not coloured:
""")
values = by_hand(hand["words"], hand.chosen(MATRICES))
show(matrices_picture(hand["words"], *values, WORDS), "matrices")
if seen:
    st.markdown(both_ways(
        four_steps(*by_hand(hand["words"])), four_steps(*values), IT, CAT, WORDS
    ))

st.header("The four steps in one line", anchor=False)
st.latex(FORMULA)
st.markdown("""
Q, K and V hold the queries, keys and values of all words, a row each; d counts the
numbers of a query. Why √d? A score is a sum of d products. In random rows, as before
training, these are as often negative as positive, so they partly cancel and the sum
grows like √d, not d. Without the division softmax would give nearly everything to one
word, and then a small change of a score changes little, so learning may stall. Divided
by d, all shares would be nearly equal.
""")
show_source(attention_scores, softmax, blend, open=True)

st.markdown("""
**What to notice**

- The output is a blend and not a pick, so training can move each share a little.
- The output is added to the row of the word, which then stands for the word in context.
""")

if section := go_deeper("why divide by √d, and not by d?", "scale"):
    with section:
        scale_section([w for w in dict.fromkeys(SENTENCE[1:]) if w != "it"])

if section := go_deeper("the three matrices of a trained head", "kernels"):
    with section:
        layer, head, *_ = trained_head()
        kernels_section(head_name(layer, head), layer, head)

check_yourself(
    "Two words have exactly the same key and different values. A third word looks at "
    "both. What does it do?",
    {
        "It gives both the same weight.": "The weight comes from query and key alone. "
        "The values only say what is then taken.",
        "It gives more to the one with the larger value.": "Values play no part in "
        "steps 1 to 3. They come in when the blend is made.",
        "It takes the same from both.": "The weights are the same, but the values are "
        "not. So it takes different things in the same proportion.",
    },
    answer="It gives both the same weight.",
    key="qkv_check",
)
work_it_out("softmax_row", SENTENCE[1:])
