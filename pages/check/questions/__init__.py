"""The questions at the end of the course: which there are, and how each is made.

A question is made anew from the models that are running, for a set of numbers that the
reader can choose. Each has exactly one right option, and every option has its answer:
why it is right, or what was mixed up.
"""

import numpy as np

from llm.exercises import Models
from pages.check.questions.attention import ATTENTION
from pages.check.questions.parts import Question
from pages.check.questions.tiny_llm import TINY_LLM
from pages.check.questions.transformer import TRANSFORMER

__all__ = ["QUESTIONS", "Models", "Question", "lesson_of", "make"]

# From its name to the lesson (the stem of its file) and the function that makes it, in
# the order of the course.
QUESTIONS = {**ATTENTION, **TRANSFORMER, **TINY_LLM}


def lesson_of(name):
    """The stem of the lesson that a question belongs to."""
    return QUESTIONS[name][0]


def make(name, models, numbers=1):
    """One question, its options in an order that tells nothing.

    Args:
        name: one of `QUESTIONS`.
        models: a `Models`.
        numbers: the set of numbers to draw from, a whole number.

    Returns:
        A `Question`; the same for the same models and numbers.
    """
    place = list(QUESTIONS).index(name)
    rng = np.random.default_rng([numbers, place])
    return QUESTIONS[name][1](models, rng).shuffled(rng)
