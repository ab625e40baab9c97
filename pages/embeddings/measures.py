"""What the lesson on embeddings measures once, for all students."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm.glassbox.embedding import look_up
from llm.studies.word_map import (
    beside_own_kind,
    cosine_similarities,
    flat_map,
    kinds_of,
    main_directions,
    share_kept,
)
from pages.ui.models import checkpoints, record, tiny_llm


def steps_of_map():
    """The steps at which the weights were kept: from `16,000` to 16000."""
    scores = record("tiny_llm")["training"]["scores"]
    return {f"{score['step']:,}": score["step"] for score in scores}


def table_at(step):
    """The embedding table as it was after some steps, (vocab_size, embed_dim)."""
    kept = checkpoints()
    return (kept[step] if step in kept else tiny_llm().weights).token_embeddings


class MapOfWords(NamedTuple):
    """The words on a plane at one step.

    Attributes:
        points: (num_words, 2)
        share: of the variance that the plane keeps.
        said: what the map shows, in words.
    """

    points: np.ndarray
    share: float
    said: str


@st.cache_data(show_spinner=False, max_entries=32)
def map_of_words(step):
    """Lay the words of a kind on the plane of the finished table: `MapOfWords`.

    The directions are those of the end, so that words move and axes stay.
    """
    llm = tiny_llm()
    kinds = kinds_of(llm.tokenizer.vocabulary)
    ids = llm.tokenizer.ids_of(kinds)
    finished = look_up(llm.weights.token_embeddings, ids)
    directions = main_directions(finished)[:, :2]
    rows = look_up(table_at(step), ids)
    points, share = flat_map(rows, directions), share_kept(rows, directions)
    beside = neighbours_by_step()[step]
    said = (
        f"Map of {len(kinds)} words after {step:,} steps; it keeps {share:.0%} of the "
        f"variance. For {beside} of the words the nearest other word is of the same "
        "kind."
    )
    return MapOfWords(points, float(share), said)


@st.cache_data(show_spinner=False)
def nearest_pair(kind):
    """The two words of a kind whose rows are most alike in the finished table.

    Args:
        kind: one of `llm.studies.word_map.KINDS`.

    Returns:
        The two words, and the cosine of their rows.
    """
    llm = tiny_llm()
    words = [word for word, of in kinds_of(llm.tokenizer.vocabulary).items()
             if of == kind]
    rows = look_up(llm.weights.token_embeddings, llm.tokenizer.ids_of(words))
    (one, other), cosine = most_alike(rows)
    return (words[one], words[other]), cosine


def most_alike(rows):
    """The two rows that point most nearly the same way: their numbers, and the cosine.

    Args:
        rows: (num_rows, embed_dim), at least two.
    """
    similar = cosine_similarities(rows, rows)
    similar[np.tril_indices(len(rows))] = -np.inf  # each pair once, no row with itself
    one, other = np.unravel_index(similar.argmax(), similar.shape)
    return (int(one), int(other)), float(similar[one, other])


@st.cache_data(show_spinner=False)
def neighbours_by_step():
    """How many words have a nearest word of their own kind, by step."""
    tokenizer = tiny_llm().tokenizer
    kinds = kinds_of(tokenizer.vocabulary)
    ids, names = tokenizer.ids_of(kinds), list(kinds.values())
    return {
        step: int(beside_own_kind(look_up(table_at(step), ids), names).sum())
        for step in steps_of_map().values()
    }
