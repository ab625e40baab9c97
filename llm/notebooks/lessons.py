"""Which lessons have a notebook, and the sentence of each."""

from collections.abc import Callable
from typing import NamedTuple

from llm.notebooks.attention import (
    attention,
    embeddings,
    heads,
    positions,
    queries_keys_values,
    why,
)
from llm.notebooks.tiny_llm import (
    look_inside,
    next_token,
    sampling,
    training,
    your_text,
)
from llm.notebooks.transformer import block, families, first_and_last
from llm.studies.memory import COLOURS, story_to_remember


class LessonNotebook(NamedTuple):
    """The notebook of a lesson.

    Attributes:
        make: a function of a `TinyLLM` and words that returns a `Notebook`.
        words: the lesson's own sentence.
    """

    make: Callable
    words: tuple


CAT = tuple("the cat sat on the mat".split())
START = CAT[:-1]
BITES = tuple("dog bites man".split())
TIRED = tuple(
    "the animal didn't cross the street because it was too tired .".split()
)
ANIMAL = tuple(
    "the animal didn't cross the street because the animal was too tired "
    ".".split()
)
KEY = tuple("the key behind the doors".split())
KITE = tuple(
    "tom has a red ball . mia has a blue kite . mia 's kite is".split()
)
NOTEBOOKS = {
    "why": LessonNotebook(why, tuple(story_to_remember(COLOURS[0], 1)[1:])),
    "embeddings": LessonNotebook(embeddings, ("cat", "dog", "mat", "sat")),
    "attention": LessonNotebook(attention, TIRED),
    "queries_keys_values": LessonNotebook(queries_keys_values, CAT),
    "heads": LessonNotebook(heads, KEY),
    "positions": LessonNotebook(positions, BITES),
    "block": LessonNotebook(block, START),
    "families": LessonNotebook(families, ANIMAL),
    "first_and_last": LessonNotebook(first_and_last, ()),
    "next_token": LessonNotebook(next_token, START),
    "sampling": LessonNotebook(sampling, START),
    "training": LessonNotebook(training, CAT),
    "look_inside": LessonNotebook(look_inside, KITE),
    "your_text": LessonNotebook(your_text, ()),
}
