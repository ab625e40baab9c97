"""An exercise on the first and the last digit: accuracy."""

import numpy as np

from llm.digits.reader import read_digits
from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mistake,
    Number,
)
from llm.exercises.parts import (
    table,
)


def above_baseline(models, rng, words):
    weights = models.digits()
    length = len(weights.position_embeddings)
    count = 10
    rows = rng.integers(1, 10, (count, length))
    num_same = int(rng.integers(5, 9))
    same = rng.permutation(count) < num_same
    rows[same, -1] = rows[same, 0]
    truth = rows[:, 0] == rows[:, -1]
    always = float(truth.mean())
    if not 0.5 < always <= 0.8:
        return None
    # A network that is right on most rows: the shipped one, with some of its
    # answers turned round.
    answers = read_digits(rows, weights)[1] > 0.5
    turned = rng.permutation(count) < rng.integers(1, count - num_same)
    answers = np.where(turned, ~answers, answers)
    accuracy = float((answers == truth).mean())
    if accuracy <= always:
        return None
    said = {True: "same", False: "different"}
    return Exercise(
        kind="above_baseline",
        task="Is the first digit the same as the last? Ten rows, with the "
        "answers of our trained network; at least one was turned round, so "
        "that there is something to count.\n\n"
        + table(
            ["row", "first … last", "answer"],
            [
                [number, f"{row[0]} … {row[-1]}", said[bool(answer)]]
                for number, (row, answer) in enumerate(zip(rows, answers), 1)
            ],
        )
        + "\n\nCompute the accuracy of these answers, and the baseline: the "
        "accuracy of always answering “same”. By how much do these answers "
        "beat it?",
        fields={
            "accuracy": Number("accuracy", 0.005),
            "baseline": Number("baseline", 0.005),
            "above": Number("difference", 0.005),
        },
        answer={
            "accuracy": accuracy,
            "baseline": always,
            "above": accuracy - always,
        },
        hints=(
            "Compare the two digits of each row first: what is right there?",
            "The baseline is the share of rows in which both are the same.",
        ),
        solution=f"Both are the same in {truth.sum()} of 10 rows, so the "
        f"baseline is **{always:.1f}**. The network is right in "
        f"{(answers == truth).sum()} rows: **{accuracy:.1f}**. It beats the "
        f"baseline by **{accuracy - always:.1f}**.",
        mistakes=(
            Mistake(
                {"baseline": 0.5},
                "Guessing at random would be right half of the time, but "
                "always answering “same” is right as often as it is true.",
            ),
            Mistake(
                {"baseline": 0.1},
                "About one in nine is how often two such digits agree by "
                "chance. These rows were made so that many agree.",
            ),
            Mistake(
                {"accuracy": float(answers.mean())},
                "That is how often it answers “same”. Accuracy is how often "
                "its answer is right.",
            ),
            Mistake(
                {"above": accuracy},
                "That is all of its accuracy. Subtract the baseline.",
            ),
        ),
        given={"ends": rows[:, [0, -1]].tolist(), "answers": answers.tolist()},
        functions=(read_digits,),
    )


FIRST_AND_LAST = {
    "above_baseline": Kind(
        "first_and_last", "Above the baseline", above_baseline
    ),
}
