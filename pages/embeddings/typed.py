"""A box that is read while one types: tokens, ids and rows."""

import numpy as np
import streamlit as st

from llm.glassbox.embedding import look_up
from llm.models.tokenizer import split
from pages.embeddings.charts import rows_of_table
from pages.ui.chart import show
from pages.ui.controls import at_most, write_into
from pages.ui.models import tiny_llm
from pages.ui.words import plain

MOST_ROWS = 20
LONGEST = 200  # characters
TYPED = "mia's cat sat."


@st.fragment
def text_to_rows():
    """The box, and under it the tokens, their ids and their rows."""
    tokenizer = tiny_llm().tokenizer
    table = tiny_llm().weights.token_embeddings
    text = st.text_input(
        "Type a sentence", TYPED, validate=at_most(LONGEST), key="text", live="300ms",
        bind="query-params",
    )
    tokens = split(text or "")
    if not tokens:
        st.info("An empty text has no tokens, so there is nothing to look up.")
        return
    st.markdown("Tokens and ids: " + " · ".join(
        f"{plain(token)} {tokenizer.ids.get(token, '(none)')}" for token in tokens
    ))
    unknown = tokenizer.unknown(tokens)
    if unknown:
        missing_row(tokens, unknown[0], tokenizer)
    known = [token for token in tokens if token in tokenizer.ids]
    if not known:
        return
    if len(known) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(known)} rows are drawn.")
    drawn = known[:MOST_ROWS]
    token_ids = tokenizer.ids_of(drawn)
    largest = float(np.quantile(abs(table), 0.99).round(1))
    show(rows_of_table(look_up(table, token_ids), drawn, token_ids, largest), "rows")


def missing_row(tokens, word, tokenizer):
    """Say which word has no row, and offer known ones that are spelled like it."""
    nearest = [near for near in tokenizer.nearest(word) if near[0] not in "<["]
    st.warning(
        f"The word {plain(word)} has no id and so no row: the tiny LLM could not read "
        f"this sentence. It knows {len(tokenizer)} words and signs, and no others."
        + (" Did you mean one of these?" if nearest else "")
    )
    with st.container(horizontal=True):
        for near in nearest:
            mended = [near if token == word else token for token in tokens]
            st.button(
                near, key=f"text_mend_{near}", on_click=write_into,
                args=("text", mended),
            )
