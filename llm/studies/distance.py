"""Distance: how far back does the word stand that decides, and who still finds
it?
"""

from collections import defaultdict

import numpy as np

from llm.studies.exam import decision_rows, log_probabilities
from llm.world.words import PEOPLE, PLURALS

# Skills whose answer stands somewhere before, and the distances told apart.
SKILLS_WITH_A_SOURCE = (
    "binding", "repetition", "reference", "word order", "agreement",
)
DISTANCES = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 60))
NUM_STORIES = 2000


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


def right_by_distance(exam, log_q, tokenizer):
    """Whether each decision is right, by skill and by the distance to its
    source.

    Args:
        exam: an `Exam`.
        log_q: (filled.sum(), vocab_size), from `log_probabilities`.

    Returns:
        A dictionary from (skill, index into `DISTANCES`) to a list of
        booleans.
    """
    found = defaultdict(list)
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
        distance = decision.position - source
        right = bool(log_q[row, words].argmax() == best)
        found[decision.skill, distance_group(distance)].append(right)
    return found


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
        A dictionary: `distances`, and `skills`: for each skill `counts` and
        for each model the share that is right, one entry a distance (None
        where nothing was asked).
    """
    right = {
        name: right_by_distance(
            exam, log_probabilities(logits, exam), tokenizer
        )
        for name, logits in models.items()
    }
    first = next(iter(right.values()))
    groups = range(len(DISTANCES))
    return {
        "distances": [list(group) for group in DISTANCES],
        "num_stories": len(exam.stories),
        "skills": {
            skill: {
                "counts": [
                    len(first.get((skill, group), [])) for group in groups
                ],
                **{
                    name: [share(of[skill, group]) for group in groups]
                    for name, of in right.items()
                },
            }
            for skill in SKILLS_WITH_A_SOURCE
        },
    }


def share(answers):
    """The share of answers that are right, None of none."""
    return round(float(np.mean(answers)), 4) if answers else None
