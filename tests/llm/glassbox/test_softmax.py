"""Softmax: any numbers become shares that add up to one."""

import math

import numpy as np
import pytest

from llm.glassbox.softmax import softmax, softmax_with_temperature

LOGITS = np.random.default_rng(0).normal(0, 3, (4, 7))


def softmax_by_loops(logits):
    total = sum(math.exp(logit) for logit in logits)
    return [math.exp(logit) / total for logit in logits]


def test_softmax_is_its_definition():
    expected = [softmax_by_loops(row) for row in LOGITS]
    np.testing.assert_allclose(softmax(LOGITS), expected)


def test_every_row_sums_to_one():
    np.testing.assert_allclose(softmax(LOGITS).sum(axis=-1), 1)


def test_a_shift_changes_nothing():
    np.testing.assert_allclose(softmax(LOGITS + 100), softmax(LOGITS))


def test_huge_logits_do_not_overflow():
    np.testing.assert_allclose(softmax(np.array([1e300, 0.0])), [1, 0])


def test_minus_infinity_means_never():
    np.testing.assert_allclose(softmax(np.array([-np.inf, 2.0, 2.0])), [0, 0.5, 0.5])


def test_temperature_divides_the_logits():
    found = softmax_with_temperature(LOGITS, 2.0)
    np.testing.assert_allclose(found, softmax(LOGITS / 2))


def test_a_low_temperature_is_bold_and_a_high_one_even():
    logits = np.array([1.0, 2.0, 3.0], np.float32)
    np.testing.assert_allclose(softmax_with_temperature(logits, 1e-3), [0, 0, 1])
    np.testing.assert_allclose(softmax_with_temperature(logits, 1e6), 1 / 3, rtol=1e-5)


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 1e300, 1.7e308])
def test_no_temperature_is_too_extreme(temperature):
    probabilities = softmax_with_temperature(LOGITS[0] * 100, temperature)
    np.testing.assert_allclose(probabilities.sum(), 1)
