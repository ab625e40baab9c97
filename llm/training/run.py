"""A training that can be left and taken up again, in this process or in
another.

A run is the plan of a training and all that it has shown so far. `reports`
trains, and needs Keras. `take` puts a report into a run and needs nothing: so
a page can hold a run whose reports come from a worker process (`llm.worker`),
and never loads Keras.
"""

import time
from dataclasses import dataclass, field
from itertools import islice

from llm.training.steps import train_steps


@dataclass(frozen=True)
class Report:
    """What a training tells after some steps.

    Attributes:
        step: steps done so far.
        seconds: time spent training, from the first step on; neither pauses
            nor the building of the network count.
        loss: the mean loss of the steps since the last report; None before the
            first.
        accuracy: their mean accuracy; None if it is not measured.
        found: what a look at the model found, for JSON; empty if nobody
            looked.
        state: the weights at that look, then what the optimizer remembers.
        num_weights: how many of these arrays are weights.
        file: the network as the bytes of a `.keras` file; only in the first
            report, and only if the run keeps one.
    """

    step: int
    seconds: float
    loss: float | None = None
    accuracy: float | None = None
    found: dict = field(default_factory=dict)
    state: tuple = ()
    num_weights: int = 0
    file: bytes = b""

    @property
    def weights(self):
        """The weights then, in the order of Keras's `get_weights()`."""
        return self.state[: self.num_weights]


class Run:
    """One training, with what it has shown so far.

    A subclass says what is trained: `kind` (its name in messages),
    `num_steps`, `looks` (the steps at which the model is looked at), `sizes`
    (what its graph depends on), `compiled`, `batches`, `look`, `task` and
    `from_task`.

    Attributes:
        curve: a list of (step, loss).
        step: steps done so far.
        seconds: time spent training.
        state: all that Keras needs to go on: the weights and what the
            optimizer remembers. Empty before the first look.
        state_at: (step, seconds) of that state.
        last: (step, weights) of the last look; None before the first.
        file: the network as a `.keras` file, if the run keeps one.
        paused: why it does not go on, a word; None while nothing is in its
            way.
    """

    histories = (
        "curve",
    )  # lists of what was shown, each entry begins with its step

    def __init__(self):
        self.curve, self.step, self.seconds = [], 0, 0.0
        self.state, self.state_at, self.last = (), (0, 0.0), None
        self.file, self.paused = b"", None

    @property
    def finished(self):
        """Whether all is learned that was to be learned."""
        return self.step >= self.num_steps

    def take(self, report):
        """Put a report into the run."""
        self.step, self.seconds = report.step, report.seconds
        if report.loss is not None:
            self.curve.append((report.step, report.loss))
        self.file = report.file or self.file
        if report.state:
            self.keep(report.state)
            self.last = (report.step, report.weights)

    def keep(self, state):
        """Keep the state in which the network is now."""
        self.state, self.state_at = tuple(state), (self.step, self.seconds)

    def go_back(self):
        """Forget what was shown after the last state, because the rest is
        lost.
        """
        self.step, self.seconds = self.state_at
        for name in self.histories:
            shown = getattr(self, name)
            shown[:] = [entry for entry in shown if entry[0] <= self.step]

    def message(self):
        """The run as values for JSON and arrays, so that it can go on
        elsewhere.
        """
        values, arrays = self.task()
        values = {
            "kind": self.kind,
            "step": self.step,
            "seconds": self.seconds,
            "num_arrays": len(arrays),
            **values,
        }
        return values, (*arrays, *self.state)

    @classmethod
    def from_message(cls, values, arrays):
        """The run of a `message`; what it has shown before stays where it was.
        """
        run = cls.from_task(values, arrays[: values["num_arrays"]])
        run.step, run.seconds = values["step"], values["seconds"]
        run.keep(arrays[values["num_arrays"] :])
        return run

    def reports(self, model=None):
        """Train from where the run stands; closing the generator pauses the
        run.

        A run that was paused learns exactly what it would have learned
        without.

        Args:
            model: what `compiled` returned for a run of the same sizes, as
                fresh as it was then; None builds one.

        Yields:
            Each `Report`, after it was put into the run.
        """
        model = model or ready(self.compiled())
        if self.state:
            put_back(model, self.state)
        # The batches that the steps before have seen are left out.
        batches = islice(self.batches(), self.step, None)
        before, looking = self.seconds, 0.0
        try:
            if not self.state:
                first = Report(
                    0, 0.0, file=self.keras_file(), **self._looked(model)
                )
                yield self._taken(first)
            for progress in train_steps(
                model,
                batches,
                self.num_steps,
                self.looks,
                steps_done=self.step,
            ):
                looked, started = {}, time.perf_counter()
                if (
                    progress.step in self.looks
                    or progress.step == self.num_steps
                ):
                    looked = self._looked(model)
                looking += time.perf_counter() - started
                yield self._taken(
                    Report(
                        progress.step,
                        before + progress.seconds + looking,
                        progress.loss,
                        progress.accuracy,
                        **looked,
                    )
                )
                if self.finished:
                    return
        finally:
            self.keep(state_of(model))

    def keras_file(self):
        """The network as the bytes of a file; nothing unless a subclass wants
        it.
        """
        return b""

    def _looked(self, model):
        state, num_weights = state_of(model), len(model.weights)
        found = self.look(model, state[:num_weights])
        return {"found": found, "state": state, "num_weights": num_weights}

    def _taken(self, report):
        self.take(report)
        return report


def ready(model):
    """A compiled model whose optimizer has its variables, so that they can be
    kept.
    """
    model.optimizer.build(model.trainable_variables)
    return model


def state_of(model):
    """The weights, then what the optimizer remembers."""
    return (
        *model.get_weights(),
        *(v.numpy() for v in model.optimizer.variables),
    )


def put_back(model, state):
    """Bring a model back to a state."""
    variables = [*model.weights, *model.optimizer.variables]
    for variable, array in zip(variables, state, strict=True):
        variable.assign(array)
