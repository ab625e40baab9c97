"""What many tests need: a model of width 8 with numbers that nobody trained."""

import gc
import json
import os
from dataclasses import asdict

# Before NumPy is loaded. The tests run in more processes than there are cores, and
# threads that wait for each other across them are slower than one.
for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"):
    os.environ.setdefault(threads, "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np  # noqa: E402
import pytest  # noqa: E402

# The course freezes what is loaded once; in a process of many tests that would keep
# what each of them leaves behind.
gc.freeze = lambda: None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """How many processes `-n auto` means: those that drive a browser mostly wait."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS", os.cpu_count() + 1))


@pytest.fixture(scope="session")
def tiny_config():
    """The sizes of a model that is quick to build: width 8."""
    from llm.models.config import ModelConfig
    from llm.world import World, held_out_pairs

    return ModelConfig(
        vocab_size=len(World(held_out_pairs()).vocabulary()),
        context_length=16,
        embed_dim=8,
        num_heads=2,
        num_layers=2,
        feed_forward_dim=12,
    )


@pytest.fixture(scope="session")
def keras_model(tiny_config):
    """A Keras model whose numbers are random, biases and LayerNorms included."""
    from llm.training.model import build_model

    rng = np.random.default_rng(0)
    model = build_model(tiny_config)
    model.set_weights(
        [array + rng.normal(0, 0.5, array.shape) for array in model.get_weights()]
    )
    return model


@pytest.fixture(scope="session")
def tiny_path(keras_model, tiny_config, tmp_path_factory):
    """The same model as a `.keras` file with its record beside it."""
    from llm.training.model import save
    from llm.world import World, held_out_pairs

    path = tmp_path_factory.mktemp("assets") / "tiny_llm.keras"
    save(keras_model, tiny_config, path)
    record = {
        "vocabulary": World(held_out_pairs()).vocabulary(),
        "config": asdict(tiny_config),
    }
    path.with_suffix(".json").write_text(json.dumps(record), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def tiny_llm(tiny_path):
    """The same model as a `TinyLLM`."""
    from llm import TinyLLM

    return TinyLLM.load(tiny_path)
