"""What questions are made of."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from llm.world import words


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
        """The same question with its options in another order."""
        names = list(self.options)
        order = [names[number] for number in rng.permutation(len(names))]
        return replace(self, options={name: self.options[name] for name in order})


class Models(NamedTuple):
    """What the questions ask.

    Attributes:
        llm: a `TinyLLM`.
        world: the `World` that it was trained on.
        encoder: a function that returns the `EncoderTwin`.
        digits: a function that returns the `DigitWeights`.
        record: a function from the name of a training to its record.
    """

    llm: Any
    world: Any
    encoder: Any
    digits: Any
    record: Any


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
    """A share of one with one place: `41.0%`."""
    return f"{share:.1%}"


def pick(rng, among):
    """One of some things, drawn."""
    among = list(among)
    return among[int(rng.integers(len(among)))]


def pick_several(rng, among, count):
    """Some different things, drawn, in a drawn order."""
    among = list(among)
    return [among[number] for number in rng.permutation(len(among))[:count]]


def owners_start(rng, world):
    """A start after which only one colour is right, and the colours in it.

    Returns:
        tokens: as `tom has a red ball . mia has a blue kite . mia 's kite is`.
        right, wrong: the colour of the second thing and of the first.
    """
    while True:
        owners = pick_several(rng, words.PEOPLE, 2)
        colours = pick_several(rng, words.COLOURS, 2)
        things = pick_several(rng, words.THINGS, 2)
        facts = [f"{owner} has a {colour} {thing} ."
                 for owner, colour, thing in zip(owners, colours, things, strict=True)]
        text = f"{' '.join(facts)} {owners[1]} 's {things[1]} is"
        # Pairs that are held out would make it a harder question than it is meant.
        if world.allows(text.split()):
            return tuple(text.split()), colours[1], colours[0]


def place_start(rng):
    """A start after which several places are possible: `the cat sat on the`."""
    who, deed = pick(rng, words.PLACES)
    return tuple(f"the {who} {deed} the".split())
