"""Exercises on embeddings: looking a row up, and comparing rows."""

import numpy as np

from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mistake,
    Number,
    OneOf,
)
from llm.exercises.parts import (
    code,
    pick,
    pick_several,
    products,
    shown,
    table,
    vector,
)
from llm.glassbox.embedding import look_up, one_hot
from llm.studies.word_map import cosine_similarities, kinds_of


def one_hot_row(models, rng, words):
    llm = models.llm
    known = [word for word in words or () if word in llm.tokenizer.ids]
    chosen = list(dict.fromkeys(known))[:5]
    spare = [w for w in llm.tokenizer.vocabulary if w.isalpha()]
    chosen += pick_several(
        rng, [word for word in spare if word not in chosen], 5 - len(chosen)
    )
    rows = shown(
        llm.weights.token_embeddings[llm.tokenizer.ids_of(chosen)][:, :3]
    )
    asked = int(rng.integers(1, 4))
    right = (one_hot([asked], len(rows)) @ rows)[0]

    def numbers(row):
        return dict(zip(("first", "second", "third"), map(float, row)))

    one = "(" + ", ".join("1" if n == asked else "0" for n in range(5)) + ")"
    return Exercise(
        kind="one_hot_row",
        task="A small embedding table, with the first three numbers of real "
        "rows of the tiny LLM. Ids are counted from 0.\n\n"
        + table(
            ["id", "word", "number 1", "number 2", "number 3"],
            [
                [row_id, code(word), *(f"{value:.2f}" for value in row)]
                for row_id, (word, row) in enumerate(zip(chosen, rows))
            ],
        )
        + f"\n\nMultiply the one-hot row {one} by the table.",
        fields={
            "first": Number("number 1", 0.005),
            "second": Number("number 2", 0.005),
            "third": Number("number 3", 0.005),
        },
        answer=numbers(right),
        hints=(
            "Every row is multiplied by 0, except one.",
            "At which id does the 1 stand, if you count from 0?",
        ),
        solution=f"The 1 stands at id {asked}, so the product is that row, "
        f"the one of `{chosen[asked]}`: **{vector(right)}**. That is why a "
        "network looks the row up and multiplies nothing.",
        mistakes=(
            Mistake(
                numbers(rows[asked - 1]),
                f"That is the row of id {asked - 1}. Ids are counted from 0.",
            ),
            Mistake(
                numbers(rows[asked + 1]),
                f"That is the row of id {asked + 1}: one too far.",
            ),
            Mistake(
                numbers(rows.sum(axis=0)),
                "You have added all rows. A 0 takes its row out of the sum.",
            ),
        ),
        given={"rows": rows.tolist(), "asked": asked},
        functions=(one_hot, look_up),
    )


def nearest_by_cosine(models, rng, words):
    llm = models.llm
    kinds = kinds_of(llm.tokenizer.vocabulary)
    known = [word for word in words or () if word in kinds]
    asked = pick(rng, known or list(kinds))
    others = pick_several(rng, [word for word in kinds if word != asked], 3)
    ids = llm.tokenizer.ids_of([asked, *others])
    # Two numbers a word, ten times as large, so that a pencil will do.
    rows = shown(10 * llm.weights.token_embeddings[ids][:, :2], 0)
    lengths = np.linalg.norm(rows, axis=1)
    if lengths.min() < 1:
        return None
    cosines = cosine_similarities(rows[0], rows[1:])
    near = int(cosines.argmax())
    dots = rows[1:] @ rows[0]
    far = np.linalg.norm(rows[1:] - rows[0], axis=1)
    runner_up = float(np.sort(cosines)[-2])
    if cosines[near] - runner_up < 0.05:
        return None
    if int(dots.argmax()) == near and int(far.argmin()) == near:
        return None
    options = tuple(others)
    replies = {}
    for place, word in enumerate(others):
        if place == near:
            continue
        said = f"Its cosine is {cosines[place]:.2f}, which is not the largest."
        if place == int(dots.argmax()):
            said = (
                "It has the largest dot product, because its row is long. "
                "The cosine divides by both lengths."
            )
        elif place == int(far.argmin()):
            said = (
                "Its point lies nearest, but the cosine asks for the "
                "direction only."
            )
        replies[word] = said
    value = float(cosines[near])
    return Exercise(
        kind="nearest_by_cosine",
        task="The first two numbers of some rows of the embedding table, "
        "times 10 and rounded:\n\n"
        + table(
            ["word", "row"],
            [
                [code(word), vector(row, 0)]
                for word, row in zip([asked, *others], rows)
            ],
        )
        + f"\n\nWhich row points most nearly the same way as that of "
        f"`{asked}`, and what is the cosine of the two?",
        fields={
            "word": OneOf("the nearest by cosine", options, code=True),
            "cosine": Number("its cosine", 0.02),
        },
        answer={"word": others[near], "cosine": value},
        hints=(
            "The cosine is the dot product, divided by the lengths of both "
            "rows.",
            "The length of (3, 4) is √(3² + 4²) = 5.",
        ),
        solution="; ".join(
            f"`{word}`: ({products(rows[0], row, 0)}) / "
            f"({lengths[0]:.2f} · {np.linalg.norm(row):.2f}) = {cosine:.2f}"
            for word, row, cosine in zip(others, rows[1:], cosines)
        )
        + f". Nearest is **`{others[near]}`** with **{value:.2f}**.",
        mistakes=(
            *(Mistake({"word": word}, said) for word, said in replies.items()),
            Mistake(
                {"cosine": float(dots[near])},
                "That is the dot product. Divide it by the lengths of both "
                "rows.",
            ),
            Mistake(
                {"cosine": float(far[near])},
                "That is the distance of the two points. The cosine compares "
                "directions.",
            ),
        ),
        given={"rows": rows.tolist(), "words": options},
        functions=(cosine_similarities,),
    )


EMBEDDINGS = {
    "one_hot_row": Kind("embeddings", "Look up a row", one_hot_row, True),
    "nearest_by_cosine": Kind(
        "embeddings", "The nearest by cosine", nearest_by_cosine, True
    ),
}
