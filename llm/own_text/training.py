"""Training a small model on somebody's own text."""

import math
from dataclasses import asdict, dataclass

import numpy as np

from llm.glassbox.weights import from_arrays
from llm.models.config import ModelConfig
from llm.models.keras_file import shapes
from llm.own_text.export import keras_file
from llm.own_text.measures import validation_loss
from llm.own_text.own_model import OwnModel
from llm.own_text.text import OwnText, windows
from llm.training.run import Run

NUM_LOOKS = (
    24  # times that the kept-back text is measured and a sample is written
)
SAMPLE_LENGTH = {"characters": 100, "words": 30}
# What may be chosen.
WIDTHS, LAYERS, CONTEXTS, STEPS = (
    (16, 32, 64, 96),
    (1, 2, 3),
    (16, 32, 64),
    (100, 3000),
)


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
            context_length=min(self.context_length, len(text.training) // 2),
            embed_dim=self.embed_dim,
            num_heads=4,
            num_layers=self.num_layers,
            feed_forward_dim=4 * self.embed_dim,
        )


class TextRun(Run):
    """One training on an `OwnText`.

    Args:
        text: an `OwnText`.
        plan: a `Plan`.

    Attributes:
        losses: a list of (step, loss) on the kept-back text; empty if nothing
            in it is known.
        samples: a list of (step, token ids), what it wrote at each look.
        best: (step, weights) where the loss on the kept-back text was lowest.
    """

    kind = "text"
    histories = ("curve", "losses", "samples")

    def __init__(self, text, plan):
        super().__init__()
        self.text, self.plan, self.config = text, plan, plan.config(text)
        self.losses, self.samples, self.best = [], [], None

    @property
    def num_steps(self):
        return self.plan.num_steps

    @property
    def looks(self):
        """The steps at which the kept-back text is measured and a sample
        written.
        """
        return range(0, self.num_steps, max(1, self.num_steps // NUM_LOOKS))

    @property
    def sizes(self):
        plan = self.plan
        return (
            self.kind,
            *asdict(self.config).values(),
            plan.batch_size,
            plan.learning_rate,
            plan.seed,
        )

    def compiled(self):
        return compiled(self.config, self.plan)

    def batches(self):
        rng = np.random.default_rng(self.plan.seed)
        return windows(
            self.text.training,
            self.config.context_length,
            self.plan.batch_size,
            rng,
        )

    def look(self, model, arrays):
        """Measure the kept-back text, and write a sample."""
        weights = from_arrays(list(arrays), self.config.num_layers)
        start = self.text.validation[self.text.known][:12].tolist() or [0]
        sample = OwnModel(weights, self.text, self.step).write(
            start, SAMPLE_LENGTH[self.text.unit]
        )
        return {"loss": validation_loss(weights, self.text), "sample": sample}

    def keras_file(self):
        return keras_file(self.config)

    def take(self, report):
        super().take(report)
        if not report.found:
            return
        loss = report.found["loss"]
        if loss is not None and loss < min(
            (loss for _, loss in self.losses), default=math.inf
        ):
            self.best = self.last
        if loss is not None:
            self.losses.append((report.step, loss))
        self.samples.append((report.step, report.found["sample"]))

    def task(self):
        """What another process needs to know, for `from_task`."""
        text = self.text
        values = {
            "unit": text.unit,
            "vocabulary": text.vocabulary,
            "plan": asdict(self.plan),
        }
        return values, (text.training, text.validation)

    @classmethod
    def from_task(cls, values, arrays):
        text = OwnText(values["unit"], tuple(values["vocabulary"]), *arrays)
        return cls(text, Plan(**values["plan"]))

    @property
    def num_parameters(self):
        """How many numbers are learned."""
        return sum(math.prod(shape) for shape in shapes(self.config))

    def model(self, best=False):
        """The model as it was at the last look, or at the best one, an
        `OwnModel`.
        """
        step, arrays = (self.best or self.last) if best else self.last
        return OwnModel(
            from_arrays(list(arrays), self.config.num_layers), self.text, step
        )


def compiled(config, plan):
    """A model ready to learn the next token, the same first weights each time.
    """
    import keras

    from llm.training.model import build_model

    keras.utils.set_random_seed(plan.seed)
    model = build_model(config)
    model.compile(
        keras.optimizers.Adam(plan.learning_rate, global_clipnorm=1.0),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return model
