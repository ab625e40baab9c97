"""Many draws at once: how often each word comes, and how far chance may go."""

from math import sqrt

import numpy as np

DEVIATIONS = 2  # about 95 of 100 counts lie within two standard deviations


def draw_many(probabilities, numbers):
    """The token on which each number falls; as `sampling.draw`, many at once.

    Args:
        probabilities: (vocab_size,), sums to one.
        numbers: (num_draws,), each in [0, 1).

    Returns:
        (num_draws,), numbers of tokens.
    """
    borders = probabilities.cumsum()
    return borders.searchsorted(numbers * borders[-1], side="right")


def counts(probabilities, numbers):
    """How often each token was drawn.

    Returns:
        (vocab_size,), whole numbers that add up to the number of draws.
    """
    drawn = draw_many(probabilities, numbers)
    return np.bincount(drawn, minlength=len(probabilities))


def deviation(probability, num_draws):
    """The standard deviation of a count: how far chance moves it, most often.

    Each draw either hits the word or not, so the count follows the binomial
    distribution.
    """
    return sqrt(num_draws * probability * (1 - probability))


def allowed(probability, num_draws):
    """The lowest and the highest share that two deviations allow."""
    reach = DEVIATIONS * deviation(probability, num_draws) / num_draws
    return max(probability - reach, 0.0), min(probability + reach, 1.0)
