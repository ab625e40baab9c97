"""Sampling: from logits to one token.

Every function takes logits or probabilities of shape (vocab_size,). In order:
temperature, softmax over the whole vocabulary, top-k, top-p on what is left,
draw. Top-p is from Holtzman et al. 2020, "The Curious Case of Neural Text
Degeneration".
"""

import math
from dataclasses import dataclass

import numpy as np

from llm.glassbox.softmax import softmax_with_temperature


class UnsoundSetting(ValueError):
    """A setting that has no meaning, such as a temperature below zero."""


def greedy(logits):
    """Always take the likeliest token: all probability goes to it.

    Returns:
        (vocab_size,), one 1 and otherwise 0.
    """
    probabilities = np.zeros(len(logits))
    probabilities[np.argmax(logits)] = 1.0
    return probabilities


def with_temperature(logits, temperature):
    """Softmax at a temperature; at 0 the likeliest token takes all.

    Returns:
        (vocab_size,), sums to one.
    """
    if temperature == 0:
        return greedy(logits)
    return softmax_with_temperature(logits, temperature)


def top_k(probabilities, k):
    """Keep the k likeliest tokens.

    Returns:
        (vocab_size,), sums to one, at most k of it above 0.
    """
    # Of two equal tokens the one that comes first in the vocabulary is kept.
    likeliest_first = np.argsort(-probabilities, kind="stable")
    return keep(probabilities, likeliest_first[:k])


def top_p(probabilities, p):
    """Keep the likeliest tokens until together they reach p.

    Returns:
        (vocab_size,), sums to one, at least one token above 0. At p = 1
        nothing is cut.
    """
    if p == 1:
        return probabilities
    likeliest_first = np.argsort(-probabilities, kind="stable")
    reached = np.cumsum(probabilities[likeliest_first])
    # The token that reaches p is kept too. Rounding must not add a token, so
    # a hair below p counts as p.
    count = np.searchsorted(reached, p - 1e-9) + 1
    return keep(probabilities, likeliest_first[:count])


def keep(probabilities, places):
    """Set all other tokens to zero, and share out their part."""
    kept = np.zeros_like(probabilities)
    kept[places] = probabilities[places]
    return kept / kept.sum()


def cut(probabilities, k=None, p=None):
    """Top-k first, then top-p on what is left; None cuts nothing."""
    if k is not None:
        probabilities = top_k(probabilities, k)
    if p is not None:
        probabilities = top_p(probabilities, p)
    return probabilities


def draw(probabilities, u):
    """The token on which the number u falls.

    The probabilities lie side by side on a line from 0 to 1, in the order of
    the vocabulary; u is a place on that line.

    Args:
        u: uniform in [0, 1); an array draws once for each of its numbers.

    Returns:
        The number of a token whose probability is above 0; (num_draws,) of
        them for an array.
    """
    borders = probabilities.cumsum()
    # Rounding may leave the last border a hair beside 1. The line ends there,
    # so u is stretched to it.
    return borders.searchsorted(u * borders[-1], side="right")


@dataclass(frozen=True)
class Sampling:
    """How a token is chosen; refuses settings that have no meaning.

    Attributes:
        temperature: 0 gives all to the likeliest token.
        top_k: keep so many of the likeliest tokens; None keeps all.
        top_p: keep the likeliest tokens that together reach this; None keeps
            all.

    Raises:
        UnsoundSetting: with one sentence that says the value and the rule.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None

    def __post_init__(self):
        if not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise UnsoundSetting(
                "The temperature must be a number from 0 upwards, "
                f"not {self.temperature}."
            )
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise UnsoundSetting(
                f"Top-p must be above 0 and at most 1, not {self.top_p}."
            )

    def check(self, vocab_size):
        """Refuse a top-k that does not fit a vocabulary of this size."""
        if self.top_k is not None and not 1 <= self.top_k <= vocab_size:
            raise UnsoundSetting(
                f"Top-k must be from 1 to {vocab_size}, the number of "
                f"different tokens, not {self.top_k}."
            )

    def before_cut(self, logits):
        """Probabilities at this temperature, (vocab_size,)."""
        return with_temperature(logits, self.temperature)

    def after_cut(self, probabilities):
        """What top-k and top-p leave of them, (vocab_size,)."""
        return cut(probabilities, self.top_k, self.top_p)
