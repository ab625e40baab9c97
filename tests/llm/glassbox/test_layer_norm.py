"""LayerNorm: every vector is brought to the same size before it is read."""

import math

import numpy as np

from llm.glassbox.layer_norm import EPSILON, layer_norm, standardised
from llm.models.config import LAYER_NORM_EPSILON

VECTORS = np.random.default_rng(0).normal(3, 2, (2, 5, 8))


def layer_norm_by_loops(vector, scale, shift):
    mean = sum(vector) / len(vector)
    variance = sum((number - mean) ** 2 for number in vector) / len(vector)
    return [
        (number - mean) / math.sqrt(variance + EPSILON) * scale[i] + shift[i]
        for i, number in enumerate(vector)
    ]


def test_layer_norm_is_its_definition():
    scale, shift = np.random.default_rng(1).normal(size=(2, 8))
    found = layer_norm(VECTORS, scale, shift)
    for sentence in range(2):
        for token in range(5):
            expected = layer_norm_by_loops(VECTORS[sentence, token], scale, shift)
            np.testing.assert_allclose(found[sentence, token], expected)


def test_every_vector_has_mean_zero_and_a_variance_just_below_one():
    vectors = standardised(VECTORS)
    np.testing.assert_allclose(vectors.mean(axis=-1), 0, atol=1e-12)
    assert ((vectors.var(axis=-1) > 0.99) & (vectors.var(axis=-1) < 1)).all()


def test_shift_and_size_of_a_vector_do_not_matter():
    np.testing.assert_allclose(
        standardised(VECTORS * 100 + 7), standardised(VECTORS), atol=1e-3
    )


def test_a_vector_of_equal_numbers_becomes_zero():
    np.testing.assert_array_equal(standardised(np.full(4, 3.0)), np.zeros(4))


def test_epsilon_is_the_one_that_the_model_is_trained_with():
    assert EPSILON == LAYER_NORM_EPSILON
