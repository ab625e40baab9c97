"""Exercises on sampling: temperature, top-k, top-p, and the draw."""

import numpy as np

from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mark,
    Mistake,
    Number,
    OneOf,
)
from llm.exercises.parts import (
    added,
    code,
    likeliest,
    open_start,
    pick,
    shown,
    table,
)
from llm.glassbox.sampling import draw, top_k, top_p, with_temperature
from llm.glassbox.softmax import softmax, softmax_with_temperature


def drawn_word(models, rng, words):
    words = open_start(models, rng, words, 3)
    vocabulary = models.llm.tokenizer.vocabulary
    kept = top_k(models.llm.probabilities(words), int(rng.integers(3, 6)))
    places = np.flatnonzero(kept)
    shares = shown(kept[places])
    shares[int(shares.argmax())] += 1 - shares.sum()
    shares = shown(shares)
    names = [vocabulary[place] for place in places]
    u = float(shown(rng.uniform(0.02, 0.98)))
    if shares.min() < 0.02 or np.abs(shares.cumsum() - u).min() < 0.008:
        return None
    right = names[draw(shares, u)]
    order = np.argsort(-shares, kind="stable")
    by_size = names[order[draw(shares[order], u)]]
    most = names[int(shares.argmax())]
    replies = {}
    for place, name in enumerate(names):
        low = float(shares[:place].sum())
        replies[name] = (
            f"`{name}` has the stretch from {low:.2f} to "
            f"{low + shares[place]:.2f}, and {u:.2f} does not lie in it."
        )
    replies[by_size] = (
        "You have put the likeliest word first. The words lie on the line in "
        "the order of the vocabulary."
    )
    if most != by_size:
        replies[most] = (
            "That is the likeliest word. It comes most often, but which word "
            "comes now is said by the number drawn."
        )
    borders = ", ".join(
        f"`{name}` to {border:.2f}"
        for name, border in zip(names, shares.cumsum())
    )
    return Exercise(
        kind="drawn_word",
        task="After top-k these words are left, in the order of the "
        "vocabulary, with probabilities rounded to hundredths:\n\n"
        + table(
            ["word", "probability"],
            [[code(name), f"{p:.2f}"] for name, p in zip(names, shares)],
        )
        + f"\n\nThe number drawn is u = {u:.2f}. On which word does it fall, "
        "and where on the line from 0 to 1 does that word's stretch end?",
        fields={
            "word": OneOf("the word", tuple(names), code=True),
            "border": Number("end of its stretch", 0.005),
        },
        answer={
            "word": right,
            "border": float(shares[: names.index(right) + 1].sum()),
        },
        hints=(
            "Lay the probabilities side by side on a line from 0 to 1.",
            "Add them up from the top, until the sum is beyond u.",
        ),
        solution=f"Added up from the top: {borders}. The number {u:.2f} falls "
        f"on **`{right}`**.",
        mistakes=tuple(
            Mistake({"word": name}, replies[name])
            for name in names
            if name != right
        )
        + (
            Mistake(
                {"border": float(shares[names.index(right)])},
                "That is how long its stretch is. Add what lies before it.",
            ),
        ),
        given={"names": names, "shares": shares.tolist(), "u": u},
        functions=(draw,),
        start=words,
    )


def with_sampling(logits, given):
    """Probabilities at a temperature, after top-k and top-p.

    Args:
        given: a dictionary with `temperature`, `k` (0 for all) and `p`.
    """
    found = with_temperature(logits, given["temperature"])
    if given["k"]:
        found = top_k(found, int(given["k"]))
    return top_p(found, given["p"])


def drawn_settings(logits, token_id, before, rng):
    """Settings that clearly change how likely a token is, and to what.

    Args:
        before: its probability when nothing is changed.

    Returns:
        A dictionary as for `with_sampling`, and the new probability; None
        twice if no draw changed enough.
    """
    for _ in range(30):
        settings = {
            "temperature": round(float(rng.uniform(0.4, 1.9)), 1),
            "k": int(pick(rng, (0, 3, 5, 10))),
            "p": float(pick(rng, (1.0, 0.9, 0.8))),
        }
        after = float(shown(with_sampling(logits, settings)[token_id]))
        if abs(after - before) >= 0.08 and 0.05 < after < 0.95:
            return settings, after
    return None, None


def reach(models, rng, words):
    words = open_start(models, rng, words, 3)
    names, shares = likeliest(models, words, 3)
    place = int(rng.integers(2))
    word, before = names[place], float(shares[place])
    token_id = models.llm.tokenizer.ids[word]
    logits = models.llm.next_logits(words)
    example, goal = drawn_settings(logits, token_id, before, rng)
    if example is None:
        return None
    close = 0.01

    def judge(given):
        settings = {**given, "p": given["p"] or 1.0}
        if not 0.05 <= settings["temperature"] <= 3:
            return Mark(False, "Choose a temperature from 0.05 to 3.")
        if not 0 < settings["p"] <= 1:
            return Mark(False, "Top-p is above 0 and at most 1.")
        if settings["k"] < 0 or settings["k"] > len(logits):
            return Mark(False, f"Top-k is from 1 to {len(logits)}, or 0.")
        found = float(with_sampling(logits, settings)[token_id])
        if abs(found - goal) <= close:
            return Mark(True, "")
        if found == 0:
            return Mark(False, f"Then `{word}` is cut and can never come.")
        if settings == {"temperature": 1.0, "k": 0, "p": 1.0}:
            return Mark(False, f"Nothing is changed: it stays {found:.1%}.")
        return Mark(
            False,
            f"With these settings `{word}` gets {found:.1%}, which is "
            f"{'too little' if found < goal else 'too much'}.",
        )

    return Exercise(
        kind="reach",
        task=f"After this start the tiny LLM gives `{word}` "
        f"{before:.1%}. Choose temperature, top-k and top-p so that it gets "
        f"{goal:.0%}, to within one percentage point. (k = 0 and p = 1 cut "
        "nothing.)",
        fields={
            "temperature": Number("temperature", 0.01),
            "k": Number("top-k"),
            "p": Number("top-p", 0.01),
        },
        answer=example,
        hints=(
            "A temperature below 1 helps the likeliest words, one above 1 "
            "the others.",
            "Cutting gives what is cut to the words that are left.",
        ),
        solution="One way of many: temperature "
        f"{example['temperature']:g}, k = {example['k']}, p = "
        f"{example['p']:g} gives "
        f"{with_sampling(logits, example)[token_id]:.1%}.",
        mistakes=(
            Mistake(
                {"temperature": 1.0, "k": 0, "p": 1.0},
                f"Nothing is changed: it stays {before:.1%}.",
            ),
        ),
        judge=judge,
        given={"goal": goal, "token_id": token_id},
        functions=(with_temperature, top_k, top_p),
        start=words,
        on_paper=False,
    )


def what_top_p_keeps(models, rng, words):
    words = open_start(models, rng, words, 4)
    names, shares = likeliest(models, words, 5)
    shares = shown(shares)
    sums = shares.cumsum()
    # A sum that nearly meets p would hang on the rounding.
    clear = [
        p
        for p in (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9)
        if shares[0] + 0.02 < p < sums[-1] - 0.02
        and np.abs(sums - p).min() > 0.012
    ]
    if shares.min() < 0.03 or not clear:
        return None
    p = float(pick(rng, clear))
    # The rest of the vocabulary comes after these, each word less likely.
    rest = np.full(100, max(1 - sums[-1], 0.0) / 100)
    kept = top_p(np.append(shares, rest), p)
    count = int((kept > 0).sum())
    first = float(kept[0])
    return Exercise(
        kind="what_top_p_keeps",
        task="The likeliest next words, likeliest first, with probabilities "
        "rounded to hundredths:\n\n"
        + table(
            ["word", "probability"],
            [
                [code(name), f"{share:.2f}"]
                for name, share in zip(names, shares)
            ],
        )
        + f"\n\nTop-p with p = {p:g}: how many words are kept, and what "
        f"probability has `{names[0]}` then?",
        fields={
            "count": Number("words that are kept"),
            "first": Number(f"probability of {names[0]}", 0.01),
        },
        answer={"count": count, "first": first},
        hints=(
            f"Add the probabilities up from the top, until {p:g} is reached.",
            "The word that reaches p is kept too. Then everything is divided "
            "by the sum of what is kept.",
        ),
        solution=f"{added(shares[:count])} = {sums[count - 1]:.2f}, which "
        f"reaches {p:g} with **{count}** words. `{names[0]}` becomes "
        f"{shares[0]:.2f} / {sums[count - 1]:.2f} = **{first:.2f}**.",
        mistakes=(
            Mistake(
                {"count": count - 1},
                "The word with which p is reached is kept too.",
            ),
            Mistake(
                {"count": count + 1},
                "p is reached before that word.",
            ),
            Mistake(
                {"first": float(shares[0])},
                "What is left must add up to 1 again: divide by the sum of "
                "what is kept.",
            ),
            Mistake(
                {"first": float(shares[0] / p)},
                "Divide by what the kept words have together, which is more "
                "than p.",
            ),
        ),
        given={"shares": shares.tolist(), "p": p},
        functions=(top_p,),
        start=words,
    )


def tempered(models, rng, words):
    words = open_start(models, rng, words, 3, uneven=2)
    names, _ = likeliest(models, words, 3)
    ids = models.llm.tokenizer.ids
    logits = shown(
        models.llm.next_logits(words)[[ids[name] for name in names]], 1
    )
    open_ones = [
        temperature
        for temperature in (0.5, 2.0)
        if softmax_with_temperature(logits, temperature).max() < 0.97
    ]
    if not open_ones or np.ptp(logits) < 0.5:
        return None
    temperature = pick(rng, open_ones)
    right = softmax_with_temperature(logits, temperature)
    plain = softmax(logits)
    turned = softmax_with_temperature(logits, 1 / temperature)
    divided = plain / temperature

    def row(numbers):
        return dict(zip(names, map(float, numbers)))

    powers = np.exp(logits / temperature)
    return Exercise(
        kind="tempered",
        task="Suppose only these three words could come, with these logits "
        "of the tiny LLM:\n\n"
        + table(
            ["word", "logit"],
            [[code(name), f"{one:.1f}"] for name, one in zip(names, logits)],
        )
        + f"\n\nWhat are their probabilities at temperature {temperature:g}?",
        fields={name: Number(f"{name}", 0.01) for name in names},
        answer=row(right),
        hints=(
            "Divide the logits by the temperature first.",
            "Then softmax: exponentials, divided by their sum.",
        ),
        solution="; ".join(
            f"$e^{{{one:.1f} / {temperature:g}}}$ = {power:.2f}"
            for one, power in zip(logits, powers)
        )
        + f". Divided by their sum, {powers.sum():.2f}: "
        + ", ".join(
            f"`{name}` **{share:.3f}**" for name, share in zip(names, right)
        )
        + ".",
        mistakes=(
            Mistake(
                row(turned),
                "You have multiplied by the temperature. The logits are "
                "divided by it.",
            ),
            Mistake(
                row(plain),
                "These are the probabilities at temperature 1.",
            ),
            Mistake(
                row(divided),
                "Divide the logits by the temperature, not the "
                "probabilities: these must add up to 1.",
            ),
        ),
        given={"logits": logits.tolist(), "temperature": temperature},
        functions=(softmax_with_temperature,),
        start=words,
    )


SAMPLING = {
    "tempered": Kind("sampling", "Softmax at a temperature", tempered, True),
    "what_top_p_keeps": Kind(
        "sampling", "What top-p keeps", what_top_p_keeps, True
    ),
    "drawn_word": Kind("sampling", "On which word?", drawn_word, True),
    "reach": Kind("sampling", "Reach a probability", reach, True),
}
