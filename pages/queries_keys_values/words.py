"""What the four steps say, in words and as sums with their own numbers."""

import numpy as np

from pages.ui.colours import KEYS, QUERIES, VALUES
from pages.ui.compared import ends_compared
from pages.ui.words import in_a_row, percent, plain, rounded_sum

Q, K, V = (
    rf"\textcolor{{{colour}}}{{{name}}}"
    for name, colour in (("Q", QUERIES), ("K", KEYS), ("V", VALUES))
)
FORMULA = (
    # Narrow, so that a telephone shows it whole.
    rf"\text{{Attention}}({Q}{{,}}{K}{{,}}{V}) = \text{{softmax}}"
    rf"\!\left(\!\frac{{{Q}{K}^\top}}{{\sqrt{{d}}}}\!\right)\!{V}"
)
MOST_TERMS = 4  # a longer sum shows its first terms and goes on with dots
LARGE = 3.0  # from this score on, powers are written with the largest score taken off


def figure(value, places=2):
    """A number in a sum, as short as it is: `0.72`, `3`, `(−0.6)`.

    A number with a single digit more, as 0.045, keeps it.
    """
    value = float(value)
    if places == 2 and abs(round(value, 3) - value) < 1e-9:
        places = 3
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    text = "0" if text == "-0" else text
    return f"({text.replace('-', '−')})" if text.startswith("-") else text


def bare(value, places=2):
    """A number as `figure` writes it, without brackets: nothing stands before it."""
    return figure(value, places).strip("()")


def adding_up(parts):
    """Parts of a sum, rounded so that they add up to it as it is printed.

    Args:
        parts: numbers; their sum is printed by `figure`.
    """
    total = float(np.sum(parts))
    return rounded_sum(parts, 3 if abs(round(total, 3) - total) < 1e-9 else 2)


def equals(printed, value, places=2):
    """`=`, or `≈` where the sum as it is printed gives another figure.

    Args:
        printed: what the printed numbers give.
        value: what the lesson computed.
        places: how many digits of the result are printed.
    """
    return "=" if round(float(printed), places) == round(float(value), places) else "≈"


def score_sum(query, key):
    """Step 1 with its numbers: `0.8·0.9 + 0.9·0.8 + 0.1·0 + 0·0.1 = 1.44`.

    Args:
        query, key: (head_dim,)
    """
    terms = [f"{figure(q)}·{figure(k)}" for q, k in zip(query, key, strict=True)]
    if len(terms) > MOST_TERMS:
        terms = [*terms[: MOST_TERMS - 2], "…", terms[-1]]
    total = float(np.dot(query, key))
    printed = np.dot(np.round(query, 2), np.round(key, 2))
    return f"{' + '.join(terms)} {equals(printed, total)} {bare(total)}"


def scale_sum(dot, head_dim):
    """Step 2 with its numbers: `1.44 ÷ √4 = 0.72`."""
    root = np.sqrt(head_dim)
    sign = equals(round(float(dot), 2) / root, dot / root)
    return f"{bare(dot)} ÷ √{head_dim} {sign} {bare(dot / root)}"


def softmax_sum(scores, key):
    """Step 3 with its numbers: `e^0.72 ÷ (e^0.05 + e^0.72 + …) = 0.33`.

    Args:
        scores: (num_tokens,), -inf where a word must not look.
        key: the position of the word that is looked at, not a hidden one.
    """
    seen = np.flatnonzero(np.isfinite(scores))
    off = float(scores[seen].max()) if abs(scores[seen]).max() > LARGE else 0.0
    powers = np.exp(scores[seen] - off)
    strongest = seen[np.argsort(-powers, kind="stable")]
    shown = sorted([key, *[n for n in strongest if n != key][: MOST_TERMS - 1]])
    written = {n: f"e^{figure(scores[n] - off)}" for n in shown}
    terms = [*written.values(), *["…"][: len(seen) > len(shown)]]
    share = float(np.exp(scores[key] - off) / powers.sum())
    rough = np.exp(np.round(scores[shown] - off, 2))
    printed = rough[shown.index(key)] / rough.sum()
    places = 2 if 0.005 <= share < 0.995 or share == 1 else 4
    sign = equals(printed, share, places) if len(seen) == len(shown) else "≈"
    return f"{written[key]} ÷ ({' + '.join(terms)}) {sign} {share:.{places}f}"


def blend_sum(weights, values, dim):
    """Step 4 with its numbers: `0.17·0.1 + 0.33·0.9 + … = 0.58`.

    Args:
        weights: (num_tokens,), a row that sums to one.
        values: (num_tokens, head_dim)
        dim: which of the numbers, counted from 0.
    """
    weights, column = np.asarray(weights, float), np.asarray(values, float)[:, dim]
    shown = np.sort(np.argsort(-weights, kind="stable")[:MOST_TERMS])
    total = float(weights @ column)
    # Two digits, or as many more as it takes for the printed sum to come out.
    for places in range(whole_shares(weights)[1], 5):
        shares = np.round(weights, places)
        printed = shares @ np.round(column, places)
        if equals(printed, total) == "=":
            break
    shown = [n for n in shown if shares[n] > 0]
    terms = [
        f"{shares[n]:.{places}f}·{figure(column[n], places)}" for n in shown
    ]
    if np.count_nonzero(weights) > len(shown):
        terms.append("…")
    return f"{' + '.join(terms)} {equals(printed, total)} {bare(total)}"


def captions(steps, row, key, labels):
    """The four steps from one word to another with their own numbers, top down.

    Args:
        steps: a `Steps` of `llm/studies/by_hand.py`.
        row: the position of the word that looks.
        key: the position of the word that is looked at.
        labels: the words.
    """
    dim = int(np.argmax(np.abs(steps.output[row])))
    score = score_sum(steps.queries[row], steps.keys[key])
    return [
        f"{labels[row]} · {labels[key]}: {score}",
        scale_sum(steps.dots[row, key], steps.queries.shape[1]),
        softmax_sum(steps.scores[row], key),
        f"number {dim + 1}: "
        + blend_sum(steps.attention_weights[row], steps.values, dim),
    ]


def strongest_other(weights, row):
    """The position of the word that gets most, the looking word itself left out."""
    others = np.array(weights[row], float)
    others[row] = -1.0
    return int(others.argmax()) if others.max() > 0 else row


def whole_shares(shares):
    """Shares with two digits, or with three where two would not add up to 1.

    Args:
        shares: (num_tokens,), adding up to one.

    Returns:
        The rounded shares, and how many digits they have.
    """
    for places in (2, 3):
        if np.isclose(np.round(shares, places).sum(), 1.0):
            return np.round(shares, places), places
    return rounded_sum(shares, 3), 3


def shares_as_printed(shares):
    """Shares that add up to 1 as text; `1.00` and `0.00` only where it is so.

    Args:
        shares: (num_tokens,), adding up to one.
    """
    whole, places = whole_shares(shares)
    least = f".{1:0{places}d}"
    return [
        f"{one:.{places}f}" if 0 < one < 1 or share in (0, 1)
        else f"<{least}" if one <= 0 else f">{'.' + '9' * places}"
        for one, share in zip(whole, shares, strict=True)
    ]


def shares_said(weights, labels, row, count=4):
    """Whom one word gives how much, so that the printed shares add up.

    Args:
        weights: (num_tokens,), a row that sums to one.
        labels: the words.
        row: the position of the word that looks.
        count: how many words are named.
    """
    whole, places = whole_shares(weights)
    adds_up = len(weights) <= count and ((whole > 0) & (whole < 1)).all()
    order = np.argsort(-np.asarray(weights), kind="stable")[:count]
    said = [
        (f"{whole[n]:.{places - 2}%}" if adds_up else percent(weights[n]))
        + " to " + ("itself" if n == row else plain(labels[n]))
        for n in order if weights[n] > 0
    ]
    return f"{plain(labels[row])} gives {in_a_row(said)}"


def both_ways(plain_steps, steps, row, key, labels):
    """What the three matrices change between two words, in words.

    Args:
        plain_steps: the `Steps` with one row for all three.
        steps: the `Steps` with three matrices.
        row, key: the positions of the two words.
        labels: the words.
    """
    one, other = plain(labels[row]), plain(labels[key])
    there, back = plain_steps.dots[row, key], plain_steps.dots[key, row]
    now_there, now_back = steps.dots[row, key], steps.dots[key, row]
    alike = (
        f"With one row, {one} scores {other} as {other} scores {one}: "
        f"{bare(there)} both ways." if np.isclose(there, back) else
        f"With one row: {bare(there)} and {bare(back)}."
    )
    return (
        f"{alike} With three matrices {one} scores {other} {bare(now_there)}, and "
        f"{other} scores {one} {bare(now_back)}. Then "
        f"{shares_said(steps.attention_weights[row], labels, row)}."
    )


GUESSES = ("`the` and `sat`", "`cat` and itself", "all four alike", "only itself")
RIGHT_GUESS = GUESSES[1]


def guess_replies(steps):
    """What each guess about the row of `it` gets for an answer.

    Args:
        steps: the `Steps` of the course's table, without matrices.

    Returns:
        A dictionary from guess to one sentence.
    """
    the, cat, sat, it = (bare(dot) for dot in steps.dots[-1])
    to_cat, to_it = (percent(steps.attention_weights[-1, key]) for key in (1, 3))
    return dict(zip(GUESSES, (
        f"Their rows are small where that of `it` is large, so they score only {the} "
        f"and {sat}.",
        f"Their rows are large where that of `it` is large: they score {cat} and {it}, "
        f"and get {to_cat} and {to_it}.",
        f"They would be, if all scores were alike. But the scores are {the}, {cat}, "
        f"{sat} and {it}.",
        f"It does score highest with itself, {it}. But `cat` scores {cat}, nearly as "
        f"much, and gets {to_cat}.",
    ), strict=True))


def scale_said(entropy, num_words, spread, divided):
    """What the choice of a divisor does to one row, in words.

    Args:
        entropy: of the row, in nats.
        num_words: how many words share it.
        spread: how far scores lie apart before they are divided.
        divided: the same after.
    """
    return (
        f"Over all pairs of words the scores spread by {spread:.2f} before they are "
        f"divided and by {divided:.2f} after. The **entropy** of this row says how "
        f"evenly it is shared out: {entropy:.2f} nats. With everything on one word it "
        f"would be 0, with the same for each of the {num_words} words "
        f"{np.log(num_words):.2f}."
    )


def trained_rows_said(name, word, share, scaled, unscaled):
    """How sharp a trained head is, and how twins without the division end, in words.

    Args:
        name: of the head in which a word gives most to a single word.
        word: that word.
        share: how much it gives.
        scaled, unscaled: the excess at the end of each training, in nats.
    """
    ends = [f"{min(part):.3f} to {max(part):.3f}" for part in (scaled, unscaled)]
    verdict = ends_compared(scaled, {"without the division": unscaled})
    return (
        "This holds for random rows, as before training. Training can make a head "
        f"much sharper: in {name} the last {plain(word)} of this sentence gives "
        f"{percent(share)} to a single word. And twins of the tiny LLM without the "
        f"division learn, too. Measured as in lesson 12, they end {ends[1]} nats above "
        f"the lowest loss that there is, the full model {ends[0]}. {verdict}"
    )


def trained_said(name, config):
    """Where the numbers of a trained head come from, in words.

    Args:
        name: of the head.
        config: a `ModelConfig`.
    """
    return (
        f"This is {name} of the tiny LLM on the sentence of the last lesson. Its three "
        f"matrices turn each word's row of {config.embed_dim} numbers into a query, a "
        f"key and a value of {config.head_dim} numbers: {config.embed_dim} → "
        f"{config.head_dim}. They were learned, so they cannot be changed here."
    )
