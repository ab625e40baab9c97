"""Attention by hand: four words, four numbers each, small enough to follow.

The row of `it` reads .17 .33 .17 .33, the course's own figure; a test holds it. Under
thing and alive `it` has what `cat` has, and it has nothing of `the` and `sat`. The
columns have names to make them easier to follow; in a trained network none has one.
"""

import math
from typing import NamedTuple

import numpy as np

from llm.glassbox.attention import attention_scores, blend, masked
from llm.glassbox.softmax import softmax

WORDS = ("the", "cat", "sat", "it")
COLUMNS = ("article", "thing", "deed", "alive")
LARGEST = 99.0  # an entry beyond is taken for a slip

TABLE = np.array([
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.5, 0.5],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 1.0, 0.0, 0.5],
])

# A thing asks for what is a thing, does something and lives; keys and values are as in
# the table. So `it` looks for the cat, more than for itself.
QUERY_MATRIX = np.array([
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 4.0, 4.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
])
MATRICES = {"queries": QUERY_MATRIX, "keys": np.eye(4), "values": np.eye(4)}


class Steps(NamedTuple):
    """The four steps of attention, for every word at once.

    Attributes:
        queries, keys, values: (num_tokens, head_dim)
        dots: (num_tokens, num_tokens), every query times every key.
        scores: (num_tokens, num_tokens), scaled if wished; -inf where hidden.
        weights: (num_tokens, num_tokens), each row sums to one.
        output: (num_tokens, head_dim), the values blended.
    """

    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    dots: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def four_steps(queries, keys, values, mask=None, scaled=True):
    """Score, scale, softmax, blend: each step by itself.

    Args:
        queries, keys, values: (num_tokens, head_dim)
        mask: (num_tokens, num_tokens), False where a word must not look.
        scaled: whether scores are divided by the square root of head_dim.

    Returns:
        A `Steps`.
    """
    dots = attention_scores(queries, keys, scaled=False)
    scores = masked(attention_scores(queries, keys, scaled), mask)
    weights = softmax(scores)
    output = blend(weights, values)
    return Steps(queries, keys, values, dots, scores, weights, output)


def by_hand(table, matrices=None):
    """Queries, keys and values of a table.

    Args:
        table: (num_tokens, 4)
        matrices: (4, 4) each, by name as in `MATRICES`; None takes the rows of the
            table for all three, so that words attend by likeness only.

    Returns:
        Queries, keys and values, (num_tokens, 4) each.
    """
    if matrices is None:
        return table, table, table
    return tuple(table @ matrices[name] for name in MATRICES)


def first_fault(table):
    """What is wrong with a table that someone filled in.

    Args:
        table: (num_rows, num_columns) of numbers, None or anything else.

    Returns:
        None if it is sound, else (row, column, what is wrong there).
    """
    for row, entries in enumerate(table):
        for column, entry in enumerate(entries):
            fault = fault_of(entry)
            if fault:
                return row, column, fault
    return None


def fault_of(entry):
    """What is wrong with one entry, or None."""
    if entry is None or entry == "":
        return "is empty"
    try:
        number = float(entry)
    except (TypeError, ValueError):
        return "is not a number"
    if math.isnan(number):
        return "is empty"
    if abs(number) > LARGEST:
        return f"is beyond {LARGEST:g}"
    return None


def as_text(table):
    """A table as a short text for the address: rows apart by `_`, entries by `~`."""
    return "_".join("~".join(f"{entry:g}" for entry in row) for row in table)


def from_text(text, shape=(4, 4)):
    """The table in a text, or None if it holds no sound one of this shape."""
    rows = [row.split("~") for row in str(text).split("_")]
    if [len(row) for row in rows] != [shape[1]] * shape[0] or first_fault(rows):
        return None
    return np.array(rows, float)
