"""Messages through a pipe: JSON, then raw arrays.

A message is eight bytes (the length of the JSON, the length of the arrays),
the JSON, and the numbers of the arrays one after the other. Nothing in it can
run.
"""

import json
import math
import struct
import threading

import numpy as np

LENGTHS = struct.Struct(">II")
NUMBERS = {"float32", "float64", "int32", "int64", "uint8"}


class Sender:
    """Writes messages into a pipe, from any thread.

    Args:
        pipe: a binary file.
    """

    def __init__(self, pipe):
        self._pipe, self._lock = pipe, threading.Lock()

    def send(self, kind, arrays=(), /, **values):
        """Send a message.

        Args:
            kind: a word that says what it is.
            arrays: NumPy arrays of numbers.
            values: whatever JSON can hold.
        """
        arrays = list(map(np.asarray, arrays))
        described = [[array.dtype.name, array.shape] for array in arrays]
        text = json.dumps(
            {"kind": kind, "values": values, "arrays": described}
        )
        text, size = text.encode(), sum(array.nbytes for array in arrays)
        with self._lock:
            self._pipe.write(LENGTHS.pack(len(text), size) + text)
            for array in arrays:
                self._pipe.write(array.tobytes())
            self._pipe.flush()


def receive(pipe):
    """Wait for the next message.

    Returns:
        kind, values, arrays; None when the other side has gone.
    """
    lengths = pipe.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    text_length, size = LENGTHS.unpack(lengths)
    text, numbers = pipe.read(text_length), pipe.read(size)
    if len(text) < text_length or len(numbers) < size:
        return None
    message = json.loads(text)
    return (
        message["kind"],
        message["values"],
        arrays_in(numbers, message["arrays"]),
    )


def arrays_in(numbers, described):
    """Cut bytes into arrays again.

    Args:
        numbers: the bytes of all arrays.
        described: the type and the shape of each.
    """
    arrays, place = [], 0
    for name, shape in described:
        if name not in NUMBERS:
            raise ValueError(f"An array of {name} is no array of numbers.")
        array = np.frombuffer(numbers, name, math.prod(shape), place).reshape(
            shape
        )
        arrays.append(array)
        place += array.nbytes
    return arrays
