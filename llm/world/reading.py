"""What a training reads: fresh stories without end, the same for every
training that draws them alike.
"""

from itertools import islice

import numpy as np

from llm.world.stories import SHARES
from llm.world.words import held_out_pairs
from llm.world.world import World

SEED = 0


class StoriesRead:
    """How many stories were written for a training, and which of some others
    are among them.

    A few of the last ones wait for a row to be filled when the training ends.

    Args:
        others: stories to look out for.

    Attributes:
        count: how many.
        seen: a dictionary from the tokens of each of the others to whether it
            was written.
    """

    def __init__(self, others=()):
        self.count = 0
        self.seen = {story.tokens: False for story in others}

    def note(self, story):
        """Take note of a story."""
        self.count += 1
        if story.tokens in self.seen:
            self.seen[story.tokens] = True


def drawn_shares(thrice=()):
    """How often each skill is drawn if some are drawn three times as often.

    If each story then counts by its share in the world, divided by its share
    of those drawn, the loss stays what it is on average (importance sampling),
    and less of it is left to chance where more is drawn.

    Args:
        thrice: the skills that are drawn three times as often, together less
            than a third of the world. All others are drawn less often.

    Returns:
        A dictionary from each skill to its share of the drawn stories.
    """
    often = sum(SHARES[skill] for skill in thrice)
    others = (1 - 3 * often) / (1 - often)
    return {
        skill: share * (3 if skill in thrice else others)
        for skill, share in SHARES.items()
    }


def weighted_stories(num_strata=0, thrice=(), read=None):
    """Fresh stories, without end, the same each time they are drawn alike.

    Args:
        num_strata: as in `World.stories`.
        thrice: as in `drawn_shares`.
        read: a `StoriesRead` that takes note of each; None if nobody asks.

    Yields:
        A `Story`, and how much it counts.
    """
    read = read or StoriesRead()
    shares = drawn_shares(thrice)
    world = World(held_out_pairs(), shares=shares)
    # Stories in strata have a seed of their own, so that they are not those
    # that are drawn freely.
    rng = np.random.default_rng(SEED + bool(num_strata))
    for story in world.stories(rng, num_strata):
        read.note(story)
        yield story, SHARES[story.skill] / shares[story.skill]


def stories_of(training):
    """The stories that were written for a training, as `weighted_stories`
    gives them.

    Args:
        training: a record with its `schedule` and its number of `stories`.
    """
    schedule = training["schedule"]
    stories = weighted_stories(schedule["num_strata"], schedule["thrice"])
    return islice(stories, training["stories"])
