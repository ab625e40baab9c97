"""The *Go deeper* sections of the lesson on embeddings; each takes the step."""

import streamlit as st

from llm.glassbox.embedding import look_up, one_hot
from llm.models.parameters import GPT_3
from llm.models.tokenizer import split
from llm.studies.word_map import (
    beside_own_kind,
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
from pages.embeddings.measures import neighbours_by_step, table_at
from pages.embeddings.words import ASKED, newest_in_words, steps_in_words
from pages.ui.chart import show
from pages.ui.charts.bars import bars
from pages.ui.controls import choose
from pages.ui.latex import cosine_by_hand, one_hot_by_hand
from pages.ui.models import tiny_llm
from pages.ui.source import show_source
from pages.ui.words import listed, plain

KEPT_BY = (1, 2, 5, 10, 20)  # directions


def nearest_of_any_word(step):
    """The nearest rows of a chosen word, at the step of the slider."""
    tokenizer = tiny_llm().tokenizer
    word = choose("A word", tokenizer.vocabulary[1:], "near_word", default="monday",
                  kind="list")
    then = table_at(step)
    nearest = nearest_words(word, then, tokenizer)
    show(
        bars(dict(nearest), "cosine", "likeness", domain=None, form=".2f",
             said=f"After {step:,} steps, how similar other rows are to "
             f"the row of '{word}'"),
        "nearest_words",
    )
    st.markdown(
        "The cosine is the dot product of two rows, divided by their sizes. For "
        f"{plain(word)} and {plain(nearest[0][0])}:"
    )
    st.latex(cosine_by_hand(
        *(then[tokenizer.ids[name]] for name in (word, nearest[0][0]))
    ))
    st.markdown(f"Why {then.shape[1]} numbers? That was our choice, enough for a small "
                f"world. GPT-3 has {GPT_3.embed_dim:,}.")
    show_source(cosine_similarities, nearest_words)


def how_the_map_is_made(step):
    """The widest directions, and how many neighbours are of one kind, step by step."""
    tokenizer = tiny_llm().tokenizer
    ids = tokenizer.ids_of(kinds_of(tokenizer.vocabulary))
    rows = look_up(table_at(step), ids)
    every = main_directions(rows)
    kept = [share_kept(rows, every[:, :count]) for count in KEPT_BY]
    st.markdown(f"""
    Turn the space until its widest direction lies along the page and the next widest,
    at right angles to it, points up. This is called principal component analysis. At
    this step the widest {", ".join(map(str, KEPT_BY[:-1]))} and {KEPT_BY[-1]}
    directions keep {", ".join(f"{share:.0%}" for share in kept)} of the spread (the
    variance). No flat map could keep more than the second of these shares.

    How many words have a nearest word of their own kind?
    {steps_in_words(neighbours_by_step())}
    """)
    show_source(main_directions, flat_map, share_kept, beside_own_kind)


def one_hot_product(step):
    """Looking a row up, and multiplying a one-hot row with the table: the same."""
    llm = tiny_llm()
    table = llm.weights.token_embeddings
    vocab_size, embed_dim = table.shape
    token_id = llm.tokenizer.ids[ASKED]
    apart = abs(one_hot([token_id], vocab_size) @ table - look_up(table, [token_id]))
    st.markdown(f"""
    Books write it as a product: a row of {vocab_size} numbers, all 0 but for a single 1
    (**one-hot**), times the table. For `{ASKED}`:
    """)
    st.latex(one_hot_by_hand(token_id, table))
    st.markdown(f"""
    Computed in both ways, the largest difference is {apart.max():g}. The product takes
    {vocab_size * embed_dim:,} multiplications and looking the row up takes none, so
    everybody looks it up.
    """)
    show_source(one_hot, look_up)


def any_word_in_pieces(step):
    """Word pieces: a vocabulary for which no text is unknown."""
    st.markdown(f"""
    Our tokens are whole words, so that the table stays small and you can read
    everything. The price: a word that is not in the vocabulary has no row. Real models
    use **word pieces**. GPT's begin with the {NUM_BYTES} bytes that any text is made
    of, and join what stands together most often, again and again. Common words end up
    whole and rare ones in pieces, and nothing is unknown. Here is such a splitter,
    learned from our stories:
    """)
    word = st.text_input(
        "Any word, in any script", "unbelievable", max_chars=40, key="pieces_of",
        live="300ms", bind="query-params",
    )
    merges = toy_merges()
    count = st.slider(
        "Pieces that were joined", 0, len(merges), len(merges), step=20, key="merges",
        bind="query-params",
    )
    pieces = [
        piece for part in split(word or "")
        for piece in split_into_pieces(part, merges[:count])
    ]
    if pieces:
        st.markdown(" + ".join(plain(readable(piece)) for piece in pieces))
    else:
        st.info("Type a word: any will do.")
    with st.grid(3, min_column_width=150):
        st.metric("Pieces of this", len(pieces), border=True)
        st.metric("Rows in the table", NUM_BYTES + count, border=True)
        st.metric("Pieces a word, in our stories", f"{pieces_per_word(count):.2f}",
                  border=True)
    if count:
        st.markdown(newest_in_words(
            [readable(b"".join(pair)) for pair in merges[:count][-8:]]
        ))
    pair, times = most_common_pair(words_in_pieces(count), word_counts())
    if pair:
        st.markdown(
            f"Next, {listed(map(readable, pair))} would be joined: in {NUM_STORIES:,} "
            f"stories they stand side by side {times:,} times."
        )
    st.markdown("""
    That is the bargain: a longer table, or longer texts. Large models settle on
    tens or hundreds of thousands of pieces. A number in angle brackets is a byte that
    is only part of a character.
    """)
    show_source(as_bytes, most_common_pair, merged, split_into_pieces)
