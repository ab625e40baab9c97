"""Distance: how far back does the word stand that decides, and who still finds
it?

Far words come with more facts in between, and more facts mean more rivals. So
for binding the answers are counted by both, to tell the two apart.
"""

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from llm.studies.exam import decision_rows, log_probabilities
from llm.world.words import PEOPLE, PLURALS

# Skills whose answer stands somewhere before, and the distances told apart.
SKILLS_WITH_A_SOURCE = (
    "binding", "repetition", "reference", "word order", "agreement",
)
DISTANCES = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 60))
FACTS = (1, 2, 3, 4)  # about one person each, before a question of binding
NUM_STORIES = 2000


class Answer(NamedTuple):
    """One decision of a story, and whether a model got it right.

    Attributes:
        skill: one of `SKILLS_WITH_A_SOURCE`.
        group: the index into `DISTANCES` of how far back its source stands.
        num_facts: how many people are named before it. In stories of binding
            each fact is about a person of its own.
        right: whether the model's likeliest word is the right one.
    """

    skill: str
    group: int
    num_facts: int
    right: bool


def source_of(tokens, position, answer, skill):
    """Where the word stands that decides what comes at a position.

    Args:
        tokens: the tokens of a story.
        position: the index of the word that is decided.
        answer: that word.
        skill: one of `SKILLS_WITH_A_SOURCE`.

    Returns:
        An index below `position`; None if there is no such word.
    """
    before = tokens[:position]
    if skill == "agreement":
        nouns = {*PLURALS, *PLURALS.values()}
        return next(
            (at for at, word in enumerate(before) if word in nouns), None
        )
    positions = [at for at, word in enumerate(before) if word == answer]
    if skill == "binding":
        positions = [
            at
            for at in positions
            if owner_near(before, at) == owner_asked(before)
        ]
    return positions[-1] if positions else None


def owner_asked(tokens):
    """The last person named: the one whom a question is about."""
    return next(word for word in reversed(tokens) if word in PEOPLE)


def owner_near(tokens, position):
    """The person in the same fact as the word at a position: the nearest by
    full stops.
    """
    def stops_between(at):
        return tokens[min(at, position):max(at, position)].count(".")

    named = [at for at, word in enumerate(tokens) if word in PEOPLE]
    nearest = min(
        named, key=lambda at: (stops_between(at), abs(at - position))
    )
    return tokens[nearest]


def answers_of(exam, log_q, tokenizer):
    """Every decision that has a source, with whether a model is right.

    Args:
        exam: an `Exam`.
        log_q: (filled.sum(), vocab_size), from `log_probabilities`.

    Yields:
        An `Answer`.
    """
    stories = [story for story in exam.stories for _ in story.decisions]
    for story, (row, decision) in zip(
        stories, decision_rows(exam), strict=True
    ):
        if decision.skill not in SKILLS_WITH_A_SOURCE:
            continue
        words = tokenizer.ids_of(decision.candidates) or range(len(tokenizer))
        best = exam.truth[row, words].argmax()
        answer = tokenizer.vocabulary[words[best]]
        source = source_of(
            story.tokens, decision.position, answer, decision.skill
        )
        if source is None:
            continue
        yield Answer(
            decision.skill,
            distance_group(decision.position - source),
            len(set(story.tokens[: decision.position]) & set(PEOPLE)),
            bool(log_q[row, words].argmax() == best),
        )


def right_by_distance(answers):
    """Whether each decision is right, by skill and by the distance to its
    source.

    Args:
        answers: a list of `Answer`.

    Returns:
        A dictionary from (skill, index into `DISTANCES`) to a list of
        booleans.
    """
    found = defaultdict(list)
    for answer in answers:
        found[answer.skill, answer.group].append(answer.right)
    return found


def right_by_facts(answers):
    """How many decisions of binding there are, and how many are right.

    Args:
        answers: a list of `Answer`.

    Returns:
        Two arrays, (len(FACTS), len(DISTANCES)): all of them, and those that
        are right.
    """
    counts = np.zeros((2, len(FACTS), len(DISTANCES)), int)
    for answer in answers:
        if answer.skill == "binding":
            place = FACTS.index(answer.num_facts), answer.group
            counts[(0, *place)] += 1
            counts[(1, *place)] += answer.right
    return counts


def distance_group(distance):
    """The index of the group in `DISTANCES` that a distance falls into."""
    return next(
        number
        for number, (_, most) in enumerate(DISTANCES)
        if distance <= most
    )


def skills_by_distance(models, exam, tokenizer):
    """How often each model is right, by skill and distance.

    Args:
        models: a dictionary from name to a function from token ids to logits.

    Returns:
        A dictionary: `distances`; `skills`: for each skill `counts` and for
        each model the share that is right, one entry a distance (None where
        nothing was asked); and `binding_by_facts`: how many decisions there
        are and how many each model gets right, a row for each of `facts`, an
        entry for each distance.
    """
    answers = {
        name: list(
            answers_of(exam, log_probabilities(logits, exam), tokenizer)
        )
        for name, logits in models.items()
    }
    right = {name: right_by_distance(of) for name, of in answers.items()}
    by_facts = {name: right_by_facts(of) for name, of in answers.items()}
    first = next(iter(models))
    groups = range(len(DISTANCES))
    return {
        "distances": [list(group) for group in DISTANCES],
        "num_stories": len(exam.stories),
        "skills": {
            skill: {
                "counts": [
                    len(right[first].get((skill, group), []))
                    for group in groups
                ],
                **{
                    name: [share(of[skill, group]) for group in groups]
                    for name, of in right.items()
                },
            }
            for skill in SKILLS_WITH_A_SOURCE
        },
        "binding_by_facts": {
            "facts": list(FACTS),
            "counts": by_facts[first][0].tolist(),
            "right": {name: of[1].tolist() for name, of in by_facts.items()},
        },
    }


def share(answers):
    """The share of answers that are right, None of none."""
    return round(float(np.mean(answers)), 4) if answers else None
