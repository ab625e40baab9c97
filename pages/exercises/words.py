"""How many kinds of exercise are solved."""

from llm.exercises import KINDS


def solved_kinds(exercises):
    """The kinds of which at least one exercise was solved.

    Args:
        exercises: the part `exercises` of the record of a student.
    """
    return {name.split(":")[0] for name, (_, solved, _) in exercises.items() if solved}


def how_far(exercises):
    """How many kinds are solved, in a sentence.

    Args:
        exercises: the part `exercises` of the record of a student.
    """
    solved = solved_kinds(exercises) & set(KINDS)
    if not solved:
        return f"{len(KINDS)} kinds of exercise, and none of them solved yet."
    if len(solved) == len(KINDS):
        return f"All {len(KINDS)} kinds of exercise are solved."
    return f"{len(solved)} of {len(KINDS)} kinds of exercise are solved."
