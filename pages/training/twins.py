"""What each twin lacks, what that part is for, and what its trainings showed."""

from typing import NamedTuple

import numpy as np

from llm.studies.arrivals import spread
from pages.training.measures import scores_unseen
from pages.ui.compared import ONCE, by_chance
from pages.ui.models import trainings
from pages.ui.words import in_a_row, percent

PEEKING = "no causal mask"


class Removed(NamedTuple):
    """One twin, in words.

    Attributes:
        what: what is other than in the full model.
        purpose: what the part is for, as the field explains it; it is no finding of
            these trainings.
    """

    what: str
    purpose: str


WORDS = {
    "no positions": Removed(
        "no word gets a position",
        "Positions let a query ask for a neighbour, which makes look-up easier. The "
        "causal mask still tells a word how many stand before it.",
    ),
    "sinusoidal positions": Removed(
        "the positions are fixed waves instead of learned rows",
        "Both tell positions apart, and our learned rows begin as small waves.",
    ),
    PEEKING: Removed(
        "every word may look at the words after it",
        "The mask hides the answer while the model learns.",
    ),
    "no scaling": Removed(
        "scores are not divided by √d, the square root of the head's width",
        "Undivided scores can be large. Softmax then puts nearly everything on one "
        "word, and hardly any gradient comes through.",
    ),
    "no residual": Removed(
        "each part replaces what came in, instead of adding to it",
        "Residual connections hand on what is there already, and let the gradient pass "
        "by every part.",
    ),
    "no LayerNorm": Removed(
        "nothing brings the vectors back to one size",
        "With vectors of one size, one learning rate fits all layers. It matters more "
        "in deep networks than in one of three layers.",
    ),
    "post-LayerNorm": Removed(
        "LayerNorm comes after each addition, as in 2017, not before each part",
        "With LayerNorm before each part, gradients reach the lower layers more "
        "directly, and deep networks train more stably.",
    ),
    "one head": Removed(
        "one wide head in each layer instead of four narrow ones",
        "Several heads let a word divide its attention in several ways at once.",
    ),
    "one layer": Removed(
        "the network has one block instead of three",
        "Look-up takes two steps: first each word notes who stands before it, then the "
        "question finds that note. One block can do only one of them.",
    ),
}


def ends(name, figure="excess"):
    """What each training of a twin reached at its end, a tuple.

    Args:
        name: a twin, or "full".
        figure: "excess", or a skill, for its accuracy.
    """
    return spread({"draws": trainings("full")}, {"draws": trainings(name)}, figure).twin


def found_in_words(name, full, twin, skills):
    """What the trainings of a twin showed, in sentences that follow from the figures.

    Args:
        name: the twin.
        full, twin: lists of trainings, as from `trainings`.
        skills: the names of the skills that have an accuracy.
    """
    title = shown(name)
    said = f"**{title[0].upper() + title[1:]}**: {WORDS[name].what}. "
    both = {"draws": full}, {"draws": twin}
    excess = spread(*both)
    said += (
        f"It ends {ranged(excess.twin)} nats per token above the floor; the full model "
        f"ends {ranged(excess.full)} above it. "
    )
    if not excess.several:
        said += f"{ONCE} "
    elif excess.side:
        said += (
            f"Each of its {len(twin)} trainings ends {excess.side} each of the "
            f"{len(full)} of the full model. "
        )
    else:
        said += (
            "These ranges overlap: no difference beyond chance, though "
            f"{len(twin)} trainings could miss a small one. "
        )
    apart = [
        f"{skill} ({ranged(found.twin, percent)} instead of "
        f"{ranged(found.full, percent)})"
        for skill in skills if (found := spread(*both, skill)).side
    ]
    if apart:
        said += f"All its trainings differ in the same direction in {in_a_row(apart)}. "
    if apart or excess.side:
        said += f"{by_chance(len(full), len(twin), 1 + len(skills))} "
    return (
        f"{said}\n\nWhat the part is for, as the field explains it (our trainings do "
        f"not test this): {WORDS[name].purpose}"
    )


def shown(name):
    """What a twin is called on the page; the lesson on blocks calls it so too."""
    return {"one layer": "one block"}.get(name, name)


def ranged(values, write="{:.3f}".format):
    """`0.015 to 0.030`, or one figure where both are alike."""
    low, high = write(min(values)), write(max(values))
    return low if low == high else f"{low} to {high}"


def peeking_in_words(training_loss, unseen, last, vocab_size):
    """The twin that could look at the answers, in sentences from its figures.

    Args:
        training_loss: its loss at the end of its training.
        unseen: its scores when it is given only the words before.
        last: the full model's last scores, on fresh stories.
        vocab_size: how many words it could guess among.
    """
    return (
        f"**No causal mask**: {WORDS[PEEKING].what}. In training its loss ended at "
        f"{training_loss:.4f} nats per token. That looks splendid and is worthless: "
        f"without seeing the answer, nobody gets below {last['floor']:.3f} on the "
        "stories of the exam. The next word stood in front of it, so it learned to "
        "copy. When it writes, there is no next word to look at. Given only the words "
        f"before, its loss is **{unseen['loss']:.2f}**; the full model's is "
        f"{last['loss']:.3f}, and giving all {vocab_size} words the same probability "
        f"would get ln {vocab_size} = {np.log(vocab_size):.2f}."
    )


def table_row(name, skills):
    """One twin as a row of the table that compares all."""
    if name == PEEKING:
        unseen = scores_unseen(name)
        reached = {skill: percent(unseen["skills"][skill]["accuracy"])
                   for skill in skills if skill in unseen["skills"]}
        excess = f"{unseen['excess']:.3f}"
        return {"network": shown(name), "above the floor": excess, **reached}
    return {
        "network": shown(name), "above the floor": ranged(ends(name)),
        **{skill: ranged(ends(name, skill), percent) for skill in skills},
    }
