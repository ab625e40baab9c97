"""Embeddings: how does a word become numbers?"""

import numpy as np
import streamlit as st

from llm.glassbox.embedding import look_up, one_hot
from llm.models.tokenizer import Tokenizer, split
from llm.studies.word_map import (
    beside_own_kind,
    by_chance,
    cosine_similarities,
    flat_map,
    kinds_of,
    main_directions,
    nearest_words,
    share_kept,
)
from llm.studies.word_pieces import (
    NUM_BYTES,
    NUM_STORIES,
    as_bytes,
    merged,
    most_common_pair,
    pieces_per_word,
    readable,
    split_into_pieces,
    toy_merges,
    word_counts,
    words_in_pieces,
)
from pages.embeddings.charts import (
    likeness_alt,
    likeness_bars,
    likeness_data,
    map_alt,
    map_data,
    row_picture,
    rows_alt,
    rows_data,
    rows_table,
    word_map,
)
from pages.ui.chart import numbers, show
from pages.ui.controls import checkpoints, record, tiny_llm, write_into
from pages.ui.deeper import go_deeper
from pages.ui.frame import lesson
from pages.ui.glossary import glossary
from pages.ui.latex import cosine_by_hand, one_hot_by_hand
from pages.ui.predict_first import check_yourself, pick_first
from pages.ui.source import show_source
from pages.ui.words import listed, plain

lesson(__file__)

ASKED = "cat"
GUESSES = {
    "`hat`: it is spelled almost the same": "hat",
    "`purrs`: it often stands right beside it": "purrs",
    "`fox`: it is the same kind of thing": "fox",
}
MOST_ROWS = 20
LONGEST = 200  # characters

llm = tiny_llm()
tokenizer, table = llm.tokenizer, llm.weights.token_embeddings
vocab_size, embed_dim = table.shape

st.markdown(f"""
A network can only add and multiply, so words must become numbers first. This takes two
steps. A list of all words, the **vocabulary**, gives each word a number, its **id**.
And a table has one row for each id: {embed_dim} numbers that stand for the word from
here on. Such a row is called an **embedding**.
""")
glossary("token", "vocabulary", "id", "embedding", "cosine")

st.header("Your guess first", anchor=False)
guess = pick_first(
    f"Nobody told the network what words mean. It read stories, and training changed "
    f"the rows. Whose row has become most like that of `{ASKED}`?",
    list(GUESSES),
    key="guess_row",
)
if guess:
    nearest = nearest_words(ASKED, table, tokenizer, count=len(tokenizer))
    likeness = dict(nearest)
    asked = sorted(GUESSES.values(), key=likeness.get, reverse=True)
    shown = nearest[:4] + [(word, likeness[word]) for word in asked]
    shown = sorted(dict(shown).items(), key=lambda pair: -pair[1])
    st.markdown(
        f"Of the three it is {plain(asked[0])}, with a cosine of "
        f"{likeness[asked[0]]:.2f}; {listed(asked[1:])} have "
        f"{likeness[asked[1]]:.2f} and {likeness[asked[2]]:.2f}. "
        + ("You guessed it." if GUESSES[guess] == asked[0] else "")
    )
    show(likeness_bars(), likeness_data(shown, asked), likeness_alt(ASKED, shown))
    st.markdown(
        "A **cosine** near 1 says that two rows point the same way, 0 that they have "
        "nothing in common. The letters of a word play no part: the network never sees "
        "them."
    )

st.header("From text to rows", anchor=False)


@st.fragment
def text_to_rows():
    """A box that is read while one types: tokens, ids, rows, and the formula."""
    text = st.text_input(
        "Type a sentence",
        "Mia's cat sat on the mat.",
        max_chars=LONGEST,
        key="text",
        live="300ms",
        bind="query-params",
    )
    tokens = split(text or "")
    unknown = tokenizer.unknown(tokens)
    if not tokens:
        st.info("An empty text has no tokens, so there is nothing to look up.")
        return
    with st.container(border=True):
        st.markdown("**Tokens** " + " ".join(plain(token) for token in tokens))
        ids = [str(tokenizer.ids.get(token, "none")) for token in tokens]
        st.markdown("**Ids** " + " · ".join(ids))
    if unknown:
        missing_row(tokens, unknown[0])
    known = [token for token in tokens if token in tokenizer.ids]
    if not known:
        return
    if len(known) > MOST_ROWS:
        st.caption(f"Drawn are the first {MOST_ROWS} of {len(known)} rows.")
    drawn = known[:MOST_ROWS]
    token_ids = tokenizer.ids_of(drawn)
    rows = look_up(table, token_ids)
    largest = float(np.quantile(abs(table), 0.99).round(1))
    show(
        row_picture(len(drawn), embed_dim, largest),
        rows_data(rows, drawn, token_ids),
        rows_alt(rows, drawn, token_ids),
    )
    numbers(rows_table(rows, drawn, token_ids), "rows")
    st.markdown(f"""
    Blue numbers are above zero, orange ones below. Nobody chose what the first or the
    last of the {embed_dim} numbers means: only all together they mean something. A word
    has the same row wherever it stands, so equal words have equal stripes.
    """)
    word = next((word for word in known[::-1] if word.isalpha()), known[-1])
    token_id = tokenizer.ids[word]
    hot = one_hot([token_id], vocab_size)
    st.markdown(f"""
    In books you see it written as a product: a row of {vocab_size} numbers that is zero
    but for a single 1 (**one-hot**), times the table. For {plain(word)}:
    """)
    st.latex(one_hot_by_hand(token_id, table))
    apart = abs(hot @ table - look_up(table, [token_id])).max()
    st.markdown(
        f"Computed just now in both ways, the largest difference is {apart:g}. The "
        f"product takes {vocab_size * embed_dim:,} multiplications, looking the row up "
        "takes none. So looking it up is what everybody does."
    )


def missing_row(tokens, word):
    """Say which word has no row, and offer known ones that are spelled like it."""
    nearest = [near for near in tokenizer.nearest(word) if near[0] not in "<["]
    st.warning(
        f"The word {plain(word)} has no id and so no row: the tiny LLM could not read "
        f"this sentence. It knows {vocab_size} words, no others."
        + (" Did you mean one of these?" if nearest else "")
    )
    with st.container(horizontal=True):
        for near in nearest:
            mended = [near if token == word else token for token in tokens]
            st.button(
                near, key=f"text_mend_{near}", on_click=write_into,
                args=("text", mended),
            )


text_to_rows()
show_source(split, Tokenizer.ids_of, look_up)

st.header("The map that it drew by itself", anchor=False)
kinds = kinds_of(tokenizer.vocabulary)
steps = [score["step"] for score in record("tiny_llm")["training"]["scores"]]
step_named = {f"{step:,}": step for step in steps}
st.markdown(f"""
{embed_dim} numbers are a place in a space of {embed_dim} dimensions. Here is that
space, seen from the side from which it looks widest, with {len(kinds)} words whose kind
is clear. Drag back to 0, and see where they began.
""")
step = step_named[st.select_slider(
    "Steps of training", list(step_named), value=list(step_named)[-1],
    key="map_step", bind="query-params",
)]
then = table if step == steps[-1] else checkpoints()[step].token_embeddings
ids = tokenizer.ids_of(kinds)
# The two directions are those of the finished table, so that words move and axes stay.
directions = main_directions(look_up(table, ids))[:, :2]
rows = look_up(then, ids)
share = share_kept(rows, directions)
points = map_data(flat_map(rows, directions), kinds)
beside = int(beside_own_kind(rows, list(kinds.values())).sum())
words_map = word_map(tuple(dict.fromkeys(kinds.values())))
show(words_map, points, map_alt(points, share, beside, step))
numbers(
    points.round(3), "word_map", "Every word with its place, as a table",
)
with st.grid(3, min_column_width=190):
    st.metric(
        "Nearest word is of its kind", f"{beside} of {len(kinds)}", border=True,
        help=f"By cosine in all {embed_dim} dimensions. If the nearest were any other "
        f"word at random, it would be {by_chance(list(kinds.values())):.0%}.",
    )
    st.metric(
        "Variance that the map keeps", f"{share:.0%}", border=True,
        help=f"The map shows 2 of {embed_dim} directions; the rest of the spread is "
        "hidden behind it.",
    )
    st.metric(
        "Distance from the middle",
        f"{np.linalg.norm(rows - rows.mean(axis=0), axis=1).mean():.2f}", border=True,
        help="On average. The rows begin almost at zero and grow; the map is enlarged "
        "to fit.",
    )

st.markdown(f"""
**What to notice**

- Words that can stand in the same places of a story come to lie together. Nobody ever
  named a kind: drag back to {steps[0]}, where the neighbours are about what chance
  gives, {by_chance(list(kinds.values())):.0%}.
- A map of two dimensions hides most of what there is. Words that look near may be far
  apart, so the count of neighbours uses all {embed_dim} numbers.
- The rows are weights like all others: {vocab_size} × {embed_dim} =
  {vocab_size * embed_dim:,} of them.
""")

if section := go_deeper("the nearest words of any word", "nearest"):
    with section:
        word = st.selectbox(
            "A word", tokenizer.vocabulary[1:], key="near_word", bind="query-params",
            index=tokenizer.vocabulary.index("monday") - 1,
        )
        nearest = nearest_words(word, then, tokenizer)
        if step != steps[-1]:
            st.caption(f"After {step:,} steps, as the slider above says.")
        show(
            likeness_bars(),
            likeness_data(nearest, [near for near, _ in nearest]),
            likeness_alt(word, nearest),
        )
        st.markdown(
            "The cosine is the dot product of two rows, divided by their lengths. For "
            f"{plain(word)} and {plain(nearest[0][0])}:"
        )
        one, other = (then[tokenizer.ids[name]] for name in (word, nearest[0][0]))
        st.latex(cosine_by_hand(one, other))
        show_source(cosine_similarities, nearest_words)

if section := go_deeper("how the map is made", "map_made"):
    with section:
        every = main_directions(rows)
        kept = [share_kept(rows, every[:, :count]) for count in (1, 2, 5, 10, 20)]
        st.markdown(f"""
        Turn the space until its widest direction lies along the page, and the next
        widest, at right angles to it, goes up. This is called principal component
        analysis. At this step, the widest 1, 2, 5, 10 and 20 directions keep
        {", ".join(f"{share:.0%}" for share in kept)} of the variance. No flat map could
        keep more than the second of these figures.
        """)
        counts = {
            kept_step: int(beside_own_kind(
                look_up(weights.token_embeddings, ids), list(kinds.values())
            ).sum())
            for kept_step, weights in checkpoints().items()
        }
        top = max(counts, key=counts.get)
        st.markdown(
            f"How many of the {len(kinds)} words have a nearest word of their kind, "
            "step by step: "
            + ", ".join(f"{count} at {at:,}" for at, count in counts.items())
            + f". It is highest at step {top:,}. "
            + ("What words of a kind share seems to be learned first; later the "
               "network must also tell them apart, and their rows part a little."
               if counts[top] > counts[steps[-1]] else "")
        )
        show_source(main_directions, flat_map, share_kept, beside_own_kind)

if section := go_deeper("words that nobody has ever seen", "pieces"):
    with section:
        st.markdown(f"""
        Our tokens are whole words, so that the table stays small and you can read
        everything. The price: whatever is not among the {vocab_size} has no row. Real
        models use **word pieces** instead. They begin with the {NUM_BYTES} bytes that
        any text is made of, and join what stands together most often, again and again.
        Common words end up whole, rare ones in pieces, and nothing is unknown. Here is
        such a splitter, learned from our stories:
        """)
        word = st.text_input(
            "Any word, in any writing", "unbelievable", max_chars=40, key="pieces_of",
            live="300ms", bind="query-params",
        )
        merges = toy_merges()
        count = st.slider(
            "Pieces that were joined", 0, len(merges), len(merges), step=20,
            key="merges", bind="query-params",
        )
        pieces = [split_into_pieces(part, merges[:count]) for part in split(word or "")]
        pieces = [piece for part in pieces for piece in part]
        if pieces:
            st.markdown(" + ".join(plain(readable(piece)) for piece in pieces))
        else:
            st.info("Type a word: any will do.")
        with st.grid(3, min_column_width=150):
            st.metric("Pieces of this", len(pieces), border=True)
            st.metric("Rows in the table", NUM_BYTES + count, border=True)
            st.metric(
                "Pieces a word, in our stories",
                f"{pieces_per_word(count):.2f}", border=True,
            )
        if count:
            newest = [readable(b"".join(pair)) for pair in merges[:count][-8:]]
            st.markdown(f"The newest pieces at this point: {listed(newest)}.")
        pair, times = most_common_pair(words_in_pieces(count), word_counts())
        if pair:
            st.markdown(
                f"Next, {listed(map(readable, pair))} would be joined: in "
                f"{NUM_STORIES:,} stories they stand side by side {times:,} times."
            )
        st.markdown("""
        That is the bargain: a longer table, or longer texts. Large models settle at
        some ten to some hundred thousand pieces. A number in angle brackets is a byte
        that is only part of a character.
        """)
        show_source(as_bytes, merged, most_common_pair, split_into_pieces)

check_yourself(
    "After training, the rows of `monday` and `friday` are alike. Why?",
    {
        "They end with the same three letters.": "The network never sees letters. It "
        "sees two ids, and ids say nothing about spelling.",
        "Their ids are close to each other.": "An id is only a place in the list. "
        "Neighbours in the list have rows that have nothing to do with each other.",
        "They stand in the same places of stories, so training moved their rows alike.":
        "What may come before and after a word is all that the network ever learns of "
        "it, and for days that is nearly the same.",
        "Somebody marked both of them as days.": "Nobody marked anything: the stories "
        "were all that it read.",
    },
    answer="They stand in the same places of stories, so training moved their rows "
    "alike.",
    key="embeddings_check",
)
