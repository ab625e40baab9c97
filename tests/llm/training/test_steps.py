"""Training as a generator, and the queue in front of it."""

import threading
import time

import numpy as np
import pytest

from llm.training.queue import TrainingQueue
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
    reports = list(train_steps(Counter(), batches(), 5, every=0, first_step=3))
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


@pytest.fixture
def queue():
    return TrainingQueue(kept_for=0.2)


def test_the_first_to_come_is_the_first_to_train(queue):
    with queue.place() as first, queue.place() as second, queue.place() as third:
        assert (first(), second(), third()) == (0, 1, 2)
        assert len(queue) == 3
    assert len(queue) == 0


def test_those_behind_move_up_when_one_leaves(queue):
    first = queue.place()
    first.__enter__()
    with queue.place() as second:
        assert second() == 1
        first.__exit__(None, None, None)
        assert second() == 0


def test_an_interruption_frees_the_place_of_one_without_a_name(queue):
    with pytest.raises(KeyboardInterrupt), queue.place():
        raise KeyboardInterrupt
    assert len(queue) == 0


def test_one_who_is_back_at_once_finds_his_place_again(queue):
    with pytest.raises(KeyboardInterrupt), queue.place("mia"):
        raise KeyboardInterrupt
    with queue.place("tom") as tom:
        assert tom() == 1, "the place is kept for a moment"
        with queue.place("mia") as mia:
            assert (mia(), tom()) == (0, 1)
        assert tom() == 0


def test_the_place_of_one_who_does_not_come_back_falls_to_the_next(queue):
    with pytest.raises(KeyboardInterrupt), queue.place("mia"):
        raise KeyboardInterrupt
    with queue.place("tom") as tom:
        deadline = time.monotonic() + 2
        while tom() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert tom() == 0
    assert len(queue) == 0


def test_a_page_that_runs_anew_waits_for_its_own_last_run_and_nobody_else(queue):
    old = queue.place("mia")
    old.__enter__()
    with queue.place("tom") as tom, queue.place("mia") as anew:
        assert (anew(), tom()) == (1, 2)
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            with pytest.raises(KeyboardInterrupt):
                old.gen.throw(stop)
        assert (anew(), tom()) == (0, 1)
    assert len(queue) == 0


def test_never_do_two_train_at_once(queue):
    training, most = [], []

    def take_a_turn(name):
        with queue.place(name) as ahead:
            while ahead():
                time.sleep(0.001)
            training.append(name)
            most.append(len(training))
            time.sleep(0.005)
            training.remove(name)

    threads = [threading.Thread(target=take_a_turn, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == [1] * 8 and len(queue) == 0
