"""Exercises on positions: a wave, and a sum of two rows."""

from math import cos, degrees, sin

import numpy as np

from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mistake,
    Number,
)
from llm.exercises.parts import (
    code,
    pick,
    shown,
    some_words,
    table,
    term,
    vector,
)
from llm.glassbox.positions import learned_positions, sinusoidal_positions


def sinusoid(models, rng, words):
    width = int(pick(rng, (4, 6, 8, 10, 12)))
    position = int(rng.integers(1, 31))
    column = int(rng.integers(width))
    right = float(sinusoidal_positions(position + 1, width)[position, column])
    pair = 2 * (column // 2)
    angle = position / 10000 ** (pair / width)
    wave, other = (sin, cos) if column % 2 == 0 else (cos, sin)
    name = "sine" if column % 2 == 0 else "cosine"
    if abs(wave(angle)) > 0.995 or angle < 0.02:
        return None
    exercise = Exercise(
        kind="sinusoid",
        task=f"Sinusoidal positions of width {width}. Columns and positions "
        "are counted from 0. Even columns c hold "
        rf"$\sin(p / 10000^{{c/{width}}})$, and each odd column the cosine of "
        "the same angle as the even column before it.\n\n"
        f"Which number stands at position {position} in column {column}? "
        "(Angles in radians.)",
        fields={"value": Number("the number", 0.01)},
        answer={"value": right},
        hints=(
            f"Column {column} is {'even' if column % 2 == 0 else 'odd'}: it "
            f"holds a {name}.",
            f"The angle is {position} / 10000^({pair}/{width}).",
        ),
        solution=f"The angle is {position} / 10000^({pair}/{width}) = "
        f"{angle:.4f}, and its {name} is **{right:.3f}**.",
        mistakes=(
            Mistake(
                {"value": other(angle)},
                f"That is the {'cosine' if name == 'sine' else 'sine'}. Even "
                "columns hold sines, odd ones cosines.",
            ),
            Mistake(
                {"value": wave(np.radians(angle))},
                "Your calculator is set to degrees. The angle is in radians.",
            ),
            Mistake(
                {"value": wave(position)},
                "That is the fastest wave, of the first two columns. Further "
                "to the right the waves are slower.",
            ),
            Mistake(
                {"value": wave((position + 1) / 10000 ** (pair / width))},
                "You have counted positions from 1. The first position is 0.",
            ),
            Mistake(
                {"value": wave((position - 1) / 10000 ** (pair / width))},
                f"That is position {position - 1}. The first position is 0.",
            ),
        ),
        given={
            "width": width,
            "position": position,
            "column": column,
            "degrees": degrees(angle),
        },
        functions=(sinusoidal_positions,),
    )
    # Neighbours on a slow wave are too close to tell apart.
    exercise = exercise.without_unclear()
    return exercise if len(exercise.mistakes) >= 3 else None


def word_and_position(models, rng, words):
    words = some_words(models, rng, words, least=3, most=4)
    tokens = ("<start>", *words)
    weights, ids = models.llm.weights, models.llm.tokenizer.ids
    positions = shown(
        learned_positions(weights.position_embeddings, len(tokens))[:, :3]
    )
    rows = shown(weights.token_embeddings[[ids[w] for w in tokens]][:, :3])
    asked = int(rng.integers(1, len(tokens) - 1))
    right = rows[asked] + positions[asked]

    def numbers(row):
        return dict(zip(("first", "second", "third"), map(float, row)))

    return Exercise(
        kind="word_and_position",
        task="The first three numbers of real rows of the tiny LLM:\n\n"
        + table(
            ["position", "token", "row of the token", "row of the position"],
            [
                [n, code(word), vector(row), vector(position)]
                for n, (word, row, position) in enumerate(
                    zip(tokens, rows, positions)
                )
            ],
        )
        + f"\n\nWith which three numbers does `{tokens[asked]}` at position "
        f"{asked} enter the first block?",
        fields={
            "first": Number("number 1", 0.01),
            "second": Number("number 2", 0.01),
            "third": Number("number 3", 0.01),
        },
        answer=numbers(right),
        hints=(
            "Two rows become one.",
            "The row of the position is added to the row of the token, "
            "number by number.",
        ),
        solution="; ".join(
            f"{term(one)} + {term(other)} = **{both:.2f}**"
            for one, other, both in zip(rows[asked], positions[asked], right)
        )
        + ".",
        mistakes=(
            Mistake(
                numbers(rows[asked]),
                "That is the row of the token alone. Without its position "
                "the word would enter alike wherever it stands.",
            ),
            Mistake(
                numbers(rows[asked] + positions[asked - 1]),
                "You have taken the row of the position before.",
            ),
            Mistake(
                numbers(rows[asked] + positions[asked + 1]),
                "You have taken the row of the next position. `<start>` has "
                "position 0.",
            ),
            Mistake(
                numbers(rows[asked] * positions[asked]),
                "You have multiplied. The two rows are added.",
            ),
        ),
        given={
            "row": rows[asked].tolist(),
            "position": positions[asked].tolist(),
        },
        functions=(learned_positions,),
        start=tuple(words),
    )


POSITIONS = {
    "sinusoid": Kind("positions", "A number of a wave", sinusoid),
    "word_and_position": Kind(
        "positions", "Word and position", word_and_position, True
    ),
}
