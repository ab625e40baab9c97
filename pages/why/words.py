"""What the figures of the lesson on why mean, in sentences."""

from pages.ui.words import counted, in_a_row, percent, plain

# Bounds of the options of the guess.
MUCH, LITTLE = 0.75, 0.25
SURE, HALF, LOST = (
    f"More than {percent(MUCH)}", f"Between {percent(LITTLE)} and {percent(MUCH)}",
    f"Less than {percent(LITTLE)}",
)
NEEDED = 0.5  # below this share of the answer a link that is cut was needed
MOST_NAMED = 3  # links in one sentence
LEAST_ASKED = 50  # so often at one distance, or its share says little


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
            found[option] = f"Less is left: one state has to hold both facts. {told}"
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
        sure: a list of dictionaries from network to probability.
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
    others = (
        "" if len(sure) == 1 else
        f" The colours of the other facts get {percent(rivals)} from it."
    )
    return (
        f"The LSTM: {told}.{says}{others} The tiny LLM, where it is least sure: "
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
        f"The arcs show the path that brings most of the answer: {told}. "
        + ("That is one look." if len(hops) == 1 else
           f"These are {len(hops)} looks, one after the other.")
    )


def needed_in_words(tokens, needed, answer):
    """Which links beside the path are needed, found by cutting each.

    Args:
        tokens: the words of the story.
        needed: from `Reading.needed`.
        answer: the right word.
    """
    if not needed:
        return (
            f"No other link is needed by itself: whichever is cut, {plain(answer)} "
            f"keeps at least {percent(NEEDED)} of its probability."
        )
    links = [f"from {plain(tokens[query])} to {plain(tokens[key])}, {plain(answer)} "
             f"keeps {percent(left)}" for query, key, left in needed[:MOST_NAMED]]
    return (
        f"Other links are needed, too. Without the link {in_a_row(links)}."
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


def near_and_far(counts, right):
    """The shares at the nearest and the farthest distance, by number of facts.

    Distances that were asked less than `LEAST_ASKED` times are left out.
    """
    found = {}
    for number, (asked, got) in enumerate(zip(counts, right, strict=True), 1):
        places = [n for n, count in enumerate(asked) if count >= LEAST_ASKED]
        if len(places) > 1:
            first, last = places[0], places[-1]
            found[counted(number, "fact")] = (
                float(got[first] / asked[first]), float(got[last] / asked[last])
            )
    return found


def rivals_in_words(counts, right, name):
    """Whether other facts or the distance go with a network's errors.

    Args:
        counts, right: (num_facts, num_distances), how often binding was asked, and how
            often the network was right.
        name: of the network.
    """
    by_facts, ends = by_number_of_facts(counts, right), near_and_far(counts, right)
    fall = max(by_facts.values()) - min(by_facts.values())
    with_distance = max((abs(near - far) for near, far in ends.values()), default=0.0)
    told = ", ".join(f"{percent(share)} with {facts}"
                     for facts, share in by_facts.items())
    same = "; ".join(f"with {facts} {percent(near)} near and {percent(far)} far"
                     for facts, (near, far) in ends.items())
    if fall > 2 * with_distance:
        verdict = "with the number of facts far more than with the distance."
    elif fall > with_distance:
        verdict = "with the number of facts more than with the distance."
    else:
        verdict = "with the distance at least as much as with the number of facts."
    return (
        f"Far words come with more facts, so the picture above mixes the two. Counted "
        f"by facts, the {name} is right in {told}. At the nearest and the farthest "
        f"distance that was asked at least {LEAST_ASKED} times: {same}. Its "
        f"errors go {verdict}"
    )
