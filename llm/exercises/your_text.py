"""Exercises on a text of one's own: counting pairs, and what is copied."""

from itertools import pairwise

import numpy as np

from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mistake,
    Number,
)
from llm.exercises.parts import (
    pick,
)
from llm.glassbox.sampling import draw
from llm.models.pairs import count_pairs, pair_probabilities
from llm.own_text.measures import longest_copy


def pair_counts(models, rng, words):
    """How a counting model is made, on the student's words or a story's."""
    if words is None or len(words) < 8:
        story = next(models.world.stories(rng)).tokens
        words = [word for word in story if word not in ("<start>", "<end>")]
    text = " ".join(words)[:60].strip()
    letters = [letter for letter in text[:-1] if letter.isalpha()]
    counted = {}
    for letter in letters:
        counted[letter] = counted.get(letter, 0) + 1
    common = [letter for letter, count in counted.items() if count >= 3]
    if not common:
        return None
    first = pick(rng, sorted(common))
    following = [b for a, b in zip(text, text[1:]) if a == first]
    after = sorted(set(following) - {" "})
    if not after or len(set(following)) < 2:
        return None
    second = pick(rng, after)
    hits, of = following.count(second), len(following)
    share = hits / of
    backwards = [a for a, b in zip(text, text[1:]) if b == second]
    reverse = backwards.count(first) / len(backwards)
    overall = hits / (len(text) - 1)
    plain = text.count(second) / len(text)
    return Exercise(
        kind="pair_counts",
        task="A model that only counts pairs of characters has read this "
        f"text (a space is a character too):\n\n`{text}`\n\nHow often does "
        f"`{first}` have something after it, and with which probability does "
        f"the model write `{second}` after `{first}`?",
        fields={
            "count": Number(f"pairs that begin with {first}"),
            "share": Number(f"probability of {second} after {first}", 0.01),
        },
        answer={"count": of, "share": share},
        hints=(
            f"Go through the text and look what stands after each `{first}`.",
            f"Divide how often `{first}{second}` occurs by how often "
            f"`{first}` is followed by anything.",
        ),
        solution=f"After `{first}` stand: "
        + ", ".join(
            f"`{one}`" if one != " " else "a space" for one in following
        )
        + f". That is {hits} of **{of}**: **{share:.2f}**.",
        mistakes=(
            Mistake(
                {"share": overall},
                "You have divided by all pairs of the text. Only pairs that "
                f"begin with `{first}` count.",
            ),
            Mistake(
                {"share": reverse},
                f"That is how often `{first}` stands before `{second}`. The "
                "model knows the first and asks for the second.",
            ),
            Mistake(
                {"share": plain},
                f"That is how common `{second}` is altogether. The model "
                "looks at the character before.",
            ),
        ),
        given={"text": text, "first": first, "second": second},
    )


WRITTEN = 9  # words that the counting model writes


def copied_stretch(models, rng, words):
    """How much of what a counting model writes is copied from its text."""
    source = []
    while len(source) < 18:
        story = next(models.world.stories(rng)).tokens
        source += [word for word in story if word not in ("<start>", "<end>")]
    source = [*(words or ()), *source][:26]
    vocabulary = list(dict.fromkeys(source))
    ids = np.array([vocabulary.index(word) for word in source])
    counts = count_pairs([ids], len(vocabulary))
    pairs = pair_probabilities(counts, 1e-9)
    written = [int(rng.integers(len(vocabulary)))]
    while len(written) < WRITTEN:
        if not counts[written[-1]].any():
            return None  # nothing follows it in the text
        written.append(draw(pairs[written[-1]], rng.random()))
    if not all(counts[first, then] for first, then in pairwise(written)):
        return None  # a pair that only the smoothing allows
    start, length, position = longest_copy(written, ids)
    if not 3 <= length <= 6:
        return None
    text = " ".join(vocabulary[number] for number in written)
    stretch = text.split()[start : start + length]
    return Exercise(
        kind="copied_stretch",
        task="A model that only counts pairs of words has read this text:\n\n"
        f"`{' '.join(source)}`\n\nIt then wrote:\n\n`{text}`\n\nHow long, "
        "in words and full stops, is the longest stretch of what it wrote "
        "that stands in the text word for word?",
        fields={"length": Number("length of the longest copied stretch")},
        answer={"length": length},
        hints=(
            "Begin at each word that was written, and see how far the text "
            "goes along.",
            f"The stretch begins with `{stretch[0]}`.",
        ),
        solution=f"`{' '.join(stretch)}` stands in the text from its word "
        f"{position + 1} on: **{length}** words and full stops. Every single "
        "pair is "
        "copied, as the model knows nothing else.",
        mistakes=(
            Mistake(
                {"length": WRITTEN},
                "Every pair of words stands somewhere in the text, but not "
                "all of them in one place.",
            ),
            Mistake(
                {"length": 2},
                "Each two words were copied, as the model counts pairs. But "
                "here a longer stretch stands in the text as well.",
            ),
            Mistake(
                {"length": length - 1},
                "Count the words and full stops, not the steps between them.",
            ),
        ),
        given={"source": source, "written": text.split()},
        functions=(count_pairs, longest_copy),
    )


YOUR_TEXT = {
    "pair_counts": Kind("your_text", "Count pairs", pair_counts, True),
    "copied_stretch": Kind(
        "your_text", "What is copied", copied_stretch, True
    ),
}
