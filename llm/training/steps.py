"""Training as a generator: whoever runs it sees it happen, and may stop at any
time.

The command line draws a progress bar from it, the pages a live chart. Nothing
here knows of either. Stopping is simply not asking for the next value; asking
again later goes on where it stopped. When the one who reads it is gone, Python
closes the generator, and the training is over.
"""

import time
from contextlib import nullcontext
from dataclasses import dataclass

from llm.models.keras_lock import KERAS_LOCK

REPORT_EVERY = (
    0.3  # seconds: often enough to watch, seldom enough to cost nothing
)


@dataclass(frozen=True)
class Progress:
    """Where a training stands.

    Attributes:
        step: steps done so far.
        num_steps: steps in all.
        losses: the loss of each step since the last report, in nats.
        seconds: time spent training, from the end of the first step on: that
            one builds the network's graph. Pauses do not count.
        accuracies: the accuracy of each of these steps; empty if not measured.
    """

    step: int
    num_steps: int
    losses: tuple
    seconds: float
    accuracies: tuple = ()

    @property
    def loss(self):
        return sum(self.losses) / len(self.losses)

    @property
    def accuracy(self):
        return (
            sum(self.accuracies) / len(self.accuracies)
            if self.accuracies
            else None
        )


def train_steps(
    model, batches, num_steps, stops=(), every=REPORT_EVERY, steps_done=0
):
    """Train a compiled Keras model, one batch a step.

    Args:
        model: a compiled model.
        batches: an iterator of (inputs, targets) or (inputs, targets,
            weights).
        num_steps: the step to end at.
        stops: steps at which to report in any case, for keeping checkpoints.
        every: seconds between reports.
        steps_done: how many were done before, when a training goes on.

    Yields:
        A `Progress` every 0.3 seconds, at each of `stops` and at the end.
    """
    reported, seconds = time.perf_counter(), 0.0
    losses, accuracies = [], []
    for step in range(steps_done + 1, num_steps + 1):
        # The first step builds the network's graph, which only one thread may
        # do.
        with KERAS_LOCK if step == steps_done + 1 else nullcontext():
            result = model.train_on_batch(*next(batches), return_dict=True)
        losses.append(float(result["loss"]))
        if "accuracy" in result:
            accuracies.append(float(result["accuracy"]))
        # A model's metrics are running averages; each step counts by itself.
        model.reset_metrics()
        now = time.perf_counter()
        if step == steps_done + 1:
            reported = now
        if now - reported >= every or step in stops or step == num_steps:
            seconds += now - reported
            yield Progress(
                step, num_steps, tuple(losses), seconds, tuple(accuracies)
            )
            losses, accuracies, reported = [], [], time.perf_counter()
