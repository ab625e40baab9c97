"""One training at a time in a process: the others wait their turn."""

import threading
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass

KEPT_FOR = 1.5  # seconds that a place is kept for one who will be back at once


@dataclass(eq=False)
class Ticket:
    """A place in the queue.

    Attributes:
        owner: whose it is.
        kept_until: None while its owner stands there; else when it falls to the next.
    """

    owner: object
    kept_until: float | None = None


class TrainingQueue:
    """One training at a time in a process; the others wait their turn.

    The queue is fair (first come, first served), and a place in it is given up by
    leaving the `with` block, whatever the reason. One who is interrupted may come back
    to his place within a moment: a page that runs anew must not lose its turn.
    """

    def __init__(self, kept_for=KEPT_FOR):
        self.kept_for = kept_for
        self._lock = threading.Lock()
        self._line = deque()

    @contextmanager
    def place(self, owner=None):
        """A place in the queue, as a function that says how many are ahead.

        Args:
            owner: who takes the place; None for one who will not come back.
        """
        ticket = Ticket(owner if owner is not None else object())
        with self._lock:
            self._enter(ticket)
        try:
            yield lambda: self._ahead(ticket)
        except BaseException:
            # Streamlit interrupts a page with an exception, also when a tab closes.
            self._leave(ticket, self.kept_for if owner is not None else 0)
            raise
        else:
            self._leave(ticket, 0)

    def _enter(self, ticket):
        """Stand directly behind one's other place, if there is one; else at the end."""
        self._tidy()
        mine = [place for place, other in enumerate(self._line)
                if other.owner == ticket.owner]
        self._line.insert(mine[-1] + 1 if mine else len(self._line), ticket)
        for place in reversed(mine):
            if self._line[place].kept_until is not None:
                del self._line[place]

    def _leave(self, ticket, kept_for):
        """Give the place up, at once or after a moment in which nobody came back."""
        with self._lock:
            others = [other for other in self._line if other is not ticket]
            if kept_for and all(other.owner != ticket.owner for other in others):
                ticket.kept_until = time.monotonic() + kept_for
            else:
                self._line.remove(ticket)

    def _tidy(self):
        """Drop the places to which nobody came back."""
        now = time.monotonic()
        for ticket in list(self._line):
            if ticket.kept_until is not None and ticket.kept_until < now:
                self._line.remove(ticket)

    def _ahead(self, ticket):
        with self._lock:
            self._tidy()
            return self._line.index(ticket)

    def __len__(self):
        """How many are training or waiting."""
        with self._lock:
            self._tidy()
            return len(self._line)


# The one queue of this process.
QUEUE = TrainingQueue()
