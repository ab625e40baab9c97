"""What a training run did: when each skill arrived, and how two runs differ.
"""

from dataclasses import dataclass

ARRIVED = 0.9  # accuracy from which on a skill counts as learned
NEGLIGIBLE = (
    0.01  # nats; smaller differences between two trainings say nothing
)
SKILL_LOST = 0.05  # of accuracy
LEVELS = (0.8, 0.85, 0.9, 0.95)  # bounds that somebody else might have chosen


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


def last_to_arrive(scores, levels=LEVELS):
    """The skills that are learned last, by one bound or another.

    What comes last can hang on the bound that counts as learned. So each skill
    that is last by one of several bounds is named.

    Args:
        scores: a list of records with `step` and `skills`, by step.
        levels: the bounds.

    Returns:
        A list of skills, in the order of the record.
    """
    late = set()
    for level in levels:
        found = arrivals(scores, level)
        latest = None if None in found.values() else max(found.values())
        late |= {skill for skill, step in found.items() if step == latest}
    return [skill for skill in scores[-1]["skills"] if skill in late]


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


@dataclass(frozen=True)
class Spread:
    """What several draws of the first weights made of two kinds of network.

    Attributes:
        full: the figure that each draw of the full model reached.
        twin: the figure that each draw of the twin reached.
    """

    full: tuple
    twin: tuple

    @property
    def several(self):
        """Whether there are several draws of each kind; one proves nothing."""
        return min(len(self.full), len(self.twin)) > 1

    @property
    def side(self):
        """On which side of all draws of the full model all draws of the twin
        lie: "above" or "below"; "" if they overlap, or if there is only one.
        """
        if not self.several:
            return ""
        if min(self.twin) > max(self.full):
            return "above"
        return "below" if max(self.twin) < min(self.full) else ""


def spread(full, twin, figure="excess"):
    """The last scores of all draws of the full model and of a twin.

    Args:
        full, twin: records out of `twins.json`, with `draws`.
        figure: `excess`, `loss`, or the name of a skill, for its accuracy.
    """

    def reached(record):
        last = [run["scores"][-1] for run in record["draws"]]
        return tuple(
            score[figure] if figure in score
            else score["skills"][figure]["accuracy"]
            for score in last
        )

    return Spread(reached(full), reached(twin))
