"""Reads the weights out of a `.keras` file, without Keras.

A `.keras` file is a zip with three files in it; the numbers are in
`model.weights.h5`. The paths in there go by the class of a layer and the order
in which layers of that class were made, not by layer names.
"""

import io
import zipfile
import zlib
from pathlib import Path

from llm.glassbox.weights import Weights, from_arrays
from llm.models.config import ModelConfig

__all__ = [
    "Weights",
    "WeightsError",
    "config_of",
    "from_arrays",
    "paths",
    "read",
    "shapes",
    "with_weights",
]

WEIGHTS_FILE = "model.weights.h5"


class WeightsError(ValueError):
    """A weights file that is missing, damaged, or of another model."""


def read(path):
    """Read the weights of a model that `llm.training.model.build_model` built.

    Args:
        path: a `.keras` file.

    Returns:
        A `Weights`.

    Raises:
        WeightsError: with one sentence that says what is wrong.

    Every array must be there, none beside them, and each must have the shape
    that the others ask for.
    """
    arrays = arrays_in(path)
    config = _sizes(arrays, path)
    expected = dict(zip(paths(config.num_layers), shapes(config), strict=True))
    found = {name: array.shape for name, array in arrays.items()}
    for name in sorted(found.keys() - expected):
        raise WeightsError(
            f"The file {path} is of another model: {name} should not be there."
        )
    for name, shape in expected.items():
        if found[name] != shape:
            raise WeightsError(
                f"The file {path} is of another model: {name} has the shape "
                f"{found[name]} and not {shape}."
            )
    return from_arrays([arrays[name] for name in expected], config.num_layers)


def config_of(weights):
    """The sizes of a network, taken from its weights."""
    _, num_heads, head_dim = weights.blocks[0].attention.query_kernel.shape
    return ModelConfig(
        vocab_size=len(weights.token_embeddings),
        context_length=len(weights.position_embeddings),
        embed_dim=num_heads * head_dim,
        num_heads=num_heads,
        num_layers=len(weights.blocks),
        feed_forward_dim=len(weights.blocks[0].feed_forward.hidden_bias),
    )


def paths(num_layers):
    """Where each array lies in the file, in the order of `get_weights()`."""

    def layer(kind, number, *parts):
        name = f"layers/{kind}_{number}" if number else f"layers/{kind}"
        return [f"{name}/{part}" for part in parts]

    both = ["vars/0", "vars/1"]  # kernel and bias, or scale and shift
    projections = [
        f"{projection}_dense/{part}"
        for projection in ("query", "key", "value", "output")
        for part in both
    ]
    found = layer("embedding", 0, "vars/0") + layer("embedding", 1, "vars/0")
    for block in range(num_layers):
        found += layer("layer_normalization", 2 * block, *both)
        found += layer("multi_head_attention", block, *projections)
        found += layer("layer_normalization", 2 * block + 1, *both)
        found += layer("dense", 2 * block, *both)
        found += layer("dense", 2 * block + 1, *both)
    found += layer("layer_normalization", 2 * num_layers, *both)
    return found + layer("dense", 2 * num_layers, *both)


def shapes(config):
    """The shape of each array, in the order of `get_weights()`."""
    embed_dim, hidden = config.embed_dim, config.feed_forward_dim
    heads = (config.num_heads, config.head_dim)
    norm = [(embed_dim,), (embed_dim,)]
    projections = 3 * [(embed_dim, *heads), heads] + [
        (*heads, embed_dim),
        (embed_dim,),
    ]
    thinking = [
        (embed_dim, hidden),
        (hidden,),
        (hidden, embed_dim),
        (embed_dim,),
    ]
    return [
        (config.vocab_size, embed_dim),
        (config.context_length, embed_dim),
        *config.num_layers * (norm + projections + norm + thinking),
        *norm,
        (embed_dim, config.vocab_size),
        (config.vocab_size,),
    ]


def with_weights(data, config, arrays):
    """The bytes of a `.keras` file, with other numbers in it.

    Args:
        data: the bytes of a `.keras` file that `build_model(config)` was saved
            to.
        config: a `ModelConfig`.
        arrays: the new weights, in the order of Keras's `get_weights()`.
    """
    import h5py

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    numbers = io.BytesIO(files[WEIGHTS_FILE])
    with h5py.File(numbers, "r+") as h5:
        for name, array in zip(paths(config.num_layers), arrays, strict=True):
            h5[name][...] = array
    files[WEIGHTS_FILE] = numbers.getvalue()
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return file.getvalue()


def arrays_in(path):
    """All arrays of a `.keras` file by their path inside it."""
    import h5py

    if not Path(path).is_file():
        raise WeightsError(
            f"There is no weights file {path}; `python -m llm train` makes it."
        )
    try:
        with zipfile.ZipFile(path) as archive:
            file = io.BytesIO(archive.read(WEIGHTS_FILE))
        arrays = {}
        with h5py.File(file) as h5:
            h5.visititems(
                lambda name, item: (
                    arrays.update({name: item[()]})
                    if isinstance(item, h5py.Dataset)
                    else None
                )
            )
    except (
        OSError,
        KeyError,
        ValueError,
        RuntimeError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise WeightsError(
            f"The file {path} is damaged or is no Keras model; "
            "`python -m llm train` makes a new one."
        ) from error
    return arrays


def _sizes(arrays, path):
    """The sizes that the arrays speak of, as a `ModelConfig`."""
    num_layers = sum(name.endswith("query_dense/vars/0") for name in arrays)
    try:
        named = [arrays[name] for name in paths(num_layers)]
        return config_of(from_arrays(named, num_layers))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise WeightsError(
            f"The file {path} is of another model; it is no tiny LLM."
        ) from error
