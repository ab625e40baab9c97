"""Who trains and who waits: the queue in front of the workers."""

import atexit
import os
import threading
import time
from collections import deque
from dataclasses import dataclass, field

from llm.worker.process import TICK, TrainingFailed, Worker

KEPT_FOR = (
    2.0  # seconds that a run goes on, or keeps its place, while nobody looks
)
KEPT_WARM = 120.0  # seconds that a worker without work is kept
MOST_SECONDS = 120  # that one may train while others wait
STOPS_WITHIN = 15.0  # seconds; a worker that takes longer is ended
USUAL_SECONDS = 45.0  # of a training, before any has been seen


@dataclass(eq=False)
class Place:
    """A run in the queue.

    Attributes:
        run: a `Run`.
        stage: "waiting", "starting" (its worker), "building" (its network) or
            "training".
        seen: when somebody last looked.
        entered: when its stage began.
        stopped: whether its owner has said stop.
    """

    run: object
    stage: str = "waiting"
    seen: float = field(default_factory=time.monotonic)
    entered: float = field(default_factory=time.monotonic)
    stopped: bool = False

    def enter(self, stage):
        if stage != self.stage:
            self.stage, self.entered = stage, time.monotonic()

    @property
    def is_left(self):
        return time.monotonic() - self.seen > KEPT_FOR


@dataclass(frozen=True)
class Standing:
    """Where a run stands in the queue.

    Attributes:
        stage: "waiting", "starting" (its worker), "building" (its network) or
            "training".
        seconds: since this stage began.
        ahead: how many runs come before it, those that train among them.
        wait: about how many seconds until its turn.
    """

    stage: str
    seconds: float
    ahead: int
    wait: float


class Trainings:
    """A fair queue, and one or more workers who serve it.

    A run keeps its place, and goes on, only while somebody looks at it: so a
    closed tab frees the worker at once, and a page that runs anew loses
    nothing.

    Args:
        num_workers: how many may train at the same time.
        start: makes a worker; see `Worker`.
    """

    def __init__(self, num_workers=1, start=Worker):
        self.num_workers, self._start = num_workers, start
        self._line, self._lock = [], threading.Condition()
        self._threads, self._workers = 0, set()
        self._durations = deque(maxlen=5)

    def enter(self, run):
        """Let a run train as soon as it is its turn."""
        with self._lock:
            if self._place(run) or run.finished:
                return
            run.paused = None
            self._line.append(Place(run))
            if self._threads < min(self.num_workers, len(self._line)):
                self._threads += 1
                threading.Thread(target=self._serve, daemon=True).start()
            self._lock.notify_all()

    def look(self, run):
        """Where a run stands, a `Standing`; None if it is not in the queue any
        more.

        To be asked again within two seconds, or the run gives its place up.
        """
        with self._lock:
            place = self._place(run)
            if place is None:
                return None
            place.seen = now = time.monotonic()
            self._tidy()
            before = self._line[: self._line.index(place)]
            wait = sum(map(self._seconds_left, before)) / self.num_workers
            return Standing(
                place.stage, now - place.entered, len(before), wait
            )

    def stop(self, run):
        """Let a run stop; it keeps what it has learned."""
        with self._lock:
            if not run.finished:
                run.paused = "stopped"
            if place := self._place(run):
                place.stopped = True
                if place.stage == "waiting":
                    self._line.remove(place)

    def close(self):
        """End all workers."""
        for worker in list(self._workers):
            worker.end()

    def __len__(self):
        """How many train or wait."""
        return len(self._line)

    def _place(self, run):
        return next((place for place in self._line if place.run is run), None)

    def _seconds_left(self, place):
        """About how long a run will still train."""
        usual = USUAL_SECONDS
        if self._durations:
            usual = sum(self._durations) / len(self._durations)
        run = place.run
        if place.stage == "training" and run.step and run.seconds:
            return run.seconds / run.step * (run.num_steps - run.step)
        return usual

    def _serve(self):
        """Train one run after the other, until nobody has come for a while."""
        worker = None
        while place := self._next():
            if worker is None or not worker.suits(place.run):
                self._end(worker)
                worker = self._hire()
            if not self._train(worker, place):
                worker = self._end(worker)
        self._end(worker)

    def _next(self):
        """The next run whose turn it is; None when nobody has come for a
        while.
        """
        until = time.monotonic() + KEPT_WARM
        with self._lock:
            while True:
                self._tidy()
                for place in self._line:
                    if place.stage == "waiting":
                        place.enter("starting")
                        return place
                if time.monotonic() > until:
                    self._threads -= 1
                    return None
                self._lock.wait(TICK * 5)

    def _tidy(self):
        """Drop the places of those who wait and are gone."""
        for place in list(self._line):
            if place.stage == "waiting" and place.is_left:
                place.run.paused = "left"
                self._line.remove(place)

    def _hire(self):
        worker = self._start()
        self._workers.add(worker)
        return worker

    def _end(self, worker):
        if worker is not None:
            worker.end()
            self._workers.discard(worker)

    def _train(self, worker, place):
        """Train a run for one stretch.

        Returns:
            Whether the worker is still sound.
        """
        run, before = place.run, place.run.seconds
        started, give_up = time.monotonic(), None
        try:
            for told in worker.reports(run):
                if told == "building":
                    place.enter(told)
                elif told is not None:
                    place.enter("training")
                    run.take(told)
                if give_up is None and (why := self._why_stop(place, before)):
                    run.paused, give_up = why, time.monotonic() + STOPS_WITHIN
                    worker.stop()
                if give_up is not None and time.monotonic() > give_up:
                    raise TrainingFailed(run.paused)
            return True
        except TrainingFailed as failure:
            run.paused = run.paused or failure.reason
            run.go_back()
            return False
        finally:
            if run.finished:
                run.paused, run.state = (
                    None,
                    (),
                )  # nothing is left to go on with
                self._durations.append(time.monotonic() - started)
            with self._lock:
                self._line.remove(place)

    def _why_stop(self, place, before):
        """Why a training must stop now, a word; None if it may go on."""
        if place.stopped:
            return "stopped"
        if place.is_left:
            return "left"
        others = any(other.stage == "waiting" for other in self._line)
        if others and place.run.seconds - before > MOST_SECONDS:
            return "time"
        return None


def wanted_workers():
    """How many workers the host allows, from the variable TRAINING_WORKERS."""
    wanted = os.environ.get("TRAINING_WORKERS", "")
    return max(1, int(wanted)) if wanted.isdigit() else 1


# One queue for all students of this server: they share its cores.
TRAININGS = Trainings(wanted_workers())
atexit.register(TRAININGS.close)
