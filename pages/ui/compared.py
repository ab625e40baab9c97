"""Trainings of two kinds side by side: verdicts that chance may have made."""

from math import comb

from llm.studies.arrivals import Spread
from pages.ui.words import counted, in_a_row

ONCE = (
    "One training of a kind proves nothing: from other first weights it can end "
    "elsewhere."
)


def ends_compared(full, twins, others=""):
    """Whether trainings of twins end better or worse, and how easily chance does that.

    Args:
        full: the excess at the end of each training of the full model, in nats.
        twins: a dictionary from which trainings to the same: "with one head".
        others: what the full model's trainings are called, as "the full model's", if
            it has to be said.
    """
    pairs = {name: Spread(tuple(full), tuple(ends)) for name, ends in twins.items()}
    told = []
    for side, word in (("above", "worse"), ("below", "better")):
        if names := [name for name, pair in pairs.items() if pair.side == side]:
            than = f" than each of {others}" if others else ""
            told.append(f"Every training {in_a_row(names, 'or')} ends {word}{than}.")
    if sizes := {len(pair.twin) for pair in pairs.values() if pair.side}:
        told += [by_chance(len(full), size, len(twins)) for size in sorted(sizes)]
    alike = [name for name, pair in pairs.items() if pair.several and not pair.side]
    if alike:
        overlap = (f"The trainings {in_a_row(alike)} overlap with {others}" if others
                   else "These overlap")
        fewest = min(len(full), *(len(twins[name]) for name in alike))
        told.append(
            f"{overlap}: no difference beyond chance, but {counted(fewest, 'training')}"
            " could miss a small one."
        )
    if not all(pair.several for pair in pairs.values()):
        told.append(ONCE)
    return " ".join(told)


def by_chance(first, second, comparisons=1):
    """How often chance alone puts all trainings of one kind on one side, in words.

    Args:
        first, second: how many trainings there are of each kind.
        comparisons: how many were made, of which a clean split was picked.
    """
    trainings = (
        f"{counted(first, 'training')} of each" if first == second else
        f"{counted(first, 'training')} on one side and {second} on the other"
    )
    made = f", and {comparisons} were made here" if comparisons > 1 else ""
    return (
        f"With {trainings}, chance alone gives such a clean split in about 1 "
        f"comparison in {one_split_in(first, second)}{made}."
    )


def one_split_in(first, second):
    """One of how many comparisons splits cleanly, if nothing but chance is at work.

    All orders of the trainings are then as likely, and in two of them all of one kind
    lie on one side.

    Args:
        first, second: how many trainings there are of each kind.
    """
    return round(comb(first + second, first) / 2)
