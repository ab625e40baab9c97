"""What the figures of the lesson on embeddings mean, in sentences."""

from pages.ui.words import listed, plain

ASKED = "cat"
GUESSES = {
    "`hat`, which is spelled almost the same": "hat",
    "`purrs`, which often stands right after it": "purrs",
    "`fox`, which appears in the same kind of sentence": "fox",
}
REASONS = {
    "hat": "Letters play no part: the network never sees them, only ids.",
    "purrs": "Words that stand side by side need not be alike; what counts is what "
    "stands around each of them.",
    "fox": "What stands before it and after it is much the same, so training moves "
    "both rows the same way.",
}


def replies(likeness):
    """What each guess is answered with, and its cosine.

    Args:
        likeness: a dictionary from word to the cosine with the row of `ASKED`.
    """
    return {
        option: f"{REASONS[word]} The cosine of `{word}` and `{ASKED}` is "
        f"{likeness[word]:.2f}."
        for option, word in GUESSES.items()
    }


def likeness_in_words(nearest, kinds, tokenizer):
    """How the nearest words are to be read; a stranger among them is named.

    Args:
        nearest: a list of (word, cosine), the nearest first.
        kinds: a dictionary from word to kind, of the words whose kind is clear.
        tokenizer: a `Tokenizer`.
    """
    told = (
        "A **cosine** near 1 says that two rows point the same way; 0 says that they "
        "have nothing in common."
    )
    # The picture shows the three nearest.
    strangers = [
        (word, cosine) for word, cosine in nearest[:3]
        if kinds.get(word) != kinds.get(ASKED)
    ]
    if not strangers:
        return told
    first, cosine = strangers[0]
    return (
        f"{told} Among the nearest of all {len(tokenizer)} tokens is {plain(first)} "
        f"({cosine:.2f}), which is no animal. Some neighbours have no reason that we "
        "can name."
    )


def neighbours_in_words(counts, step, num_words):
    """How many words have a neighbour of their own kind, now and in between.

    Args:
        counts: a dictionary from step to how many words.
        step: where the slider stands.
        num_words: how many words the map has.
    """
    told = (
        f"After {step:,} steps, {counts[step]} of {num_words} words have a word of "
        "their own kind as nearest neighbour, by all the numbers of a row."
    )
    top, end = max(counts, key=counts.get), max(counts)
    if counts[top] > counts[end]:
        told += (
            f" At step {top:,} it was {counts[top]}, the most, and at the end "
            f"{counts[end]}. We did not measure why it fell. Our guess: a row serves "
            "to predict the next word, not to group words."
        )
    return told


def steps_in_words(counts):
    """How many words have a neighbour of their kind, at each kept step."""
    return "Step by step: " + ", ".join(
        f"{count} at {step:,}" for step, count in sorted(counts.items())
    ) + "."


def newest_in_words(pieces):
    """Which pieces were joined last."""
    return f"The newest pieces at this point: {listed(pieces)}."
