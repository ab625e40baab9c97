"""The queue in front of the workers, with workers that only pretend to train."""

import threading
import time

import pytest

from llm.training.run import Report, Run
from llm.worker import trainings
from llm.worker.process import TrainingFailed
from llm.worker.trainings import Trainings, wanted_workers


class Steps(Run):
    """A run of some steps of nothing."""

    kind, sizes, num_steps = "steps", ("same",), 5


class Pretender:
    """A worker that counts its steps while its gate is open, and may fail."""

    def __init__(self, gate, fault=None, most=10):
        self.gate, self.fault, self.most = gate, fault, most
        self.stopped, self.ended, self.num_trainings = False, False, 0

    def suits(self, run):
        return not self.ended and self.num_trainings < self.most

    def reports(self, run):
        self.stopped, self.num_trainings = False, self.num_trainings + 1
        yield "building"
        while not run.finished and not self.stopped:
            if not self.gate.is_set():
                time.sleep(0.01)
                yield None
                continue
            if self.fault:
                raise TrainingFailed(self.fault)
            yield Report(run.step + 1, run.seconds + 1.0, loss=1.0)
        run.keep(("state",))

    def stop(self):
        self.stopped = True

    def end(self):
        self.ended = True


class School:
    """A queue whose workers wait at one gate."""

    def __init__(self, num_workers=1):
        self.gate, self.fault, self.workers = threading.Event(), None, []
        self.over = threading.Event()
        self.queue = Trainings(num_workers, self.hire)

    def hire(self):
        self.workers.append(Pretender(self.gate, self.fault))
        return self.workers[-1]

    def watch(self, run, until=lambda standing: False, seconds=10):
        """Look at a run until it is done, as a page does; where it stood last."""
        self.queue.enter(run)
        last, end = None, time.monotonic() + seconds
        while standing := self.queue.look(run):
            last = standing
            if until(standing):
                break
            assert time.monotonic() < end, standing
            time.sleep(0.01)
        return last

    def keep_looking(self, run):
        """Let a run train, watched from another thread until the test is over."""
        self.queue.enter(run)
        until_the_end = (run, lambda standing: self.over.is_set(), 100)
        threading.Thread(target=self.watch, args=until_the_end, daemon=True).start()


@pytest.fixture
def short_times(monkeypatch):
    monkeypatch.setattr(trainings, "KEPT_WARM", 0.3)
    monkeypatch.setattr(trainings, "KEPT_FOR", 0.3)


@pytest.fixture
def open_school(short_times):
    """A function that opens a school, which ends with the test."""
    opened = []

    def open_school(num_workers=1):
        opened.append(School(num_workers))
        return opened[-1]

    yield open_school
    for school in opened:
        school.over.set()


@pytest.fixture
def school(open_school):
    return open_school()


def builds(standing):
    return standing.stage == "building"


def test_a_run_that_is_watched_trains_to_its_end(school):
    run = Steps()
    school.gate.set()
    school.watch(run)
    assert run.finished and run.paused is None and len(run.curve) == 5
    assert len(school.queue) == 0


def test_the_second_waits_and_is_told_its_place_and_about_how_long(school):
    first, second = Steps(), Steps()
    school.keep_looking(first)
    standing = school.watch(second, lambda standing: standing.ahead == 1)
    assert standing.stage == "waiting" and 5 < standing.wait < 120
    school.gate.set()
    school.watch(second)
    assert first.finished and second.finished
    assert len(school.workers) == 1, "one worker does both"


def test_several_workers_train_at_the_same_time(open_school):
    school, first, second = open_school(num_workers=2), Steps(), Steps()
    school.keep_looking(first)
    school.watch(second, builds)
    assert builds(school.queue.look(first))


def test_a_run_that_nobody_looks_at_any_more_frees_its_worker(school):
    left, waiting = Steps(), Steps()
    school.watch(left, builds)
    school.watch(waiting, builds)
    assert left.paused == "left" and not left.finished


def test_a_place_that_nobody_looks_at_falls_to_the_next(school):
    first, left, third = Steps(), Steps(), Steps()
    school.keep_looking(first)
    school.queue.enter(left)
    school.watch(third, lambda standing: standing.ahead == 2)
    school.watch(third, lambda standing: standing.ahead == 1)
    school.gate.set()
    school.watch(third)
    assert left.step == 0 and third.finished


def test_stop_keeps_what_was_learned_and_the_run_goes_on_later(school):
    run = Steps()
    school.watch(run, builds)
    school.queue.stop(run)
    school.watch(run)
    assert run.paused == "stopped" and run.state == ("state",)
    school.gate.set()
    school.watch(run)
    assert run.finished and [step for step, _ in run.curve] == [1, 2, 3, 4, 5]


def test_a_place_is_given_up_at_once_by_stop(school):
    first, second = Steps(), Steps()
    school.keep_looking(first)
    school.watch(second, lambda standing: standing.ahead == 1)
    school.queue.stop(second)
    assert school.queue.look(second) is None and second.paused == "stopped"


def test_ten_trainings_are_done_by_one_process_and_the_eleventh_by_a_new_one(
    monkeypatch,
):
    monkeypatch.setattr(trainings, "KEPT_WARM", 30)
    school = School()
    school.gate.set()
    for _ in range(11):
        run = Steps()
        school.watch(run)
        assert run.finished
    assert [worker.num_trainings for worker in school.workers] == [10, 1]
    assert school.workers[0].ended, "its memory is given back"
    assert not school.workers[1].ended


def test_after_a_worker_that_failed_the_next_training_works(school):
    school.fault = "memory"
    school.gate.set()
    broken, sound = Steps(), Steps()
    school.watch(broken)
    assert broken.paused == "memory" and not broken.finished
    school.fault = None
    school.watch(sound)
    assert sound.finished and school.workers[0].ended


def test_one_may_train_long_while_nobody_waits(school, monkeypatch):
    monkeypatch.setattr(trainings, "MOST_SECONDS", 2)
    run = Steps()
    school.gate.set()
    school.watch(run)
    assert run.finished


def test_one_who_trains_long_makes_room_for_those_who_wait(school, monkeypatch):
    monkeypatch.setattr(trainings, "MOST_SECONDS", 2)
    long, short = Steps(), Steps()
    long.num_steps = 10**9
    school.keep_looking(long)
    school.gate.set()
    school.watch(short)
    assert short.finished and long.paused == "time" and not long.finished


def test_what_was_shown_after_the_last_state_is_forgotten_with_the_worker():
    run = Steps()
    for step in (1, 2):
        run.take(Report(step, step, loss=1.0, state=("s",), num_weights=1))
    run.take(Report(3, 3.0, loss=1.0))
    run.go_back()
    assert run.step == 2 and [step for step, _ in run.curve] == [1, 2]


def test_workers_end_when_nobody_has_come_for_a_while(school):
    school.gate.set()
    school.watch(Steps())
    end = time.monotonic() + 5
    while not school.workers[0].ended and time.monotonic() < end:
        time.sleep(0.02)
    assert school.workers[0].ended


@pytest.mark.parametrize("wanted, number", [("", 1), ("3", 3), ("0", 1), ("x", 1)])
def test_the_host_says_how_many_workers_there_are(wanted, number, monkeypatch):
    monkeypatch.setenv("TRAINING_WORKERS", wanted)
    assert wanted_workers() == number
