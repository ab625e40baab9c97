"""Sampling: how far chance may go, and what temperature does to truth.

The toy world knows of every text whether it could have written it, so the
judge here is exact.
"""

import sys
from dataclasses import dataclass
from math import erf, exp, lgamma, log, sqrt

import numpy as np

from llm.glassbox.sampling import draw
from llm.models.tiny_llm import END
from llm.world import World, held_out_pairs

DEVIATIONS = 2  # how many standard deviations a count may lie off
# How many counts lie so near to what is expected: of a normal distribution.
WITHIN_DEVIATIONS = erf(DEVIATIONS / sqrt(2))
ENOUGH = 10  # hits and misses expected, before that distribution is normal
TEMPERATURES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
NUM_STORIES = 400


def random_numbers(seed, count):
    """The first random numbers of a seed, each in [0, 1), (count,).

    A larger count begins with the same numbers.
    """
    return np.random.default_rng(seed).random(count)


def counts(probabilities, numbers):
    """How often each token was drawn.

    Returns:
        (vocab_size,), whole numbers that add up to the number of draws.
    """
    drawn = draw(probabilities, numbers)
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


def is_enough(probability, num_draws):
    """Whether there are enough draws for `allowed` to hold for a count."""
    expected = num_draws * probability
    return min(expected, num_draws - expected) >= ENOUGH


def chance_of_exactly(count, probability, num_draws):
    """How likely a word is drawn exactly so often: the binomial distribution.

    Args:
        count: how often, from 0 to num_draws.
        probability: of the word, above 0 and below 1.
        num_draws: how many draws there are.
    """
    missed = num_draws - count
    ways = lgamma(num_draws + 1) - lgamma(count + 1) - lgamma(missed + 1)
    return exp(ways + count * log(probability) + missed * log(1 - probability))


@dataclass(frozen=True)
class Verdict:
    """What the world says of a text.

    Attributes:
        tokens: the words, `<end>` included if it was written.
        impossible: the index of the first word that the world would not have
            said; None if there is none.
    """

    tokens: tuple
    impossible: int | None

    @property
    def possible(self):
        """Whether the world could have written this story, from start to end.
        """
        return self.impossible is None and self.tokens[-1:] == (END,)


def judge(world, tokens):
    """Hold a text against the rules of the world, word by word."""
    return Verdict(tuple(tokens), world.first_impossible(tokens))


def write_story(llm, start, seed, **settings):
    """Write a story on to its end.

    Args:
        llm: a `TinyLLM`.
        start: its first words.
        settings: by name, what `TinyLLM.steps` takes.

    Returns:
        All its words, those of the start too.
    """
    # Longer than the longest story, so one that has not ended by then is none.
    room = llm.config.context_length - len(start)
    return [*start, *llm.generate(start, max(room, 1), seed=seed, **settings)]


def at_one_temperature(llm, temperature, count):
    """Write stories from nothing at one temperature, and judge them.

    Returns:
        A dictionary: the shares of `possible` stories, of those that only the
        `held_out` pairs of words make impossible, and of stories that are
        `different` from all earlier ones; and their mean length in `tokens`.
    """
    world, full_world = World(held_out_pairs()), World()
    stories = [
        write_story(llm, [], seed, temperature=temperature)
        for seed in range(count)
    ]
    verdicts = [judge(world, story) for story in stories]
    in_full = [judge(full_world, story).possible for story in stories]
    possible = sum(verdict.possible for verdict in verdicts)
    return {
        "temperature": temperature,
        "possible": possible / count,
        "held_out": (sum(in_full) - possible) / count,
        "different": len(set(map(tuple, stories))) / count,
        "tokens": sum(map(len, stories)) / count,
    }


def sweep(llm, temperatures=TEMPERATURES, count=NUM_STORIES):
    """The record that the sampling lesson draws, as a dictionary."""
    rows = []
    for temperature in temperatures:
        rows.append(at_one_temperature(llm, temperature, count))
        print(
            f"temperature {temperature:g}: "
            f"{rows[-1]['possible']:.1%} possible",
            file=sys.stderr,
        )
    return {"stories": count, "temperatures": rows}
