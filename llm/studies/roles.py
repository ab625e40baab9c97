"""Roles: what each attention head does, measured over fresh stories.

A role says, for a word, at which words a head of that kind would look. Its
score is the attention that really goes there: the mean, over all words for
which the role names a target, of the weights on the targets. Beside it stands
the score of a head that looks at everything alike. A role that needs the
derivation of a story (which noun does `it` stand for?) names no targets in a
typed sentence.

Every role takes a `Story` and returns (num_tokens, num_tokens) booleans: True
where the word of the row would look at the word of the column.
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.models.tokenizer import padded
from llm.world import Story, words

NUM_STORIES = 1000
BATCH_SIZE = 50
NOUNS = {*words.PLURALS, *words.PLURALS.values()}


def earlier(tokens):
    """True where the column's word comes before the row's."""
    return np.tri(len(tokens), k=-1, dtype=bool)


def nowhere(story):
    """No targets yet."""
    return np.zeros((len(story.tokens),) * 2, bool)


def same(tokens):
    """True where two words are the same."""
    tokens = np.array(tokens)
    return tokens[:, None] == tokens


def is_word(tokens):
    """True for words, False for punctuation and for `<start>` and `<end>`."""
    return np.array([token[0].isalnum() for token in tokens])


def previous_word(story):
    """From each word to the one just before it.

    Not from the first word: what stands before it is `<start>`, which is the
    target of another role.
    """
    targets = np.eye(len(story.tokens), k=-1, dtype=bool)
    targets[:2] = False
    return targets


def itself(story):
    """From each word to itself; the first word has little else to look at."""
    targets = np.eye(len(story.tokens), dtype=bool)
    targets[:2] = False
    return targets


def same_word(story):
    """From each word back to where the same word stood before."""
    tokens = story.tokens
    return same(tokens) & earlier(tokens) & is_word(tokens)[:, None]


def first_token(story):
    """From each word to `<start>`; the first word has little else to see."""
    targets = nowhere(story)
    targets[2:, 0] = True
    return targets


def punctuation(story):
    """From each word to the punctuation before it: full stops, commas, colons.
    """
    words_here = is_word(story.tokens)
    signs = ~words_here & (np.arange(len(words_here)) > 0)
    return words_here[:, None] & signs & earlier(story.tokens)


def look_up(story):
    """From where an answer is due to where that answer stands already.

    `mia has a blue kite . mia 's kite is`: from `is` to `blue`.
    """
    return answers_of(story, ("binding", "repetition"))


def answers_of(story, skills):
    """From where an answer is due to where the same word stood before."""
    targets, tokens = nowhere(story), np.array(story.tokens)
    for decision in story.decisions:
        if decision.skill in skills:
            due = decision.position - 1
            targets[due, :due] = tokens[:due] == tokens[decision.position]
    return targets


def pronoun_to_noun(story):
    """From `it` to the noun that it stands for."""
    targets = nowhere(story)
    for position, noun in story.references.items():
        targets[position, :position] = (
            np.array(story.tokens[:position]) == noun
        )
    return targets


def noun_when_due(story):
    """From where the noun behind an earlier `it` is due to that noun.

    `the cat didn't climb the wall because it was too tired . so the`: to the
    `cat`.
    """
    return answers_of(story, ("reference",))


def verb_to_subject(story):
    """From where `is` or `are` is due to a subject further back.

    A network that writes must know the verb before it stands there, so it is
    measured at the word before the verb.
    """
    targets = nowhere(story)
    for decision in story.decisions:
        if decision.skill == "agreement":
            due = decision.position - 1
            subject = next(n for n, t in enumerate(story.tokens) if t in NOUNS)
            targets[due, subject] = subject < due
    return targets


@dataclass(frozen=True)
class Role:
    """One thing that a head may do.

    Attributes:
        name: a word or two.
        targets: the function that says where such a head would look.
        example: where it would look, in one sentence.
    """

    name: str
    targets: object
    example: str


ROLES = (
    Role("previous word", previous_word,
         "from each word to the one just before it"),
    Role("itself", itself,
         "from each word to that word itself"),
    Role("same word", same_word,
         "from each word to where the same word stood before"),
    Role("first token", first_token,
         "from each word to `<start>`"),
    Role("punctuation", punctuation,
         "from each word to the full stops, commas and colons before it"),
    Role("look-up", look_up,
         "from the word just before an answer to where it already stands"),
    Role("pronoun → noun", pronoun_to_noun,
         "from `it` to the noun that it stands for"),
    Role("noun when due", noun_when_due,
         "from `so the`, where the noun behind `it` is due, to that noun"),
    Role("verb → subject", verb_to_subject,
         "from the word before `is` or `are` to its subject further back"),
)


def role_scores(attention, targets):
    """How much of the attention goes where a role would look.

    Args:
        attention: (..., num_tokens, num_tokens), each row sums to one.
        targets: (num_tokens, num_tokens) of a role.

    Returns:
        (...), each from 0 to 1: the mean over the words that have a target;
        nan if there is none.
    """
    asked = targets.any(axis=-1)
    if not asked.any():
        return np.full(attention.shape[:-2], np.nan)
    return (attention * targets).sum(axis=-1)[..., asked].mean(axis=-1)


def scores_in(attention, story):
    """The score of every role in one sentence.

    Args:
        attention: (..., num_tokens, num_tokens) of some heads.

    Returns:
        A dictionary from the name of a role to (...) scores.
    """
    return {
        role.name: role_scores(attention, role.targets(story))
        for role in ROLES
    }


def measured(weights, tokenizer, stories):
    """The score of every role for every head, over many stories.

    Args:
        weights: a `Weights`.
        stories: a list of `Story`.

    Returns:
        A dictionary from the name of a role to a dictionary with `heads`,
        (num_layers, num_heads) scores, `even`, the score of a head that looks
        at everything alike, and `count`, the number of words measured.
    """
    totals = {role.name: Total() for role in ROLES}
    for start in range(0, len(stories), BATCH_SIZE):
        batch = stories[start : start + BATCH_SIZE]
        ids = padded([tokenizer.ids_of(story.tokens) for story in batch])
        mask = causal_mask(ids.shape[1])
        blocks = trace(weights, ids, mask).blocks
        heads = np.stack([block.attention_weights for block in blocks], axis=1)
        for row, story in zip(heads, batch, strict=True):
            size = len(story.tokens)
            for role in ROLES:
                attention = row[..., :size, :size]
                totals[role.name].add(attention, role.targets(story))
    return {name: total.means() for name, total in totals.items()}


class Total:
    """Attention on the targets of one role, added up over stories."""

    def __init__(self):
        self.heads, self.even, self.count = 0.0, 0.0, 0

    def add(self, attention, targets):
        asked = np.flatnonzero(targets.any(axis=-1))
        self.heads = self.heads + np.einsum(
            "...qk,qk->...", attention[..., asked, :], targets[asked]
        )
        # Spread evenly, each of the n words seen by the nth word gets 1/n.
        self.even += (targets[asked].sum(axis=-1) / (asked + 1)).sum()
        self.count += len(asked)

    def means(self):
        count = max(self.count, 1)
        return {
            "heads": np.asarray(self.heads / count, float).round(4).tolist(),
            "even": round(float(self.even / count), 4),
            "count": self.count,
        }


def typed(tokens):
    """A typed sentence as a `Story`, of whose derivation nothing is known."""
    return Story(tuple(tokens))


# A head has a role when this much of its attention follows it, and when that
# is well above what looking evenly would give. Both bounds are ours.
LEAST_SCORE = 0.25
LEAST_TIMES_EVEN = 2.0


def roles_of(roles, layer, head):
    """The roles that a head has, the clearest first.

    Args:
        roles: what `measured` returned.
        layer, head: counted from 0.

    Returns:
        A list of names; empty for a head of which no role here tells much.
    """
    scores = {}
    for name, found in roles.items():
        score = found["heads"][layer][head]
        if score >= max(LEAST_SCORE, LEAST_TIMES_EVEN * found["even"]):
            scores[name] = score
    return sorted(scores, key=scores.get, reverse=True)
