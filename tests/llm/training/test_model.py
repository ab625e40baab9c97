"""The Keras model: an ordinary file, a sound config, one network in two dresses."""

import subprocess
import sys
import zipfile

import numpy as np
import pytest

from llm.glassbox.layer_norm import EPSILON
from llm.models.config import LAYER_NORM_EPSILON, ModelConfig


@pytest.mark.parametrize("name", [
    "vocab_size", "context_length", "embed_dim", "num_heads", "num_layers",
    "feed_forward_dim",
])
@pytest.mark.parametrize("value", [0, -1, 2.5, "8"])
def test_a_config_refuses_what_is_no_size(name, value):
    with pytest.raises(ValueError, match=name):
        ModelConfig(**{"vocab_size": 10, name: value})


def test_a_config_refuses_heads_that_do_not_share_evenly():
    with pytest.raises(ValueError, match="256.*3"):
        ModelConfig(10, embed_dim=256, num_heads=3)


def test_both_halves_use_the_same_epsilon():
    assert LAYER_NORM_EPSILON == EPSILON


def test_anyone_can_open_the_file_with_keras_alone(tiny_path, tmp_path):
    script = (
        "import sys, keras\n"
        f"model = keras.saving.load_model({str(tiny_path)!r})\n"
        "print(model(keras.ops.zeros((1, 5), 'int32')).shape)\n"
        "assert 'llm' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "(1, 5, " in done.stdout


def test_the_file_holds_no_optimiser(tiny_path):
    import h5py

    with zipfile.ZipFile(tiny_path) as archive:
        with archive.open("model.weights.h5") as file, h5py.File(file) as weights:
            assert "optimizer" not in weights or not len(weights["optimizer"])


def test_packed_stories_get_the_same_logits_as_stories_alone(keras_model, tiny_config):
    from llm.training.model import build_packed_model

    packed = build_packed_model(tiny_config)
    packed.set_weights(keras_model.get_weights())
    first, second = np.array([[3, 1, 4, 1]]), np.array([[5, 9, 2]])
    together = packed({
        "token_ids": np.concatenate([first, second], axis=1),
        "positions": np.array([[0, 1, 2, 3, 0, 1, 2]]),
        "stories": np.array([[1, 1, 1, 1, 2, 2, 2]]),
    })
    alone = np.concatenate([keras_model(first), keras_model(second)], axis=1)
    np.testing.assert_allclose(together, alone, atol=1e-4)


def test_a_causal_model_is_not_moved_by_later_words(keras_model):
    first = np.asarray(keras_model(np.array([[3, 1, 4, 1, 5]])))
    second = np.asarray(keras_model(np.array([[3, 1, 4, 9, 2]])))
    np.testing.assert_allclose(first[:, :3], second[:, :3], atol=1e-5)
    assert np.abs(first[:, 3:] - second[:, 3:]).max() > 0.01


def test_a_two_sided_model_is_moved_by_later_words(keras_model, tiny_config):
    from llm.training.model import build_model

    model = build_model(tiny_config, two_sided=True)
    model.set_weights(keras_model.get_weights())
    first = np.asarray(model(np.array([[3, 1, 4, 1, 5]])))
    second = np.asarray(model(np.array([[3, 1, 4, 9, 2]])))
    assert np.abs(first[:, :3] - second[:, :3]).max() > 0.01
