"""Small parts that several kinds of exercise are made with."""

import numpy as np

from llm.glassbox.softmax import softmax
from llm.world import words


def pick(rng, among):
    """One of some things, drawn."""
    among = list(among)
    return among[int(rng.integers(len(among)))]


def pick_several(rng, among, count):
    """Some different things, drawn, in a drawn order."""
    among = list(among)
    return [among[number] for number in rng.permutation(len(among))[:count]]


def shown(numbers, places=2):
    """Numbers as they are printed: the exercise goes on with these."""
    # Plus 0 makes a minus 0 a plain one.
    return np.round(np.asarray(numbers, float), places) + 0.0


def table(header, rows):
    """A table in Markdown.

    Args:
        header: the names of the columns.
        rows: lists of cells.
    """
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def code(word):
    """A word as code in Markdown."""
    return f"`{word}`"


def vector(numbers, places=2):
    """A row of numbers: `(0.10, -0.53)`."""
    return "(" + ", ".join(f"{number:.{places}f}" for number in numbers) + ")"


def term(number, places=2):
    """A number inside a product or a sum, in brackets if it is negative."""
    said = f"{number:.{places}f}"
    return f"({said})" if said.startswith("-") else said


def added(numbers, places=2):
    """Numbers as a sum: `0.10 + (-0.53)`."""
    return " + ".join(term(number, places) for number in numbers)


def products(left, right, places=2):
    """A dot product written out: `0.10 · 0.20 + (-0.53) · 1.00`."""
    return " + ".join(
        f"{term(one, places)} · {term(other, places)}"
        for one, other in zip(left, right, strict=True)
    )


def story_start(models, rng, least=5, most=12):
    """The beginning of a story of the toy world, without `<start>`.

    Args:
        least, most: how many words.
    """
    while True:
        story = next(models.world.stories(rng))
        tokens = [
            word for word in story.tokens if word not in ("<start>", "<end>")
        ]
        if len(tokens) >= least:
            return tuple(tokens[: int(rng.integers(least, most + 1))])


def some_words(models, rng, given, least=5, most=12):
    """The student's words if there are enough of them, else a story's."""
    if given is not None and len(given) >= least:
        return tuple(given)[:most]
    return story_start(models, rng, least, most)


def owners_start(rng):
    """A start after which only one colour is right, and the colours in it.

    Returns:
        tokens: as `tom has a red ball . mia has a blue kite . mia 's kite is`.
        right, wrong: the colour of the second thing and of the first.
    """
    # Held-out pairs would make it a harder question than it is meant.
    apart = words.held_out_pairs(["binding"])
    while True:
        owners = pick_several(rng, words.PEOPLE, 2)
        colours = pick_several(rng, words.COLOURS, 2)
        things = pick_several(rng, words.THINGS, 2)
        told = list(zip(owners, colours, things))
        if not any(frozenset(pair[1:]) in apart for pair in told):
            break
    facts = [
        f"{owner} has a {colour} {thing} ." for owner, colour, thing in told
    ]
    text = f"{' '.join(facts)} {owners[1]} 's {things[1]} is"
    return tuple(text.split()), colours[1], colours[0]


def place_start(rng):
    """A start with several places after it: `the cat sat on the`."""
    who, deed = pick(rng, words.PLACES)
    return tuple(f"the {who} {deed} the".split())


def numbered(words):
    """Words with their positions, as words repeat: `2 cat`. `<start>` is 0."""
    return tuple(f"{position} {word}" for position, word in enumerate(words))


def head_name(layer, head):
    """A head as the pages name it: 2.3 is the third of the second block."""
    return f"{layer + 1}.{head + 1}"


def likeliest(models, words, count):
    """The likeliest next words and their probabilities, in that order."""
    said = models.llm.next_token(words)
    return list(said)[:count], np.array(list(said.values())[:count])


OPEN = 0.04  # a word from this probability on is a real choice


def open_start(models, rng, words, least=2, uneven=1.0):
    """A start after which several words are likely.

    Args:
        words: the student's; taken if they leave a choice.
        least: how many words must be likely.
        uneven: how many times as likely the first of them must be as the
            last, where the start is drawn.
    """
    if words:
        _, shares = likeliest(models, words, least)
        if shares[-1] > OPEN:
            return tuple(words)
    for _ in range(3):
        tokens = next(models.world.stories(rng)).tokens
        ids = models.llm.tokenizer.ids_of(tokens[:-1])
        shares = softmax(models.llm.logits(ids))
        likely = np.partition(shares, -least, axis=-1)[2:, -least:]
        lowest, highest = likely.min(axis=-1), likely.max(axis=-1)
        choices = (lowest > OPEN) & (highest > uneven * lowest)
        choices = np.flatnonzero(choices) + 2
        if len(choices):
            return tuple(tokens[1 : int(pick(rng, choices)) + 1])
    return place_start(rng)
