"""What the tries at the questions say: what is right, what is open, by lesson.

The tries lie in the part `checks` of what this student has done, see
`pages/ui/progress.py`: from `set:name` to a list of [option, whether it was right].
"""

from pages.ui.progress import done, note


def place(numbers, name):
    """The name under which the tries at a question of a set are noted."""
    return f"{numbers}:{name}"


def note_try(numbers, name, option, right):
    """Note a try; the same option twice in a row is one try."""
    tries = done()["checks"].get(place(numbers, name), [])
    if not tries or tries[-1][0] != option:
        note("checks", place(numbers, name), [*tries[-19:], [option, bool(right)]])


def begin_anew(numbers):
    """Forget all answers to one set."""
    checks = done()["checks"]
    for key in [key for key in checks if key.startswith(f"{numbers}:")]:
        del checks[key]


def last_option(checks, numbers, name):
    """What was picked last for a question, or None."""
    tries = checks.get(place(numbers, name))
    return tries[-1][0] if tries else None


def verdicts(checks, numbers):
    """How each answered question of a set went, by the first try.

    Args:
        checks: from `set:name` to the tries, the first one first.
        numbers: which set.

    Returns:
        A dictionary from name to True if the first try was right.
    """
    return {
        key.split(":", 1)[1]: tries[0][1]
        for key, tries in checks.items()
        if key.startswith(f"{numbers}:") and tries
    }


def by_lesson(verdicts, lesson_of, names):
    """The result lesson by lesson.

    Args:
        verdicts: from `verdicts`.
        lesson_of: a function from a question's name to its lesson.
        names: all questions.

    Returns:
        A dictionary from lesson to (right, answered, all), in the order of the names.
    """
    result = {}
    for name in names:
        right, answered, every = result.get(lesson_of(name), (0, 0, 0))
        result[lesson_of(name)] = (
            right + bool(verdicts.get(name)), answered + (name in verdicts), every + 1
        )
    return result
