"""What the figures of the lesson on positions mean, in sentences and in LaTeX."""

import numpy as np

from llm.studies.arrivals import Spread
from llm.studies.order import untouched_positions
from pages.ui.compared import ONCE, by_chance
from pages.ui.words import percent


def size_in_words(with_positions, without):
    """What the shuffle changed, in both networks.

    Args:
        with_positions, without: pairs (before, after) from `outputs`.
    """
    largest = [np.abs(after - before).max() for before, after in
               (with_positions, without)]
    num_words, width = without[0][1:].shape
    numbers = f"{num_words} × {width} = {num_words * width:,} numbers of the words"
    nothing = (
        f"not one of the {numbers} changes by more than {written(largest[1])}, which "
        "is rounding" if largest[1] else
        f"not one of the {numbers} changes at all"
    )
    return (
        f"With positions, numbers change by up to {written(largest[0])}. Without them "
        f"{nothing}. Each word meets the same words, and a sum does not depend on the "
        "order of its terms. Without a causal mask, as here, the text is then a bag of "
        "words."
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


def previous_in_words(roles, names):
    """Which head asks most for the word just before, and what it gives to itself.

    Args:
        roles: the record of the roles.
        names: what each head is called.
    """
    before, own = (np.ravel(roles[role]["heads"]) for role in (
        "previous word", "itself"))
    top = int(before.argmax())
    return (
        f"Head {names[top]} gives {percent(before[top])} of its attention to the word "
        f"just before and {percent(own[top])} to the word itself; an even spread "
        f"would give each {percent(roles['previous word']['even'])}."
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
        "learned": "**Learned positions**, as in GPT-2. In the tiny LLM training "
        "starts from small waves (*before training*) and changes the rows that its "
        "stories reach, as it changes other weights.",
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
        f"to dog 3 the share falls by {points(falls[1])}, from dog 22 to dog 23 by "
        f"{points(falls[21])}. *The word just before me* is hard to find in this way."
    )


def points(share):
    """A difference of two shares: `9.7 percentage points`."""
    return f"{100 * float(share):.1f} percentage points"


def lost_in_words(ranges):
    """Which skills are worse without positions in every training, and which better.

    Args:
        ranges: a dictionary from skill to two lists of accuracies, one a training:
            with positions and without.
    """
    pairs = {skill: Spread(*map(tuple, two)) for skill, two in ranges.items()}
    first = next(iter(pairs.values()))
    if not first.several:
        return ONCE
    told = []
    for side, word in (("below", "Worse"), ("above", "Better")):
        apart = [skill for skill, pair in pairs.items() if pair.side == side]
        if apart:
            apart.sort(key=lambda skill: max(pairs[skill].twin))
            shares = "; ".join(apart_in_words(skill, pairs[skill]) for skill in apart)
            told.append(f"{word} in every training without positions: {shares}.")
    if not all(pair.side for pair in pairs.values()):
        told.append(
            f"In every {'other ' if told else ''}skill the trainings of both kinds "
            "overlap, and a small difference could be missed."
        )
    if any(pair.side for pair in pairs.values()):
        told.append(by_chance(len(first.full), len(first.twin), len(ranges)))
    return " ".join(told)


def apart_in_words(skill, pair):
    """Accuracies that lie apart, with as many digits as it takes to see that.

    Args:
        skill: its name.
        pair: a `Spread`: with positions and without.
    """
    lower, higher = sorted((pair.full, pair.twin), key=min)
    alike = percent(max(lower)) == percent(min(higher))
    write = "{:.2%}".format if alike else percent
    without, with_them = span(pair.twin, write), span(pair.full, write)
    return f"**{skill}** {without} without, {with_them} with"


def span(shares, write=percent):
    """`97%` or `49% to 53%`: from the least to the most."""
    least, most = write(min(shares)), write(max(shares))
    return least if least == most else f"{least} to {most}"


def lowest_in_words(curves, num_tokens, num_trained):
    """How unsure the answer gets where only the start of the story is new.

    Args:
        curves: a dictionary from name to a list of (position, probability).
        num_tokens: how many tokens are read.
        num_trained: how many positions the training reached, from 0 on.
    """
    last = num_trained - num_tokens
    told = []
    for name, measured in curves.items():
        within = [point for point in measured if 0 < point[0] <= last]
        if within:
            position, share = min(within, key=lambda point: point[1])
            told.append(f"{name} {percent(share)}, at position {position}")
    reached = f"The stories of their training reached position {num_trained - 1}."
    if last < 1:
        return f"{reached} So if this one starts later, some of it is beyond that."
    lowest = f" The lowest values there: {'; '.join(told)}." if told else ""
    return (
        f"{reached} So where this one starts at position {last} or before, all its "
        "positions were trained. Only a story that starts there is new: in training "
        f"the first token always stood at position 0.{lowest}"
    )
