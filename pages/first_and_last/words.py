"""What the figures of the lesson on first and last mean, in sentences."""

from pages.ui.charts.trainings import REACHED, first_above
from pages.ui.words import in_a_row, percent

HALF, HARDLY, MOST = "About half of it", "Hardly anything", "Most of it"


def learned_share(right, always):
    """What a network has learned, as a share of what could be learned.

    Args:
        right: its accuracy.
        always: the accuracy of always answering yes.
    """
    return (right - always) / (1 - always)


def how_much(right, always):
    """Which option of the guess is right."""
    share = learned_share(right, always)
    return HARDLY if share < 0.2 else HALF if share < 0.75 else MOST


def replies(right, always):
    """What each option of the guess is answered with."""
    told = (
        f"{percent(always)} of these rows have the answer yes. A network that always "
        f"says yes, without reading a digit, is right on {always:.4f} of them; this "
        f"one on {right:.4f}. An accuracy means nothing until you know this "
        "**baseline**."
    )
    return dict.fromkeys((HALF, HARDLY, MOST), told)


def answer_in_words(same, digits, whose):
    """What a model answers to a row, and whether that is right.

    Args:
        same: its probability that first and last are the same.
        digits: the row.
        whose: which model answers.
    """
    says = "yes" if same > 0.5 else "no"
    right = (says == "yes") == (digits[0] == digits[-1])
    return (
        f"**{says.capitalize()}**, says {whose}: the same with a probability of "
        f"{percent(same)}. That is {'right' if right else 'wrong'}."
    )


def ends_in_words(attention):
    """How much of its attention each head gives to the two ends.

    Args:
        attention: (num_heads, length, length)
    """
    ends = attention[:, :, [0, -1]].sum(axis=-1).mean(axis=-1)
    gives = [f"head {number} {percent(share)}" for number, share in enumerate(ends, 1)]
    gives[0] = f"head 1 gives {percent(ends[0])} of its attention to the two ends"
    return (
        f"Averaged over all positions, {in_a_row(gives)}. Every position counts: "
        "at the end, all of them are averaged."
    )


def recurrent_in_words(models):
    """How many of the recurrent trainings get as far as the Transformers, and when.

    Args:
        models: a dictionary from network to its record, with `draws`.
    """
    firsts = {name: [first_above(draw["tests"]) for draw in found["draws"]]
              for name, found in models.items()}
    ours = firsts.pop("Transformer")
    others = [first for draws in firsts.values() for first in draws]
    there = [first for first in others if first is not None]
    told = (
        f"{len(there)} of {len(others)} recurrent trainings got to {percent(REACHED)}, "
        f"{sum(first is not None for first in ours)} of {len(ours)} Transformers."
    )
    surer = None not in ours and len(there) < len(others)
    if surer and all(first > max(ours) for first in there):
        told += " Here attention is surer and earlier."
    return told
