"""What the figures of the lesson on the block mean, in sentences."""

from typing import NamedTuple

import numpy as np

from llm.studies.stream import ATTENTION, FEED_FORWARD
from pages.block.charts import OTHER_PARTS
from pages.ui.words import in_a_row, percent, plain

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


class Without(NamedTuple):
    """What the model says at the end of a text, whole and with layers cut out.

    Attributes:
        text: the text.
        word: what the whole model finds likeliest.
        whole, left: its probability in the whole model and without the layers.
        other, leads: the likeliest word without the layers, and its probability.
    """

    text: str
    word: str
    whole: float
    left: float
    other: str
    leads: float


def without_in_words(tried):
    """What is left of some answers without the feed-forward layers.

    Args:
        tried: `Without`s.
    """
    kept = [one for one in tried if one.other == one.word]
    lost = [one for one in tried if one.other != one.word]
    told = []
    if kept:
        told.append("the trained model still says " + in_a_row(
            f"{plain(one.word)} after `{one.text}` ({percent(one.left)})"
            for one in kept))
    if lost:
        told.append("; ".join(
            f"after `{one.text}`, {plain(one.word)} falls from {percent(one.whole)} to "
            f"{percent(one.left)}, and {plain(one.other)} leads" for one in lost))
    return f"Without its feed-forward layers, {'; but '.join(told)}."


def sizes_in_words(way):
    """How the stream of a word grows, and why the sizes do not add up.

    Args:
        way: a DataFrame from `pages.block.charts.way_table`.
    """
    adding = way.dropna(subset="adds")
    most = adding.loc[adding["adds"].idxmax(), "part"]
    whole = adding["adds"].sum()
    said = (
        f"Nothing is overwritten. The stream begins with a size (norm) of "
        f"{way['stream'].iloc[1]:.1f} and ends with {way['stream'].iloc[-1]:.1f}; here "
        f"{part_in_words(most)} adds most. "
    )
    return said + (
        f"All that is added has sizes of {whole:.1f} together: vectors partly cancel."
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
    """What trainings without a part reached, beside those of the full model.

    Args:
        full: the excess at the end of each training of the full model.
        twins: a dictionary from what is missing to the same.
    """
    ends = "; ".join(f"{name}, {ranged(part)}" for name, part in twins.items())
    told = [f"The full model ends {ranged(full)} above the floor; {ends}."]
    if min(len(full), *map(len, twins.values())) < 2:
        return told[0] + (
            " That is one training each, and one training proves nothing: from other "
            "random numbers it can end elsewhere."
        )
    worse = [name for name, part in twins.items() if min(part) > max(full)]
    better = [name for name, part in twins.items() if max(part) < min(full)]
    alike = [name for name in twins if name not in (*worse, *better)]
    for names, verdict in (
        (worse, "every training ends worse than every one of the full model"),
        (better, "every training ends better than every one of the full model"),
        (alike, "there is no difference beyond chance"),
    ):
        if names:
            joined = " and ".join(names)
            told.append(f"{joined[0].upper()}{joined[1:]}: {verdict}.")
    return " ".join(told)


def ranged(values):
    """`0.015 to 0.030`, or one figure where there is one."""
    low, high = f"{min(values):.3f}", f"{max(values):.3f}"
    return low if low == high else f"{low} to {high}"


def norm_places_in_words(before, after, digits):
    """How the stream grows with LayerNorm before each part, and after it.

    Args:
        before, after, digits: mean sizes behind each addition, of the tiny LLM, its
            twin and the digit model.
    """
    return (
        "The tiny LLM and its twin read your sentence, the digit model a row of "
        f"digits. Before: from {before[0]:.1f} to {before[-1]:.1f}. After: the twin "
        f"stays between {min(after[1:]):.1f} and {max(after[1:]):.1f}, the digit model "
        f"between {min(digits[1:]):.1f} and {max(digits[1:]):.1f}."
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
