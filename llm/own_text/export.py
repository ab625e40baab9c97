"""One's own model to take home: a zip with the model, its words and a short script."""

import io
import json
import tempfile
import zipfile
from dataclasses import asdict
from pathlib import Path

from llm.models.keras_lock import KERAS_LOCK
from llm.own_text import write_text

README = """This is your own small language model.

  my_model.keras   the network with all that it learned; Keras opens it
  my_model.json    its vocabulary, and how text is cut into tokens
  write_text.py    a short script that writes with it

Install Keras with TensorFlow and NumPy (pip install keras tensorflow numpy), then run

  python write_text.py "your start"
"""


def exported(arrays, config, text):
    """The bytes of a zip with everything that is needed to write.

    Args:
        arrays: the weights, as in Keras's `get_weights()`.
        config: a `ModelConfig`.
        text: the `OwnText` that it learned from.
    """
    record = {"unit": text.unit, "vocabulary": list(text.vocabulary), **asdict(config)}
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("my_model.keras", keras_file(arrays, config))
            archive.writestr("my_model.json",
                             json.dumps(record, ensure_ascii=False, indent=1))
            archive.writestr("write_text.py",
                             Path(write_text.__file__).read_text(encoding="utf-8"))
            archive.writestr("README.txt", README)
        return file.getvalue()


def keras_file(arrays, config):
    """The bytes of a `.keras` file."""
    from llm.training.model import build_model

    with KERAS_LOCK, tempfile.TemporaryDirectory() as folder:
        model = build_model(config)
        model.set_weights(arrays)
        path = Path(folder) / "my_model.keras"
        model.save(path)
        return path.read_bytes()
