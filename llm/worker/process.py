"""A worker process, seen from the server."""

import queue
import subprocess
import sys
import threading
from pathlib import Path

from llm.training.run import Report
from llm.worker.messages import Sender, receive

ROOT = Path(__file__).resolve().parents[2]
TICK = 0.1  # seconds between two looks at whether a training is still wanted
MOST_TRAININGS = 10  # in one process
MOST_MEMORY = 800  # MB
GRAPH_MEMORY = 40  # MB that each further graph leaves behind (measured)


class TrainingFailed(Exception):
    """A training that could not go on.

    Attributes:
        reason: "memory", "no keras", "fault", or "gone" if its process ended.
    """

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class Worker:
    """A process that trains one run after the other.

    Attributes:
        sizes: of the network whose graph it has.
        num_trainings: how many it has begun.
        memory: in MB after the last training; 0 where the system does not say.
    """

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "llm.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=getattr(
                subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0
            ),
        )
        self._sender = Sender(self._process.stdin)
        self._messages = queue.Queue()
        self.sizes, self.num_trainings, self.memory = None, 0, 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while message := receive(self._process.stdout):
            self._messages.put(message)
        self._messages.put(("gone", {}, []))

    def suits(self, run):
        """Whether it can train this run and stay within its memory."""
        room = MOST_MEMORY - GRAPH_MEMORY
        return (
            self._process.poll() is None
            and self.num_trainings < MOST_TRAININGS
            and (self.sizes == run.sizes or self.memory < room)
        )

    def reports(self, run):
        """Train a run over there.

        Yields:
            Each `Report`, "building" when the network is being built, and None
            whenever a moment has passed without one. At the end the run has
            its `state`.

        Raises:
            TrainingFailed: if it cannot go on.
        """
        self.num_trainings += 1
        self.sizes = run.sizes
        values, arrays = run.message()
        try:
            self._sender.send(
                "train", arrays, number=self.num_trainings, **values
            )
        except OSError:
            raise TrainingFailed("gone") from None
        while True:
            try:
                kind, values, arrays = self._messages.get(timeout=TICK)
            except queue.Empty:
                yield None
                continue
            self.memory = values.pop("memory", None) or self.memory
            if kind == "report":
                values.pop("number")
                file, *state = arrays
                yield Report(
                    **{**values, "state": tuple(state), "file": file.tobytes()}
                )
            elif kind == "building":
                yield kind
            elif kind == "ended":
                run.keep(arrays)
                return
            else:
                raise TrainingFailed(values.get("reason", kind))

    def stop(self):
        """Ask it to end its training soon; it then still sends its state."""
        try:
            self._sender.send("stop", number=self.num_trainings)
        except OSError:
            pass  # it has gone by itself

    def end(self):
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:
                pass
