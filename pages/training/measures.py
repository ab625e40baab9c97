"""The tiny LLM as it was at every kept step, and what is measured on it; once for all.
"""

from typing import NamedTuple

import numpy as np
import streamlit as st

from llm import TinyLLM
from llm.models.twins import TWINS, TwinLLM
from llm.studies.exam import evaluate, fresh_exam, log_probabilities_unseen
from llm.studies.loss import one_step, token_losses
from llm.studies.word_map import (
    beside_own_kind,
    flat_map,
    kinds_of,
    main_directions,
    share_kept,
)
from llm.world.reading import stories_of
from pages.training.words import MAY_COME
from pages.ui.models import checkpoints, record, retrained_twin, tiny_llm, world
from pages.ui.words import rounded_sum

LEARNING_RATE = 0.1  # of the one step that is shown
NUM_UNSEEN = 60  # stories that a peeking twin is examined on, without peeking


@st.cache_resource(show_spinner=False)
def model_at(step):
    """The model after this many steps, a `TinyLLM`."""
    return TinyLLM(checkpoints()[step], tiny_llm().tokenizer.vocabulary)


class Wrong(NamedTuple):
    """What the stories of one skill have of all that is above the floor.

    Attributes:
        impossible: the share of it that is for words that cannot come.
        possible: the share that is wrong among the words that can.
        words: the share of all words of the exam that stand in these stories.
    """

    impossible: float
    possible: float
    words: float

    @property
    def all(self):
        """The share of all that is above the floor."""
        return self.impossible + self.possible


def shares_of_shortfall(skills):
    """The loss above the floor, shared out and rounded so that it adds up to one.

    Args:
        skills: those of one step of `assets/shortfall.json`.

    Returns:
        A dictionary from skill to `Wrong`, the largest first.
    """
    parts = np.array(
        [[found["impossible"], found["possible"]] for found in skills.values()]
    )
    shares = rounded_sum((parts / parts.sum()).ravel(), 3).reshape(parts.shape)
    shared = {
        skill: Wrong(*share, skills[skill]["places"])
        for skill, share in zip(skills, shares, strict=True)
    }
    return dict(sorted(shared.items(), key=lambda item: -item[1].all))


def said_and_possible(said, distribution, possible):
    """The probability of each word of a list, and the mean of the words that may come.

    Args:
        said: the words of the list so far.
        distribution: from word to probability, what comes next.
        possible: the same by the rules, with the words that may go on with the list.
    """
    others = [word for word in possible if word != "."]
    return {
        **{word: distribution.get(word, 0.0) for word in said},
        MAY_COME: float(np.mean([distribution[word] for word in others])),
    }


@st.cache_resource(show_spinner=False)
def first_story():
    """The first story that the tiny LLM read in its training, a list of words."""
    story, _ = next(stories_of(record("tiny_llm")["training"]))
    return list(story.tokens)


@st.cache_resource(show_spinner=False)
def least_losses():
    """The surprise of someone who knows the rules, at each word of the first story."""
    story = first_story()
    given = [
        world().next_word_probabilities(story[:end])[story[end]]
        for end in range(1, len(story))
    ]
    return np.maximum(-np.log(given), 0.0)


class Step(NamedTuple):
    """One training step on the first story, in the output layer alone.

    Attributes:
        losses: (num_tokens,), the surprise at each target before the step.
        logits: (num_tokens, vocab_size), before the step.
        word: to which word's logit the weight leads whose gradient is largest.
        number: from which number of the vector it leads there, counted from 1.
        before, slope, after: that weight, its gradient, and the weight after the step.
        loss_after: the mean loss of the story after the step.
    """

    losses: np.ndarray
    logits: np.ndarray
    word: str
    number: int
    before: float
    slope: float
    after: float
    loss_after: float


@st.cache_resource(show_spinner=False)
def step_on_first_story(step):
    """One more step from here on, a `Step`."""
    llm, story = model_at(step), first_story()
    trace, targets = llm.trace(story[:-1]), llm.tokenizer.ids_of(story[1:])
    kernel = llm.weights.output_kernel.astype(float)
    bias = llm.weights.output_bias.astype(float)
    final = trace.final.astype(float)
    gradient, moved, moved_bias = one_step(final, kernel, bias, targets, LEARNING_RATE)
    row, column = np.unravel_index(abs(gradient[0]).argmax(), kernel.shape)
    return Step(
        token_losses(trace.logits, targets), trace.logits,
        llm.tokenizer.vocabulary[column], int(row) + 1, float(kernel[row, column]),
        float(gradient[0][row, column]), float(moved[row, column]),
        float(token_losses(final @ moved + moved_bias, targets).mean()),
    )


class Map(NamedTuple):
    """The words of the embedding table at one step, seen from one side.

    Attributes:
        points: (num_words, 2)
        kinds: a dictionary from word to kind, in the same order.
        kept: the share of the variance that the map keeps.
        beside: the share of words whose nearest other word is of their own kind.
    """

    points: np.ndarray
    kinds: dict
    kept: float
    beside: float


@st.cache_resource(show_spinner=False)
def map_at(step):
    """The map of words after this many steps, a `Map`.

    It is seen along the directions that matter in the finished model, so that all
    steps are seen from the same side.
    """
    kinds = kinds_of(tiny_llm().tokenizer.vocabulary)
    rows = tiny_llm().tokenizer.ids_of(kinds)
    directions = main_directions(tiny_llm().weights.token_embeddings[rows])[:, :2]
    table = model_at(step).weights.token_embeddings[rows]
    beside = float(beside_own_kind(table, list(kinds.values())).mean())
    points = flat_map(table, directions)
    return Map(points, kinds, share_kept(table, directions), beside)


@st.cache_resource(show_spinner=False)
def head_that_finds(start, answer):
    """The head that, in the finished model, looks most from the last word at another.

    Args:
        start: a text.
        answer: a word of it.

    Returns:
        The name of the head.
    """
    seen = tiny_llm().trace(start)
    position = seen.tokens.index(answer)
    shares = [
        weights[-1, position]
        for block in seen.blocks for weights in block.attention_weights
    ]
    return tiny_llm().head_names()[int(np.argmax(shares))]


@st.cache_resource(show_spinner="Opening a twin…")
def twin_llm(name):
    """A twin that can be asked, opened once for all students: a `TwinLLM`."""
    vocabulary = tiny_llm().tokenizer.vocabulary
    return TwinLLM(retrained_twin(name), vocabulary, TWINS[name])


@st.cache_resource(show_spinner="Examining it without the answers in sight…")
def scores_unseen(name):
    """Loss and skills of a twin that is given only the words before each word."""
    tokenizer = tiny_llm().tokenizer
    exam = fresh_exam(tokenizer, NUM_UNSEEN)
    log_q = log_probabilities_unseen(twin_llm(name).logits, exam)
    return evaluate(exam, np.maximum(log_q, -700.0), tokenizer)
