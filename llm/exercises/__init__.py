"""Exercises whose answers are computed: which there are, and how one is made.

exercise.py: What an exercise is made of, and how an answer to it is marked.
parts.py: Small parts that several kinds of exercise are made with.
word_vectors.py: Exercises on why attention came, on embeddings and on
    positions.
attention.py: Exercises on attention, on queries, keys and values, and on heads.
network.py: Exercises on the block, the families, and the first and the last
    digit.
writing.py: Exercises on the next token and on sampling.
learning.py: Exercises on training, on looking inside, and on a text of one's
    own.
"""

from zlib import crc32

import numpy as np

from llm.exercises.attention import ATTENTION
from llm.exercises.exercise import Exercise, Kind, Mark, Models, read_number
from llm.exercises.learning import LEARNING
from llm.exercises.network import NETWORK
from llm.exercises.word_vectors import WORD_VECTORS
from llm.exercises.writing import WRITING

__all__ = [
    "KINDS",
    "Exercise",
    "Kind",
    "Mark",
    "Models",
    "make",
    "read_number",
]

# In the order of the course.
KINDS = {**WORD_VECTORS, **ATTENTION, **NETWORK, **WRITING, **LEARNING}
MOST_TRIES = 60  # draws, until one gives an exercise with clear answers


def make(kind, models, seed=1, words=None):
    """One exercise, with the numbers of a seed or of a student's sentence.

    Numbers are drawn again while a well-known mistake would come out right, or
    like another.

    Args:
        kind: one of `KINDS`.
        models: a `Models`.
        seed: a whole number; the same seed gives the same exercise.
        words: the known words of a sentence, without `<start>`; None, or too
            few, for a sentence drawn from the seed.

    Returns:
        An `Exercise`.
    """
    words = words if KINDS[kind].from_sentence else None
    unclear = None
    for number in range(MOST_TRIES):
        rng = np.random.default_rng([seed, crc32(kind.encode()), number])
        found = KINDS[kind].make(models, rng, words)
        if found is not None and found.told_apart:
            return found
        unclear = found or unclear
    if words is not None:
        return make(kind, models, seed)
    return unclear.without_unclear()
