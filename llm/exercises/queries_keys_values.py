"""Exercises on queries, keys and values: the four steps."""

from math import sqrt

import numpy as np

from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mark,
    Mistake,
    Number,
    OneOf,
    Order,
    Table,
)
from llm.exercises.parts import (
    code,
    pick,
    pick_several,
    products,
    shown,
    some_words,
    table,
    vector,
)
from llm.glassbox.attention import attention_scores, blend
from llm.glassbox.softmax import softmax
from llm.studies.by_hand import COLUMNS, TABLE, WORDS, four_steps

SMALL = 4  # numbers of a query or key that are written out


def drawn_head(models, rng, words):
    """A head of the tiny LLM on some words.

    Returns:
        trace: of the words, `<start>` in front.
        layer, head: counted from 0.
    """
    config = models.llm.config
    layer = int(rng.integers(config.num_layers))
    head = int(rng.integers(config.num_heads))
    return models.llm.trace(words), layer, head


def score(models, rng, words):
    words = some_words(models, rng, words)
    trace, layer, head = drawn_head(models, rng, words)
    queries, keys = trace.queries_and_keys(layer, head)
    asks = len(trace.tokens) - 1
    looked_at = int(rng.integers(asks))
    query, key = shown(queries[asks, :SMALL]), shown(keys[looked_at, :SMALL])
    dot = float(attention_scores(query[None], key[None], scaled=False)[0, 0])
    scaled = float(attention_scores(query[None], key[None])[0, 0])
    if abs(dot) < 0.5:
        return None
    pair = f"`{trace.tokens[asks]}` looks at `{trace.tokens[looked_at]}`"
    return Exercise(
        kind="score",
        task=f"Head {head + 1} of layer {layer + 1} of the tiny LLM reads "
        f"this sentence; {pair}. To keep it short, take only the first "
        f"{SMALL} numbers of the query and of the key, so d = {SMALL}.\n\n"
        f"- query: {vector(query)}\n- key: {vector(key)}\n\n"
        "Compute the dot product, then the scaled score.",
        fields={
            "dot": Number("dot product", 0.02),
            "score": Number("scaled score", 0.02),
        },
        answer={"dot": dot, "score": scaled},
        hints=(
            "Multiply the two rows number by number, and add the products.",
            "The scaled score is the dot product divided by the square root "
            f"of d. Here d is {SMALL}.",
        ),
        solution=f"{products(query, key)} = **{dot:.2f}**. Divided by "
        f"√{SMALL} = {sqrt(SMALL):g} this is **{scaled:.2f}**.",
        mistakes=(
            Mistake(
                {"score": dot / SMALL},
                "You have divided by d. The scores are divided by the square "
                "root of d.",
            ),
            Mistake(
                {"score": dot},
                "The dot product is not scaled yet: divide it by √d.",
            ),
            Mistake(
                {"dot": float((query + key).sum())},
                "You have added the numbers of the two rows. A dot product "
                "multiplies them pair by pair, and adds the products.",
            ),
            Mistake(
                {"dot": float(np.abs(query * key).sum())},
                "Watch the signs: a product of a positive and a negative "
                "number is negative.",
            ),
        ),
        given={"query": query.tolist(), "key": key.tolist()},
        functions=(attention_scores,),
        start=words,
    )


def softmax_row(models, rng, words):
    words = some_words(models, rng, words)
    trace, layer, head = drawn_head(models, rng, words)
    asks = int(rng.integers(2, 4))
    queries, keys = trace.queries_and_keys(layer, head)
    scores = shown(attention_scores(queries, keys)[asks, : asks + 1], 1)
    scores = np.clip(scores, -9.9, 9.9)
    weights = softmax(scores)
    names = trace.tokens[: asks + 1]
    powers = np.exp(scores)
    labels = [
        f"position {position}, {word}" for position, word in enumerate(names)
    ]
    largest = np.exp(scores - scores.max())
    if weights.max() > 0.985 or abs(scores.sum()) < 0.5 or powers.max() > 2000:
        return None

    def row(numbers):
        return dict(zip(map(str, range(len(names))), map(float, numbers)))

    return Exercise(
        kind="softmax_row",
        task=f"In head {head + 1} of layer {layer + 1} of the tiny LLM, the "
        f"word `{names[-1]}` (position {asks}) has these scaled scores:\n\n"
        + table(
            ["position", "word", "scaled score"],
            [
                [position, code(word), f"{value:.1f}"]
                for position, (word, value) in enumerate(zip(names, scores))
            ],
        )
        + "\n\nThe causal mask hides everything after it. Compute its row of "
        "attention weights.",
        fields={
            str(position): Number(f"weight of {label}", 0.01)
            for position, label in enumerate(labels)
        },
        answer=row(weights),
        hints=(
            "Softmax takes the exponential of each score first.",
            "Then it divides each by the sum of all exponentials, so the row "
            "adds up to 1.",
        ),
        solution="The exponentials are "
        + ", ".join(
            f"$e^{{{value:.1f}}}$ = {power:.3f}"
            for value, power in zip(scores, powers)
        )
        + f". Their sum is {powers.sum():.3f}. Divided by it: "
        + ", ".join(
            f"`{word}` **{weight:.3f}**"
            for word, weight in zip(names, weights)
        )
        + ".",
        mistakes=(
            Mistake(
                row(scores / scores.sum()),
                "You have divided the scores by their sum. Softmax takes the "
                "exponential of each score first; otherwise negative scores "
                "would become negative weights.",
            ),
            Mistake(
                row(powers),
                "These are the exponentials. Divide each by their sum, so "
                "that the row adds up to 1.",
            ),
            Mistake(
                row(largest),
                "You have divided by the largest exponential. Divide by the "
                "sum of all, so that the row adds up to 1.",
            ),
            Mistake(
                row(np.full(len(names), 1 / len(names))),
                "Equal weights come from equal scores. These differ.",
            ),
        ),
        given={"scores": scores.tolist()},
        functions=(softmax,),
        start=tuple(words),
    )


def blended(models, rng, words):
    words = some_words(models, rng, words)
    trace, layer, head = drawn_head(models, rng, words)
    asks = 2
    attention = trace.attention(layer, head)[asks, : asks + 1].astype(float)
    weights = shown(attention, 1)
    weights[int(weights.argmax())] += 1 - weights.sum()
    weights = shown(weights, 1)
    values = shown(trace.values(layer, head)[: asks + 1, :2], 1)
    if (weights > 0).sum() < 2 or weights.max() > 0.85:
        return None
    found = blend(weights[None], values)[0]

    def pair(numbers):
        return {"first": float(numbers[0]), "second": float(numbers[1])}

    names = trace.tokens[: asks + 1]
    return Exercise(
        kind="blended",
        task=f"Head {head + 1} of layer {layer + 1} of the tiny LLM reads the "
        f"first words of a sentence. From `{names[-1]}` it pays attention "
        "like this (rounded, so that a pencil can do it). Of each value "
        "only the first two numbers are shown.\n\n"
        + table(
            ["word", "attention weight", "value"],
            [
                [code(word), f"{weight:.1f}", vector(value, 1)]
                for word, weight, value in zip(names, weights, values)
            ],
        )
        + "\n\nWhat does the head give out? Compute the blend.",
        fields={
            "first": Number("first number", 0.02),
            "second": Number("second number", 0.02),
        },
        answer=pair(found),
        hints=(
            "Each value counts in proportion to its attention weight.",
            "For the first number, multiply each weight by the first number "
            "of its value, and add the products.",
        ),
        solution=f"First number: {products(weights, values[:, 0], 1)} = "
        f"**{found[0]:.2f}**. Second number: "
        f"{products(weights, values[:, 1], 1)} = **{found[1]:.2f}**.",
        mistakes=(
            Mistake(
                pair(values.mean(axis=0)),
                "This is the plain average. A blend weighs each value by its "
                "attention.",
            ),
            Mistake(
                pair(values[int(weights.argmax())]),
                "This is the value of the word with the largest weight. The "
                "others hand over their share too.",
            ),
            Mistake(
                pair(values.sum(axis=0)),
                "You have added the values as they are. Multiply each by its "
                "weight first.",
            ),
        ),
        given={"weights": weights.tolist(), "values": values.tolist()},
        functions=(blend,),
        start=tuple(words),
    )


MOST_OF_ALL = (0.4, 0.45, 0.5)  # shares that the goal may have to get


def edit_table(models, rng, words):
    asks = WORDS.index("it")
    goal = pick(rng, [place for place in range(4) if place not in (1, asks)])
    wanted = float(pick(rng, MOST_OF_ALL))
    start = shown(TABLE, 1)

    def judge(given):
        steps = four_steps(*3 * [np.asarray(given["table"], float)])
        row = steps.attention_weights[asks]
        best, share = int(row.argmax()), float(row[goal])
        if best == goal and share >= wanted:
            return Mark(True, "")
        if np.allclose(given["table"], start):
            return Mark(False, "This is the table as it was at first.")
        if best == goal:
            return Mark(
                False,
                f"`{WORDS[goal]}` gets most, but only {share:.2f}. Make the "
                "two rows point the same way more strongly.",
            )
        if best == asks:
            return Mark(
                False,
                "Now `it` looks mostly at itself: a long row fits itself "
                f"best. Make the row of `{WORDS[goal]}` longer as well.",
            )
        return Mark(
            False,
            f"`it` still gives most to `{WORDS[best]}`, {row[best]:.2f}.",
        )

    example = start.copy()
    example[asks] = 0.0
    column = int(start[goal].argmax())
    example[asks, column], example[goal, column] = 2.0, 3.0
    example[goal, np.arange(4) != column] = 0.0
    return Exercise(
        kind="edit_table",
        task="In this table each row is query, key and value at once. "
        f"Change it until `it` gives at least {wanted:.2f} of its "
        f"attention to `{WORDS[goal]}`, and no other word gets more.",
        fields={
            "table": Table(
                "the table", WORDS, COLUMNS, tuple(map(tuple, start.tolist()))
            )
        },
        answer={"table": example.tolist()},
        hints=(
            "A score is high where two rows have large numbers in the same "
            "columns.",
            f"Give `it` a large number in the column in which `{WORDS[goal]}`"
            " has one, and take away what it shares with `cat`.",
            "A row also fits itself. So the row of the goal must be longer "
            "than that of `it`.",
        ),
        solution="One way of many: the row of `it` becomes "
        f"{vector(example[asks], 1)}, and that of `{WORDS[goal]}` "
        f"{vector(example[goal], 1)}. Their dot product is "
        f"{example[asks] @ example[goal]:.1f}, that of `it` with itself "
        f"{example[asks] @ example[asks]:.1f}.",
        mistakes=(
            Mistake(
                {"table": start.tolist()},
                "This is the table as it was at first.",
            ),
        ),
        judge=judge,
        given={"goal": goal},
        functions=(four_steps,),
    )


# Attention in lines, as in `llm/glassbox/attention.py`; a test runs them and
# holds them to `attend`.
LINES = (
    "scores = queries @ keys.T",
    "scores = scores / np.sqrt(queries.shape[-1])",
    "scores = np.where(mask, scores, -np.inf)",
    "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))",
    "weights = powers / powers.sum(axis=-1, keepdims=True)",
    "output = weights @ values",
)


# For each line, wrong ones that run, and what is wrong with them.
FAULTS = {
    0: (
        (
            "scores = queries @ values.T",
            "Queries are compared with keys. "
            "Values are what is taken at the end.",
        ),
        (
            "scores = keys @ queries.T",
            "Then each row belongs to the word "
            "that is looked at, not to the word that looks.",
        ),
    ),
    1: (
        (
            "scores = scores / queries.shape[-1]",
            "That divides by d, which "
            "makes all scores small and the attention nearly even. It is the "
            "square root of d.",
        ),
        (
            "scores = scores * np.sqrt(queries.shape[-1])",
            "That makes the scores larger. Scaling is to make them smaller.",
        ),
    ),
    2: (
        (
            "scores = np.where(mask, scores, 0)",
            "A score of 0 still gets a "
            "weight, as e to the 0 is 1. Only minus infinity gets none.",
        ),
        (
            "scores = np.where(mask, -np.inf, scores)",
            "The mask is True where "
            "a word may look. This hides what may be seen.",
        ),
    ),
    3: (
        (
            "powers = scores - scores.max(axis=-1, keepdims=True)",
            "The exponential is missing, so the numbers stay negative.",
        ),
    ),
    4: (
        (
            "weights = powers / powers.sum(axis=0, keepdims=True)",
            "That adds "
            "up to one down each column. A row must add up to one: it is the "
            "word that looks which divides its attention.",
        ),
        (
            "weights = powers / powers.max(axis=-1, keepdims=True)",
            "Then the largest is 1 and the row adds up to more than one.",
        ),
    ),
    5: (
        (
            "output = weights @ keys",
            "Keys are what words are found by. What "
            "they hand over are the values.",
        ),
        (
            "output = weights.T @ values",
            "Then each word would give in place "
            "of take: the weights stand on their side.",
        ),
    ),
}


def repair(models, rng, words):
    place = int(rng.integers(len(LINES)))
    broken, why = pick(rng, FAULTS[place])
    lines = [*LINES[:place], broken, *LINES[place + 1 :]]
    names = tuple(f"{number}: {line}" for number, line in enumerate(lines, 1))
    others = [line for line, _ in FAULTS[place] if line != broken]
    wrong = pick(rng, [one for one in FAULTS if one != place])
    spoiled = FAULTS[wrong][0][0]
    repairs = [LINES[place], *others, spoiled, broken]
    repairs = tuple(pick_several(rng, dict.fromkeys(repairs), len(repairs)))
    at = names[place]
    known = [
        Mistake({"line": name}, f"Line {number} is as it must be.")
        for number, name in enumerate(names, 1)
        if name != at
    ]
    known += [
        Mistake({"line": at, "repair": line}, said)
        for line, said in FAULTS[place]
        if line not in (broken,)
    ]
    return Exercise(
        kind="repair",
        task="These lines are to compute attention for queries, keys and "
        "values with one row a token, and a mask that is `True` where a word "
        "may look. One line is wrong. Which, and what should it be?",
        fields={
            "line": OneOf("the wrong line", names, code=True),
            "repair": OneOf("what it should be", repairs, code=True),
        },
        answer={"line": at, "repair": LINES[place]},
        hints=(
            "Go through the four steps: score, scale, softmax, blend. The "
            "mask comes before softmax.",
            "The wrong line is one of the "
            + ("first three." if place < 3 else "last three."),
        ),
        solution=f"Line {place + 1}, `{broken}`, is wrong. {why} It should "
        f"be `{LINES[place]}`.",
        mistakes=(
            *known,
            Mistake(
                {"line": at, "repair": broken},
                "This is the line as it stands, and it is the wrong one.",
            ),
            Mistake(
                {"line": at, "repair": spoiled},
                "This would be another step, and wrong there as well: "
                + FAULTS[wrong][0][1],
            ),
        ),
        given={"lines": lines, "place": place},
    )


STEPS_IN_ORDER = (
    "compare each query with each key: dot products",
    "divide by √d",
    "apply the mask: scores of later words become −∞",
    "softmax: each row becomes weights that add up to 1",
    "blend the values by these weights",
    "join the heads and multiply by the output matrix",
)


def order_steps(models, rng, words):

    left_out = int(rng.integers(6))
    steps = tuple(
        step
        for number, step in enumerate(STEPS_IN_ORDER)
        if number != left_out or left_out in (0, 3, 4)
    )
    shuffled = tuple(pick_several(rng, steps, len(steps)))
    if shuffled == steps:
        return None

    def swapped(one, other):
        """The right order but for two steps."""
        if not {one, other} <= set(steps):
            return None
        order = list(steps)
        here, there = order.index(one), order.index(other)
        order[here], order[there] = order[there], order[here]
        return tuple(order)

    score_, scale, mask_, share, mix, _ = STEPS_IN_ORDER
    known = (
        (
            swapped(mask_, share),
            "The mask must come before softmax. After it "
            "the row would no longer add up to 1.",
        ),
        (
            swapped(scale, share),
            "Scaling comes before softmax: it is the "
            "scores that are divided, not the weights.",
        ),
        (
            swapped(share, mix),
            "The values are blended by the weights, so "
            "softmax must come first.",
        ),
        (
            swapped(score_, mix),
            "There is nothing to blend by yet: the scores come first.",
        ),
    )
    return Exercise(
        kind="order_steps",
        task="Put the steps of attention with a causal mask in order.",
        fields={"order": Order("the order", shuffled)},
        answer={"order": steps},
        hints=(
            "First it is decided how much, then something is taken.",
            "Score, scale, mask, softmax, blend.",
        ),
        solution="\n".join(
            f"{number}. {step}" for number, step in enumerate(steps, 1)
        ),
        mistakes=tuple(
            Mistake({"order": order}, said) for order, said in known if order
        ),
        given={"steps": shuffled},
    )


QUERIES_KEYS_VALUES = {
    "score": Kind("queries_keys_values", "One score", score, True),
    "softmax_row": Kind(
        "queries_keys_values", "A row of softmax", softmax_row, True
    ),
    "blended": Kind("queries_keys_values", "A blend of values", blended, True),
    "edit_table": Kind(
        "queries_keys_values", "Make `it` look elsewhere", edit_table
    ),
    "repair": Kind("queries_keys_values", "Repair attention", repair),
    "order_steps": Kind(
        "queries_keys_values", "The steps in order", order_steps
    ),
}
