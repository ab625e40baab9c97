"""Losses, the gradient of the output layer, and what a run's record says."""

import numpy as np
import pytest

from llm.studies.learning import (
    arrivals,
    biggest_jump,
    difference,
    gradient_length,
    logit_gradient,
    losses_along,
    output_gradient,
    token_losses,
)

RNG = np.random.default_rng(0)
FINAL, KERNEL, BIAS = (RNG.normal(size=size) for size in ((6, 4), (4, 9), (9,)))
TARGETS = RNG.integers(0, 9, 6)
LOGITS = FINAL @ KERNEL + BIAS


def mean_loss(kernel, bias):
    return token_losses(FINAL @ kernel + bias, TARGETS).mean()


def test_the_loss_of_a_token_is_minus_the_logarithm_of_its_probability():
    shares = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=-1, keepdims=True)
    expected = [-np.log(shares[place, word]) for place, word in enumerate(TARGETS)]
    np.testing.assert_allclose(token_losses(LOGITS, TARGETS), expected)


def test_the_gradient_is_what_was_said_minus_what_was_right():
    gradient = logit_gradient(LOGITS, TARGETS)
    np.testing.assert_allclose(gradient.sum(axis=-1), 0, atol=1e-12)
    below = np.argwhere(gradient < 0)
    np.testing.assert_array_equal(below, list(enumerate(TARGETS)))


@pytest.mark.parametrize("which", [0, 1], ids=["kernel", "bias"])
def test_the_gradient_is_what_small_steps_find(which):
    """Finite differences: move each weight a little, and see what the loss does."""
    weights, little = [KERNEL, BIAS], 1e-5
    found = output_gradient(FINAL, LOGITS, TARGETS)[which]
    for place in np.ndindex(found.shape):
        change = []
        for sign in (1, -1):
            moved = [weight.copy() for weight in weights]
            moved[which][place] += sign * little
            change.append(mean_loss(*moved))
        slope = (change[0] - change[1]) / (2 * little)
        assert found[place] == pytest.approx(slope, abs=1e-8)


def test_keras_finds_the_same_gradient():
    import keras
    import tensorflow as tf

    kernel, bias = tf.Variable(KERNEL), tf.Variable(BIAS)
    with tf.GradientTape() as tape:
        losses = keras.losses.sparse_categorical_crossentropy(
            TARGETS, FINAL @ kernel + bias, from_logits=True
        )
        loss = tf.reduce_mean(losses)
    theirs = tape.gradient(loss, [kernel, bias])
    ours = output_gradient(FINAL, LOGITS, TARGETS)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other.numpy(), atol=1e-6)


def test_against_the_gradient_it_goes_downhill_as_steeply_as_promised():
    gradient = output_gradient(FINAL, LOGITS, TARGETS)
    uphill, here, downhill = losses_along(
        FINAL, KERNEL, BIAS, TARGETS, gradient, [-1e-4, 0, 1e-4]
    )
    assert here == pytest.approx(mean_loss(KERNEL, BIAS))
    assert downhill < here < uphill
    slope = (uphill - downhill) / 2e-4
    assert slope == pytest.approx(gradient_length(gradient), rel=1e-6)


def record(step, **accuracies):
    skills = {name: {"accuracy": value} for name, value in accuracies.items()}
    return {"step": step, "excess": 1 / (step + 1), "skills": skills}


def test_a_skill_arrives_at_the_step_from_which_on_it_stays():
    scores = [
        record(0, a=0.1, b=0.95, c=0.0, d=None),
        record(10, a=0.95, b=0.5, c=0.1, d=None),
        record(20, a=0.99, b=0.97, c=0.2, d=None),
    ]
    assert list(arrivals(scores).items()) == [("a", 10), ("b", 20), ("c", None)]


def test_a_difference_names_the_skills_that_were_lost():
    full, twin = record(9, a=1.0, b=0.5, c=1.0), record(9, a=0.6, b=0.9, c=0.99)
    found = difference(full, twin)
    assert found.lost == {"a": (1.0, 0.6)}
    assert found.gained == {"b": (0.5, 0.9)}
    assert not found.nothing
    assert difference(full, full).nothing


def test_the_biggest_jump_lies_between_the_two_records_that_differ_most():
    scores = [record(0, a=0.1), record(10, a=0.3), record(20, a=0.9), record(30, a=1.0)]
    before, after = biggest_jump(scores, "a")
    assert (before["step"], after["step"]) == (10, 20)
