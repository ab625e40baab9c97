"""What a student has answered, kept while moving between lessons."""

from dataclasses import dataclass, field

import streamlit as st


@dataclass
class Answered:
    """The answers of one student.

    Attributes:
        tries: from (set of numbers, name of the question) to a list of (option,
            whether it was right), the first try first.
        rounds: how often a set was begun anew.
    """

    tries: dict = field(default_factory=dict)
    rounds: int = 0


def progress():
    """What this student has answered, kept until the tab is closed: an `Answered`."""
    return st.session_state.setdefault("course_progress", Answered())


def note(so_far, numbers, name, option, right):
    """Note a try; the same option twice in a row is one try."""
    tries = so_far.tries.setdefault((numbers, name), [])
    if not tries or tries[-1][0] != option:
        tries.append((option, right))


def begin_anew(so_far, numbers):
    """Forget all answers to one set."""
    for key in [key for key in so_far.tries if key[0] == numbers]:
        del so_far.tries[key]
    so_far.rounds += 1


def last_option(so_far, numbers, name):
    """What was picked last for a question, or None."""
    tries = so_far.tries.get((numbers, name))
    return tries[-1][0] if tries else None


def verdicts(so_far, numbers):
    """How each answered question of a set went, by the first try.

    Returns:
        A dictionary from name to True if the first try was right.
    """
    return {
        name: tries[0][1]
        for (of, name), tries in so_far.tries.items()
        if of == numbers and tries
    }


def by_lesson(found, lesson_of, names):
    """The result lesson by lesson.

    Args:
        found: from `verdicts`.
        lesson_of: a function from a question's name to its lesson.
        names: all questions.

    Returns:
        A dictionary from lesson to (right, answered, all), in the order of the names.
    """
    result = {}
    for name in names:
        right, answered, every = result.get(lesson_of(name), (0, 0, 0))
        result[lesson_of(name)] = (
            right + bool(found.get(name)), answered + (name in found), every + 1
        )
    return result
