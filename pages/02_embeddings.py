"""Embeddings: how does a word become numbers?"""

import streamlit as st

from llm.glassbox.embedding import look_up
from llm.models.tokenizer import Tokenizer, split
from llm.studies.word_map import kinds_of, nearest_words
from pages.embeddings.measures import (
    map_of_words,
    nearest_pair,
    neighbours_by_step,
    steps_of_map,
)
from pages.embeddings.sections import (
    any_word_in_pieces,
    how_the_map_is_made,
    nearest_of_any_word,
    one_hot_product,
)
from pages.embeddings.typed import text_to_rows
from pages.embeddings.words import (
    ASKED,
    GUESSES,
    likeness_in_words,
    neighbours_in_words,
    replies,
)
from pages.ui.chart import show
from pages.ui.charts.bars import bars
from pages.ui.charts.word_map import word_map
from pages.ui.colours import MODEL, QUIET
from pages.ui.controls import choose
from pages.ui.deeper import deeper_sections
from pages.ui.exercise import work_it_out
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.models import tiny_llm
from pages.ui.predict_first import check_yourself, guessed, pick_first
from pages.ui.source import show_source
from pages.ui.words import listed

lesson(__file__)

llm = tiny_llm()
tokenizer, table = llm.tokenizer, llm.weights.token_embeddings
vocab_size, embed_dim = table.shape
kinds = kinds_of(tokenizer.vocabulary)

st.markdown(f"""
A network computes with numbers, so words must become numbers first. A list of all words
and punctuation marks, the **vocabulary**, gives each a number, its **id**. A table has
one row for each id: {embed_dim} numbers that stand for the word from here on, its
**embedding**. Nobody writes them. They begin at random, and training changes them a
little at every step. Drag the slider, and watch the words move.
""")
picture = st.container()
steps = steps_of_map()
step = choose("Steps of training (close together at first)", list(steps), "map_step",
              default=list(steps)[-1], kind="steps", name="step")
seen = map_of_words(steps[step])
with picture:
    show(word_map(seen.points, kinds, seen.said, height=380), "word_map")
st.caption(
    f"{len(kinds)} words, each clearly of one kind, such as animals or colours. "
    f"The map shows {seen.points.shape[1]} of "
    f"{embed_dim} directions with {seen.share:.0%} of the spread: words that look near "
    "may be far apart."
)
st.markdown(neighbours_in_words(neighbours_by_step(), steps[step], len(kinds)))
glossary("token", "vocabulary", "id", "embedding", "cosine")

st.header("Which words end up with similar rows?", anchor=False)
nearest = nearest_words(ASKED, table, tokenizer, count=len(tokenizer))
likeness = dict(nearest)
right = max(GUESSES, key=lambda option: likeness[GUESSES[option]])
guess = pick_first(
    f"Whose row has become most like that of `{ASKED}`?", replies(likeness),
    answer=right, key="guess_row",
)
if guessed(guess, "guess_row"):
    shown = dict(nearest[:3]) | {word: likeness[word] for word in GUESSES.values()}
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        show(
            bars(dict(sorted(shown.items(), key=lambda pair: -pair[1])), "cosine",
                 "likeness", domain=None, form=".2f",
                 colour={word: MODEL if word in GUESSES.values() else QUIET
                         for word in shown},
                 said=f"How similar other rows are to the row of '{ASKED}'"),
            "likeness",
        )
    right.markdown(likeness_in_words(nearest, kinds, tokenizer))

st.header("From text to rows", anchor=False)
text_to_rows()
show_source(split, Tokenizer.ids_of, look_up)

st.markdown(f"""
**What to notice**

- A word has the same row wherever it stands. Which *bank* is meant, the river's or the
  one with money, must be worked out later from the words around it.
- A single number of a row need not mean anything by itself. All {embed_dim} together
  do.
- The table has {vocab_size} × {embed_dim} = {vocab_size * embed_dim:,} weights.
""")

deeper_sections((
    ("the nearest words of any word", "nearest", nearest_of_any_word),
    ("how the map is made", "map_made", how_the_map_is_made),
    ("a row, written as a product", "one_hot", one_hot_product),
    ("words that nobody has ever seen", "pieces", any_word_in_pieces),
), steps[step])

pair, cosine = nearest_pair("plurals")
check_yourself(
    f"After training, the rows of {listed(pair)} are alike: their cosine is "
    f"{cosine:.2f}. Why?",
    {
        "They are written with some of the same letters.": "The network never sees "
        "letters, only ids.",
        "Somebody told the network that both are plurals.": "Nobody did. It read "
        "stories, and guessed the next word.",
        "They stand in the same places of the stories.": "What comes before them and "
        "after them is alike, so training pushes their rows the same way.",
        "They often stand side by side.": "Words that stand side by side need not be "
        "alike: `the` stands beside most nouns.",
    },
    answer="They stand in the same places of the stories.",
    key="embeddings_check",
)
work_it_out("nearest_by_cosine")
