"""Exercises on why attention came, on embeddings and on positions."""

from math import cos, degrees, sin

import numpy as np

from llm.exercises.exercise import Choice, Exercise, Kind, Mistake, Number
from llm.exercises.parts import (
    code,
    numbered,
    pick,
    pick_several,
    products,
    shown,
    some_words,
    table,
    term,
    vector,
)
from llm.glassbox.positions import learned_positions, sinusoidal_positions
from llm.studies.memory import work_of_attention, work_of_recurrence
from llm.studies.word_map import (
    cosine_similarities,
    kinds_of,
    look_up,
    one_hot,
)


def steps_between(models, rng, words):
    words = some_words(models, rng, words, least=6, most=14)
    early, late = sorted(rng.permutation(len(words))[:2].tolist())
    if late - early < 3:
        return None
    names = numbered(words)
    apart = work_of_recurrence(late - early + 1)["path"]
    direct = work_of_attention(late - early + 1)["path"]
    return Exercise(
        kind="steps_between",
        task=", ".join(map(code, names))
        + f"\n\nWhat stands at `{names[early]}` matters at `{names[late]}`. "
        "Through how many steps must it pass to get there, in a recurrent "
        "network and in one layer of attention?",
        fields={
            "recurrent": Number("steps in a recurrent network"),
            "attention": Number("steps with attention"),
        },
        answer={"recurrent": apart, "attention": direct},
        hints=(
            "A recurrent network hands its state on from each word to the "
            "next: count the steps, not the words.",
            "Attention looks straight at any word that it may see.",
        ),
        solution=f"From position {early} to position {late} the state is "
        f"handed on {late} − {early} = **{apart}** times. Attention connects "
        f"the two in **{direct}**.",
        mistakes=(
            Mistake(
                {"recurrent": apart + 1},
                "You have counted the words, both ends among them. There is "
                "one step fewer than there are words.",
            ),
            Mistake(
                {"recurrent": apart - 1},
                "You have counted the words between the two. There is one "
                "step more.",
            ),
            Mistake(
                {"attention": apart},
                "Attention does not walk past the words between.",
            ),
            Mistake(
                {"attention": 0},
                "Attention needs one look. Without any step nothing would "
                "arrive.",
            ),
        ),
        given={"early": early, "late": late},
        functions=(work_of_recurrence, work_of_attention),
        start=tuple(words),
    )


def pairs(models, rng, words):
    size = int(rng.integers(7, 30))
    times = int(rng.integers(2, 5))
    short = work_of_attention(size)
    long = work_of_attention(size * times)
    return Exercise(
        kind="pairs",
        task=f"A text has {size} tokens. How many pairs of a query and a key "
        f"does one head compare? And if the text becomes {times} times as "
        "long? (Count every pair, without a mask.)",
        fields={
            "short": Number(f"pairs for {size} tokens"),
            "long": Number(f"pairs for {size * times} tokens"),
        },
        answer={"short": short["pairs"], "long": long["pairs"]},
        hints=(
            "Every query meets every key, its own among them.",
            f"{size} queries, and for each of them {size} keys.",
        ),
        solution=f"{size}² = **{short['pairs']:,}** and {size * times}² = "
        f"**{long['pairs']:,}**: {times} times the length makes "
        f"{times}² = {times * times} times the pairs.",
        mistakes=(
            Mistake(
                {"short": short["seen"], "long": long["seen"]},
                "These are the pairs that a causal mask allows. Here all "
                "pairs are asked for.",
            ),
            Mistake(
                {"short": size * (size - 1)},
                "Each query meets its own key too.",
            ),
            Mistake(
                {"long": times * short["pairs"]},
                "There are more queries, and each meets more keys: the pairs "
                "grow with the square.",
            ),
            Mistake(
                {"short": size, "long": times * size},
                "That is the number of tokens, which is what a recurrent "
                "network needs.",
            ),
        ),
        given={"size": size, "times": times},
        functions=(work_of_attention,),
    )


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
                [place, code(word), *(f"{value:.2f}" for value in row)]
                for place, (word, row) in enumerate(zip(chosen, rows))
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
            "word": Choice("the nearest by cosine", options),
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
                [place, code(word), vector(row), vector(positions[place])]
                for place, (word, row) in enumerate(zip(tokens, rows))
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


WORD_VECTORS = {
    "steps_between": Kind("why", "How far is it?", steps_between, True),
    "pairs": Kind("why", "The price of attention", pairs),
    "one_hot_row": Kind("embeddings", "Look up a row", one_hot_row, True),
    "nearest_by_cosine": Kind(
        "embeddings", "The nearest by cosine", nearest_by_cosine, True
    ),
    "sinusoid": Kind("positions", "A number of a wave", sinusoid),
    "word_and_position": Kind(
        "positions", "Word and position", word_and_position, True
    ),
}
