"""What the lesson on positions measures once, for all students."""

from typing import NamedTuple

import streamlit as st

from llm.glassbox.softmax import softmax
from llm.models.twins import TWINS, first_positions, twin_trace
from llm.studies.order import moved_along
from pages.ui.models import retrained_twin, tiny_llm

BITTEN = "dog bites man . who was bitten ?"
NO_POSITIONS = "no positions"
LOOK_UP = "tom has a red ball . mia has a blue kite . mia 's kite is"
LOOK_UP_ANSWER = "blue"
# Positions between two measurements.
STRIDES = {"full": 4, "sinusoidal positions": 8}


def skills_by_draw(twins):
    """How often each skill is right with positions and without, in every training.

    Args:
        twins: the record of the twins.

    Returns:
        A dictionary from skill to two lists of accuracies, one number a training.
    """
    ends = {
        name: [run["scores"][-1]["skills"] for run in trainings_of(twins, name)]
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


def trainings_of(twins, name):
    """The records of all trainings of one twin, each from other first weights."""
    twin = twins["twins"][name]
    return twin.get("draws", [twin])


class Answer(NamedTuple):
    """What a decoder says to a question, with positions and without.

    Attributes:
        start, answer: the question and its right answer.
        with_positions, without: the probability of the right answer.
    """

    start: str
    answer: str
    with_positions: float
    without: float


@st.cache_data(show_spinner=False)
def answer_without_positions():
    """Ask a decoder with positions, and one without, for a colour: an `Answer`."""
    tokenizer = tiny_llm().tokenizer
    ids = tokenizer.ids_of(["<start>", *LOOK_UP.split()])
    said = [
        softmax(twin_trace(retrained_twin(name), TWINS[name], ids).logits[-1])[
            tokenizer.ids[LOOK_UP_ANSWER]
        ]
        for name in ("full", NO_POSITIONS)
    ]
    return Answer(LOOK_UP, LOOK_UP_ANSWER, *map(float, said))


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
