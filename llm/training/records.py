"""What a training writes down: curves, records, checkpoints."""

import json
import re
import sys

import numpy as np


def smooth(losses, num_points=200):
    """A long list of losses as a curve: [step, mean loss around it] pairs."""
    parts = np.array_split(np.asarray(losses), min(num_points, len(losses)))
    steps = np.cumsum([len(part) for part in parts])
    return [
        [int(step), round(float(part.mean()), 4)]
        for step, part in zip(steps, parts, strict=True)
    ]


def rounded(record, digits=5):
    """A record with every number in it rounded, so that the file stays small.
    """
    if isinstance(record, dict):
        return {key: rounded(value, digits) for key, value in record.items()}
    if isinstance(record, list | tuple):
        return [rounded(value, digits) for value in record]
    return round(record, digits) if isinstance(record, float) else record


def write_json(path, record):
    """Write a record; lists without lists or dictionaries in them take one
    line.
    """
    text = json.dumps(record, indent=1)
    text = re.sub(
        r"\[[^][{}]*]", lambda found: " ".join(found[0].split()), text
    )
    path.write_text(text + "\n", encoding="utf-8")
    print(f"wrote {path}", file=sys.stderr)


def write_checkpoints(path, checkpoints):
    """Weights by step, as half-precision arrays named `step/number`."""
    np.savez_compressed(path, **{
        f"{step}/{number}": array.astype(np.float16)
        for step, arrays in checkpoints.items()
        for number, array in enumerate(arrays)
    })
