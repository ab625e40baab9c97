"""The chance behind the stories: uniform numbers, free or in strata."""


class FreeDraws:
    """Uniform numbers in [0, 1), each independent of all others.

    Args:
        rng: a NumPy generator.
    """

    def __init__(self, rng):
        self._next = _uniform_numbers(rng).__next__

    def begin(self):
        """A new story begins: nothing to do here."""

    def uniform(self, node):
        """One number for a choice that a node of the grammar makes."""
        return self._next()


class StratifiedDraws:
    """Uniform numbers in [0, 1), spread evenly over the stories.

    Each node of the grammar draws as from a shuffled deck of cards: of
    `num_strata` numbers that it gets, one lies in each of as many equal parts
    of [0, 1). So over many stories a choice comes almost exactly as often as
    its probability says, and less is left to chance than with free draws
    (stratified sampling).

    A single story is as likely as ever: each number by itself is uniform, the
    decks of two nodes know nothing of each other, and a node that draws a
    second time in one story draws freely (about one draw in ten).

    Args:
        rng: a NumPy generator.
        num_strata: parts of [0, 1), and cards in a deck.
    """

    def __init__(self, rng, num_strata):
        self._rng, self._num_strata = rng, num_strata
        self._free = _uniform_numbers(rng).__next__
        self._decks, self._dealt = {}, set()

    def begin(self):
        """A new story begins: each node may draw from its deck once more."""
        self._dealt.clear()

    def uniform(self, node):
        """One number for a choice that a node of the grammar makes."""
        if node in self._dealt:
            return self._free()
        self._dealt.add(node)
        if not self._decks.get(node):
            self._decks[node] = self._shuffled()
        return self._decks[node].pop()

    def _shuffled(self):
        strata = self._rng.permutation(self._num_strata)
        inside = self._rng.random(self._num_strata)
        return ((strata + inside) / self._num_strata).tolist()


def _uniform_numbers(rng):
    """Numbers in [0, 1), drawn in blocks because one at a time is slow."""
    while True:
        yield from rng.random(4096).tolist()
