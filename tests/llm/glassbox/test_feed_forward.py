"""Feed-forward: each token is worked on by itself."""

import numpy as np

from llm.glassbox.block import feed_forward
from llm.glassbox.feed_forward import project_up, relu
from llm.glassbox.weights import FeedForwardWeights

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(5, 4))
HIDDEN_KERNEL, HIDDEN_BIAS = RNG.normal(size=(4, 6)), RNG.normal(size=6)
OUTPUT_KERNEL, OUTPUT_BIAS = RNG.normal(size=(6, 4)), RNG.normal(size=4)
WEIGHTS = FeedForwardWeights(HIDDEN_KERNEL, HIDDEN_BIAS, OUTPUT_KERNEL, OUTPUT_BIAS)


def test_relu_keeps_what_is_above_zero():
    np.testing.assert_array_equal(relu(np.array([-2.0, 0.0, 3.0])), [0, 0, 3])


def test_a_unit_fires_as_strongly_as_its_pattern_fits():
    hidden = project_up(VECTORS, HIDDEN_KERNEL, HIDDEN_BIAS)
    for token in range(5):
        for unit in range(6):
            fit = VECTORS[token] @ HIDDEN_KERNEL[:, unit] + HIDDEN_BIAS[unit]
            np.testing.assert_allclose(hidden[token, unit], max(fit, 0))


def test_each_unit_writes_its_own_row():
    hidden = project_up(VECTORS, HIDDEN_KERNEL, HIDDEN_BIAS)
    written = sum(hidden[:, [unit]] * OUTPUT_KERNEL[unit] for unit in range(6))
    found = feed_forward(VECTORS, WEIGHTS)["feed_forward_output"]
    np.testing.assert_allclose(found, written + OUTPUT_BIAS)


def test_a_word_does_not_see_its_neighbours():
    alone = feed_forward(VECTORS[2], WEIGHTS)["feed_forward_output"]
    together = feed_forward(VECTORS, WEIGHTS)["feed_forward_output"]
    np.testing.assert_allclose(together[2], alone)
