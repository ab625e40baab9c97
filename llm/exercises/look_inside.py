"""Exercises on looking inside: effects, cuts, and induction."""

from math import exp

import numpy as np

from llm.exercises.exercise import Exercise, Kind, Mistake, Number, OneOf
from llm.exercises.parts import (
    added,
    code,
    numbered,
    owners_start,
    pick,
    pick_several,
    shown,
    some_words,
    table,
    term,
)
from llm.glassbox.softmax import softmax
from llm.studies.attribution import logit_attribution
from llm.world.words import PARROT_WORDS, PEOPLE


def missing_effect(models, rng, words):
    llm = models.llm
    start, right, _ = owners_start(rng)
    words = tuple(words) if words and len(words) > 3 else start
    trace = llm.trace(words)
    logits = trace.logits[-1]
    word = int(logits.argmax())
    found = logit_attribution(trace, llm.weights, len(trace.tokens) - 1, word)
    order = np.argsort(-np.abs(found.amounts), kind="stable")
    strongest = [int(place) for place in order[:5]]
    amounts = shown(found.amounts[strongest])
    rest = float(
        shown(found.total - found.amounts[strongest].sum() - found.constant)
    )
    constant = float(shown(found.constant))
    names = [found.parts[place].name for place in strongest]
    clear = np.flatnonzero(np.abs(amounts) > 0.3)
    if not len(clear) or min(abs(rest), abs(constant)) < 0.03:
        return None
    asked = int(pick(rng, clear))
    total = float(shown(amounts.sum() + rest + constant))
    others = float(np.delete(amounts, asked).sum() + rest + constant)
    listed = [
        [name, "?" if place == asked else f"{amount:+.2f}"]
        for place, (name, amount) in enumerate(zip(names, amounts))
    ]
    listed += [
        ["all other parts", f"{rest:+.2f}"],
        ["constant", f"{constant:+.2f}"],
    ]
    positive = float(
        total
        - np.abs(np.delete(amounts, asked)).sum()
        - abs(rest)
        - abs(constant)
    )
    exercise = Exercise(
        kind="missing_effect",
        task="A logit is a sum of direct effects. For the likeliest word, "
        f"`{llm.tokenizer.vocabulary[word]}`, after this start:\n\n"
        + table(["part", "direct effect"], listed)
        + f"\n\nWith these rounded numbers the logit is {total:.2f}. "
        f"How much does {names[asked]} give?",
        fields={"effect": Number(f"direct effect of {names[asked]}", 0.02)},
        answer={"effect": float(amounts[asked])},
        hints=(
            "All effects together, and the constant, make the logit.",
            "Add up what is known, with its signs, and see what is missing.",
        ),
        solution=f"Known are {added(np.delete(amounts, asked))} + "
        f"{term(rest)} + {term(constant)} = {others:.2f}. Missing to "
        f"{total:.2f} is **{total - others:+.2f}**.",
        mistakes=(
            Mistake(
                {"effect": total - others + constant},
                "You have left out the constant. It is part of the logit too.",
            ),
            Mistake(
                {"effect": total - others + rest},
                "You have left out all other parts.",
            ),
            Mistake(
                {"effect": positive},
                "Watch the signs: some parts speak against the word.",
            ),
            Mistake(
                {"effect": others - total},
                "The sign is turned round: it is the logit minus the rest.",
            ),
        ),
        given={
            "total": total,
            "known": [*np.delete(amounts, asked).tolist(), rest, constant],
        },
        functions=(logit_attribution,),
        start=words,
    )
    # Where nothing else speaks against the word, no sign can be overlooked.
    exercise = exercise.without_unclear()
    return exercise if len(exercise.mistakes) >= 2 else None


def induction(models, rng, words):
    count = int(rng.integers(3, 6))
    said = pick_several(rng, PARROT_WORDS, count)
    known = int(rng.integers(1, count))
    speaker = pick(rng, PEOPLE)
    text = (
        f"{speaker} says : {' '.join(said)} . the parrot says : "
        f"{' '.join(said[:known])}"
    ).split()
    if not models.world.allows(text):
        return None
    tokens = ("<start>", *text)
    names = numbered(tokens)
    first = tokens.index(said[0])
    source = first + known
    last = len(tokens) - 1
    options = tuple(
        names[place]
        for place in sorted(
            {
                source,
                source - 1,
                last,
                first,
                last - known - 1,
                min(source + 1, first + count),
            }
        )
    )
    replies = {
        names[source - 1]: f"That is the earlier `{said[known - 1]}`. What "
        "is wanted is what came after it.",
        names[last]: "Looking at itself tells it nothing new.",
        names[first]: "That is where the list began. It is already further "
        "on.",
    }
    right = names[source]
    return Exercise(
        kind="induction",
        task=", ".join(map(code, names))
        + f"\n\nWhich word comes next, and at which position does an "
        "induction head (one that looks at what followed the same word "
        f"earlier) look from the last token, `{names[last]}`?",
        fields={
            "word": OneOf(
                "the next word", tuple(sorted(set(said))), code=True
            ),
            "position": OneOf("where it looks", options, code=True),
        },
        answer={"word": said[known], "position": right},
        hints=(
            "The parrot repeats the list.",
            "It looks for what came after the earlier occurrence of the word "
            "that it has just read.",
        ),
        solution=f"The earlier `{said[known - 1]}` stands at position "
        f"{source - 1}. After it, at position **{source}**, came "
        f"**`{said[known]}`**.",
        mistakes=(
            *(
                Mistake({"position": place}, reply)
                for place, reply in replies.items()
                if place != right and place in options
            ),
            *(
                Mistake(
                    {"word": word},
                    "That word was just said. The list goes on."
                    if word == said[known - 1]
                    else "The parrot keeps the order of the list.",
                )
                for word in dict.fromkeys(said)
                if word != said[known]
            ),
        ),
        given={"tokens": tokens},
        start=tuple(text),
    )


def cut_effect(models, rng, words):
    """What a logit difference of two words means for their probabilities."""
    llm = models.llm
    words = some_words(models, rng, words, least=3, most=12)
    said = llm.next_token(words)
    names = list(said)[:2]
    ids = llm.tokenizer.ids_of(names)
    logits = llm.next_logits(words)[ids]
    before = float(shown(logits[0] - logits[1]))
    if not 0.2 < before < 4:
        start, right, _ = owners_start(rng)
        words, said = start, llm.next_token(start)
        names = list(said)[:2]
        ids = llm.tokenizer.ids_of(names)
        logits = llm.next_logits(words)[ids]
        before = float(shown(logits[0] - logits[1]))
    # The cut may turn the two round, but not by much.
    after = float(shown(rng.choice([-1, 1]) * rng.uniform(0.3, 3)))
    effect = float(shown(before - after, 1))
    after = float(shown(before - effect))
    if abs(effect) < 0.3 or abs(after) < 0.2 or abs(before) > 15:
        return None
    probability = 1 / (1 + exp(-after))
    return Exercise(
        kind="cut_effect",
        task=f"The logit of `{names[0]}` lies {before:.2f} above that of "
        f"`{names[1]}`. Suppose a head whose direct effect on this difference "
        f"is {effect:.1f} is cut, and nothing else changes. What is the "
        "difference then? And if only these two words could come, what "
        f"probability would `{names[0]}` have?",
        fields={
            "difference": Number("difference of the logits", 0.02),
            "probability": Number(f"probability of {names[0]}", 0.01),
        },
        answer={"difference": after, "probability": probability},
        hints=(
            "What the head gave is taken away from the difference.",
            "With two choices, softmax needs only their difference: "
            "1 / (1 + e^(−difference)).",
        ),
        solution=f"{before:.2f} − {effect:.1f} = **{after:.2f}**. 1 / (1 + "
        f"$e^{{{-after:.2f}}}$) = **{probability:.2f}**.",
        mistakes=(
            Mistake(
                {"difference": before + effect},
                "Without the head its effect is missing: subtract it.",
            ),
            Mistake(
                {"probability": 1 - probability},
                f"That is the probability of `{names[1]}`.",
            ),
            Mistake(
                {"probability": exp(after)},
                "That is how many times as likely it is. A probability is "
                "at most 1.",
            ),
            Mistake(
                {"probability": 1 / (1 + exp(-before))},
                "That is the probability before the cut.",
            ),
        ),
        given={"before": before, "effect": effect},
        functions=(softmax,),
        start=tuple(words),
    )


LOOK_INSIDE = {
    "missing_effect": Kind(
        "look_inside", "The missing effect", missing_effect, True
    ),
    "induction": Kind("look_inside", "Where does it look?", induction),
    "cut_effect": Kind("look_inside", "Cut a head", cut_effect, True),
}
