"""What a training run did: when each skill arrived, and how two runs differ.
"""

from dataclasses import dataclass

ARRIVED = 0.9  # accuracy from which on a skill counts as learned
NEGLIGIBLE = (
    0.01  # nats; smaller differences between two trainings say nothing
)
SKILL_LOST = 0.05  # of accuracy


def arrivals(scores, level=ARRIVED):
    """When each skill was learned: the first step from which on it stays above
    a level.

    Args:
        scores: a list of records with `step` and `skills`, by step.

    Returns:
        A dictionary from skill to step, the earliest first; None if it never
        came. Frequency is not in it, because it has no accuracy.
    """
    found = {}
    for skill, last in scores[-1]["skills"].items():
        if last["accuracy"] is None:
            continue
        found[skill] = None
        for score in reversed(scores):
            if score["skills"][skill]["accuracy"] < level:
                break
            found[skill] = score["step"]
    return dict(
        sorted(found.items(), key=lambda item: item[1] or float("inf"))
    )


def biggest_jump(scores, skill):
    """The two neighbouring records between which a skill rose most."""
    pairs = list(zip(scores, scores[1:]))
    return max(
        pairs,
        key=lambda pair: pair[1]["skills"][skill]["accuracy"]
        - pair[0]["skills"][skill]["accuracy"],
    )


@dataclass(frozen=True)
class Difference:
    """What a twin lost or gained against the full model, both as measured.

    Attributes:
        excess: how much further above the floor it ends, in nats per token.
        lost: from skill to (accuracy of the full model, accuracy of the twin),
            for skills that fell.
        gained: the same for skills that rose.
    """

    excess: float
    lost: dict
    gained: dict

    @property
    def nothing(self):
        """Whether nothing changed that is worth a word."""
        return (
            abs(self.excess) < NEGLIGIBLE and not self.lost and not self.gained
        )


def difference(full, twin):
    """Compare two records with `excess` and `skills`, such as the last scores.
    """
    lost, gained = {}, {}
    for skill, score in full["skills"].items():
        pair = score["accuracy"], twin["skills"].get(skill, score)["accuracy"]
        if None in pair:
            continue
        if pair[1] < pair[0] - SKILL_LOST:
            lost[skill] = pair
        elif pair[1] > pair[0] + SKILL_LOST:
            gained[skill] = pair
    return Difference(twin["excess"] - full["excess"], lost, gained)
