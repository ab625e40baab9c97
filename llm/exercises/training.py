"""Exercises on training: targets, loss, its floor, and the gradient."""

from math import log

import numpy as np

from llm.exercises.exercise import Exercise, Kind, Mistake, Number, OneOf
from llm.exercises.parts import (
    added,
    code,
    numbered,
    place_start,
    shown,
    some_words,
    table,
)
from llm.glassbox.entropy import entropy
from llm.glassbox.softmax import softmax
from llm.studies.loss import logit_gradient, token_losses


def story_loss(models, rng, words):
    words = some_words(models, rng, words, least=4, most=5)[:5]
    tokens = ("<start>", *words)
    ids = models.llm.tokenizer.ids_of(tokens)
    logits = models.llm.logits(ids[:-1])
    shares = shown(softmax(logits.astype(float))[range(len(words)), ids[1:]])
    if shares.min() < 0.01:
        return None
    # As logits, so that the losses of the glass box can be asked for.
    two = np.log(np.stack([shares, np.maximum(1 - shares, 1e-9)], axis=1))
    losses = token_losses(two, np.zeros(len(shares), int))
    mean = float(losses.mean())
    if mean < 0.15 or losses.max() < 0.3:
        return None
    least = int(shares.argmin())
    return Exercise(
        kind="story_loss",
        task="What the tiny LLM gave to each word that really came, rounded:"
        "\n\n"
        + table(
            ["word", "its probability"],
            [[code(word), f"{p:.2f}"] for word, p in zip(words, shares)],
        )
        + f"\n\nWhat is the surprise at `{words[least]}` (word {least + 1}), "
        "and what is the loss, the mean surprise of all words? In nats.",
        fields={
            "surprise": Number("surprise", 0.02),
            "loss": Number("loss", 0.02),
        },
        answer={"surprise": float(losses[least]), "loss": mean},
        hints=(
            "The surprise is minus the natural logarithm of the probability.",
            "The loss is the mean of the surprises.",
        ),
        solution=f"−ln {shares[least]:.2f} = **{losses[least]:.2f}**. "
        f"({added(losses)}) / {len(words)} = **{mean:.2f}**.",
        mistakes=(
            Mistake(
                {
                    "surprise": float(losses[least] / log(2)),
                    "loss": mean / log(2),
                },
                "That is in bits, with the logarithm to base 2. Nats come "
                "from the natural logarithm.",
            ),
            Mistake(
                {
                    "surprise": float(losses[least] / log(10)),
                    "loss": mean / log(10),
                },
                "That is the logarithm to base 10. Take the natural one.",
            ),
            Mistake(
                {"loss": float(losses.sum())},
                "That is the sum. The loss is the mean.",
            ),
            Mistake(
                {"loss": float(-np.log(shares.mean()))},
                "You have averaged the probabilities first. The surprises "
                "are averaged.",
            ),
            Mistake(
                {"surprise": float(1 - shares[least])},
                "That is what was missing to certainty. The surprise is a "
                "logarithm.",
            ),
        ),
        given={"shares": shares.tolist()},
        functions=(token_losses,),
        start=words,
    )


def loss_floor(models, rng, words):
    start = place_start(rng)
    truth = models.world.next_word_probabilities(start)
    names = sorted(truth, key=truth.get, reverse=True)
    shares = np.array([truth[name] for name in names])
    floor = float(entropy(shares))
    even = log(len(names))
    if even - floor < 0.05:
        return None
    return Exercise(
        kind="loss_floor",
        task=f"After `{' '.join(start)}` the toy world draws the next word "
        "with these exact probabilities:\n\n"
        + table(
            ["word", "probability"],
            [[code(name), f"{truth[name]:.2f}"] for name in names],
        )
        + "\n\nBelow which loss can no model get at this place, on average? "
        "And with how much would a model be charged that thinks all "
        f"{len(names)} words equally likely? In nats.",
        fields={
            "floor": Number("the floor", 0.02),
            "even": Number("loss of equal shares", 0.02),
        },
        answer={"floor": floor, "even": even},
        hints=(
            "The best that a model can do is to give the exact probabilities.",
            "Its mean surprise is the entropy: the sum of −p · ln p.",
        ),
        solution=" + ".join(f"{p:.2f} · {-log(p):.2f}" for p in shares)
        + f" = **{floor:.2f}**. Equal shares: ln {len(names)} = "
        f"**{even:.2f}**, whatever comes.",
        mistakes=(
            Mistake(
                {"floor": floor / log(2)},
                "That is in bits. Take the natural logarithm.",
            ),
            Mistake(
                {"floor": float(-log(shares[0]))},
                "That is the surprise at the likeliest word alone. The "
                "others come too, and surprise more.",
            ),
            Mistake(
                {"floor": float(-np.log(shares).mean())},
                "You have averaged the surprises evenly. Each counts as "
                "often as its word comes.",
            ),
            Mistake(
                {"floor": 0},
                "A loss of 0 would need certainty, and here the world itself "
                "is undecided.",
            ),
        ),
        given={"shares": shares.tolist()},
        functions=(entropy,),
        start=start,
    )


def gradient(models, rng, words):
    words = some_words(models, rng, words, least=2, most=9)
    said = models.llm.next_token(words)
    names = list(said)[:3]
    shares = shown([said[name] for name in names])
    if shares.min() < 0.02:
        start = place_start(rng)
        said, words = models.llm.next_token(start), start
        names = list(said)[:3]
        shares = shown([said[name] for name in names])
    came = int(rng.integers(3))
    rest = max(1 - float(shares.sum()), 0.0)
    if rest < 0.01 or shares[came] > 0.9 or abs(shares[came] - 0.5) < 0.02:
        return None
    all_of_it = np.log([*shares, rest])[None]
    right = logit_gradient(all_of_it, np.array([came]))[0][:3]

    def row(numbers):
        return dict(zip(names, map(float, numbers)))

    minus = shares.copy()
    minus[came] = 1 - shares[came]
    return Exercise(
        kind="gradient",
        task="After this start, the tiny LLM gives these words these "
        "probabilities (rounded; the rest goes to other words):\n\n"
        + table(
            ["word", "probability"],
            [[code(name), f"{p:.2f}"] for name, p in zip(names, shares)],
        )
        + f"\n\nThe word that really comes is `{names[came]}`. What is the "
        "gradient of the loss at each of the three logits?",
        fields={name: Number(f"gradient at {name}", 0.01) for name in names},
        answer=row(right),
        hints=(
            "It is what was said minus what was right.",
            "Right is 1 at the word that came, and 0 at all others.",
        ),
        solution="; ".join(
            f"`{name}`: {p:.2f} − {int(place == came)} = **{p_:.2f}**"
            for place, (name, p, p_) in enumerate(zip(names, shares, right))
        )
        + ". A step goes the other way: the logit of the right word rises.",
        mistakes=(
            Mistake(
                row(-right),
                "The signs are turned round. That is the way of the step, "
                "which goes against the gradient.",
            ),
            Mistake(
                row(shares),
                f"At `{names[came]}`, the right word, 1 must be subtracted.",
            ),
            Mistake(
                row(minus),
                f"At `{names[came]}` the gradient is negative: the loss "
                "falls if its logit rises.",
            ),
            Mistake(
                row(np.where(np.arange(3) == came, right, 0)),
                "The logits of the other words have a gradient too: their "
                "share must fall.",
            ),
        ),
        given={"shares": shares.tolist(), "came": came},
        functions=(logit_gradient,),
        start=tuple(words),
    )


def targets(models, rng, words):
    words = some_words(models, rng, words, least=4, most=9)
    tokens = ("<start>", *words)
    names = numbered(tokens)
    asked = int(rng.integers(1, len(tokens) - 1))
    right = tokens[asked + 1]
    if right in (tokens[asked], tokens[asked - 1]):
        return None
    replies = {
        tokens[asked]: "That is the word that stands there already. The "
        "target is the one after it.",
        tokens[asked - 1]: "Targets stand one to the right of the inputs, "
        "not to the left.",
        tokens[-1]: "Every position has a target of its own, not only the "
        "last.",
    }
    options = tuple(sorted({right, *replies} - {"<start>"}))
    if len(options) < 3:
        return None
    return Exercise(
        kind="targets",
        task="A story in training: "
        + ", ".join(map(code, names))
        + f".\n\nWhich word is the target at position {asked}? And how many "
        f"targets do these {len(tokens)} tokens give, if the last has none?",
        fields={
            "target": OneOf(f"target at position {asked}", options, code=True),
            "count": Number("number of targets"),
        },
        answer={"target": right, "count": len(tokens) - 1},
        hints=(
            "At each position the model must say what comes next.",
            "Inputs and targets are the same text, one to the right.",
        ),
        solution=f"At position {asked} the model sees everything up to "
        f"`{tokens[asked]}` and must say **`{right}`**. There are "
        f"**{len(tokens) - 1}** such exercises in one story.",
        mistakes=(
            *(
                Mistake({"target": word}, said)
                for word, said in replies.items()
                if word != right and word in options
            ),
            Mistake(
                {"count": 1},
                "Not only the last word is asked for: every position is an "
                "exercise.",
            ),
            Mistake(
                {"count": len(tokens)},
                "The last token has nothing after it here.",
            ),
        ),
        given={"tokens": tokens, "asked": asked},
        start=tuple(words),
    )


TRAINING = {
    "targets": Kind("training", "Inputs and targets", targets, True),
    "story_loss": Kind("training", "The loss of a story", story_loss, True),
    "loss_floor": Kind("training", "The floor of a choice", loss_floor),
    "gradient": Kind("training", "The gradient at a logit", gradient, True),
}
