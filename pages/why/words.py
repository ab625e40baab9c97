"""What the figures of the lesson on why mean, in sentences."""

from pages.ui.words import counted, percent, plain

SURE, STILL_RIGHT, LOST = (
    "As sure as before", "Less sure, but still right", "It has mostly lost the colour"
)
REASONS = {
    SURE: "this LSTM's gates have kept the colour.",
    STILL_RIGHT: "the second fact takes up part of the one state, but not all of it.",
    LOST: "the second fact has rewritten the state in which the first was kept.",
}


def replies(right):
    """What each option of the guess is answered with, given the right one."""
    return {
        option: f"{reason[0].upper()}{reason[1:]}" if option == right
        else f"See the percentage under the picture: {REASONS[right]}"
        for option, reason in REASONS.items()
    }


def faded(before, after):
    """Which option of the guess is right.

    Args:
        before, after: how sure the LSTM is without another fact, and with one.
    """
    if after >= before - 0.05:
        return SURE
    return STILL_RIGHT if after >= 0.5 else LOST


def how_it_fades(sure, instead, right):
    """How sure both networks are with no other fact, with one and so on.

    Args:
        sure: a list of dictionaries from network to probability.
        instead: the word that the LSTM now finds likeliest, and its probability.
        right: the right word.
    """
    told = ", ".join(
        f"{percent(networks['LSTM'])} with {counted(number, 'other fact')}"
        for number, networks in enumerate(sure)
    )
    least = min(networks["tiny LLM"] for networks in sure)
    word, share = instead
    says = "" if word == right else f" Now it says {plain(word)} ({percent(share)})."
    return (
        f"The LSTM: {told}.{says} The tiny LLM, where it is least sure: "
        f"{percent(least)}. The paler a bead, the less sure the LSTM would be if the "
        "question came there."
    )


def fetched_in_words(tokens, path):
    """The way of the answer through the tiny LLM, hop by hop.

    Args:
        tokens: the words of the story.
        path: the index of the token at which the answer stands, from the words up to
            the last layer.
    """
    hops = [(a, b) for a, b in zip(path, path[1:]) if a != b]
    if not hops:
        return "The answer comes from the last word itself."
    told = "; then ".join(
        f"`{tokens[later]}` looks at `{tokens[earlier]}`" for earlier, later in hops
    )
    return (
        f"The arcs show the way that brings most of the answer: {told}. That is "
        f"{counted(len(hops), 'look')}, each in a layer of its own, and it stays so "
        "when the story grows."
    )


def stories_in_words(lstm, llm):
    """How many stories both networks have read, and whether they are the same.

    Args:
        lstm, llm: how many stories each has read, of one stream.
    """
    if abs(lstm - llm) < 0.02 * llm:
        return f"read the same {llm / 1e6:.1f} million stories."
    fewer, count, more, total = (
        ("the LSTM", lstm, "the tiny LLM", llm) if lstm < llm
        else ("the tiny LLM", llm, "the LSTM", lstm)
    )
    return (
        f"learned from the same stream of stories: {more} read {total / 1e6:.1f} "
        f"million, {fewer} the first {count / 1e6:.1f} million of them."
    )


def distance_in_words(ends):
    """How often each network is right near and far from the word that decides.

    Args:
        ends: a dictionary from network to (nearest range, share, farthest, share);
            a range as "1 to 5 words back".
    """
    told = "; ".join(
        f"the {name} is right in {percent(first)} at {near} and in {percent(last)} at "
        f"{far}"
        for name, (near, first, far, last) in ends.items()
    )
    return f"{told[0].upper()}{told[1:]}."
