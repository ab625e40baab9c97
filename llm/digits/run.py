"""One training of the experiment as a run, which a page watches and may stop.
"""

from dataclasses import asdict

from llm.digits.experiment import (
    Experiment,
    compiled,
    share_right,
    shuffled_batches,
    split_rows,
)
from llm.training.run import Run


class DigitRun(Run):
    """One training on the rows of digits; it ends once it is right for good.

    Args:
        experiment: an `Experiment`.
        name: which of the networks.

    Attributes:
        accuracies: a list of (step, accuracy) on the training rows.
        tests: a list of (step, accuracy) on the test rows, one an epoch.
    """

    kind = "digits"
    histories = ("curve", "accuracies", "tests")

    def __init__(self, experiment, name="Transformer"):
        super().__init__()
        self.experiment, self.name = experiment, name
        self.accuracies, self.tests = [], []

    @property
    def num_steps(self):
        return self.experiment.num_steps

    @property
    def looks(self):
        """The last step of each epoch."""
        steps = self.experiment.steps_in_epoch
        return range(steps, self.num_steps + 1, steps)

    @property
    def sizes(self):
        """What the graph of the network depends on."""
        same = {**asdict(self.experiment), "epochs": None}
        return (self.kind, self.name, *same.values())

    @property
    def right_for_good(self):
        """Whether all test rows were right at two tests running."""
        return [right for _, right in self.tests[-2:]] == [1.0, 1.0]

    @property
    def finished(self):
        return super().finished or self.right_for_good

    @property
    def accuracy(self):
        """The last accuracy on the test rows, None before the first."""
        return self.tests[-1][1] if self.tests else None

    @property
    def weights(self):
        """The weights at the last test, None before the first."""
        return self.last and self.last[1]

    @property
    def num_parameters(self):
        """How many numbers are learned; 0 before the first look."""
        return sum(array.size for array in self.weights or ())

    def compiled(self):
        return compiled(self.experiment, self.name)

    def batches(self):
        rows, answers, _, _ = split_rows(self.experiment)
        return shuffled_batches(rows, answers, self.experiment)

    def look(self, model, weights):
        """Test the model on rows that it has never seen."""
        _, _, rows, answers = split_rows(self.experiment)
        return {"right": share_right(model, rows, answers)}

    def take(self, report):
        super().take(report)
        if report.accuracy is not None:
            self.accuracies.append((report.step, report.accuracy))
        if report.found and report.step:
            self.tests.append((report.step, report.found["right"]))

    def task(self):
        """What another process needs to know, for `from_task`."""
        values = {
            "experiment": asdict(self.experiment),
            "name": self.name,
            "tests": self.tests,
        }
        return values, ()

    @classmethod
    def from_task(cls, values, arrays):
        run = cls(Experiment(**values["experiment"]), values["name"])
        run.tests = [tuple(test) for test in values["tests"]]
        return run
