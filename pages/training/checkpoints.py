"""The tiny LLM as it was at every kept step of its training, opened once for all."""

import streamlit as st

from llm import TinyLLM
from llm.studies.word_map import (
    beside_own_kind,
    flat_map,
    kinds_of,
    main_directions,
    share_kept,
)
from pages.embeddings.charts import map_alt, map_data
from pages.ui.controls import checkpoints, tiny_llm


@st.cache_resource(show_spinner=False)
def model_at(step):
    """The model after this many steps, a `TinyLLM`."""
    return TinyLLM(checkpoints()[step], tiny_llm().tokenizer.vocabulary)


@st.cache_resource(show_spinner=False)
def map_at(step):
    """The map of words after this many steps.

    It is seen along the directions that matter in the finished model, so that all
    steps are seen from the same side.

    Returns:
        The rows for `word_map`, what they say in words, and the share of words whose
        nearest other word is of their own kind.
    """
    kinds = kinds_of(tiny_llm().tokenizer.vocabulary)
    rows = tiny_llm().tokenizer.ids_of(kinds)
    finished = tiny_llm().weights.token_embeddings[rows]
    table = model_at(step).weights.token_embeddings[rows]
    directions = main_directions(finished)[:, :2]
    points = map_data(flat_map(table, directions), kinds)
    beside = float(beside_own_kind(table, list(kinds.values())).mean())
    said = map_alt(points, share_kept(table, directions), f"{beside:.0%}", step)
    return points, said, beside


@st.cache_resource(show_spinner=False)
def head_that_finds(start, answer):
    """The head that, in the finished model, looks most from the last word at another.

    Args:
        start: a text.
        answer: a word of it.

    Returns:
        layer, head
    """
    seen = tiny_llm().trace(start)
    place = seen.tokens.index(answer)
    strength = {
        (layer, head): float(weights[-1, place])
        for layer, block in enumerate(seen.blocks)
        for head, weights in enumerate(block.attention_weights)
    }
    return max(strength, key=strength.get)
