"""The world as a whole: stories to learn from, and the truth to compare with.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from llm.world.draws import FreeDraws, StratifiedDraws
from llm.world.grammar import Draft, read_on, words_of
from llm.world.stories import SHARES, build

START, END = "<start>", "<end>"
SKILLS = tuple(SHARES)


@dataclass(frozen=True)
class Story:
    """One story, with what its derivation knows about it.

    Attributes:
        tokens: `<start>`, the words, `<end>`.
        decisions: the places where one skill gives the right next word.
        references: for the index of each `it`, the noun that it stands for.
        pairs: the pairs of words that the grammar can hold out and that meet
            here.
    """

    tokens: tuple
    decisions: tuple = ()
    references: dict = field(default_factory=dict)
    pairs: frozenset = frozenset()

    @property
    def skill(self):
        """The skill of its first decision; None if it has none."""
        return self.decisions[0].skill if self.decisions else None


class World:
    """A probabilistic grammar that writes stories and can be asked for the
    truth.

    Args:
        held_out: pairs of words that meet in no story
            (`llm.world.words.HELD_OUT` says when two words meet). The truth of
            a world is the truth of exactly its own stories.
        grammar: another grammar than that of the course.
        cache_size: how many beginnings of stories are kept in memory.
        shares: a dictionary from each skill to the share of the stories that
            test it, if not that of the course; not used with a `grammar`.
            Other shares give other probabilities.
    """

    def __init__(
        self, held_out=frozenset(), grammar=None, cache_size=5000,
        shares=SHARES,
    ):
        held_out = frozenset(frozenset(pair) for pair in held_out)
        self.grammar = grammar or build(held_out, shares)
        # All students share one world, and this cache may be used by many
        # threads.
        self._cases = lru_cache(maxsize=cache_size)(self._computed_cases)

    def vocabulary(self):
        """All words of this world in a fixed order, `<start>` first."""
        return [START, *sorted(words_of(self.grammar))]

    def stories(self, rng, num_strata=0):
        """Write stories without end.

        Args:
            rng: a NumPy generator.
            num_strata: if not 0, each choice is drawn in so many strata: over
                many stories it comes almost exactly as often as its
                probability says (see `StratifiedDraws`).
        """
        draws = (
            StratifiedDraws(rng, num_strata) if num_strata else FreeDraws(rng)
        )
        while True:
            draws.begin()
            draft = Draft(draws.uniform, [START])
            self.grammar.write(draft)
            yield Story(
                tuple(draft.tokens), tuple(draft.decisions), draft.references,
                frozenset(draft.pairs),
            )

    def sample(self, rng, count):
        """A list of `count` stories."""
        stories = self.stories(rng)
        return [next(stories) for _ in range(count)]

    def next_word_probabilities(self, tokens):
        """The exact distribution of the next word.

        Args:
            tokens: the words so far; `<start>` in front may be left out.

        Returns:
            A dictionary from word to probability that adds up to one; empty if
            the world would never say these words, or the story is over.
        """
        distribution = {}
        for word, probability, _, _ in self._cases(_without_start(tokens)):
            distribution[word] = distribution.get(word, 0.0) + probability
        return distribution

    def allows(self, tokens):
        """Whether some story of this world begins with these words."""
        return self.first_impossible(tokens) is None

    def first_impossible(self, tokens):
        """The index of the first word that the world would not have said here.

        Returns:
            An index into `tokens`, or None if some story begins with these
            words.
        """
        offset = len(tokens) - len(_without_start(tokens))
        words = _without_start(tokens)
        for index, word in enumerate(words):
            if word not in self.next_word_probabilities(words[:index]):
                return index + offset
        return None

    def _computed_cases(self, words):
        """Every way in which a story can go on after `words`, likelihoods
        summing to 1.

        Filtering: of the ways to go on before the last word, keep those that
        wrote it, and share out their probability anew.
        """
        if not words:
            return list(read_on((self.grammar, None), {}))
        fitting = [
            case for case in self._cases(words[:-1]) if case[0] == words[-1]
        ]
        total = sum(probability for _, probability, _, _ in fitting)
        return [
            case
            for _, probability, rest, memory in fitting
            for case in read_on(rest, memory, probability / total)
        ]


def _without_start(tokens):
    tokens = tuple(tokens)
    return tokens[1:] if tokens[:1] == (START,) else tokens
