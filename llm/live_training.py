"""Training as a generator: whoever runs it sees it happen, and may stop at any time.

The command line draws a progress bar from it, the pages a live chart. Nothing here
knows of either. Stopping is simply not asking for the next value; `closing` a
generator (as Python does when the one who reads it is gone) ends the training too.
"""

import threading
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass

REPORT_EVERY = 0.3  # seconds: often enough to watch, seldom enough to cost nothing


@dataclass(frozen=True)
class Progress:
    """Where a training stands.

    Attributes:
        step: steps done so far.
        num_steps: steps in all.
        losses: the loss of each step since the last report, in nats.
        seconds: time since the training began.
    """

    step: int
    num_steps: int
    losses: tuple
    seconds: float

    @property
    def loss(self):
        return sum(self.losses) / len(self.losses)


def train_steps(model, batches, num_steps, stops=(), every=REPORT_EVERY, first_step=0):
    """Train a compiled Keras model, one batch a step.

    Args:
        model: a compiled model.
        batches: an iterator of (inputs, targets) or (inputs, targets, weights).
        num_steps: the step to end at.
        stops: steps at which to report in any case, for keeping checkpoints.
        every: seconds between reports.
        first_step: steps done before, when a training goes on.

    Yields:
        A `Progress` every 0.3 seconds, at each of `stops` and at the end.
    """
    started = reported = time.monotonic()
    losses = []
    for step in range(first_step + 1, num_steps + 1):
        result = model.train_on_batch(*next(batches), return_dict=True)
        losses.append(float(result["loss"]))
        # A model's metrics are running averages; each step counts by itself.
        model.reset_metrics()
        now = time.monotonic()
        if now - reported >= every or step in stops or step == num_steps:
            yield Progress(step, num_steps, tuple(losses), now - started)
            losses, reported = [], now


class TrainingQueue:
    """One training at a time in a process; the others wait their turn.

    The queue is fair (first come, first served), and a place in it is given up by
    leaving the `with` block, whatever the reason.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._waiting = deque()

    @contextmanager
    def place(self):
        """A place in the queue, as a function that says how many are ahead."""
        ticket = object()
        with self._lock:
            self._waiting.append(ticket)
        try:
            yield lambda: self._ahead(ticket)
        finally:
            with self._lock:
                self._waiting.remove(ticket)

    def _ahead(self, ticket):
        with self._lock:
            return self._waiting.index(ticket)

    def __len__(self):
        """How many are training or waiting."""
        with self._lock:
            return len(self._waiting)
