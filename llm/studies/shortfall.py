"""Shortfall: what still separates a model from the exact truth, and where.

The loss above the floor is the mean divergence of the model from the truth
(Kullback and Leibler 1951). At each place it falls into two parts that add up
to it exactly: what is given to words that cannot come there, and what is
wrong among those that can.
"""

from collections import Counter

import numpy as np

from llm.studies.exam import losses
from llm.world import SKILLS


def shortfall(exam, log_q):
    """The loss above the floor, by the skill that a story tests, in two parts.

    If words that cannot come get the probability r together, the others are
    right only up to the factor 1 - r, which costs -log(1 - r).

    Args:
        exam: an `llm.studies.exam.Exam`, each story of which tests a skill.
        log_q: (filled.sum(), vocab_size), the model's log probabilities.

    Returns:
        A dictionary from skill to (for words that cannot come, among words
        that can), in nats per token of the whole exam. All of them together
        are the loss above the floor. Skills without a story are left out.
    """
    log_q = log_q.astype(float)  # what is left of it is small
    loss, floor = losses(exam, log_q)
    impossible = -np.log(np.where(exam.truth > 0, np.exp(log_q), 0.0).sum(-1))
    parts = np.stack([impossible, loss - floor - impossible], axis=-1)
    tested = np.repeat(
        [story.skill for story in exam.stories], exam.filled.sum(axis=1)
    )
    parts /= len(parts)
    return {
        skill: tuple(parts[tested == skill].sum(axis=0).tolist())
        for skill in SKILLS
        if skill in tested
    }


def said_again(exam, log_q, tokenizer):
    """Of the probability for words that cannot come, the share of those that
    the story has said before.

    Args:
        exam, log_q: as in `shortfall`.
        tokenizer: a `Tokenizer`.

    Returns:
        A share, from 0 to 1. Full stops and other marks are words here, and so
        is `<start>`.
    """
    wrong = np.where(exam.truth > 0, 0.0, np.exp(log_q.astype(float)))
    row, again = 0, 0.0
    for story in exam.stories:
        said = tokenizer.ids_of(story.tokens)
        for end in range(1, len(said)):
            again += wrong[row, sorted(set(said[:end]))].sum()
            row += 1
    return float(again / wrong.sum())


def share_of_places(exam):
    """Which share of the places of an exam lies in stories of each skill.

    Args:
        exam: as in `shortfall`.

    Returns:
        A dictionary from skill to share; the shares add up to 1.
    """
    num_places = Counter()
    for story in exam.stories:
        num_places[story.skill] += len(story.tokens) - 1
    total = num_places.total()
    return {skill: count / total for skill, count in num_places.items()}


def shortfall_record(exam, log_q, tokenizer):
    """What `assets/shortfall.json` holds of one step of a training."""
    places = share_of_places(exam)
    return {
        "skills": {
            skill: {
                "places": places[skill],
                "impossible": impossible,
                "possible": possible,
            }
            for skill, (impossible, possible) in shortfall(exam, log_q).items()
        },
        "said_again": said_again(exam, log_q, tokenizer),
    }
