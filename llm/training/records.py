"""What all trainings share: the world, the schedule, the progress bar, the records."""

import json
import sys
from dataclasses import dataclass
from itertools import islice

import numpy as np

from llm.models.tokenizer import Tokenizer
from llm.training.batches import packed_batches
from llm.training.steps import train_steps
from llm.world import World, held_out_pairs

SEED = 0


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn.

    Attributes:
        num_steps: batches in all.
        batch_size: rows in a batch; each row holds a few whole stories. Small batches
            reach look-up in less time than large ones (measured).
        last_batch_size: rows in a batch once the rate falls; large ones let the
            probabilities settle. 0 stays with `batch_size`.
        peak: the highest learning rate, for Adam.
        warm_up: steps in which the rate rises to its peak.
        hold: the share of the steps after which the rate begins to fall to zero.
    """

    num_steps: int
    batch_size: int = 16
    last_batch_size: int = 0
    peak: float = 3e-3
    warm_up: int = 200
    hold: float = 0.6

    def batches(self, examples, row_length):
        """Packed batches of the sizes that this schedule asks for."""
        held = round(self.hold * self.num_steps)
        yield from islice(packed_batches(examples, self.batch_size, row_length), held)
        last = self.last_batch_size or self.batch_size
        yield from packed_batches(examples, last, row_length)

    def optimizer(self):
        """Adam with this schedule; gradients are clipped, for calm first steps."""
        import keras

        class Trapezoid(keras.optimizers.schedules.LearningRateSchedule):
            """Up in a straight line, level, and down to zero in a straight line."""

            def __call__(_, step):
                step = keras.ops.cast(step, "float32")
                up = (step + 1) / self.warm_up
                down = (1 - step / self.num_steps) / (1 - self.hold)
                return self.peak * keras.ops.clip(keras.ops.minimum(up, down), 0, 1)

        return keras.optimizers.Adam(Trapezoid(), beta_2=0.99, global_clipnorm=1.0)


def training_world():
    """The world that every model here learns from, and its tokenizer."""
    world = World(held_out_pairs())
    return world, Tokenizer(world.vocabulary())


def story_ids(world, tokenizer, seen=None):
    """Token ids of fresh stories, without end.

    Args:
        seen: a dictionary from stories (tuples of tokens) to False; those that come
            up are set to True.
    """
    for story in world.stories(np.random.default_rng(SEED)):
        if seen is not None and story.tokens in seen:
            seen[story.tokens] = True
        yield tokenizer.ids_of(story.tokens)


def compile_for_stories(model, schedule, xla=True):
    """Set a model up to learn the next token; XLA nearly doubles the step rate."""
    import keras

    model.compile(
        schedule.optimizer(),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        jit_compile=xla,
    )


def run(model, batches, schedule, name, stops=()):
    """Train with a progress bar.

    Yields:
        The `Progress` at each of `stops` and at the end.
    """
    import keras

    print(f"{name}: {model.count_params():,} parameters, "
          f"{schedule.num_steps:,} steps", file=sys.stderr)
    bar = keras.utils.Progbar(schedule.num_steps, stateful_metrics=["loss"])
    for progress in train_steps(model, batches, schedule.num_steps, stops):
        bar.update(progress.step, [("loss", progress.loss)])
        yield progress


def smooth(losses, num_points=200):
    """A long list of losses as a curve: [step, mean loss around it] pairs."""
    parts = np.array_split(np.asarray(losses), min(num_points, len(losses)))
    steps = np.cumsum([len(part) for part in parts])
    return [
        [int(step), round(float(part.mean()), 4)]
        for step, part in zip(steps, parts, strict=True)
    ]


def write_json(path, record):
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {path}", file=sys.stderr)


def write_checkpoints(path, checkpoints):
    """Weights by step, as half-precision arrays named `step/number`."""
    np.savez_compressed(path, **{
        f"{step}/{number}": array.astype(np.float16)
        for step, arrays in checkpoints.items()
        for number, array in enumerate(arrays)
    })
