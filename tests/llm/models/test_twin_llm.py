"""A twin answers as the tiny LLM does, and one that peeks is told apart."""

import numpy as np
import pytest

from llm.models.twin_llm import TwinLLM, log_probabilities_unseen
from llm.models.twins import TWINS
from llm.studies.exam import exam as exam_of
from llm.studies.exam import log_probabilities
from llm.studies.sweep import write_story
from llm.world import World, held_out_pairs


@pytest.fixture(scope="module")
def exam(tiny_llm):
    # The model of the tests sees 16 tokens; longer stories would not fit.
    world = World(held_out_pairs())
    stories = world.sample(np.random.default_rng(0), 60)
    short = [story for story in stories if len(story.tokens) <= 16][:8]
    return exam_of(world, short, tiny_llm.tokenizer)


def twin(tiny_llm, name):
    return TwinLLM(tiny_llm.weights, tiny_llm.tokenizer.vocabulary, TWINS[name])


def test_a_twin_with_all_parts_writes_what_the_tiny_llm_writes(tiny_llm):
    full = twin(tiny_llm, "full")
    for seed in range(3):
        ours = write_story(full, ["the", "cat"], seed)
        assert ours == write_story(tiny_llm, ["the", "cat"], seed)
    np.testing.assert_allclose(
        full.trace("the cat").logits, tiny_llm.trace("the cat").logits, atol=1e-5
    )


def test_without_peeking_a_causal_model_is_as_good_as_before(tiny_llm, exam):
    seen = log_probabilities(tiny_llm.logits, exam)
    unseen = log_probabilities_unseen(tiny_llm.logits, exam)
    np.testing.assert_allclose(unseen, seen, atol=1e-4)


def test_without_peeking_a_model_without_mask_says_something_else(tiny_llm, exam):
    blind = twin(tiny_llm, "no causal mask")
    seen = log_probabilities(blind.logits, exam)
    unseen = log_probabilities_unseen(blind.logits, exam)
    assert abs(seen - unseen).max() > 0.01
    np.testing.assert_allclose(np.exp(unseen).sum(axis=-1), 1)
