"""Attention by hand: four words with four numbers each, small enough to
follow.

The table is that of the course, and so is the row of `it`: .17 .33 .17 .33.
`it` was made to resemble `cat`. The four numbers have no meaning of their own;
in a trained network they have none either.
"""

import math
from typing import NamedTuple

import numpy as np

from llm.glassbox.attention import attention_scores, blend, masked
from llm.glassbox.softmax import softmax

WORDS = ("the", "cat", "sat", "it")
COLUMNS = ("number 1", "number 2", "number 3", "number 4")
NARROW = COLUMNS[:2]  # what the matrices make of the four numbers
LARGEST = 99.0  # an entry beyond it is taken for a slip

TABLE = np.array([
    [0.1, 0.0, 0.1, 0.0],
    [0.9, 0.8, 0.0, 0.1],
    [0.0, 0.1, 0.9, 0.7],
    [0.8, 0.9, 0.1, 0.0],
])

# Three matrices of our own, which turn four numbers into two. The keys of
# `cat` and `it` differ although their rows are alike, so `it` finds the cat
# and not itself. The values come from other numbers than the keys.
MATRICES = {
    "queries": np.array([[2.0, 0.0], [2.0, 1.0], [0.0, 0.0], [0.0, 1.0]]),
    "keys": np.array([[3.0, 1.0], [-3.0, 1.0], [-3.0, 0.0], [3.0, 0.0]]),
    "values": np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
}


class Steps(NamedTuple):
    """The four steps of attention, for every word at once.

    Attributes:
        queries, keys, values: (num_tokens, head_dim)
        dots: (num_tokens, num_tokens), every query times every key.
        scores: (num_tokens, num_tokens), scaled if wished; -inf where hidden.
        attention_weights: (num_tokens, num_tokens), each row sums to one.
        output: (num_tokens, head_dim), the values blended.
    """

    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    dots: np.ndarray
    scores: np.ndarray
    attention_weights: np.ndarray
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
    attention_weights = softmax(scores)
    output = blend(attention_weights, values)
    return Steps(
        queries, keys, values, dots, scores, attention_weights, output
    )


def by_hand(table, matrices=None):
    """Queries, keys and values of a table.

    Args:
        table: (num_tokens, 4)
        matrices: (4, head_dim) each, by the names "queries", "keys" and
            "values"; None takes the rows of the table for all three, so that
            words attend by likeness only.

    Returns:
        Queries, keys and values, (num_tokens, head_dim) each.
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
        number = number_in(entry)
    except (TypeError, ValueError):
        return "is not a number"
    if math.isnan(number):
        return "is empty"
    if abs(number) > LARGEST:
        return f"is beyond {LARGEST:g}"
    return None


def number_in(entry):
    """The number that was typed; a decimal comma counts as a point."""
    if isinstance(entry, str):
        entry = entry.strip().replace(",", ".").replace("−", "-")
    return float(entry)


def as_text(table):
    """A table as a short text for the address: rows apart by `_`, entries by
    `~`.
    """
    return "_".join("~".join(f"{entry:g}" for entry in row) for row in table)


def from_text(text, shape=(4, 4)):
    """The table in a text, or None if it holds no sound one of this shape."""
    rows = [row.split("~") for row in str(text).split("_")]
    if [len(row) for row in rows] != [shape[1]] * shape[0] or first_fault(
        rows
    ):
        return None
    return np.array(rows, float)
