"""Exercises on training, on looking inside, and on a text of one's own."""

from math import exp, log

import numpy as np

from llm.exercises.exercise import Choice, Exercise, Kind, Mistake, Number
from llm.exercises.parts import (
    added,
    code,
    numbered,
    owners_start,
    pick,
    pick_several,
    place_start,
    shown,
    some_words,
    table,
    term,
)
from llm.glassbox.entropy import entropy
from llm.glassbox.sampling import draw
from llm.glassbox.softmax import softmax
from llm.models.pairs import count_pairs, pair_probabilities
from llm.own_text.measures import longest_copy
from llm.studies.attribution import logit_reading
from llm.studies.learning import logit_gradient, token_losses
from llm.world.words import PARROT_WORDS, PEOPLE


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
        task="After the start below, the tiny LLM gives these words these "
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
            "target": Choice(f"target at position {asked}", options),
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


def missing_effect(models, rng, words):
    llm = models.llm
    start, right, _ = owners_start(rng)
    words = tuple(words) if words and len(words) > 3 else start
    trace = llm.trace(words)
    logits = trace.logits[-1]
    word = int(logits.argmax())
    found = logit_reading(trace, llm.weights, len(trace.tokens) - 1, word)
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
    return Exercise(
        kind="missing_effect",
        task="A logit is a sum of direct effects. For the likeliest word, "
        f"`{llm.tokenizer.vocabulary[word]}`, after the start below:\n\n"
        + table(["part", "direct effect"], listed)
        + f"\n\nThe logit is {total:.2f}. How much does {names[asked]} give?",
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
        functions=(logit_reading,),
        start=words,
    )


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
        f"induction head look from the last token, `{names[last]}`?",
        fields={
            "word": Choice("the next word", tuple(sorted(set(said)))),
            "position": Choice("where it looks", options),
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


def pair_counts(models, rng, words):
    """How a counting model is made, on the student's words or a story's."""
    if words is None or len(words) < 8:
        story = next(models.world.stories(rng)).tokens
        words = [word for word in story if word not in ("<start>", "<end>")]
    text = " ".join(words)[:60].strip()
    letters = [letter for letter in text[:-1] if letter.isalpha()]
    counted = {}
    for letter in letters:
        counted[letter] = counted.get(letter, 0) + 1
    common = [letter for letter, count in counted.items() if count >= 3]
    if not common:
        return None
    first = pick(rng, sorted(common))
    following = [b for a, b in zip(text, text[1:]) if a == first]
    after = sorted(set(following) - {" "})
    if not after or len(set(following)) < 2:
        return None
    second = pick(rng, after)
    hits, of = following.count(second), len(following)
    share = hits / of
    backwards = [a for a, b in zip(text, text[1:]) if b == second]
    reverse = backwards.count(first) / len(backwards)
    overall = hits / (len(text) - 1)
    plain = text.count(second) / len(text)
    return Exercise(
        kind="pair_counts",
        task="A model that only counts pairs of characters has read this "
        f"text (a space is a character too):\n\n`{text}`\n\nHow often does "
        f"`{first}` have something after it, and with which probability does "
        f"the model write `{second}` after `{first}`?",
        fields={
            "count": Number(f"pairs that begin with {first}"),
            "share": Number(f"probability of {second} after {first}", 0.01),
        },
        answer={"count": of, "share": share},
        hints=(
            f"Go through the text and look what stands after each `{first}`.",
            f"Divide how often `{first}{second}` occurs by how often "
            f"`{first}` is followed by anything.",
        ),
        solution=f"After `{first}` stand: "
        + ", ".join(
            f"`{one}`" if one != " " else "a space" for one in following
        )
        + f". That is {hits} of **{of}**: **{share:.2f}**.",
        mistakes=(
            Mistake(
                {"share": overall},
                "You have divided by all pairs of the text. Only pairs that "
                f"begin with `{first}` count.",
            ),
            Mistake(
                {"share": reverse},
                f"That is how often `{first}` stands before `{second}`. The "
                "model knows the first and asks for the second.",
            ),
            Mistake(
                {"share": plain},
                f"That is how common `{second}` is altogether. The model "
                "looks at the character before.",
            ),
        ),
        given={"text": text, "first": first, "second": second},
    )


WRITTEN = 9  # words that the counting model writes


def copied_stretch(models, rng, words):
    """How much of what a counting model writes is copied from its text."""
    source = []
    while len(source) < 18:
        story = next(models.world.stories(rng)).tokens
        source += [word for word in story if word not in ("<start>", "<end>")]
    source = [*(words or ()), *source][:26]
    vocabulary = list(dict.fromkeys(source))
    ids = np.array([vocabulary.index(word) for word in source])
    pairs = pair_probabilities(count_pairs([ids], len(vocabulary)), 1e-9)
    written = [int(rng.integers(len(vocabulary)))]
    while len(written) < WRITTEN:
        written.append(draw(pairs[written[-1]], rng.random()))
    start, length, place = longest_copy(written, ids)
    if not 3 <= length <= 6:
        return None
    text = " ".join(vocabulary[number] for number in written)
    stretch = text.split()[start : start + length]
    return Exercise(
        kind="copied_stretch",
        task="A model that only counts pairs of words has read this text:\n\n"
        f"`{' '.join(source)}`\n\nIt then wrote:\n\n`{text}`\n\nHow long, "
        "in words and full stops, is the longest stretch of what it wrote "
        "that stands in the text word for word?",
        fields={"length": Number("length of the longest copied stretch")},
        answer={"length": length},
        hints=(
            "Begin at each word that was written, and see how far the text "
            "goes along.",
            f"The stretch begins with `{stretch[0]}`.",
        ),
        solution=f"`{' '.join(stretch)}` stands in the text from its word "
        f"{place + 1} on: **{length}** words and full stops. Every single pair is "
        "copied, as the model knows nothing else.",
        mistakes=(
            Mistake(
                {"length": WRITTEN},
                "Every pair of words stands somewhere in the text, but not "
                "all of them in one place.",
            ),
            Mistake(
                {"length": 2},
                "Each two words were copied, as the model counts pairs. But "
                "here a longer stretch stands in the text as well.",
            ),
            Mistake(
                {"length": length - 1},
                "Count the words and full stops, not the steps between them.",
            ),
        ),
        given={"source": source, "written": text.split()},
        functions=(count_pairs, longest_copy),
    )


LEARNING = {
    "targets": Kind("training", "Inputs and targets", targets, True),
    "story_loss": Kind("training", "The loss of a story", story_loss, True),
    "loss_floor": Kind("training", "The floor of a choice", loss_floor),
    "gradient": Kind("training", "The gradient at a logit", gradient, True),
    "missing_effect": Kind(
        "look_inside", "The missing effect", missing_effect, True
    ),
    "induction": Kind("look_inside", "Where does it look?", induction),
    "cut_effect": Kind("look_inside", "Cut a head", cut_effect, True),
    "pair_counts": Kind("your_text", "Count pairs", pair_counts, True),
    "copied_stretch": Kind(
        "your_text", "What is copied", copied_stretch, True
    ),
}
