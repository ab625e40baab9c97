"""Exercises on the next token and on sampling."""

from math import exp, log

import numpy as np

from llm.exercises.exercise import (
    Choice,
    Exercise,
    Kind,
    Mark,
    Mistake,
    Number,
    Words,
)
from llm.exercises.parts import (
    added,
    code,
    pick,
    place_start,
    shown,
    story_start,
    table,
    term,
)
from llm.glassbox.sampling import draw, top_k, top_p, with_temperature
from llm.glassbox.softmax import softmax, softmax_with_temperature
from llm.models.tokenizer import split


def likeliest(models, words, count):
    """The likeliest next words and their probabilities, in that order."""
    said = models.llm.next_token(words)
    return list(said)[:count], np.array(list(said.values())[:count])


OPEN = 0.04  # a word from this probability on is a real choice


def open_start(models, rng, words, least=2):
    """A start after which several words are likely.

    Args:
        words: the student's; taken if they leave a choice.
        least: how many words must be likely.
    """
    if words:
        _, shares = likeliest(models, words, least)
        if shares[-1] > OPEN:
            return tuple(words)
    for _ in range(3):
        tokens = next(models.world.stories(rng)).tokens
        ids = models.llm.tokenizer.ids_of(tokens[:-1])
        shares = np.sort(softmax(models.llm.logits(ids)), axis=-1)[:, -least]
        choices = np.flatnonzero(shares[2:] > OPEN) + 2
        if len(choices):
            return tuple(tokens[1 : int(pick(rng, choices)) + 1])
    return place_start(rng)


def odds(models, rng, words):
    words = open_start(models, rng, words, 3)
    names, _ = likeliest(models, words, 6)
    first, second = sorted(rng.permutation(6)[:2].tolist())
    ids = models.llm.tokenizer.ids
    logits = models.llm.next_logits(words)
    high, low = (
        float(shown(logits[ids[names[place]]])) for place in (first, second)
    )
    apart = high - low
    if not 0.3 < apart < 3.5 or abs(low) < 0.2:
        return None
    times = exp(apart)
    ratio = high / low
    return Exercise(
        kind="odds",
        task=f"After the start below, the tiny LLM gives `{names[first]}` the "
        f"logit {high:.2f} and `{names[second]}` the logit {low:.2f}. How many"
        f" times as likely is `{names[first]}`, at temperature 1? And at "
        "temperature 2?",
        fields={
            "one": Number("times as likely at temperature 1", 0.02 * times),
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
        on_paper=False,
    )


TRIED_STARTS = 8  # starts among which the furthest off is taken


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
            "word": Choice("the word", tuple(names)),
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
        task=f"After the start below the tiny LLM gives `{word}` "
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
    p = float(pick(rng, (0.5, 0.6, 0.7, 0.75, 0.8, 0.9)))
    sums = shares.cumsum()
    if shares.min() < 0.03 or sums[-1] < p + 0.02:
        return None
    if np.abs(sums - p).min() < 0.012 or shares[0] > p - 0.02:
        return None
    # The rest of the vocabulary as one more place on the line.
    kept = top_p(np.append(shares, max(1 - sums[-1], 0.0)), p)
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
    words = open_start(models, rng, words, 3)
    names, _ = likeliest(models, words, 3)
    ids = models.llm.tokenizer.ids
    logits = shown(
        models.llm.next_logits(words)[[ids[name] for name in names]], 1
    )
    temperature = float(pick(rng, (0.5, 2.0)))
    right = softmax_with_temperature(logits, temperature)
    plain = softmax(logits)
    turned = softmax_with_temperature(logits, 1 / temperature)
    divided = plain / temperature
    if right.max() > 0.97 or np.ptp(logits) < 0.5:
        return None

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


def cached_rows(models, rng, words):
    prompt, more = int(rng.integers(5, 21)), int(rng.integers(4, 12))
    whole = sum(range(prompt, prompt + more))
    kept = prompt + more - 1
    return Exercise(
        kind="cached_rows",
        task=f"A prompt has {prompt} tokens, and {more} more are written. For "
        "how many tokens must a query, a key and a value be computed "
        "altogether, if every step begins anew, and how many with a KV "
        "cache? (The last token that is written need not be read any more.)",
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


WRITING = {
    "odds": Kind("next_token", "How many times as likely?", odds, True),
    "spread": Kind("next_token", "Share out 100%", spread),
    "wrong_start": Kind("next_token", "Catch the model", wrong_start),
    "cached_rows": Kind("next_token", "What a cache saves", cached_rows),
    "tempered": Kind("sampling", "Softmax at a temperature", tempered, True),
    "what_top_p_keeps": Kind(
        "sampling", "What top-p keeps", what_top_p_keeps, True
    ),
    "drawn_word": Kind("sampling", "On which word?", drawn_word, True),
    "reach": Kind("sampling", "Reach a probability", reach, True),
}
