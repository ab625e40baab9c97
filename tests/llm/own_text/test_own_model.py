"""Writing with the model that somebody trained."""

import numpy as np

from llm.own_text.own_model import write_by_pairs


def test_what_stands_for_the_unknown_is_never_drawn(run):
    model = run.model()
    assert model.next_logits([0, 1])[run.text.unknown] == -np.inf
    written = model.write([0, 1], 400, temperature=2.0, seed=3)
    assert run.text.unknown not in written


def test_a_pair_that_always_comes_is_always_written():
    pairs = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert write_by_pairs(pairs, 0, 4) == [1, 0, 1, 0]


def test_writing_goes_on_past_the_window(run):
    model = run.model()
    written = model.write(run.text.validation[:3].tolist(), 50, seed=1)
    assert len(written) == 50
    assert written == model.write(run.text.validation[:3].tolist(), 50, seed=1)
