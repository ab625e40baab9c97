"""What the figures of the lesson on first and last mean, in sentences."""

from itertools import combinations

from pages.ui.words import in_a_row, percent

NOTABLE = 0.05  # of the rows; smaller differences of means are not worth a sentence
HALF, HARDLY, MOST = "About half of it", "Hardly anything", "Most of it"


def learned_share(right, always):
    """What a network has learned, as a share of what could be learned.

    Args:
        right: its accuracy.
        always: the accuracy of always answering yes.
    """
    return (right - always) / (1 - always)


def how_much(right, always):
    """Which option of the guess is right."""
    share = learned_share(right, always)
    return HARDLY if share < 0.2 else HALF if share < 0.75 else MOST


def replies(right, always):
    """What each option of the guess is answered with."""
    told = (
        f"{percent(always)} of these rows have the answer yes. A network that always "
        f"says yes, without reading a digit, is right on {always:.4f} of them; this "
        f"one on {right:.4f}. An accuracy means nothing until you know this "
        "**baseline**."
    )
    return dict.fromkeys((HALF, HARDLY, MOST), told)


def answer_in_words(same, digits, whose):
    """What a model answers to a row, and whether that is right.

    Args:
        same: its probability that first and last are the same.
        digits: the row.
        whose: which model answers.
    """
    says = "yes" if same > 0.5 else "no"
    right = (says == "yes") == (digits[0] == digits[-1])
    return (
        f"**{says.capitalize()}**, says {whose}: the same with a probability of "
        f"{percent(same)}. That is {'right' if right else 'wrong'}."
    )


def ends_in_words(attention):
    """How much of its attention each head gives to the two ends.

    Args:
        attention: (num_heads, length, length)
    """
    ends = attention[:, :, [0, -1]].sum(axis=-1).mean(axis=-1)
    gives = [f"head {number} {percent(share)}" for number, share in enumerate(ends, 1)]
    gives[0] = f"head 1 gives {percent(ends[0])} of its attention to the two ends"
    return (
        f"Averaged over all positions, {in_a_row(gives)}. Every position counts: "
        "at the end, all of them are averaged."
    )


def not_always_easier(runs):
    """Which networks did better on longer rows; nothing if none did.

    Args:
        runs: the final accuracies of all trainings, by network and length.
    """
    told = []
    for name, by_length in runs.items():
        means = {length: sum(all_) / len(all_) for length, all_ in by_length.items()}
        pairs = [(short, long) for short, long in combinations(sorted(means), 2)
                 if means[long] - means[short] > NOTABLE]
        if pairs:
            short, long = max(pairs, key=lambda pair: means[pair[1]] - means[pair[0]])
            told.append(
                f"the {name} ended, on average, at {percent(means[short])} on rows of "
                f"{short} digits and at {percent(means[long])} on rows of {long}"
            )
    if not told:
        return ""
    count = max(len(all_) for by_length in runs.values() for all_ in by_length.values())
    return (
        f"A shorter row was not always easier here: {in_a_row(told)}. With {count} "
        "trainings of each, chance may decide. And the figures say how well a network "
        "learned the task, not only how far it can carry a digit."
    )
