"""What questions are made of."""

from dataclasses import dataclass, replace

from pages.ui.words import percent


@dataclass(frozen=True)
class Question:
    """One question with its options.

    Attributes:
        text: what is asked.
        options: a dictionary from option to what is said to one who picks it.
        answer: the right option.
        start: words of the toy world that it is about, if any.
        functions: what computed its numbers just now; empty if nothing had to be.
    """

    text: str
    options: dict
    answer: str
    start: tuple = ()
    functions: tuple = ()

    def __post_init__(self):
        if self.answer not in self.options or len(self.options) < 3:
            raise ValueError(f"No sound options: {list(self.options)}")

    def shuffled(self, rng):
        """This question with its options in another order."""
        names = list(self.options)
        order = [names[number] for number in rng.permutation(len(names))]
        return replace(self, options={name: self.options[name] for name in order})


def options(right, *wrong):
    """The options of a question, the right one first.

    A wrong one that reads like the right one, or like another, is left out: with
    numbers from a model that may happen.

    Args:
        right, wrong: pairs of an option and what is said to one who picks it.

    Returns:
        A dictionary.
    """
    found = dict([right])
    for option, reply in wrong:
        found.setdefault(option, reply)
    return found


def exactly(share):
    """A share of one with one place: `41.0%`; only all is `100.0%`, nothing `0.0%`."""
    if 0 < share < 0.0005 or 0.9995 <= share < 1:
        return percent(share)
    return f"{share:.1%}"


def accuracies(record, twin, skill):
    """How a twin ended in a skill, one accuracy for each of its trainings.

    Args:
        record: of the twins; older ones hold one training of each.
        twin: its name, as `full`.
    """
    found = record["twins"][twin]
    return [
        draw["scores"][-1]["skills"][skill]["accuracy"]
        for draw in found.get("draws", [found])
    ]


def between(numbers, places=2):
    """Several results in a few words: `0.49 to 0.60`, or `1.00` if all print alike."""
    least, most = f"{min(numbers):.{places}f}", f"{max(numbers):.{places}f}"
    return least if least == most else f"{least} to {most}"
