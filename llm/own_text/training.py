"""Training a small model on somebody's own text."""

import math
import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from llm.glassbox.weights import from_arrays
from llm.models.config import ModelConfig
from llm.models.keras_lock import KERAS_LOCK
from llm.own_text.measures import validation_loss
from llm.own_text.own_model import OwnModel
from llm.own_text.text import windows
from llm.training.steps import train_steps

NUM_LOOKS = 24  # times that the kept-back text is measured and a sample is written
SAMPLE_LENGTH = {"characters": 100, "words": 30}
# What may be chosen; the largest of all still ends at the clock.
WIDTHS, LAYERS, CONTEXTS, STEPS = (16, 32, 64, 96), (1, 2, 3), (16, 32, 64), (100, 3000)


@dataclass(frozen=True)
class Plan:
    """The size of the model and of its training.

    Attributes:
        embed_dim: width of the residual stream.
        num_layers: number of blocks.
        context_length: most tokens the model sees at once.
        num_steps: batches in all.
        batch_size: stretches of the text in a batch.
        learning_rate: for Adam.
        seed: of the first weights and of the batches.
    """

    embed_dim: int = 32
    num_layers: int = 2
    context_length: int = 64
    num_steps: int = 1500
    batch_size: int = 16
    learning_rate: float = 2e-3
    seed: int = 0

    def config(self, text):
        """The sizes of the network for an `OwnText`."""
        return ModelConfig(
            vocab_size=len(text.vocabulary),
            # A short text has no long stretches to learn from.
            context_length=min(self.context_length, len(text.learn) // 2),
            embed_dim=self.embed_dim,
            num_heads=4,
            num_layers=self.num_layers,
            feed_forward_dim=4 * self.embed_dim,
        )


class TextRun:
    """One training, with what it has shown so far; may be left and taken up again.

    Args:
        text: an `OwnText`.
        plan: a `Plan`.
        most_seconds: when it ends by itself, whatever is still to do.

    Attributes:
        curve: a list of (step, loss) on the text to learn from.
        kept: a list of (step, loss) on the kept-back text.
        samples: a list of (step, text).
        best: (step, weights) of the lowest loss on the kept-back text so far.
        last: (step, weights) of the last look.
        finished: whether it has ended.
    """

    def __init__(self, text, plan, most_seconds=math.inf):
        self.text, self.plan, self.most_seconds = text, plan, most_seconds
        self.config = plan.config(text)
        self.curve, self.kept, self.samples = [], [], []
        self.best = self.last = None
        self.finished, self.seconds, self.step, self._looking = False, 0.0, 0, 0.0
        # Kept here, so that leaving a loop over it does not end it.
        self.reports = self._reports()

    def _reports(self):
        plan, text = self.plan, self.text
        with KERAS_LOCK:
            model = compiled(self.config, plan)
        rng = np.random.default_rng(plan.seed)
        batches = windows(text.learn, self.config.context_length, plan.batch_size, rng)
        looks = range(0, plan.num_steps, max(1, plan.num_steps // NUM_LOOKS))
        self._look(0, model)
        for report in train_steps(model, batches, plan.num_steps, looks):
            self.step = report.step
            self.curve.append((report.step, report.loss))
            self.seconds = report.seconds + self._looking
            late = self.seconds > self.most_seconds
            if report.step in looks or report.step == plan.num_steps or late:
                self._look(report.step, model)
            if late:
                break
            yield report
        self.finished = True

    def _look(self, step, model):
        """Measure the kept-back text, write a sample, and keep the weights."""
        started = time.monotonic()
        arrays = model.get_weights()
        weights = from_arrays(arrays, self.config.num_layers)
        loss = validation_loss(weights, self.text)
        if not self.kept or loss < min(found for _, found in self.kept):
            self.best = (step, arrays)
        self.last = (step, arrays)
        self.kept.append((step, loss))
        start, count = self.text.kept[:12].tolist(), SAMPLE_LENGTH[self.text.unit]
        written = OwnModel(weights, self.text, step).write(start, count)
        self.samples.append((step, self.text.decode(written)))
        self._looking += time.monotonic() - started

    @cached_property
    def num_parameters(self):
        """How many numbers are learned."""
        from llm.models.keras_file import shapes

        return sum(math.prod(shape) for shape in shapes(self.config))

    def model(self, best=False):
        """The model as it was at the last look, or at the best one, an `OwnModel`."""
        step, arrays = self.best if best else self.last
        return OwnModel(from_arrays(arrays, self.config.num_layers), self.text, step)


def compiled(config, plan):
    """A model ready to learn the next token, the same first weights each time."""
    import keras

    from llm.training.model import build_model

    keras.utils.set_random_seed(plan.seed)
    model = build_model(config)
    model.compile(
        keras.optimizers.Adam(plan.learning_rate, global_clipnorm=1.0),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return model
