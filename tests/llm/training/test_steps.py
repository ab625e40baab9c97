"""Training as a generator, and the queue in front of it."""

import time

import numpy as np

from llm.training.steps import Progress, train_steps


class Counter:
    """A stand-in model that learns nothing and counts its steps."""

    def __init__(self, **figures):
        self.steps, self.figures = 0, figures

    def train_on_batch(self, inputs, targets, return_dict):
        self.steps += 1
        return {"loss": float(self.steps), **self.figures}

    def reset_metrics(self):
        pass


def batches():
    while True:
        yield None, None


def test_every_step_is_reported_once_and_in_order():
    reports = list(train_steps(Counter(), batches(), 10, stops=(3, 7), every=99))
    assert [report.step for report in reports] == [3, 7, 10]
    assert [loss for report in reports for loss in report.losses] == list(range(1, 11))


def test_without_waiting_every_step_is_a_report():
    reports = list(train_steps(Counter(), batches(), 4, every=0))
    assert [report.loss for report in reports] == [1, 2, 3, 4]


def test_a_training_that_is_not_asked_does_nothing():
    model = Counter()
    training = train_steps(model, batches(), 10, every=0)
    next(training), next(training)
    time.sleep(0.01)
    assert model.steps == 2
    assert next(training).step == 3


def test_a_pause_does_not_count_as_time():
    training = train_steps(Counter(), batches(), 10, every=0)
    next(training)
    time.sleep(0.1)
    assert next(training).seconds < 0.05


def test_a_training_can_go_on_from_a_step():
    reports = list(train_steps(Counter(), batches(), 5, every=0, steps_done=3))
    assert [report.step for report in reports] == [4, 5]


def test_accuracy_is_reported_where_it_is_measured():
    [report] = train_steps(Counter(accuracy=0.5), batches(), 3, every=99)
    assert report.accuracies == (0.5, 0.5, 0.5) and report.accuracy == 0.5
    assert Progress(1, 1, (0.1,), 0.0).accuracy is None


def test_the_loss_of_a_real_model_falls():
    import keras

    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.1), "mse")
    x = np.random.default_rng(0).normal(size=(8, 4))
    pairs = iter(lambda: (x, x.sum(axis=1, keepdims=True)), None)
    reports = list(train_steps(model, pairs, 5, every=0))
    assert reports[-1].loss < reports[0].loss
