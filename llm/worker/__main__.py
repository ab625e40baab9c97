"""The worker process: it trains what it is told to, and reports.

    python -m llm.worker

It ends when its standard input does: with the server, whatever happened to
that.
"""

import os
import queue
import signal
import sys
import threading
import traceback

import numpy as np

from llm.digits.run import DigitRun
from llm.own_text.training import TextRun
from llm.worker.messages import Sender, receive

KINDS = {"digits": DigitRun, "text": TextRun}


def main():
    """Listen for trainings, one after the other."""
    sender, inbox = Sender(private_output()), Inbox(sys.stdin.buffer)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    use_one_core()
    be_modest()
    models = LastModel()
    while True:
        values, arrays = inbox.next_training()
        try:
            train(values, arrays, inbox, sender, models)
        except Exception as error:
            traceback.print_exc()
            sender.send("failed", reason=reason_of(error), memory=memory())


def private_output():
    """Standard output for messages alone; whatever is printed goes to the log.
    """
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def use_one_core():
    """Let TensorFlow compute in one thread.

    These networks are so small that several threads spend more on waiting for
    each other than they gain: a step of the default training of `your_text`
    took 46 ms of processor time with two threads, 30 with one (measured).
    """
    for name in ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        os.environ.setdefault(name, "1")


def be_modest():
    """Let the server go first, so that pages stay quick while something
    trains.
    """
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # it ends with the server, not before
    if hasattr(os, "nice"):
        os.nice(10)


class Inbox:
    """Listens to the server while the training goes on.

    Args:
        pipe: where the messages come from.
    """

    def __init__(self, pipe):
        self._pipe, self._trainings, self._stopped = pipe, queue.Queue(), 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while message := receive(self._pipe):
            kind, values, arrays = message
            if kind == "stop":
                self._stopped = values["number"]
            else:
                self._trainings.put((values, arrays))
        os._exit(0)  # the server has gone; nobody is left to train for

    def next_training(self):
        return self._trainings.get()

    def is_stopped(self, number):
        """Whether the training with this number is to stop."""
        return self._stopped >= number


class LastModel:
    """The model of the last training, whose graph serves the next of the same
    sizes.

    Building a graph takes longer than many trainings need for their steps.
    """

    def __init__(self):
        self.sizes = self.model = self.first = None

    def for_run(self, run):
        """A compiled model with first weights, as if it had just been built.
        """
        from llm.training.run import put_back, ready, state_of

        if run.sizes != self.sizes:
            self.sizes = self.model = None
            self.model = ready(run.compiled())
            self.sizes, self.first = run.sizes, state_of(self.model)
        else:
            put_back(self.model, self.first)
        return self.model


def train(values, arrays, inbox, sender, models):
    """Train one run to its end, or until the server says stop."""
    number = values["number"]
    run = KINDS[values["kind"]].from_message(values, arrays)
    sender.send("building", number=number)
    model = models.for_run(run)
    reports = run.reports(model)
    for report in reports:
        told = {**vars(report), "state": None, "file": None, "number": number}
        file = np.frombuffer(report.file, np.uint8)
        sender.send("report", (file, *report.state), **told)
        if inbox.is_stopped(number):
            break
    reports.close()
    sender.send("ended", run.state, number=number, memory=memory())


def reason_of(error):
    """Why a training failed, in a word that the server knows."""
    if isinstance(error, ImportError):
        return "no keras"
    # The second is TensorFlow's own, which is not to be loaded for its name.
    if {type(error).__name__} & {"MemoryError", "ResourceExhaustedError"}:
        return "memory"
    return "fault"


def memory():
    """The memory of this process in MB, None where the system does not say."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            line = next(line for line in status if line.startswith("VmRSS"))
        return int(line.split()[1]) // 1024
    except (OSError, StopIteration):
        return None


if __name__ == "__main__":
    main()
