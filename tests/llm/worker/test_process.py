"""A real worker process, with trainings of a toy."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from llm.digits.experiment import Experiment
from llm.digits.run import DigitRun
from llm.own_text.record import story
from llm.own_text.text import own_text
from llm.own_text.training import Plan, TextRun
from llm.worker.__main__ import use_one_core
from llm.worker.process import MOST_TRAININGS, ROOT, TrainingFailed, Worker
from llm.worker.trainings import Trainings

TOY = Experiment(
    length=6, num_rows=40, num_test_rows=20, embed_dim=8, num_heads=2, head_dim=4,
    feed_forward_dim=8, epochs=4, batch_size=20,
)


@pytest.fixture(scope="module")
def worker():
    """One process for all tests: TensorFlow is loaded once."""
    worker = Worker()
    yield worker
    worker.end()


def trained(worker, run, stop_at=None):
    for told in worker.reports(run):
        if told is not None and told != "building":
            run.take(told)
            if stop_at is not None and run.step >= stop_at:
                worker.stop()
    return run


def test_a_run_over_there_is_the_run_over_here(worker):
    there, here = trained(worker, DigitRun(TOY)), DigitRun(TOY)
    list(here.reports())
    assert there.finished and there.tests == here.tests
    np.testing.assert_allclose(np.array(there.curve)[-1], here.curve[-1], atol=1e-4)
    for one, other in zip(there.weights, here.weights, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_a_run_that_was_stopped_learns_what_it_would_have_learned(worker):
    whole = trained(worker, DigitRun(TOY))
    halved = trained(worker, DigitRun(TOY), stop_at=2)
    if not halved.finished:  # a worker that is quicker than we are is no fault
        assert halved.state
    trained(worker, halved)
    assert halved.finished and [step for step, _ in halved.tests] == [2, 4, 6, 8]
    for one, other in zip(whole.weights, halved.weights, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_one_s_own_text_is_learned_over_there_and_can_be_taken_home(worker):
    plan = Plan(embed_dim=8, num_layers=1, context_length=8, num_steps=3, batch_size=2)
    run = trained(worker, TextRun(own_text(story()), plan))
    assert run.finished and run.samples and run.losses
    assert run.file[:2] == b"PK", "a Keras file is a zip"


def test_it_says_how_much_memory_it_takes(worker):
    trained(worker, DigitRun(TOY))
    assert 50 < worker.memory < 4000 or not sys.platform.startswith("linux")


def test_a_worker_that_is_full_takes_only_what_it_knows(worker):
    trained(worker, DigitRun(TOY))
    worker.memory = 10**6
    assert worker.suits(DigitRun(TOY)) and not worker.suits(DigitRun(TOY, "LSTM"))


def test_a_worker_takes_ten_trainings_and_no_more(worker):
    before = worker.num_trainings
    trained(worker, DigitRun(TOY))
    assert worker.num_trainings == before + 1 and MOST_TRAININGS == 10
    worker.num_trainings = MOST_TRAININGS
    assert not worker.suits(DigitRun(TOY))
    worker.num_trainings = before + 1
    assert worker.suits(DigitRun(TOY))


def test_it_learns_in_one_thread_whatever_the_machine_has(monkeypatch):
    for said, taken in (({}, "1"), ({"TF_NUM_INTRAOP_THREADS": "4"}, "4")):
        monkeypatch.setattr(os, "environ", said)
        use_one_core()
        assert said["TF_NUM_INTRAOP_THREADS"] == taken, "the host may say otherwise"


def test_a_run_that_cannot_be_trained_is_a_failure_and_the_next_one_works(worker):
    with pytest.raises(TrainingFailed, match="fault"):
        trained(worker, DigitRun(TOY, "no such network"))
    assert trained(worker, DigitRun(TOY)).finished


def test_a_worker_that_dies_is_told_and_the_next_training_gets_another():
    workers = []
    queue = Trainings(start=lambda: workers.append(Worker()) or workers[-1])
    killed, sound = DigitRun(TOY), DigitRun(TOY)
    queue.enter(killed)
    while standing := queue.look(killed):
        if standing.stage == "starting" and workers:
            workers[0]._process.kill()
        time.sleep(0.05)
    assert killed.paused == "gone" and not killed.finished
    queue.enter(sound)
    while queue.look(sound):
        time.sleep(0.05)
    queue.close()
    assert sound.finished and len(workers) == 2


def test_it_ends_with_the_server_that_started_it():
    process = subprocess.Popen(
        [sys.executable, "-m", "llm.worker"], cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )
    out, _ = process.communicate(timeout=60)  # closes its input
    assert process.returncode == 0 and out == b""
