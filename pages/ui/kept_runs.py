"""Trained models kept for their owners for a while, so that a reload forgets nothing.

Whoever has the address of the page finds the model again: the address holds a word
that nobody can guess.
"""

import secrets
import threading
import time
from collections import OrderedDict

MINUTES = 30
MOST_RUNS = 30


class KeptRuns:
    """Runs by a word in the address, for some minutes.

    Args:
        minutes: how long a run is kept after it was last asked for.
        most: how many are kept; the one not asked for longest goes first.
    """

    def __init__(self, minutes=MINUTES, most=MOST_RUNS):
        self.minutes, self.most = minutes, most
        self._runs, self._lock = OrderedDict(), threading.Lock()

    def keep(self, run):
        """Keep a run; the word under which it is found again."""
        with self._lock:
            word = secrets.token_urlsafe(9)
            self._runs[word] = (time.monotonic(), run)
            self._tidy()
        return word

    def find(self, word):
        """The run of a word; None if there is none, or none any more."""
        with self._lock:
            self._tidy()
            if word not in self._runs:
                return None
            _, run = self._runs.pop(word)
            self._runs[word] = (time.monotonic(), run)
            return run

    def _tidy(self):
        oldest = time.monotonic() - 60 * self.minutes
        while self._runs:
            asked, _ = next(iter(self._runs.values()))
            if asked >= oldest and len(self._runs) <= self.most:
                return
            self._runs.popitem(last=False)

    def __len__(self):
        return len(self._runs)


KEPT_RUNS = KeptRuns()
