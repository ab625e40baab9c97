"""Positions: how does it know the order?"""

import streamlit as st

from llm.glassbox.positions import learned_positions, sinusoidal_positions
from llm.models.twins import first_positions
from llm.studies.order import change, new_order, outputs, without_positions
from pages.positions.charts import position_map
from pages.positions.sections import (
    beyond_the_last,
    decoder_counts,
    near_positions,
    waves_by_hand,
    why_add,
)
from pages.positions.words import (
    addition,
    previous_in_words,
    size_in_words,
    table_in_words,
    untouched_in_words,
)
from pages.ui.chart import show
from pages.ui.charts.bars import bars
from pages.ui.controls import choose, sentence_input
from pages.ui.deeper import deeper_sections
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.models import encoder_twin, record, tiny_llm
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.words import numbered

lesson(__file__)

BITES = "dog bites man"
WITH, WITHOUT = "with positions", "without positions"


def shuffle_again():
    """A callback: the next order."""
    st.session_state["order"] = int(st.session_state.get("order") or 0) + 1


st.markdown("""
`dog bites man` is no news; `man bites dog` is. The words are the same, and only their
order differs. A recurrent network meets its words in order. Attention compares every
word with every other word, all at once. How can it tell which came first?
""")
picture, controls = st.container(), st.container()
with controls:
    words = sentence_input(BITES, key="words", label="Some words", name="sentence")
    if len(words) < 2:
        st.info(f"Fewer than two words have no order. Here is `{BITES}` instead.")
        words = BITES.split()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.number_input(
            "Order", 0, 999, key="order", bind="query-params", width=150,
            help="0 reverses the words; every other number shuffles them.",
        )
        st.button("Shuffle", type="primary", key="shuffle", on_click=shuffle_again,
                  disabled=number == 999)

twin, llm = encoder_twin(), tiny_llm()
order = new_order(len(words) + 1, number)
token_ids = twin.tokenizer.ids_of(["<start>", *words])
results = {
    WITH: outputs(twin.weights, token_ids, order),
    WITHOUT: outputs(without_positions(twin.weights), token_ids, order),
}
with picture:
    shuffled = [words[position - 1] for position in order[1:]]
    st.markdown(
        "The **encoder twin**, a network that looks to both sides, reads "
        + (f"`{' '.join(words)}` and then `{' '.join(shuffled)}`. "
           if shuffled != words else
           f"`{' '.join(words)}`, and the new order reads the same: words repeat. The "
           "bars compare the old place of a word with its new one. ")
        + "How much does its output for each word change?"
    )
    answered = st.container()
    moves = {
        name: dict(zip(numbered(words), change(*pair)[1:], strict=True))
        for name, pair in results.items()
    }
with controls:
    guess = pick_first(
        "Now we set all its positions to zero, so that nothing tells the network where "
        f"a word stands. How do its two outputs for `{words[0]}` compare?",
        {
            "They are equal": "Each word meets the same words in both orders.",
            "They differ a little": "A little would be enough to tell the orders "
            "apart. But nothing is left that could make a difference.",
            "They are quite different": "That is what positions are for. Without them "
            "the same words are compared with the same words.",
        },
        answer="They are equal",
        key="positions_guess",
    )
    shown = guessed(guess, "positions_guess")
    if shown:
        st.markdown(size_in_words(results[WITH], results[WITHOUT]))
with answered:
    show(
        bars(moves[WITH], "change, as a share of the output's size", WITH,
             second=moves[WITHOUT] if shown else None, second_name=WITHOUT,
             domain=None, said="How far the output of each word moves"),
        "shuffled",
    )

glossary("position", "positional encoding", "encoder")

st.header("Add a row for the position", anchor=False)
st.markdown("""
The cure is called **positional encoding**. A second table has one row for each
**position**, that is, for the place of a token in the text; `<start>` has position 0.
The row of the word and the row of its position are added, number by number. These are
the first three numbers of `dog` in the tiny LLM, at positions 1 and 3:
""")
words_table, table = llm.weights.token_embeddings, llm.weights.position_embeddings
dog = words_table[llm.tokenizer.ids["dog"]]
for column, position in zip(st.columns(2), (1, 3), strict=True):
    column.latex(addition("dog", dog, position,
                          learned_positions(table, position + 1)[position]))
st.markdown(f"""
So the same word enters the network as different numbers at different positions. From
then on a query can ask for a position: *the word before me*, or *the first word*.
{previous_in_words(record("heads")["roles"], llm.head_names())}
""")

TABLES = {
    "waves": sinusoidal_positions(*table.shape),
    "before training": first_positions(*table.shape),
    "learned": table,
}
chosen = choose("How is the table filled?", list(TABLES), key="table", default="waves")
show(position_map(TABLES[chosen], chosen), "positions")
st.markdown(table_in_words(chosen, TABLES[chosen]))
show_source(without_positions, outputs, learned_positions, sinusoidal_positions)

st.markdown(f"""
**What to notice**

{"- With neither positions nor a causal mask a network reads a *bag of words*: which "
 "words there are, not in which order." if shown else ""}
- The **sum** of word and position goes in, once, at the bottom. What to do with it,
  each layer learns.
- {untouched_in_words(table)}
""")

deeper_sections((
    ("a decoder can count even without positions", "positions_count", decoder_counts),
    ("waves, fast and slow", "positions_waves", waves_by_hand),
    ("near positions are alike", "positions_similar", near_positions),
    ("why add, and not append?", "positions_add", why_add),
    ("what happens beyond the last position", "positions_beyond", beyond_the_last),
), llm)

check_yourself(
    "A two-sided network without positions fills the blank in `the ___ saw the cat` "
    "and in `the cat saw the ___`. What is true?",
    {
        "Its answer to the first is better, because the blank comes early.":
        "Early and late do not exist for this network.",
        "Its answers differ, because the blank has other neighbours.":
        "A neighbour is a matter of position. This network sees all words, and none of "
        "them is near.",
        "It gives the same answer to both.": "To this network both are the same bag of "
        "words: the, the, saw, cat and a blank.",
        "It cannot run at all.": "It runs without any trouble. It just cannot know the "
        "order.",
    },
    answer="It gives the same answer to both.",
    key="positions_check",
)
work_it_out("word_and_position", words)
