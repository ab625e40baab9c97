"""A weighted grammar with a memory: the rules by which the toy world writes.

A grammar is a tree of nodes. Every node can do two things, and they stand side
by side in its class:

- `write(draft)` writes its words, drawing one choice at a time;
- `read(rest, memory, probability)` lists every next word that it could write,
with
  the exact probability of each. `rest` is what is still to be written
  afterwards, a linked list `(node, rest)`; `memory` holds the words picked so
  far, by name.

Writing gives stories to learn from. Reading gives the truth to compare with.
"""

from bisect import bisect
from dataclasses import dataclass, field
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Decision:
    """A place in a story where one skill alone gives the right next word.

    Attributes:
        position: index in the story's tokens of the word that is decided.
        skill: the name of the skill.
        candidates: the words that count as answers; empty if every word does.
    """

    position: int
    skill: str
    candidates: tuple = ()


@dataclass(slots=True)
class Draft:
    """A story while it is being written, with the choices that made it."""

    uniform: object  # from a node that chooses to a number in [0, 1)
    tokens: list = field(default_factory=list)
    memory: dict = field(default_factory=dict)
    decisions: list = field(default_factory=list)
    references: dict = field(default_factory=dict)
    pairs: list = field(default_factory=list)


class Word:
    """One fixed word."""

    def __init__(self, word):
        self.word = word

    def write(self, draft):
        draft.tokens.append(self.word)

    def read(self, rest, memory, probability):
        yield self.word, probability, rest, memory


class Sequence:
    """Some nodes, one after the other."""

    def __init__(self, parts):
        self.parts = tuple(parts)

    def write(self, draft):
        for part in self.parts:
            part.write(draft)

    def read(self, rest, memory, probability):
        for part in reversed(self.parts):
            rest = (part, rest)
        yield from read_on(rest, memory, probability)


class Choice:
    """One of several nodes, each with its weight."""

    def __init__(self, options):
        total = sum(options.values())
        self.nodes = tuple(options)
        self.probabilities = [weight / total for weight in options.values()]
        self.cumulative = list(accumulate(self.probabilities))[:-1]

    def write(self, draft):
        self.nodes[bisect(self.cumulative, draft.uniform(self))].write(draft)

    def read(self, rest, memory, probability):
        for node, share in zip(self.nodes, self.probabilities):
            yield from node.read(rest, memory, probability * share)


class Pick:
    """A word drawn from a table, remembered under a name.

    Args:
        name: the name in the memory.
        table: the words with their weights.
        unlike: names whose words must not be picked again.
        beside: names whose words must not form a held-out pair with this one;
            a name that nothing was picked for is passed over.
        brings: a dictionary from a word to the words that will follow it and
            must not form such a pair either; None if nothing follows.
        held_out: a set of frozensets of two words.
    """

    def __init__(self, name, table, unlike=(), beside=(), brings=None,
                 held_out=frozenset()):
        total = sum(table.values())
        self.name, self.unlike, self.beside = name, unlike, beside
        self.words = tuple(table)
        self.probabilities = [weight / total for weight in table.values()]
        self.cumulative = list(accumulate(self.probabilities))[:-1]
        self.brings, self.held_out = brings or {}, held_out

    def pairs(self, word, memory):
        """The pairs of words that meet if this word is picked."""
        return [
            frozenset((following, memory[name]))
            for name in self.beside
            if name in memory
            for following in (word, *self.brings.get(word, ()))
        ]

    def allows(self, word, memory):
        return all(word != memory[name] for name in self.unlike) and all(
            pair not in self.held_out for pair in self.pairs(word, memory)
        )

    def write(self, draft):
        word = None
        # Drawing again until a word fits is the same as renormalising the
        # table.
        while word is None or not self.allows(word, draft.memory):
            word = self.words[bisect(self.cumulative, draft.uniform(self))]
        draft.pairs += self.pairs(word, draft.memory)
        draft.memory[self.name] = word
        draft.tokens.append(word)

    def read(self, rest, memory, probability):
        allowed = [
            (word, share)
            for word, share in zip(self.words, self.probabilities)
            if self.allows(word, memory)
        ]
        total = sum(share for _, share in allowed)
        for word, share in allowed:
            remembered = {**memory, self.name: word}
            yield word, probability * share / total, rest, remembered


class Say:
    """A word remembered earlier, or another form of it.

    Args:
        name: the name in the memory.
        forms: a dictionary from the remembered word to the one written.
    """

    def __init__(self, name, forms=None):
        self.name, self.forms = name, forms

    def word(self, memory):
        word = memory[self.name]
        return self.forms[word] if self.forms else word

    def write(self, draft):
        draft.tokens.append(self.word(draft.memory))

    def read(self, rest, memory, probability):
        yield self.word(memory), probability, rest, memory


class It:
    """The word `it`, standing for a word remembered earlier."""

    def __init__(self, name):
        self.name = name

    def write(self, draft):
        draft.references[len(draft.tokens)] = draft.memory[self.name]
        draft.tokens.append("it")

    def read(self, rest, memory, probability):
        yield "it", probability, rest, memory


class Depending:
    """The node that belongs to a word remembered earlier."""

    def __init__(self, name, nodes):
        self.name, self.nodes = name, nodes

    def write(self, draft):
        self.nodes[draft.memory[self.name]].write(draft)

    def read(self, rest, memory, probability):
        yield from self.nodes[memory[self.name]].read(
            rest, memory, probability
        )


class Decide:
    """A node whose first word is a decision token of a skill."""

    def __init__(self, skill, node, candidates=()):
        self.skill, self.node, self.candidates = (
            skill,
            node,
            tuple(sorted(candidates)),
        )

    def write(self, draft):
        draft.decisions.append(
            Decision(len(draft.tokens), self.skill, self.candidates)
        )
        self.node.write(draft)

    def read(self, rest, memory, probability):
        yield from self.node.read(rest, memory, probability)


def read_on(rest, memory, probability=1.0):
    """List what may come next: (word, probability, rest, memory) of each case.
    """
    if rest is not None:
        node, rest = rest
        yield from node.read(rest, memory, probability)


def sequence(*parts):
    """Nodes and plain text in a row; text is split into words at its spaces.
    """
    nodes = []
    for part in parts:
        if isinstance(part, str):
            nodes += [Word(word) for word in part.split()]
        else:
            nodes.append(part)
    return nodes[0] if len(nodes) == 1 else Sequence(nodes)


def choice(*options):
    """One of several (weight, node or text)."""
    return Choice({sequence(node): weight for weight, node in options})


def maybe(probability, *parts):
    """The parts with this probability, else nothing."""
    return choice((probability, sequence(*parts)), (1 - probability, ""))


def words_of(node):
    """Every word that a node and the nodes below it can write."""
    if isinstance(node, Word):
        return {node.word}
    if isinstance(node, It):
        return {"it"}
    if isinstance(node, Pick):
        return set(node.words)
    if isinstance(node, Say):
        return set(node.forms.values()) if node.forms else set()
    if isinstance(node, Decide):
        return words_of(node.node)
    if isinstance(node, Depending):
        children = node.nodes.values()
    else:
        children = node.parts if isinstance(node, Sequence) else node.nodes
    return set().union(*map(words_of, children))
