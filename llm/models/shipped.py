"""What the course ships besides the tiny LLM, read without Keras."""

import json

import numpy as np

from llm.glassbox.lstm import LSTMWeights
from llm.models.keras_file import WeightsError, arrays_in, from_arrays, read
from llm.models.pairs import pair_probabilities
from llm.models.tiny_llm import ASSETS
from llm.models.twins import TWINS, complete_weights

LSTM_PATHS = (
    "layers/embedding/vars/0",
    "layers/lstm/cell/vars/0",
    "layers/lstm/cell/vars/1",
    "layers/lstm/cell/vars/2",
    "layers/dense/vars/0",
    "layers/dense/vars/1",
)


def load_record(name="tiny_llm", folder=None):
    """The record of a training: vocabulary, sizes, curve and scores.

    Args:
        name: of the file, without its ending.
        folder: where it lies; None for what is shipped.
    """
    path = (folder or ASSETS) / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def load_lstm(folder=None):
    """The LSTM twin of a folder, an `LSTMWeights`; None for the shipped one.
    """
    arrays = arrays_in((folder or ASSETS) / "lstm.keras")
    try:
        return LSTMWeights(*(arrays[path] for path in LSTM_PATHS))
    except KeyError as error:
        raise WeightsError(
            f"assets/lstm.keras has no {error.args[0]}."
        ) from error


def load_pairs():
    """How likely each word follows each other word, (vocab_size, vocab_size).
    """
    with np.load(ASSETS / "pairs.npz") as file:
        return pair_probabilities(file["counts"])


def load_checkpoints(folder=None):
    """The tiny LLM of a folder at every kept step of its training.

    Args:
        folder: where it lies; None for what is shipped.

    Returns:
        A dictionary from step to `Weights`; the last step is the finished
        model.
    """
    folder = folder or ASSETS
    record = load_record(folder=folder)
    num_layers = record["config"]["num_layers"]
    with np.load(folder / "tiny_llm_checkpoints.npz") as file:
        steps = sorted({int(name.split("/")[0]) for name in file.files})
        count = len(file.files) // len(steps)
        checkpoints = {
            step: from_arrays(
                [file[f"{step}/{n}"] for n in range(count)], num_layers
            )
            for step in steps
        }
    last = record["training"]["scores"][-1]["step"]
    return {**checkpoints, last: read(folder / "tiny_llm.keras")}


def load_twin(name):
    """A retrained twin by its name in `llm.models.twins.TWINS`.

    Returns:
        A `Weights`, for `llm.models.twins.twin_trace`.
    """
    variant = TWINS[name]
    with np.load(ASSETS / "twins.npz") as file:
        count = sum(key.split("/")[0] == name for key in file.files)
        arrays = [file[f"{name}/{number}"] for number in range(count)]
    return from_arrays(complete_weights(arrays, variant), variant.num_layers)
