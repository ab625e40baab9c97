"""What the figures of the lesson on positions mean, in sentences and in LaTeX."""

import numpy as np

from llm.studies.order import untouched_positions
from pages.ui.words import counted, percent


def size_in_words(with_positions, without):
    """What the shuffle changed, in both networks.

    Args:
        with_positions, without: pairs (before, after) from `outputs`.
    """
    largest = [np.abs(after - before).max() for before, after in
               (with_positions, without)]
    return (
        f"With positions, numbers change by up to {written(largest[0])}. Without them "
        f"not one of the {without[0][1:].size:,} numbers changes by more than "
        f"{written(largest[1])}, and that is the rounding of the computer. Each word "
        "meets the same words, and a sum does not depend on the order of its terms. "
        "What the network reads is a bag of words."
    )


def written(size):
    """A size as a decimal number: `3.71`, `0.00000095`."""
    return f"{size:.2f}" if size >= 0.01 else f"{size:.8f}"


def addition(word, row, position, position_row):
    """The first three numbers of a word, of its position and of their sum, in LaTeX.

    Each sum is that of the two numbers as they are printed.
    """
    parts = [np.round(numbers[:3], 2) for numbers in (row, position_row)]

    def begin(numbers):
        return r"(" + r",\; ".join(f"{n + 0.0:.2f}" for n in numbers) + r",\; \dots)"

    return (
        rf"\begin{{aligned}} e_{{\text{{{word}}}}} &= {begin(parts[0])} \\"
        rf" p_{position} &= {begin(parts[1])} \\"
        rf" e_{{\text{{{word}}}}} + p_{position} &= {begin(parts[0] + parts[1])}"
        r" \end{aligned}"
    )


def previous_in_words(role, names):
    """Which head asks most for the word just before, and how much it gets there.

    Args:
        role: the record of that role.
        names: what each head is called.
    """
    shares = np.ravel(role["heads"])
    top = int(shares.argmax())
    return (
        f"Head {names[top]} gives {percent(shares[top])} of its attention to the word "
        f"just before; looking everywhere alike would give {percent(role['even'])}."
    )


def table_in_words(name, table):
    """How the chosen table was filled."""
    return {
        "waves": "**Sinusoidal positions**, as in “Attention Is All You Need” (2017): "
        "each pair of columns is a wave, fast on the left and slow on the right, like "
        "the hands of a clock. Nothing about them is learned.",
        "before training": "The tiny LLM's own table before its first training step: "
        f"the same waves, but small (at most {np.abs(table).max():.1f}), so that they "
        "do not drown the words.",
        "learned": "**Learned positions**, as in the tiny LLM and in GPT-2: training "
        "starts from those small waves and changes each number, as it changes every "
        "other weight.",
    }[name]


def untouched_in_words(table):
    """How many rows no training story was long enough to reach."""
    untouched = int(untouched_positions(table).sum())
    if not untouched:
        return f"Training has changed all {len(table)} rows of the learned table."
    return (
        f"{untouched} of the {len(table)} learned rows stand exactly where they began: "
        "no story was long enough to reach their positions."
    )


def counting_in_words(falls):
    """How well the share of `<start>` tells one dog from the next, early and late.

    Args:
        falls: (num_dogs - 1,), by how much the share falls from each dog to the next.
    """
    return (
        "The more dogs come before a dog, the smaller the share of `<start>`: the head "
        "counts. Early on it tells neighbours apart well, and later badly: from dog 2 "
        f"to dog 3 the share falls by {percent(falls[1])}, from dog 22 to dog 23 by "
        f"{percent(falls[21])}. *The word just before me* is hard to find in this way."
    )


def lost_in_words(ranges, count):
    """Which skills suffer without positions, in every training.

    Args:
        ranges: a dictionary from skill to two lists of accuracies, one a training:
            with positions and without.
        count: how many trainings there were of each.
    """
    lost = {
        skill: (with_them, without)
        for skill, (with_them, without) in ranges.items()
        if max(without) < min(with_them) - 0.01
    }
    if not lost:
        return (
            f"In {counted(count, 'training')} of each kind no skill is always worse "
            "without positions."
        )
    worst = sorted(lost, key=lambda skill: max(lost[skill][1]))
    told = "; ".join(
        f"**{skill}** {span(lost[skill][1])} without, {span(lost[skill][0])} with"
        for skill in worst
    )
    return (
        f"Worse in every training without positions: {told}. "
        "In every other skill the trainings of both kinds overlap."
    )


def span(shares):
    """`97%` or `49% to 53%`: from the least to the most."""
    least, most = percent(min(shares)), percent(max(shares))
    return least if least == most else f"{least} to {most}"


def lowest_in_words(curves):
    """The lowest value of each curve, and at which position.

    Args:
        curves: a dictionary from name to a list of (position, probability).
    """
    told = []
    for name, points in curves.items():
        position, share = min(points, key=lambda point: point[1])
        told.append(f"{name} {percent(share)}, at position {position}")
    return "The lowest values: " + "; ".join(told) + "."
