"""What the figures of the lesson on why mean, in sentences."""

import numpy as np

from pages.ui.words import counted, numbered, percent, plain

# Bounds of the options of the guess.
MUCH, LITTLE = 0.75, 0.25
SURE, HALF, LOST = (
    f"More than {percent(MUCH)}", f"Between {percent(LITTLE)} and {percent(MUCH)}",
    f"Less than {percent(LITTLE)}",
)
NEEDED = 0.5  # below this share of the answer a link that is cut was needed
LEAST_ASKED = 50  # so often at one distance, or its share says little
HARDLY = 0.05  # a fall of the share that is right that is called none


def replies(shares):
    """What each option of the guess is answered with.

    Args:
        shares: what the LSTM gives to the right colour, by colour.
    """
    low, high = min(shares, key=shares.get), max(shares, key=shares.get)
    told = (
        f"It gives the right colour {percent(mean_of(shares))} on average, from "
        f"{percent(shares[low])} (`{low}`) to {percent(shares[high])} (`{high}`)."
    )
    order, right = [SURE, HALF, LOST], faded(shares)
    at = order.index(right)
    found = {}
    for number, option in enumerate(order):
        if number < at:
            found[option] = f"Less of the colour is left. {told}"
        elif number > at:
            found[option] = f"More of the colour is left. {told}"
        else:
            found[option] = told
    return found


def faded(shares):
    """Which option of the guess is right.

    Args:
        shares: what the LSTM gives to the right colour, by colour.
    """
    mean = mean_of(shares)
    return SURE if mean > MUCH else HALF if mean >= LITTLE else LOST


def mean_of(shares):
    """The mean over all colours."""
    return sum(shares.values()) / len(shares)


def how_it_fades(sure, instead, right, rivals):
    """How sure both networks are with no other fact, with one and so on.

    Args:
        sure: dictionaries from network to probability, at least two.
        instead: the word that the LSTM now finds likeliest, and its probability.
        right: the right word.
        rivals: what the LSTM gives to the colours of the other facts.
    """
    told = ", ".join(
        f"{percent(networks['LSTM'])} with {counted(number, 'other fact')}"
        for number, networks in enumerate(sure)
    )
    least = min(networks["tiny LLM"] for networks in sure)
    word, share = instead
    says = "" if word == right else f" Now it says {plain(word)} ({percent(share)})."
    return (
        f"The LSTM: {told}.{says} The colours of the other facts get {percent(rivals)} "
        f"from it. The tiny LLM, where it is least sure: {percent(least)}. The paler a "
        "bead, the less sure the LSTM would be if the question came there."
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
    words = [plain(label) for label in numbered(tokens)]
    told = "; then ".join(
        f"{words[later]} looks at {words[earlier]}" for earlier, later in hops
    )
    return (
        "The arcs show the path that brings most of the answer, with the words "
        f"numbered: {told}. "
        + ("That is one look." if len(hops) == 1 else
           f"These are {len(hops)} looks, one after the other.")
    )


def needed_in_words(tokens, needed, answer):
    """Which links beside the path are needed, found by cutting each in every head.

    Args:
        tokens: the words of the story.
        needed: from `Reading.needed`.
        answer: the right word.
    """
    if not needed:
        return (
            "No other look is needed by itself: whichever is forbidden, in every "
            f"attention head, {plain(answer)} keeps at least {percent(NEEDED)} of its "
            "probability."
        )
    words = [plain(label) for label in numbered(tokens)]
    (query, key, left), *more = needed
    other = "itself" if query == key else words[key]
    told = (
        f"Some other looks are needed. If {words[query]} may not look at {other} in "
        f"any attention head, {plain(answer)} keeps {percent(left)}."
    )
    if not more:
        return told
    ban = "ban leaves" if len(more) == 1 else "bans, one at a time, leave"
    return (
        f"{told} {len(more)} more such {ban} it less than {percent(NEEDED)} of its "
        "probability."
    )


def stories_in_words(lstm, llm):
    """How many stories both networks have read, and whether they are the same.

    Args:
        lstm, llm: how many stories each has read, of the same stream.
    """
    if abs(lstm - llm) < 0.02 * llm:
        return f"read {llm / 1e6:.1f} million stories each, from the same stream."
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


def by_number_of_facts(counts, right):
    """The share that is right with each number of facts: a dictionary.

    Args:
        counts, right: (num_facts, num_distances), how often it was asked, and how often
            a network was right.
    """
    return {
        counted(number, "fact"): float(got.sum() / asked.sum())
        for number, (asked, got) in enumerate(zip(counts, right, strict=True), 1)
        if asked.sum()
    }


def first_and_last(counts, right):
    """The shares that are right in the first and in the last place of each row.

    Places that were asked less than `LEAST_ASKED` times are left out, and so are rows
    in which only one is left.

    Args:
        counts, right: (num_rows, num_places), how often it was asked, and how often a
            network was right.

    Returns:
        (num_rows that are left, 2)
    """
    found = []
    for asked, got in zip(counts, right, strict=True):
        places = [n for n, count in enumerate(asked) if count >= LEAST_ASKED]
        if len(places) > 1:
            found.append([got[n] / asked[n] for n in (places[0], places[-1])])
    return np.array(found, float).reshape(-1, 2)


def rivals_in_words(counts, right, name):
    """Whether other facts or the distance go with a network's errors.

    Each is compared while the other is held: near and far among questions with equally
    many facts, few and many facts among questions at the same distance.

    Args:
        counts, right: (num_facts, num_distances), how often binding was asked, and how
            often the network was right.
        name: of the network.
    """
    mixed = "Far words come with more facts, so each of the pictures mixes the two."
    by_distance = first_and_last(counts, right)
    by_facts = first_and_last(counts.T, right.T)
    if not len(by_distance) or not len(by_facts):
        return f"{mixed} Too few questions were asked to tell the two apart."
    near, far = by_distance.mean(axis=0)
    few, many = by_facts.mean(axis=0)
    return (
        f"{mixed} To tell them apart, hold one and change the other. With equally many "
        f"facts, the {name} is right in {percent(near)} at the nearest distance and in "
        f"{percent(far)} at the farthest, on average over "
        f"{counted(len(by_distance), 'number')} of facts. At the same distance it is "
        f"right in {percent(few)} with the fewest facts and in {percent(many)} with "
        f"the most, on average over {counted(len(by_facts), 'distance')}. Only what "
        f"was asked at least {LEAST_ASKED} times counts. "
        f"{go_with(few - many, near - far)}"
    )


def go_with(with_facts, with_distance):
    """What the errors of a network go with, in one sentence.

    Args:
        with_facts: by how much the share that is right falls with more facts.
        with_distance: the same with more distance; below 0 if it rises.
    """
    if max(with_facts, with_distance) < HARDLY:
        return "Its errors go with neither."
    if with_facts <= with_distance:
        return "Its errors go with the distance at least as much as with the facts."
    far = "far " if with_facts > 2 * with_distance else ""
    return f"Its errors go with the number of facts {far}more than with the distance."
