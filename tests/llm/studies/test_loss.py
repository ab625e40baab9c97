"""Losses, the gradient of the output layer, and a whole text at once."""

import numpy as np
import pytest

from llm.studies.loss import (
    exercises,
    gradient_length,
    logit_gradient,
    logits_by_prefix,
    losses_along,
    one_step,
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


TEXT = "<start> the cat sat on the"


def test_one_pass_gives_what_a_pass_for_each_beginning_gives(tiny_llm):
    ids = tiny_llm.tokenizer.encode(TEXT)
    np.testing.assert_allclose(
        tiny_llm.logits(ids), logits_by_prefix(tiny_llm, ids), atol=1e-4
    )


def test_every_word_but_the_first_is_an_exercise(tiny_llm):
    ids, tokens = tiny_llm.tokenizer.encode(TEXT), TEXT.split()
    logits = tiny_llm.logits(ids)
    rows = exercises(logits, tokens, tiny_llm.tokenizer.vocabulary)
    assert [came for _, came, _, _ in rows] == tokens[1:]
    probability = tiny_llm.next_token("the cat sat on")["the"]
    assert rows[-1][2] == pytest.approx(-np.log(probability), rel=1e-4)


def test_one_step_lowers_the_loss_by_moving_each_weight_against_its_gradient():
    gradient, kernel, bias = one_step(FINAL, KERNEL, BIAS, TARGETS, 0.1)
    np.testing.assert_allclose(kernel, KERNEL - 0.1 * gradient[0])
    np.testing.assert_allclose(bias, BIAS - 0.1 * gradient[1])
    assert mean_loss(kernel, bias) < mean_loss(KERNEL, BIAS)
