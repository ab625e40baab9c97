"""Exercises on the next token: logits, guesses, errors, and the cache."""

from itertools import combinations
from math import exp, log

import numpy as np

from llm.exercises.exercise import (
    Exercise,
    Kind,
    Mark,
    Mistake,
    Number,
    Words,
)
from llm.exercises.parts import (
    likeliest,
    open_start,
    pick,
    place_start,
    shown,
    story_start,
    term,
)
from llm.glassbox.softmax import softmax, softmax_with_temperature
from llm.models.tokenizer import split


def odds(models, rng, words):
    words = open_start(models, rng, words, 3)
    ids = models.llm.tokenizer.ids
    logits = models.llm.next_logits(words)
    names, _ = likeliest(models, words, 6)
    found = shown(logits[[ids[name] for name in names]]).tolist()
    clear = [
        (first, second)
        for first, second in combinations(range(len(names)), 2)
        if 0.3 < found[first] - found[second] < 3.5
        and abs(found[second]) > 0.2
    ]
    if not clear:
        return None
    first, second = pick(rng, clear)
    high, low = found[first], found[second]
    apart = high - low
    times = exp(apart)
    ratio = high / low
    return Exercise(
        kind="odds",
        task=f"After this start, the tiny LLM gives `{names[first]}` the "
        f"logit {high:.2f} and `{names[second]}` the logit {low:.2f}. How many"
        f" times as likely is `{names[first]}`, at temperature 1? And at "
        "temperature 2?",
        fields={
            "one": Number(
                "times as likely at temperature 1", max(0.03, 0.02 * times)
            ),
            "two": Number("times as likely at temperature 2", 0.03),
        },
        answer={"one": times, "two": exp(apart / 2)},
        hints=(
            "All other words cancel: only the difference of the two logits "
            "counts.",
            "Softmax takes exponentials, so a difference becomes a ratio. "
            "The temperature divides the difference first.",
        ),
        solution=f"The difference is {high:.2f} − {term(low)} = {apart:.2f}. "
        f"$e^{{{apart:.2f}}}$ = **{times:.2f}**; at temperature 2, "
        f"$e^{{{apart / 2:.3f}}}$ = **{exp(apart / 2):.2f}**.",
        mistakes=(
            Mistake(
                {"one": ratio},
                "You have divided the logits. Softmax turns their "
                "difference into a ratio.",
            ),
            Mistake(
                {"one": apart},
                "That is the difference of the logits. Take its exponential.",
            ),
            Mistake(
                {"two": times / 2},
                "The temperature divides the logits, before the exponential.",
            ),
            Mistake(
                {"two": times**2},
                "You have multiplied by the temperature. A higher "
                "temperature brings the words closer together.",
            ),
        ),
        given={"high": high, "low": low},
        functions=(softmax, softmax_with_temperature),
        start=words,
    )


def spread(models, rng, words):
    start = place_start(rng)
    truth = models.world.next_word_probabilities(start)
    names = sorted(truth, key=truth.get, reverse=True)
    shares = np.array([truth[name] for name in names])
    floor = float(-(shares * np.log(shares)).sum())
    enough = floor + 0.15
    names = names[:8]
    order = sorted(names)

    def nats(given):
        """The mean surprise of a guess; without end if it rules out a word."""
        guess = {name: given[name] / 100 for name in order}
        if any(guess.get(name, 0) <= 0 for name in truth):
            return float("inf")
        return -sum(p * log(guess[name]) for name, p in truth.items())

    def judge(given):
        total = sum(given[name] for name in order)
        if abs(total - 100) > 0.5:
            return Mark(False, f"That makes {total:g}%. Share out 100%.")
        if min(given.values()) <= 0:
            return Mark(
                False,
                "A word with 0% can still come, and then the surprise has no "
                "bound. Leave every word something.",
            )
        score = nats(given)
        if score <= enough:
            return Mark(True, "")
        even = max(given.values()) - min(given.values()) < 2
        return Mark(
            False,
            f"Your guess scores {score:.2f} nats; at most {enough:.2f} are "
            "asked for. "
            + (
                "Some words are likelier than others here."
                if even
                else "Think of how often the toy world says each of them."
            ),
        )

    if len(names) != len(truth):
        return None
    return Exercise(
        kind="spread",
        task=f"`{' '.join(start)} ___`\n\nIn the toy world {len(names)} words "
        "can come next. Share out 100% among them. Your score is the mean "
        "surprise in nats, if the world draws the word; the exact "
        f"probabilities themselves would score {floor:.2f}. Reach at most "
        f"{enough:.2f}.",
        fields={name: Number(f"{name} (%)", 0.5) for name in order},
        answer={name: 100 * truth[name] for name in order},
        hints=(
            f"Equal shares would score ln {len(names)} = "
            f"{log(len(names)):.2f} nats.",
            f"The likeliest word here is `{names[0]}`, and the least likely "
            f"`{names[-1]}`.",
        ),
        solution="The exact probabilities: "
        + ", ".join(f"`{name}` {truth[name]:.0%}" for name in names)
        + f". They score {floor:.2f} nats, and nobody can do better.",
        mistakes=(
            Mistake(
                {name: 100.0 * (name == names[0]) for name in order},
                "A word with 0% can still come, and then the surprise has no "
                "bound. Leave every word something.",
            ),
        ),
        judge=judge,
        given={"truth": truth, "enough": enough},
        start=start,
    )


TRIED_STARTS = 5  # starts among which the furthest off is taken


def wrong_start(models, rng, words):
    llm, world = models.llm, models.world
    starts = [
        place_start(rng) if number % 2 else story_start(models, rng, 3, 8)
        for number in range(TRIED_STARTS)
    ]
    off = [largest_error(models, start)[1] for start in starts]
    best = int(np.argmax(off))
    # Somewhat less than what a search like this one finds.
    needed = float(np.floor(1000 * 0.6 * off[best]) / 1000)
    if needed < 0.005:
        return None

    def judge(given):
        tokens = split(given["start"])
        unknown = llm.tokenizer.unknown(tokens)
        if unknown:
            return Mark(False, f"The model does not know `{unknown[0]}`.")
        impossible = world.first_impossible(tokens)
        if impossible is not None:
            return Mark(
                False,
                f"The toy world never says `{tokens[impossible]}` there, so "
                "there is no truth to compare with. Stay inside the world.",
            )
        if not world.next_word_probabilities(tokens):
            return Mark(False, "Here the story is over: no word follows.")
        word, error = largest_error(models, tokens)
        if error >= needed:
            return Mark(True, "")
        return Mark(
            False,
            f"There it is right to {100 * error:.1f} percentage points "
            f"(furthest off at `{word}`).",
        )

    example = " ".join(starts[best])
    word, error = largest_error(models, starts[best])
    return Exercise(
        kind="wrong_start",
        task="Find a start that the toy world can say, after which the tiny "
        f"LLM is wrong about some word by at least {100 * needed:.1f} "
        "percentage points.",
        fields={"start": Words("the start")},
        answer={"start": example},
        hints=(
            "Where only one word is right, the model has become sure. Look "
            "where several words are possible.",
            "Try the beginnings of stories, or the places where something "
            "sits, sleeps or plays.",
        ),
        solution=f"One of many: after `{example}` the model gives `{word}` a "
        f"probability that is {100 * error:.1f} percentage points off.",
        mistakes=(
            Mistake(
                {"start": "the mat sat on the cat"},
                "The toy world never says `mat` there, so there is no truth "
                "to compare with. Stay inside the world.",
            ),
        ),
        judge=judge,
        given={"needed": needed},
        on_paper=False,
    )


def largest_error(models, words):
    """Where the model is furthest from the truth.

    Returns:
        The word, and how far its probability is off.
    """
    said = models.llm.next_token(words)
    truth = models.world.next_word_probabilities(words)
    off = {name: abs(p - truth.get(name, 0.0)) for name, p in said.items()}
    worst = max(off, key=off.get)
    return worst, off[worst]


def cached_rows(models, rng, words):
    prompt, more = int(rng.integers(5, 21)), int(rng.integers(4, 12))
    whole = sum(range(prompt, prompt + more))
    kept = prompt + more - 1
    return Exercise(
        kind="cached_rows",
        task=f"A prompt has {prompt} tokens, and {more} more are written. For "
        "how many tokens must a query, a key and a value be computed "
        "altogether, if every step begins anew, and how many if earlier "
        "keys and values are kept, in a KV cache? (The last token that is "
        "written need not be read any more.)",
        fields={
            "anew": Number("tokens without a cache"),
            "cached": Number("tokens with a cache"),
        },
        answer={"anew": whole, "cached": kept},
        hints=(
            f"To write the first token, {prompt} are read; for the second, "
            f"{prompt + 1}; and so on.",
            "With a cache, each token is computed once: its key and value "
            "are kept.",
        ),
        solution=f"Without: {prompt} + {prompt + 1} + … + "
        f"{prompt + more - 1} = **{whole}**. With a cache each of "
        f"{prompt} + {more} − 1 = **{kept}** tokens once.",
        mistakes=(
            Mistake(
                {"anew": prompt * more},
                "The text grows by one token a step; the later steps cost "
                "more.",
            ),
            Mistake(
                {"anew": sum(range(prompt + 1, prompt + more + 1))},
                "The first token is written after reading the prompt alone.",
            ),
            Mistake(
                {"cached": prompt + more},
                "The last token is written and not read any more.",
            ),
            Mistake(
                {"cached": more},
                "The prompt has to be read once as well.",
            ),
            Mistake(
                {"cached": whole},
                "With a cache nothing is computed twice.",
            ),
        ),
        given={"prompt": prompt, "more": more},
    )


NEXT_TOKEN = {
    "odds": Kind("next_token", "How many times as likely?", odds, True),
    "spread": Kind("next_token", "Share out 100%", spread),
    "wrong_start": Kind("next_token", "Catch the model", wrong_start),
    "cached_rows": Kind("next_token", "What a cache saves", cached_rows),
}
