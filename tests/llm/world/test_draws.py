"""Draws in strata: less is left to chance, and every story stays as likely as it is."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from llm.world import World, held_out_pairs
from llm.world.draws import StratifiedDraws
from llm.world.grammar import choice, sequence
from llm.world.words import PLACES

COIN = {"heads": 0.5, "tails": 0.5}


def first_draws(draws, node, count):
    """The number that a node draws first in each of some stories."""
    for _ in range(count):
        draws.begin()
        yield draws.uniform(node)


def test_of_as_many_draws_as_there_are_strata_one_lies_in_each():
    draws = StratifiedDraws(np.random.default_rng(0), num_strata=10)
    for _ in range(3):
        numbers = np.array(list(first_draws(draws, "node", 10)))
        assert sorted((numbers * 10).astype(int)) == list(range(10))


def test_two_nodes_draw_from_decks_that_know_nothing_of_each_other():
    draws = StratifiedDraws(np.random.default_rng(0), num_strata=4)
    pairs = []
    for _ in range(4000):
        draws.begin()
        pairs.append((draws.uniform("one"), draws.uniform("other")))
    assert abs(np.corrcoef(np.array(pairs).T)[0, 1]) < 0.05


def test_a_second_draw_in_a_story_is_free():
    # With two strata, a deck would never give the same half twice.
    draws = StratifiedDraws(np.random.default_rng(0), num_strata=2)
    same = 0
    for _ in range(1000):
        draws.begin()
        first, second = draws.uniform("node"), draws.uniform("node")
        same += (first < 0.5) == (second < 0.5)
    assert same == pytest.approx(500, abs=60)


def test_every_story_stays_as_likely_as_it_is():
    coin = choice(*((weight, side) for side, weight in COIN.items()))
    other = choice((0.25, "left"), (0.75, "right"))
    world = World(grammar=sequence(coin, coin, other))
    count, rng = 8000, np.random.default_rng(0)
    found = Counter(s.tokens[1:] for s in islice(world.stories(rng, 4), count))
    assert len(found) == 8
    for tokens, times in found.items():
        expected = 0.25 * (0.25 if tokens[-1] == "left" else 0.75)
        assert times / count == pytest.approx(expected, abs=0.015)


def test_a_hundred_cats_sit_where_the_world_says():
    """So many sat on the mat: 41, and not about 41."""
    world, where = World(held_out_pairs()), []
    stories = world.stories(np.random.default_rng(0), 100)
    while len(where) < 100:
        tokens = next(stories).tokens
        for start in range(len(tokens) - 4):
            if tokens[start : start + 4] == ("cat", "sat", "on", "the"):
                where.append(tokens[start + 4])
    table = PLACES["cat", "sat on"]
    assert Counter(where) == {place: round(100 * p) for place, p in table.items()}


def test_the_stories_are_stories_of_the_world():
    world = World(held_out_pairs())
    for story in islice(world.stories(np.random.default_rng(0), 100), 200):
        assert world.allows(story.tokens)
