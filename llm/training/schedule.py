"""What all trainings share: the world, the schedule, the progress bar."""

import sys
from dataclasses import asdict, dataclass
from itertools import islice

import keras

from llm.models.tokenizer import Tokenizer
from llm.training.batches import (
    made_ahead,
    next_token_example,
    packed_batches,
    parts_of,
)
from llm.training.muon import Muon
from llm.training.steps import train_steps
from llm.world import World, held_out_pairs
from llm.world.reading import weighted_stories

# How much of its mean of squared gradients Adam keeps at each step.
BETA_2 = 0.99


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn.

    Attributes:
        num_steps: batches in all.
        batch_size: rows in a batch; each row holds a few whole stories. Small
            batches reach look-up in less time than large ones (measured).
        last_batch_size: rows in a batch once the rate falls; large ones let
            the probabilities settle. 0 stays with `batch_size`.
        peak: the highest learning rate.
        warm_up: steps in which the rate rises to its peak.
        hold: the share of the steps after which the rate begins to fall to
            zero.
        num_strata: if not 0, the stories are drawn in so many strata (see
            `World.stories`).
        thrice: skills whose stories are drawn three times as often as the
            world writes them, and count a third (see
            `llm.world.reading.drawn_shares`).
        at_decision: how much the word at each decision of such a story counts,
            where a word counts 1 if its story is drawn as often as the world
            writes it; 0 leaves it at what its story counts. Only for skills
            at whose decisions a story can be of no other skill and cannot go
            on without deciding: there all words that may follow count alike,
            so the best probabilities stay the same. The loss of the training
            is then no longer that of the world.
        muon: whether the kernels inside the network learn by `Muon`, and only
            the rest by Adam.
    """

    num_steps: int
    batch_size: int = 16
    last_batch_size: int = 0
    peak: float = 3e-3
    warm_up: int = 200
    hold: float = 0.6
    num_strata: int = 0
    thrice: tuple = ()
    at_decision: float = 0.0
    muon: bool = False

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

    def optimizer(self, last_layer):
        """Adam or Muon with this schedule; gradients are clipped, for calm
        first steps.

        Args:
            last_layer: the name of the layer that gives the logits, which
                always learns by Adam.
        """
        rate, calm = Trapezoid(self), {"global_clipnorm": 1.0}
        if not self.muon:
            return keras.optimizers.Adam(rate, beta_2=BETA_2, **calm)
        return Muon(
            rate, adam_beta_2=BETA_2, exclude_layers=[last_layer],
            weight_decay=0.0, adam_weight_decay=0.0, **calm,
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


def story_examples(tokenizer, schedule, read=None):
    """Fresh stories as (inputs, targets, loss_weights), without end, the same
    for every training that draws them alike.

    Args:
        tokenizer: from `training_world`.
        schedule: a `Schedule`, which says how they are drawn.
        read: a `StoriesRead` that takes note of each; None if nobody asks.

    Yields:
        inputs, targets, loss_weights, lists of one length. Each target counts
        as much as its story, or as `Schedule.at_decision` says.
    """
    for story, counts in weighted_stories(
        schedule.num_strata, schedule.thrice, read
    ):
        inputs, targets, loss_weights = next_token_example(
            tokenizer.ids_of(story.tokens), counts
        )
        if schedule.at_decision and story.skill in schedule.thrice:
            for decision in story.decisions:
                # Target 0 is word 1 of the story.
                loss_weights[decision.position - 1] = schedule.at_decision
        yield inputs, targets, loss_weights


def compile_for_stories(model, schedule, xla=True, **loss):
    """Set a model up to learn the next token; XLA nearly doubles the step
    rate.

    Args:
        model: a Keras model.
        schedule: a `Schedule`, which brings the optimiser.
        xla: whether to compile by XLA.
        loss: by name, what `word_loss` takes.
    """
    optimizer = schedule.optimizer(model.layers[-1].name)
    model.compile(optimizer, word_loss(**loss), jit_compile=xla)


def word_loss(from_logits=True, reduction="mean_with_sample_weight"):
    """The mean surprise over the words, each as much as it counts.

    Keras's usual mean divides by all places, padding too, and so comes out too
    low.

    Args:
        from_logits: whether the network gives logits, not probabilities.
        reduction: "sum" where the batches bring the division with them.
    """
    return keras.losses.SparseCategoricalCrossentropy(
        from_logits=from_logits, reduction=reduction
    )


def run(model, batches, schedule, name, stops=()):
    """Train with a progress bar.

    Yields:
        The `Progress` at each of `stops` and at the end.
    """
    print(f"{name}: {model.count_params():,} parameters, "
          f"{schedule.num_steps:,} steps", file=sys.stderr)
    bar = keras.utils.Progbar(schedule.num_steps, stateful_metrics=["loss"])
    batches = made_ahead(batches, schedule.num_steps)
    for progress in train_steps(model, batches, schedule.num_steps, stops):
        bar.update(progress.step, [("loss", progress.loss)])
        yield progress
