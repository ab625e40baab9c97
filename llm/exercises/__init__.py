"""Exercises whose answers are computed: which there are, and how one is made.

exercise.py: What an exercise is made of, and how an answer to it is marked.
parts.py: Small parts that several kinds of exercise are made with.
why.py: Exercises on why attention came: distances, and the price.
embeddings.py: Exercises on embeddings: looking a row up, and comparing rows.
attention.py: Exercises on attention: what may be seen, and what it decides.
queries_keys_values.py: Exercises on queries, keys and values: the four steps.
heads.py: Exercises on heads: what one does, and how wide it is.
positions.py: Exercises on positions: a wave, and a sum of two rows.
block.py: Exercises on the block: LayerNorm, units, the stream, and parameters.
families.py: Exercises on the families: who may look at whom.
first_and_last.py: An exercise on the first and the last digit: accuracy.
next_token.py: Exercises on the next token: logits, guesses, errors, cache.
sampling.py: Exercises on sampling: temperature, top-k, top-p, and the draw.
training.py: Exercises on training: targets, loss, its floor, and the gradient.
look_inside.py: Exercises on looking inside: effects, cuts, and induction.
your_text.py: Exercises on a text of one's own: pairs, and copies.
"""

from zlib import crc32

import numpy as np

from llm.exercises.attention import ATTENTION
from llm.exercises.block import BLOCK
from llm.exercises.embeddings import EMBEDDINGS
from llm.exercises.exercise import Exercise, Kind, Mark, Models, read_number
from llm.exercises.families import FAMILIES
from llm.exercises.first_and_last import FIRST_AND_LAST
from llm.exercises.heads import HEADS
from llm.exercises.look_inside import LOOK_INSIDE
from llm.exercises.next_token import NEXT_TOKEN
from llm.exercises.positions import POSITIONS
from llm.exercises.queries_keys_values import QUERIES_KEYS_VALUES
from llm.exercises.sampling import SAMPLING
from llm.exercises.training import TRAINING
from llm.exercises.why import WHY
from llm.exercises.your_text import YOUR_TEXT

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
KINDS = {
    **WHY,
    **EMBEDDINGS,
    **ATTENTION,
    **QUERIES_KEYS_VALUES,
    **HEADS,
    **POSITIONS,
    **BLOCK,
    **FAMILIES,
    **FIRST_AND_LAST,
    **NEXT_TOKEN,
    **SAMPLING,
    **TRAINING,
    **LOOK_INSIDE,
    **YOUR_TEXT,
}
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
