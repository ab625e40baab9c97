"""Muon: a kernel moves alike in all directions, and the rest is Adam's."""

import numpy as np
import pytest

from llm.models.config import ModelConfig
from llm.training.model import build_packed_model
from llm.training.muon import Muon, as_matrix
from llm.training.schedule import Schedule


@pytest.mark.parametrize("shape, matrix", [
    ((8, 2, 4), (8, 8)),  # queries, keys and values
    ((2, 4, 8), (8, 8)),  # the output of attention
    ((8, 32), (8, 32)),
    ((32, 8), (32, 8)),
])
def test_a_kernel_as_a_matrix_goes_from_vector_to_vector(shape, matrix):
    kernel = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    np.testing.assert_array_equal(as_matrix(kernel), kernel.reshape(matrix))


@pytest.mark.parametrize("shape", [(8, 2, 4), (2, 4, 8), (8, 32)])
def test_all_directions_of_an_update_are_of_like_length(shape):
    rng = np.random.default_rng(0)
    matrix = as_matrix(np.empty(shape)).shape
    left, _, right = np.linalg.svd(rng.normal(size=matrix), full_matrices=False)
    lengths = np.geomspace(1, 0.02, 8)  # what Adam or plain descent would mostly miss
    gradient = ((left * lengths) @ right).astype(np.float32).reshape(shape)
    update = np.array(Muon().zeropower_via_newtonschulz5(gradient, 5))
    assert update.shape == shape
    found = left.T @ update.reshape(matrix) @ right.T  # along the same directions
    assert (abs(np.diag(found) - 1) < 0.4).all()
    assert abs(found - np.diag(np.diag(found))).max() < 0.05


@pytest.mark.parametrize("shape", [(8, 2, 4), (2, 4, 8), (8, 32), (32, 8)])
def test_an_update_is_as_long_as_one_of_adam_whichever_way_the_axes_lie(shape):
    ones = np.ones(shape, np.float32)
    found = np.array(Muon().lr_adjust(ones))
    longest = max(as_matrix(ones).shape)
    np.testing.assert_allclose(found, np.full(shape, 0.2 * longest**0.5), rtol=1e-6)


def test_only_the_kernels_inside_the_network_learn_by_muon():
    config = ModelConfig(
        20, embed_dim=8, num_heads=2, num_layers=1, feed_forward_dim=16
    )
    model = build_packed_model(config)
    optimizer = Schedule(10, muon=True).optimizer(model.layers[-1].name)
    shapes = [v.shape for v in model.trainable_variables
              if not optimizer._should_use_adamw(v)]
    assert shapes == [*[(8, 2, 4)] * 3, (2, 4, 8), (8, 16), (16, 8)]
