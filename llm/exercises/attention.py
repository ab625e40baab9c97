"""Exercises on attention: what may be seen, and what it decides."""

import numpy as np

from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mistake,
    Number,
    Several,
)
from llm.exercises.parts import (
    code,
    numbered,
    pick,
    pick_several,
    some_words,
)
from llm.glassbox.attention import causal_mask
from llm.studies.links import because
from llm.world.words import (
    MOVER_FAULTS,
    MOVERS,
    OBSTACLE_FAULTS,
    OBSTACLES,
)


def mask(models, rng, words):
    words = some_words(models, rng, words, least=4, most=9)
    tokens = ("<start>", *words)
    size = len(tokens)
    asks = int(rng.integers(1, size - 1))
    allowed = causal_mask(size)
    names = numbered(tokens)

    def seen(row):
        return tuple(name for name, may in zip(names, row) if may)

    right = {"seen": seen(allowed[asks]), "pairs": int(allowed.sum())}
    later = np.arange(size) > asks
    return Exercise(
        kind="mask",
        task=f"The tiny LLM reads {size} tokens, counted from 0: "
        + ", ".join(map(code, names))
        + f".\n\nWhich of them may `{names[asks]}` look at? And how many "
        "pairs of a word that looks and a word that is looked at does the "
        "causal mask allow in the whole sentence?",
        fields={
            "seen": Several(
                f"what `{names[asks]}` may look at", names, code=True
            ),
            "pairs": Number("pairs that are allowed"),
        },
        answer=right,
        hints=(
            "A word may look at itself and at all words before it.",
            "The first token may look at 1, the second at 2, and so on. Add "
            "these up.",
        ),
        solution=f"`{names[asks]}` may look at {asks + 1} tokens: "
        + ", ".join(map(code, right["seen"]))
        + f". Together: {' + '.join(map(str, range(1, size + 1)))} = "
        f"**{right['pairs']}** of {size * size} pairs.",
        mistakes=(
            Mistake(
                {"seen": seen(allowed[asks] & (np.arange(size) != asks))},
                "A word may look at itself too: the diagonal of the mask is "
                "allowed.",
            ),
            Mistake(
                {"seen": names},
                "That is an encoder, which looks both ways. The causal mask "
                "hides every later word.",
            ),
            Mistake(
                {"seen": seen(later)},
                "These are the words that come later, and they are just what "
                "the mask hides.",
            ),
            Mistake(
                {"pairs": size * size},
                "These are all pairs. The mask takes away those that look at "
                "a later word.",
            ),
            Mistake(
                {"pairs": size * (size - 1) // 2},
                "You have left out the pairs in which a word looks at itself.",
            ),
        ),
        given={"tokens": tokens, "asks": asks},
        functions=(causal_mask,),
        start=tuple(words),
    )


def what_it_is(models, rng, words):
    deed = pick(rng, OBSTACLES)
    mover, obstacle = pick(rng, MOVERS), pick(rng, OBSTACLES[deed])
    faults = {
        **dict.fromkeys(pick_several(rng, MOVER_FAULTS, 3), mover),
        **dict.fromkeys(pick_several(rng, OBSTACLE_FAULTS[deed], 2), obstacle),
    }
    options = pick_several(rng, faults, len(faults))
    twin, said = models.encoder(), {}
    for fault in options:
        tokens = twin.tokens(because(mover, deed, obstacle, fault))
        said[fault] = next(iter(twin.answers(tokens, tokens.index("it"))))
    if any(said[fault] != noun for fault, noun in faults.items()):
        return None
    right = tuple(fault for fault in options if said[fault] == obstacle)
    others = tuple(fault for fault in options if fault not in right)
    start = because(mover, deed, obstacle, "___")
    return Exercise(
        kind="what_it_is",
        task=f"`{' '.join(start[1:] if start[0] == '<start>' else start)}`"
        "\n\nThe encoder twin of the tiny LLM is asked which noun `it` "
        f"stands for. With which of these words does it say `{obstacle}`?",
        fields={
            "words": Several(
                f"with these it says {obstacle}", options, code=True
            )
        },
        answer={"words": right},
        hints=(
            f"What can a {mover} be, and what can a {obstacle} be?",
            f"{len(right)} of the {len(options)} words fit the {obstacle}.",
        ),
        solution="Asked just now: "
        + ", ".join(f"`{fault}` → `{said[fault]}`" for fault in options)
        + ".",
        mistakes=(
            Mistake(
                {"words": others},
                f"It is the other way round: these are about the {mover}.",
            ),
            Mistake(
                {"words": tuple(options)},
                "Then the word in the blank would make no difference. It "
                "decides what `it` stands for.",
            ),
            Mistake(
                {"words": ()},
                f"`it` can stand for the {obstacle} too: with a word that "
                f"only a {obstacle} can be.",
            ),
        ),
        given={"deed": deed, "options": options},
        functions=(type(twin).answers,),
    )


ATTENTION = {
    "mask": Kind("attention", "What a word may look at", mask, True),
    "what_it_is": Kind("attention", "What `it` stands for", what_it_is),
}
