"""Stories to arrays: packed rows for training, padded rows for measuring."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np

OPEN_ROWS = (
    12  # rows that wait for a story that fills them; more waste no less
)


def next_token_example(ids, counts=1.0):
    """A story as (inputs, targets, loss_weights): the targets are one to the
    right.

    Args:
        ids: its token ids, a list.
        counts: how much each of its targets counts.
    """
    return ids[:-1], ids[1:], [counts] * (len(ids) - 1)


def packed_rows(examples, row_length):
    """Fill rows with whole examples, as many as fit, without end.

    Args:
        examples: an iterator of (inputs, targets, loss_weights), none of them
            longer than `row_length`.
        row_length: tokens in a row.

    Yields:
        Lists of examples that are together at most `row_length` long.
    """
    rows = []
    for example in examples:
        needed = len(example[0])
        fitting = [row for row in rows if row["room"] >= needed]
        # Best fit: of the rows that still have room, the fullest.
        row = min(fitting, key=lambda row: row["room"], default=None)
        if row is None:
            row = {"room": row_length, "examples": []}
            rows.append(row)
        row["room"] -= needed
        row["examples"].append(example)
        if row["room"] < 5 or len(rows) > OPEN_ROWS:
            rows.sort(key=lambda row: row["room"])
            yield rows.pop(0)["examples"]


def packed_batches(examples, batch_size, row_length):
    """Batches for a packed model (`build_packed_model`), without end.

    Yields:
        inputs: a dictionary of `token_ids`, `positions` (anew with each story)
            and `stories` (the number of the story in its row; 0 is padding).
        targets: what to say at each token.
        loss_weights: how much each target counts; 0.0 on padding.
        All of shape (batch_size, row_length).
    """
    rows = packed_rows(examples, row_length)
    while True:
        shape = (batch_size, row_length)
        token_ids, positions, numbers, targets = np.zeros(
            (4, *shape), np.int32
        )
        loss_weights = np.zeros(shape, np.float32)
        for row in range(batch_size):
            start = 0
            for number, (inputs, outputs, counts) in enumerate(next(rows), 1):
                place = row, slice(start, start + len(inputs))
                token_ids[place], targets[place], loss_weights[place] = (
                    inputs, outputs, counts,
                )
                positions[place], numbers[place] = (
                    np.arange(len(inputs)),
                    number,
                )
                start += len(inputs)
        inputs = {
            "token_ids": token_ids,
            "positions": positions,
            "stories": numbers,
        }
        yield inputs, targets, loss_weights


def made_ahead(batches, num_batches):
    """The same batches; while one is learned from, a thread makes the next.

    Args:
        batches: an iterator, none of whose batches is None.
        num_batches: how many to make. Not one more is made: its stories would
            be counted as read. Whoever stops early waits for the one that is
            in the making.
    """
    batches = islice(batches, num_batches)
    with ThreadPoolExecutor(1) as thread:
        following = thread.submit(next, batches, None)
        while (batch := following.result()) is not None:
            following = thread.submit(next, batches, None)
            yield batch


def rows_of(schedule):
    """How many rows a schedule reads.

    Args:
        schedule: the fields of a `Schedule` as a dictionary, as in a record.
    """
    return sum(steps * size for steps, size in parts_of(schedule))


def parts_of(schedule):
    """The two parts of a schedule: while the rate is held, and while it falls.

    Args:
        schedule: as in `rows_of`.

    Returns:
        For each part, its steps and the rows in each of its batches.
    """
    steps, size = schedule["num_steps"], schedule["batch_size"]
    held = round(schedule["hold"] * steps)
    last = schedule["last_batch_size"] or size
    return (held, size), (steps - held, last)


def share_filled(world, row_length, num_rows=500, seed=0):
    """The share of the places of packed rows that hold a token, measured.

    Args:
        world: the `World` whose stories are packed.
        row_length: tokens in a row.
        num_rows: how many rows are counted.
    """
    stories = world.stories(np.random.default_rng(seed))
    examples = (next_token_example(story.tokens) for story in stories)
    rows = islice(packed_rows(examples, row_length), num_rows)
    tokens = sum(len(inputs) for row in rows for inputs, _, _ in row)
    return tokens / (num_rows * row_length)
