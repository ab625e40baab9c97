"""One's own model to take home: a zip with the model, its words and a short
script.
"""

import io
import json
import tempfile
import zipfile
from dataclasses import asdict
from pathlib import Path

from llm.models.keras_file import with_weights
from llm.own_text import write_text

README = """This is your own small language model, after {step:,} steps of training.

  my_model.keras   the network with all that it learned; Keras opens it
  my_model.json    its vocabulary, and how text is cut into tokens
  write_text.py    a short script that writes with it

Install Keras with TensorFlow and NumPy (pip install keras tensorflow numpy), then run

  python write_text.py "your start"
"""


def exported(run, best=False):
    """The bytes of a zip with everything that is needed to write.

    Args:
        run: a `TextRun` that has learned something.
        best: whether to take the model where the loss on the kept-back text
            was lowest, and not the last.
    """
    step, arrays = (run.best or run.last) if best else run.last
    record = {
        "unit": run.text.unit,
        "vocabulary": list(run.text.vocabulary),
        "step": step,
        **asdict(run.config),
    }
    script = Path(write_text.__file__).read_text(encoding="utf-8")
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(
                "my_model.keras", with_weights(run.file, run.config, arrays)
            )
            archive.writestr(
                "my_model.json",
                json.dumps(record, ensure_ascii=False, indent=1),
            )
            archive.writestr("write_text.py", script)
            archive.writestr("README.txt", README.format(step=step))
        return file.getvalue()


def keras_file(config):
    """An untrained network as the bytes of a `.keras` file; needs Keras."""
    from llm.training.model import build_model

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "my_model.keras"
        build_model(config).save(path)
        return path.read_bytes()
