"""A small exam, for whatever measures how right a model is."""

import numpy as np
import pytest

from llm.models.tokenizer import Tokenizer
from llm.studies.exam import make_exam
from llm.world import World, held_out_pairs


@pytest.fixture(scope="package")
def world():
    """The world that the models learn from."""
    return World(held_out_pairs())


@pytest.fixture(scope="package")
def tokenizer(world):
    return Tokenizer(world.vocabulary())


@pytest.fixture(scope="package")
def small_exam(world, tokenizer):
    """120 stories with the exact truth at each of their tokens."""
    return make_exam(world, world.sample(np.random.default_rng(1), 120), tokenizer)
