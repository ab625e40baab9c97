"""What all trainings share: the world, the schedule, the progress bar."""

import sys
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice

import keras
import numpy as np

from llm.models.tokenizer import Tokenizer
from llm.training.batches import (
    next_token_examples,
    packed_batches,
    parts_of,
)
from llm.training.steps import train_steps
from llm.world import World, held_out_pairs

SEED = 0


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn.

    Attributes:
        num_steps: batches in all.
        batch_size: rows in a batch; each row holds a few whole stories. Small
            batches reach look-up in less time than large ones (measured).
        last_batch_size: rows in a batch once the rate falls; large ones let
            the probabilities settle. 0 stays with `batch_size`.
        peak: the highest learning rate, for Adam.
        warm_up: steps in which the rate rises to its peak.
        hold: the share of the steps after which the rate begins to fall to
            zero.
        beta_2: how much of its mean of squared gradients Adam keeps at each
            step.
        num_strata: if not 0, the stories are drawn in so many strata (see
            `World.stories`), from a stream of their own.
    """

    num_steps: int
    batch_size: int = 16
    last_batch_size: int = 0
    peak: float = 3e-3
    warm_up: int = 200
    hold: float = 0.6
    beta_2: float = 0.99
    num_strata: int = 0

    @property
    def parts(self):
        """For each of its two parts, the steps and the rows in a batch."""
        return parts_of(asdict(self))

    def in_batches(self, examples, batches_of, *sizes):
        """Batches of the sizes that this schedule asks for, without end.

        Args:
            examples: an iterator; the larger batches go on where the smaller
                ones end.
            batches_of: called with the examples, the rows in a batch and
                `sizes`; gives an iterator of batches.
        """
        (held, size), (_, last) = self.parts
        yield from islice(batches_of(examples, size, *sizes), held)
        yield from batches_of(examples, last, *sizes)

    def batches(self, examples, row_length):
        """Packed batches of the sizes that this schedule asks for."""
        return self.in_batches(examples, packed_batches, row_length)

    def optimizer(self):
        """Adam with this schedule; gradients are clipped, for calm first
        steps.
        """
        return keras.optimizers.Adam(
            Trapezoid(self), beta_2=self.beta_2, global_clipnorm=1.0
        )


class Trapezoid(keras.optimizers.schedules.LearningRateSchedule):
    """Up in a straight line, level, and down to zero in a straight line.

    Args:
        schedule: a `Schedule`, which says how high and how long.
    """

    def __init__(self, schedule):
        self.schedule = schedule

    def __call__(self, step):
        peak, num_steps = self.schedule.peak, self.schedule.num_steps
        step = keras.ops.cast(step, "float32")
        up = (step + 1) / self.schedule.warm_up
        down = (1 - step / num_steps) / (1 - self.schedule.hold)
        return peak * keras.ops.clip(keras.ops.minimum(up, down), 0, 1)


def training_world():
    """The world that every model here learns from, and its tokenizer."""
    world = World(held_out_pairs())
    return world, Tokenizer(world.vocabulary())


class StoriesRead:
    """How many stories a training has read, and which of some others are among
    them.

    Args:
        others: stories to look out for.

    Attributes:
        counts: how many of each stream, by its number of strata.
    """

    def __init__(self, others=()):
        self.counts = Counter()
        self.seen = {story.tokens: False for story in others}

    def note(self, story, num_strata):
        """Take note of a story that is read."""
        self.counts[num_strata] += 1
        if story.tokens in self.seen:
            self.seen[story.tokens] = True

    def as_record(self):
        """The counts for a record: of all stories, and of those in strata."""
        in_strata = self.counts.total() - self.counts[0]
        return {"stories": self.counts.total(), "in_strata": in_strata}


def story_ids(world, tokenizer, read=None, num_strata=0):
    """Token ids of fresh stories, without end, the same for every training.

    Args:
        world, tokenizer: from `training_world`.
        read: a `StoriesRead` that takes note of each; None if nobody asks.
        num_strata: as in `World.stories`. Stories in strata have a seed of
            their own, so that they are not those of the free stream.
    """
    read = read or StoriesRead()
    rng = np.random.default_rng(SEED + bool(num_strata))
    for story in world.stories(rng, num_strata):
        read.note(story, num_strata)
        yield tokenizer.ids_of(story.tokens)


def story_examples(world, tokenizer, read=None, num_strata=0):
    """Fresh stories as (inputs, targets, loss_weights), without end, the same
    for every training.

    Args:
        world, tokenizer, read, num_strata: as in `story_ids`.
    """
    return next_token_examples(story_ids(world, tokenizer, read, num_strata))


def stories_of(training):
    """Token ids of all stories that a training has read, stream by stream.

    Args:
        training: a record with the fields of `StoriesRead.as_record`, and with
            the schedules under `schedule` and `settling`. All of them that
            draw in strata must have the same number of them.
    """
    world, tokenizer = training_world()
    in_strata = training["in_strata"]
    yield from islice(
        story_ids(world, tokenizer), training["stories"] - in_strata
    )
    if in_strata:
        (num_strata,) = {s["num_strata"] for s in training["settling"]} - {0}
        stream = story_ids(world, tokenizer, num_strata=num_strata)
        yield from islice(stream, in_strata)


def compile_for_stories(model, schedule, xla=True):
    """Set a model up to learn the next token; XLA nearly doubles the step
    rate.
    """
    model.compile(schedule.optimizer(), word_loss(), jit_compile=xla)


def word_loss(from_logits=True):
    """The mean surprise over the words that count.

    Keras's usual mean divides by all places, padding too, and so comes out too
    low.
    """
    return keras.losses.SparseCategoricalCrossentropy(
        from_logits=from_logits, reduction="mean_with_sample_weight"
    )


def run_all(
    model, examples_of, schedules, batches_of, name, stops=(), xla=True
):
    """Train by several schedules, one after the other.

    Each begins with an optimiser of its own and goes on with the weights, and
    with the stories of its stream, where the one before has ended (a warm
    restart, Loshchilov and Hutter 2017).

    Args:
        model: a Keras model; it is compiled here.
        examples_of: a function from a number of strata to an iterator of
            (inputs, targets, loss_weights), asked once for each number.
        schedules: a sequence of `Schedule`s.
        batches_of: as in `Schedule.in_batches`, called with the examples and
            the rows in a batch.
        name: what the progress bar says.
        stops: steps at which to report in any case, counted over all
            schedules.
        xla: as in `compile_for_stories`.

    Yields:
        The step, counted over all schedules, and the `Progress`.
    """
    # One stream of each kind: a schedule reads on where another has ended.
    done, stream = 0, cache(examples_of)
    for schedule in schedules:
        compile_for_stories(model, schedule, xla)
        examples = stream(schedule.num_strata)
        batches = schedule.in_batches(examples, batches_of)
        here = [stop - done for stop in stops]
        for progress in run(model, batches, schedule, name, here):
            yield done + progress.step, progress
        done += schedule.num_steps


def run(model, batches, schedule, name, stops=()):
    """Train with a progress bar.

    Yields:
        The `Progress` at each of `stops` and at the end.
    """
    print(f"{name}: {model.count_params():,} parameters, "
          f"{schedule.num_steps:,} steps", file=sys.stderr)
    bar = keras.utils.Progbar(schedule.num_steps, stateful_metrics=["loss"])
    for progress in train_steps(model, batches, schedule.num_steps, stops):
        bar.update(progress.step, [("loss", progress.loss)])
        yield progress
