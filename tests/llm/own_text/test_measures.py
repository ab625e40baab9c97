"""How well a model of somebody's text does, each measure by its definition."""

import numpy as np
import pytest

from llm.own_text import measures
from llm.own_text.record import story
from llm.own_text.text import (
    UNITS,
    own_text,
)


def loss_by_loops(weights, text):
    """The definition: one kept-back token at a time, after what the window shows."""
    from llm.glassbox.attention import causal_mask
    from llm.glassbox.model import trace
    from llm.glassbox.softmax import softmax

    length = len(weights.position_embeddings)
    step = length - length // 2
    ids, losses = [*text.training[-length:], *text.validation], []
    for place, number in enumerate(text.validation):
        last = min((place // step + 1) * step, len(text.validation))
        end = length + last - 1
        inputs = ids[end - length : length + place]
        logits = trace(weights, inputs, causal_mask(len(inputs))).logits[-1]
        losses.append(-np.log(softmax(logits)[number]))
    return np.mean(np.array(losses)[text.known])


def test_an_end_with_nothing_known_in_it_has_no_loss(run):
    strange = own_text("the cat sat on the mat. " * 45 + "Ж" * 120)
    assert not strange.known.any()
    assert measures.pair_loss(strange) is None
    assert measures.validation_loss(run.model().weights, strange) is None
    pairs = measures.pairs_of(strange)
    assert np.isfinite(pairs).all()


def test_an_end_that_repeats_the_rest_is_noticed(text):
    assert measures.repeats_the_rest(own_text("the same line, again. " * 60))
    assert not measures.repeats_the_rest(text)


def test_the_validation_loss_is_its_definition(run):
    weights = run.model().weights
    fast = measures.validation_loss(weights, run.text)
    assert fast == pytest.approx(loss_by_loops(weights, run.text), abs=1e-4)


def test_counted_pairs_are_probabilities(text):
    pairs = measures.pairs_of(text)
    np.testing.assert_allclose(pairs.sum(axis=1), 1)
    before = text.training[-1:].tolist() + text.validation[:-1].tolist()
    loss = -np.log(pairs[before, text.validation])[text.known].mean()
    assert measures.pair_loss(text) == pytest.approx(loss)


def test_the_longest_copy_is_its_definition():
    rng = np.random.default_rng(3)
    source, written = rng.integers(0, 3, 60), rng.integers(0, 3, 25)
    start, length, place = measures.longest_copy(written, source)
    assert list(written[start : start + length]) == list(source[place : place + length])
    windows_of = {tuple(source[n : n + length + 1]) for n in range(60 - length)}
    assert not any(
        tuple(written[n : n + length + 1]) in windows_of for n in range(25 - length)
    )


def test_nothing_is_made_up_in_a_copy(text):
    assert measures.made_up(text.training[100:300], text) == []


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_made_up_is_named(unit):
    text = own_text(story(), unit)
    written, _ = text.encode("the snail the moon sat on it . the olgabaker sat .")
    new = measures.made_up(written, text)
    assert ("olgabaker" if unit == "characters" else "moon sat") in new
