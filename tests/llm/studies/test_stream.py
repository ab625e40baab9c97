"""What is said about one token's way up is what the network computed."""

import numpy as np
import pytest

from llm.glassbox.softmax import softmax
from llm.studies.stream import logit_lens, residual_steps

SENTENCE = "the cat sat on the"


@pytest.fixture(scope="module")
def run(tiny_llm):
    return tiny_llm.trace(SENTENCE)


@pytest.fixture(scope="module")
def steps(run):
    return residual_steps(run, 4)


def test_what_the_parts_add_adds_up_to_the_end(steps, run):
    added = sum(step.output for step in steps if step.adds)
    np.testing.assert_allclose(added, run.blocks[-1].residual_after[4], atol=1e-5)


def test_each_part_begins_where_the_one_before_ended(steps):
    stream = np.zeros_like(steps[0].output)
    for step in steps[:-1]:
        np.testing.assert_allclose(step.before, stream)
        stream = stream + step.output if step.adds else stream
        np.testing.assert_allclose(step.stream, stream, atol=1e-5)


def test_stopping_at_the_end_is_not_stopping_at_all(steps, run, tiny_llm):
    np.testing.assert_allclose(
        logit_lens(tiny_llm.weights, steps[-1].stream), softmax(run.logits[4]),
        rtol=1e-4,
    )
    np.testing.assert_array_equal(steps[-1].output, run.logits[4])


def test_every_part_has_a_name_of_its_own(steps, tiny_llm):
    assert len({step.name for step in steps}) == len(steps)
    assert len(steps) == 4 * tiny_llm.config.num_layers + 4
