"""What the lesson on positions measures once, for all students."""

import numpy as np
import streamlit as st

from llm.glassbox.softmax import softmax
from llm.models.twins import TWINS, first_positions, twin_trace
from llm.studies.order import moved_along
from pages.ui.models import retrained_twin, trainings

BITTEN = "dog bites man . who was bitten ?"
NO_POSITIONS = "no positions"
# Positions between two measurements.
STRIDES = {"full": 4, "sinusoidal positions": 8}


def skills_by_draw():
    """How often each skill is right with positions and without, in every training.

    Returns:
        A dictionary from skill to two lists of accuracies, one number a training.
    """
    ends = {
        name: [run["scores"][-1]["skills"] for run in trainings(name)]
        for name in ("full", NO_POSITIONS)
    }
    skills = [
        skill for skill, score in ends["full"][0].items()
        if score["accuracy"] is not None
    ]
    return {
        skill: tuple([end[skill]["accuracy"] for end in ends[name]] for name in ends)
        for skill in skills
    }


def trained_positions():
    """How many positions, from 0 on, the stories reached that trained the twins.

    Twins are kept in half precision, so that is how their table is compared.
    """
    table = retrained_twin("full").position_embeddings
    began = first_positions(*table.shape).astype(np.float16)
    changed = (table.astype(np.float16) != began).any(axis=-1)
    return int(np.append(changed, False).argmin())


@st.cache_data(show_spinner=False, max_entries=4)
def probability_by_position(twin, token_ids, answer, num_positions):
    """How likely a word is after some others, by the position where these begin.

    Args:
        twin: one of `STRIDES`.
        token_ids: a tuple, what is read.
        answer: the token id of the word.
        num_positions: the length of the table; waves can be of any length.

    Returns:
        A list of (position of the first token, probability).
    """
    rows = retrained_twin(twin).position_embeddings
    if twin == "sinusoidal positions":
        rows = first_positions(num_positions, rows.shape[1])
    found = []
    for start in range(0, num_positions - len(token_ids) + 1, STRIDES[twin]):
        weights = moved_along(retrained_twin(twin), start, len(token_ids), rows)
        logits = twin_trace(weights, TWINS[twin], token_ids).logits[-1]
        found.append((start, float(softmax(logits)[answer])))
    return found
