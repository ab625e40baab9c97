"""Words and figures in sentences: written alike everywhere, and safe to print."""

from itertools import count

import numpy as np

MOST_SHOWN = 40


def percent(share):
    """A share of one as a figure: `41%`, `9.3%`, `under 0.1%`.

    Only nothing at all is `0%`, and only all is `100%`.
    """
    share = float(share)
    if share <= 0 or share >= 1:
        return f"{share:.0%}"
    if share < 0.001:
        return "under 0.1%"
    if share >= 0.9995:
        return "over 99.9%"
    if share < 0.0995 or share >= 0.995:
        return f"{share:.1%}"
    return f"{share:.0%}"


def change_of(before, after, mark="", say=percent):
    """How a share changes: `goes from 41% to 20%`, or `stays at 41%`.

    Args:
        before, after: shares, from 0 to 1.
        mark: what stands on both sides of each figure, such as `**`.
        say: the function that writes a share.
    """
    old, new = (f"{mark}{say(share)}{mark}" for share in (before, after))
    return f"stays at {new}" if old == new else f"goes from {old} to {new}"


def signed(number, places=2):
    """A number with its sign, as `+0.25`, and a minus as long as the plus: `−0.25`."""
    text = f"{float(number):+.{places}f}"
    return text.replace("-", "−") if float(text) else f"{0:.{places}f}"


def counted(count, thing, things=None):
    """`1 word`, `2 words`, `1,000 words`.

    Args:
        count: a whole number.
        thing: what one is called.
        things: what several are called, if not with an s.
    """
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def about_time(seconds):
    """How long something took, rounded: `about 80 minutes`, `about 3 hours`."""
    minutes = seconds / 60
    if minutes < 10:
        return f"about {counted(max(round(minutes), 1), 'minute')}"
    if minutes < 120:
        return f"about {10 * round(minutes / 10)} minutes"
    return f"about {round(minutes / 60)} hours"


def parts_of_lead(flow, amount):
    """The parts of a lead with two places, so that they add up as they are printed.

    Args:
        flow: the `Flow` of the lead.
        amount: what its strongest path brings.

    Returns:
        What all words bring, what all paths but the strongest bring, and what comes
        from biases. The first is the path and the second together; with the third it
        is the lead.
    """
    words, fixed = rounded_sum([flow.words.sum(), flow.fixed])
    return words, words - round(amount, 2), fixed


def rounded_sum(parts, places=2):
    """Round numbers so that they add up to their rounded sum, as they are printed.

    Those that are furthest from the next step are moved by one step, as seats are
    given out by the largest remainder.

    Args:
        parts: numbers.
        places: how many digits stand behind the point.

    Returns:
        An array of the rounded numbers.
    """
    steps = np.asarray(parts, float) * 10**places
    rounded = np.round(steps)
    missing = int(round(float(np.round(steps.sum()) - rounded.sum())))
    if missing:
        off = (steps - rounded) * np.sign(missing)
        rounded[np.argsort(-off, kind="stable")[: abs(missing)]] += np.sign(missing)
    return np.round(rounded / 10**places, places) + 0.0


def places_that_agree(combine, *numbers, places=2, most=6):
    """How many digits printed numbers need, so that a pencil gets the printed result.

    Args:
        combine: from the numbers to their result.
        numbers: as they are.
        places: how many digits the result is printed with, and the numbers at least.
        most: the most digits that are tried.
    """
    result = np.round(combine(*numbers), places)
    for digits in range(places, most):
        printed = (np.round(number, digits) for number in numbers)
        if np.allclose(np.round(combine(*printed), places), result):
            return digits
    return most


def places_that_add_up(*parts, places=2):
    """How many digits parts and sum need, so that they add up exactly as printed.

    Args:
        parts: numbers.
        places: the fewest digits behind the point.
    """
    def printed(digits):
        return sum(round(float(part), digits) for part in parts)

    return next(
        digits for digits in count(places)
        if f"{printed(digits):.{digits}f}" == f"{sum(parts):.{digits}f}"
    )


def numbered(tokens):
    """Labels that stay apart when a word repeats: `1 the`, `2 cat`, `3 the`.

    The number is the position of the token: `<start>`, if it is there, has position 0.
    """
    first = 0 if list(tokens[:1]) == ["<start>"] else 1
    return [f"{position} {token}" for position, token in enumerate(tokens, first)]


def in_a_row(parts, last="and"):
    """`a`, `a and b`, `a, b and c`; `a, b or c` if that is the last joint."""
    parts = list(parts)
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def listed(words):
    """Words in a sentence: `mat`, `floor` and `sofa`, as code."""
    return in_a_row(plain(word) for word in words)


def plain(text):
    """A typed text as code in Markdown: nothing in it can act, and it stays short."""
    shown = "".join(c if c.isprintable() else "�" for c in str(text))
    shown = shown.replace("`", "'").strip()
    if len(shown) > MOST_SHOWN:
        shown = "…" + shown[-MOST_SHOWN:]
    return f"`{shown or ' '}`"


def escaped(word):
    """A word of the vocabulary inside Markdown, where some characters would act."""
    return "".join(c if c.isalnum() or c in "' " else "\\" + c for c in word)


def strongest_links(weights, tokens, count=3):
    """The strongest links of causal attention, in words.

    Args:
        weights: (num_tokens, num_tokens), row by row what each token looks at.
        tokens: the words.
        count: how many links.

    Returns:
        As "'sat' gives 61% to 'cat'; later words are hidden."
    """
    weights = np.asarray(weights, float).copy()
    if len(weights):
        weights[0, 0] = 0.0  # the first token has no other choice, so it says nothing
    order = np.argsort(-weights, axis=None, kind="stable")[:count]
    rows, columns = np.unravel_index(order, weights.shape)
    links = [
        f"'{tokens[row]}' gives {percent(weights[row, column])} to "
        + ("itself" if row == column else f"'{tokens[column]}'")
        for row, column in zip(rows, columns, strict=True)
    ]
    return f"{', '.join(links)}; later words are hidden."


def head_name(layer, head):
    """A head for readers, who count from 1: `head 4 of layer 3`."""
    return f"head {head + 1} of layer {layer + 1}"


CLEAR_FALL = 0.05  # a skill that loses less accuracy than this is called unharmed
# What guessing between the possible answers gets, where there are always two.
CHANCE = {"agreement": 0.5}


def falls_of(skills, whole, without):
    """Which skills fall clearly when a part is removed, in words.

    Args:
        skills: names, (num_skills,).
        whole, without: (num_skills,) accuracies.
    """
    falls = [
        f"*{skill}* falls from {percent(before)} to {percent(after)}"
        + (f" (guessing gets {percent(CHANCE[skill])})" if skill in CHANCE else "")
        for skill, before, after in zip(skills, whole, without, strict=True)
        if before - after > CLEAR_FALL
    ]
    return ", ".join(falls) or "no skill falls clearly"


def verdict_in_words(verdict):
    """What the world says of a story, in a few words.

    Args:
        verdict: an `llm.studies.sampling.Verdict`.
    """
    if verdict.possible:
        return "possible"
    if verdict.impossible is None:
        return "possible so far, but not ended"
    return (
        f"impossible from '{verdict.tokens[verdict.impossible]}' on "
        f"(word {verdict.impossible + 1})"
    )
