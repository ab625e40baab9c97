"""What a training reads: the same stories each time, and on average the world."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from llm.world import Story, World, held_out_pairs
from llm.world.reading import (
    SEED,
    StoriesRead,
    drawn_shares,
    stories_of,
    weighted_stories,
)
from llm.world.stories import SHARES


def test_a_training_counts_its_stories_and_knows_those_of_the_exam():
    world = World(held_out_pairs())
    first = world.sample(np.random.default_rng(SEED), 3)
    read = StoriesRead([*first[:1], Story(("<start>", "never"))])
    stories = list(islice(weighted_stories(read=read), 3))
    assert stories == [(story, 1.0) for story in first]
    assert list(read.seen.values()) == [True, False]
    assert read.count == 3


def test_the_stories_of_a_training_can_be_told_again():
    schedule = {"num_strata": 10, "thrice": ["order"]}
    told = list(stories_of({"stories": 5, "schedule": schedule}))
    assert told == list(islice(weighted_stories(**schedule), 5))
    assert told != list(islice(weighted_stories(), 5))


def test_some_skills_are_drawn_three_times_as_often_and_all_shares_add_up():
    assert drawn_shares() == SHARES
    shares = drawn_shares(("order", "category"))
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["order"] == 3 * SHARES["order"]
    others = [shares[skill] / SHARES[skill] for skill in SHARES
              if skill not in ("order", "category")]
    assert others == pytest.approx([others[0]] * len(others))


def test_what_is_drawn_more_often_counts_less_so_the_world_stays_as_it_is():
    world, first = World(held_out_pairs()), Counter()
    for story, weight in islice(weighted_stories(100, ("frequency",)), 20_000):
        first[story.tokens[1]] += weight
    truth = world.next_word_probabilities(())
    assert set(first) == set(truth)
    assert first.total() == pytest.approx(20_000, rel=0.01)
    for word, probability in truth.items():
        assert first[word] / first.total() == pytest.approx(probability, abs=0.01)
