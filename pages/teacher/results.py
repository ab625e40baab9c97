"""What a class has done, from a handful of files; in memory only."""

import pandas as pd

from llm.exercises import KINDS
from pages.ui.concepts import AFTER, BEFORE, CONCEPTS
from pages.ui.progress import BadProgress, name_in, sound


def read(files):
    """The records in some files.

    Args:
        files: pairs of a name and bytes.

    Returns:
        A dictionary from the student's name (that of the file if there is none) to the
        record; and a list of sentences on files that were not taken.
    """
    records, refused = {}, []
    for name, data in files:
        try:
            record = sound(data)
        except BadProgress as problem:
            refused.append(f"{name}: {problem}")
            continue
        student = name_in(data).strip() or name.removesuffix(".json")
        while student in records:
            student += " (2)"
        records[student] = record
    return records, refused


def share_right(tries):
    """How many first tries were right, as `18 of 29`; "" if there are none.

    Args:
        tries: a list of lists of [option, whether it was right], the first try first.
    """
    first = [one[0][1] for one in tries if one]
    return f"{sum(first)} of {len(first)}" if first else ""


def row_of(record):
    """One student's line in the table of the class."""
    solved = {
        name.split(":")[0]
        for name, (_, right, _) in record["exercises"].items() if right
    } & set(KINDS)
    concepts = {
        when: sum(
            bool(record["concepts"].get(f"{when}:{key}", ["", False])[1])
            for key in CONCEPTS
        )
        if any(name.startswith(when) for name in record["concepts"]) else None
        for when in (BEFORE, AFTER)
    }
    both = None not in concepts.values()
    return {
        "guesses": len(record["guesses"]),
        "questions, first try": share_right(record["checks"].values()),
        "kinds of exercise solved": len(solved),
        "tries at exercises": sum(one[0] for one in record["exercises"].values()),
        "ideas before": concepts[BEFORE],
        "ideas after": concepts[AFTER],
        "gained": concepts[AFTER] - concepts[BEFORE] if both else None,
    }


def class_table(records):
    """A line for each student.

    Args:
        records: from `read`.
    """
    rows = [{"student": name, **row_of(record)} for name, record in records.items()]
    whole = ["ideas before", "ideas after", "gained"]
    return pd.DataFrame(rows).astype(dict.fromkeys(whole, "Int64"))


def idea_table(records):
    """For each idea, how many of the class had it before and after."""
    def right(when, key):
        held = [r["concepts"].get(f"{when}:{key}") for r in records.values()]
        held = [one[1] for one in held if one]
        return f"{sum(held)} of {len(held)}" if held else ""

    return pd.DataFrame([
        {"idea": concept.name, "before": right(BEFORE, key), "after": right(AFTER, key)}
        for key, concept in CONCEPTS.items()
    ])


def exercise_table(records):
    """For each kind that was tried: how many students tried it and solved it."""
    rows = []
    for kind, known in KINDS.items():
        tried = [
            [one for name, one in record["exercises"].items()
             if name.split(":")[0] == kind]
            for record in records.values()
        ]
        tried = [one for one in tried if one]
        if tried:
            rows.append({
                "exercise": known.title.replace("`", ""),
                "students": len(tried),
                "solved": sum(any(right for _, right, _ in one) for one in tried),
                "tries": sum(count for one in tried for count, _, _ in one),
            })
    return pd.DataFrame(rows)
