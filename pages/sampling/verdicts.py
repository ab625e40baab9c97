"""Stories and their verdicts: tables and words for the sampling lesson."""

import pandas as pd

from pages.ui.charts.words import percent
from pages.ui.words import escaped, verdict_in_words


def sweep_data(record):
    """What `curves_data` takes: the temperatures, and two series.

    Args:
        record: the contents of `assets/sweep.json`.
    """
    rows = record["temperatures"]
    steps = [row["temperature"] for row in rows]
    names = ("possible", "different")
    return steps, {name: [row[name] for row in rows] for name in names}


def sweep_table(record):
    """The sweep as a table for readers."""
    table = pd.DataFrame(record["temperatures"])
    return table.rename(columns={
        "possible": "could be from the world",
        "held_out": "could be, but for a pair of words kept apart",
        "different": "different stories",
        "tokens": "mean number of tokens",
    }).round(4)


def sweep_in_words(record):
    """What the sweep found, in sentences that follow from its figures."""
    rows = record["temperatures"]
    coldest, hottest = rows[0], rows[-1]
    natural = min(rows, key=lambda row: abs(row["temperature"] - 1))
    number, normal = record["stories"], f"{natural['temperature']:g}"
    return (
        f"At temperature {coldest['temperature']:g} there is no chance: all {number:,} "
        f"are one and the same story. At {normal}, as it was trained, "
        f"{percent(natural['possible'])} could be from the world, and "
        f"{percent(natural['different'])} are different from all others. At "
        f"{hottest['temperature']:g}, {percent(hottest['possible'])} are possible. "
        "One wrong word spoils a whole story, so small errors grow: a text is many "
        f"draws, and each must be right. Another {percent(natural['held_out'])} at "
        f"temperature {normal} were impossible only because two words met in them that "
        "we kept apart in training."
    )


def stories_list(verdicts, num_given):
    """Stories with what the world says of each, as a list in Markdown.

    Args:
        verdicts: a list of `llm.studies.sampling.Verdict`.
        num_given: how many words were given; the others were written. The first
            impossible word is bold.
    """
    lines = []
    for number, verdict in enumerate(verdicts, start=1):
        words = [escaped(word) for word in verdict.tokens]
        if verdict.impossible is not None:
            words[verdict.impossible] = f"**{words[verdict.impossible]}**"
        said = escaped(verdict_in_words(verdict))
        lines.append(f"{number}. … {' '.join(words[num_given:])}  \n*{said}*")
    return "\n".join(lines)


def stories_in_words(name, verdicts):
    """How many stories differ, and how many the world could have written."""
    different = len({verdict.tokens for verdict in verdicts})
    possible = sum(verdict.possible for verdict in verdicts)
    said = f"{different} different stories"
    if different == 1:
        said = "the same story every time"
    count = len(verdicts)
    return f"**{name}**: {said}, and {possible} of {count} could be from the world."


def cuts_table(vocabulary, probabilities, settings, left):
    """What cuts leave over.

    Args:
        vocabulary: (vocab_size,) words.
        probabilities: (vocab_size,), before the cuts.
        settings: a list of (top-k, top-p), None where nothing is cut.
        left: for each setting (vocab_size,), after the cuts.
    """
    rows = []
    for (k, p), after in zip(settings, left, strict=True):
        best = int(after.argmax())
        rows.append({
            "top-k": "off" if k is None else str(k),
            "top-p": "off" if p is None else f"{p:g}",
            "words left": int((after > 0).sum()),
            "what they had before": percent(float(probabilities[after > 0].sum())),
            "likeliest": vocabulary[best],
            "before": percent(float(probabilities[best])),
            "now": percent(float(after[best])),
        })
    return pd.DataFrame(rows)
