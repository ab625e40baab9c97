"""What the figures of the lesson on the block mean, in sentences."""

import numpy as np

from llm.studies.stream import ATTENTION, FEED_FORWARD
from pages.block.charts import OTHER_PARTS
from pages.ui.compared import ends_compared
from pages.ui.words import CHANCE, CLEAR_FALL, in_a_row, percent, plain

# What stands behind each part, for the student who picks it as the largest.
KNOWN_FOR = {
    ATTENTION: "Attention is the famous part, but its matrices are narrow.",
    FEED_FORWARD: "Its inner layer is much wider than the vectors.",
    "LayerNorm": "LayerNorm learns only two numbers for each number of a vector.",
    OTHER_PARTS: "These tables grow with the vocabulary, which is small here.",
}


def guess_replies(shares):
    """The options of the guess with their replies, and the right one.

    Args:
        shares: from `pages.block.charts.shares_of`.
    """
    most = max(shares, key=shares.get)
    others = in_a_row(f"{name} {percent(share)}" for name, share in shares.items()
                      if name != most)
    counted = f"Most sit in {most}, {percent(shares[most])} of all ({others})."
    return {name: f"{KNOWN_FOR[name]} {counted}" for name in shares}, most


def unit_name(unit, words):
    """An inner unit, named for the words at which it fires most: `57: kite, hat`.

    Args:
        unit: its number from 0.
        words: those words, the strongest first.
    """
    return f"{unit + 1}: {', '.join(words[:3])}" if words else f"{unit + 1}"


# Skills whose answer stands earlier in the story, so that it need only be moved.
MOVED = ("binding", "repetition")


def without_in_words(whole, without, num_stories):
    """What is left of every skill without the feed-forward layers.

    Args:
        whole, without: dictionaries from skill to accuracy.
        num_stories: on how many stories that was measured.
    """
    least = percent(min(whole.values()))
    if not least.startswith(("over", "100")):
        least = f"at least {least}"
    left = in_a_row(
        f"*{skill}* {percent(without[skill])}"
        + (f" (guessing gets {percent(CHANCE[skill])})" if skill in CHANCE else "")
        for skill in sorted(without, key=without.get)
    )
    said = (
        f"Over {num_stories:,} fresh stories the tiny LLM is right in {least} of the "
        f"cases of every skill. With all its feed-forward layers cut out: {left}. "
    )
    falls = {skill: whole[skill] - without[skill] for skill in whole}
    names = in_a_row(f"*{skill}*" for skill in MOVED)
    if all(falls[skill] > CLEAR_FALL for skill in MOVED):
        return said + (
            f"For {names} a word need only be moved, yet both fall: in this trained "
            "model moving needs these layers, too."
        )
    if not any(falls[skill] > CLEAR_FALL for skill in MOVED):
        return said + (
            f"For {names} a word need only be moved, and neither falls clearly."
        )
    return said + (
        f"For {names} a word need only be moved, and one of them falls clearly: in "
        "this trained model moving can need these layers, too."
    )


def sizes_in_words(way):
    """How the stream of a word grows, and why the sizes do not add up to its own.

    Args:
        way: a DataFrame from `pages.block.charts.way_table`.
    """
    adding = way.dropna(subset="adds")
    most = adding.loc[adding["adds"].idxmax(), "part"]
    # The sum of the sizes as the picture prints them.
    whole = adding["adds"].round(1).sum()
    return (
        f"Nothing is overwritten. The stream begins with a size (norm) of "
        f"{way['stream'].iloc[1]:.1f} and ends with {way['stream'].iloc[-1]:.1f}; here "
        f"{part_in_words(most)} adds most. The sizes of all that is added come to "
        f"{whole:.1f}: vectors partly cancel."
    )


def part_in_words(name):
    """`1: attention` as `the attention of block 1`."""
    if ": " not in name:
        return f"the {name}"
    block, part = name.split(": ")
    return f"the {part} of block {block}" if part == ATTENTION else (
        f"the {part} layer of block {block}")


def settled_in_words(way):
    """From which part on the likeliest next word stays the same.

    Args:
        way: a DataFrame from `pages.block.charts.way_table`.
    """
    words = way["word"].to_numpy()
    first = next(at for at in range(len(words)) if (words[at:] == words[-1]).all())
    if first == 0:
        return f"From the embedding on, the prediction is {plain(words[-1])}."
    return (
        f"From {part_in_words(way['part'][first])} on, the prediction is "
        f"{plain(words[-1])}. What follows only changes how sure it is."
    )


def trainings_in_words(full, twins):
    """What trainings of other networks reached, beside those of the full model.

    Args:
        full: the excess at the end of each training of the full model.
        twins: a dictionary from what is different to the same: "no LayerNorm".
    """
    ends = "; ".join(f"with {name}, {ranged(part)}" for name, part in twins.items())
    named = {f"with {name}": part for name, part in twins.items()}
    verdict = ends_compared(full, named, "the full model's")
    return f"The full model ends {ranged(full)} above the floor; {ends}. {verdict}"


def ranged(values):
    """`0.015 to 0.030`, or one figure where there is one."""
    low, high = f"{min(values):.3f}", f"{max(values):.3f}"
    return low if low == high else f"{low} to {high}"


def norm_places_in_words(before, after, digits):
    """How the stream grows with LayerNorm before each part, and after it.

    Args:
        before, after, digits: mean sizes at the start and behind each addition, of
            the twin with LayerNorm before, that with LayerNorm after, and the digit
            model.
    """
    return (
        "The twins read your sentence, the digit model a row of digits; each figure is "
        "the mean over all words, `<start>` among them, or over all digits. Before: "
        f"the stream begins at {before[0]:.1f} and ends at {before[-1]:.1f}. After: "
        f"that of its twin begins at {after[0]:.1f} and then stays "
        f"between {min(after[1:]):.1f} and {max(after[1:]):.1f}; the digit model "
        f"begins at {digits[0]:.1f} and then stays between {min(digits[1:]):.1f} and "
        f"{max(digits[1:]):.1f}."
    )


def norm_factor_in_words(vector, result, plainly, epsilon):
    """What LayerNorm leaves of a factor.

    Args:
        vector: (embed_dim,), what comes in.
        result: (embed_dim,), what goes out.
        plainly: (embed_dim,), what goes out at factor 1.
        epsilon: what is added to the variance.
    """
    return (
        f"The size (norm) of this vector is {np.linalg.norm(vector):.2f}, that of "
        f"what comes out {np.linalg.norm(result):.2f}. No number in it differs by more "
        f"than {np.abs(result - plainly).max():.3f} from what comes out at factor 1. "
        f"What is left of a difference comes from the {epsilon}, which is there so "
        "that nothing is ever divided by zero."
    )
