"""Formulas with these very numbers in them, in LaTeX."""

import numpy as np

from pages.ui.words import places_that_agree, rounded_sum

SHOWN = 4  # numbers of a row that are written out
MOST_TERMS = 4  # a longer sum shows its first terms and goes on with dots
LARGE = 3.0  # from this score on, powers are written with the largest taken off


def latex_word(word):
    """A word of the vocabulary inside a formula, where some characters would act."""
    return word.replace("<", r"\textless ").replace(">", r"\textgreater ")


def word(token):
    """A token as text inside a formula."""
    return rf"\text{{{latex_word(token)}}}"


def number(value, places=2):
    """A number inside a formula; a negative one in brackets."""
    text = f"{value:.{places}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return f"({text})" if text.startswith("-") else text


def plain_number(value):
    """A number as short as it is, with three places at most: `1`, `0.5`, `0.625`."""
    text = trimmed(value)
    return f"({text})" if text.startswith("-") else text


def trimmed(value):
    """A number with three places at most and no noughts at its end."""
    text = f"{float(value):.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def added_up(parts, names=(), places=2):
    """A sum with its parts, which add up as they are printed.

    Args:
        parts: numbers.
        names: what stands under each part; none if empty.
        places: how many digits stand behind the point.
    """
    shown = [number(part, places) for part in rounded_sum(parts, places)]
    if len(names):
        shown = [
            rf"\underbrace{{{part}}}_{{{word(name)}}}"
            for part, name in zip(shown, names, strict=True)
        ]
    total = number(np.round(np.sum(np.asarray(parts, float)), places), places)
    return f"{' + '.join(shown)} = {total}"


def row_of_numbers(numbers, count=SHOWN):
    r"""The first numbers of a row: `(0.12,\; -0.53,\; \dots)`."""
    first = r",\;".join(f"{number:.2f}" for number in numbers[:count])
    return rf"({first},\; \dots)"


def one_hot_by_hand(token_id, table):
    """A one-hot row times the table, for one token.

    Args:
        token_id: a whole number.
        table: (vocab_size, embed_dim)
    """
    vocab_size, embed_dim = table.shape
    before = r"0\;\dots\;0\;" if token_id else ""
    after = r"\;0\;\dots\;0" if token_id < vocab_size - 1 else ""
    place = rf"\overset{{\text{{id }}{token_id}}}{{1}}"
    return (
        rf"\underbrace{{({before}{place}{after})}}_{{1 \times {vocab_size}}}"
        rf"\; \cdot \underbrace{{E}}_{{{vocab_size} \times {embed_dim}}}"
        rf" = E[{token_id}] = {row_of_numbers(table[token_id])}"
    )


def cosine_by_hand(one, other):
    """The cosine of two rows.

    Args:
        one, other: (embed_dim,)
    """
    lengths = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    dot, product = float(one @ other), lengths[0] * lengths[1]
    # What is printed multiplies and divides as printed.
    places = places_that_agree(lambda above, below: above / below, dot, product)
    digits = places_that_agree(lambda a, b: a * b, *lengths, places=places)
    first = " + ".join(
        rf"({left:.2f}) \cdot ({right:.2f})"
        for left, right in zip(one[:2], other[:2], strict=True)
    )
    return (
        rf"\cos = \frac{{u \cdot v}}{{|u|\,|v|}} = \frac{{{first} + \dots}}"
        rf"{{{lengths[0]:.{digits}f} \cdot {lengths[1]:.{digits}f}}}"
        rf" = \frac{{{dot:.{places}f}}}{{{product:.{places}f}}}"
        rf" = {dot / product:.2f}"
    )


def joined_by_hand(config, num_tokens):
    """How the heads of a layer are joined, with the sizes of the matrices.

    Args:
        config: a `ModelConfig`.
        num_tokens: tokens in this sentence.
    """
    heads = r"\;".join(
        rf"\underbrace{{h_{number}}}_{{{num_tokens} \times {config.head_dim}}}"
        for number in range(1, config.num_heads + 1)
    )
    width, out = config.num_heads * config.head_dim, config.embed_dim
    return (
        rf"\big[\,{heads}\,\big] \cdot \underbrace{{W}}_{{{width} \times {out}}} + b"
        rf" = \underbrace{{\text{{output}}}}_{{{num_tokens} \times {out}}}"
    )


def sum_of_heads_by_hand(parts, bias):
    """One number of the output as the sum of what each head adds, as it is printed.

    Args:
        parts: (num_heads,)
        bias: a number.
    """
    shown = rounded_sum([*parts, bias], 3)
    names = [*(f"h_{number}" for number in range(1, len(shown))), "b"]
    terms = " + ".join(
        rf"\underbrace{{{number(part, 3)}}}_{{{name}}}"
        for part, name in zip(shown, names, strict=True)
    )
    # Nothing must not be written with a minus sign.
    return f"{terms} = {np.round(shown.sum(), 3) + 0.0:.3f}"


def dot_product(query, key, names, short=False):
    """One query times one key, term by term.

    Args:
        query, key: (head_dim,)
        names: the two words.
        short: whether the numbers are written as short as they are.
    """
    write = plain_number if short else number
    terms = [rf"{write(q)} \cdot {write(k)}" for q, k in zip(query, key)]
    if len(terms) > MOST_TERMS:
        terms = [*terms[:MOST_TERMS - 1], r"\dots", terms[-1]]
    total = float(np.dot(query, key))
    return (
        rf"q_{{{word(names[0])}}} \cdot k_{{{word(names[1])}}} = {' + '.join(terms)}"
        f" = {write(total)}"
    )


def exponent(score, off):
    """A score above an e; short where it is by hand, else with two places."""
    return trimmed(score) if not off else trimmed(round(float(score), 2))


def weight(scores, tokens, key, query):
    """The share that one word gives to another, from its row of scores.

    Args:
        scores: (num_tokens,), -inf for words that are hidden.
        tokens: the words.
        key: the place of the word that is looked at.
        query: the word that looks.
    """
    seen = np.isfinite(scores)
    highest = float(scores[seen].max())
    # Large powers are hard to read, so the largest score is taken off, as in softmax.
    off = highest if max(abs(scores[seen])) > LARGE else 0.0
    powers = np.where(seen, np.exp(np.where(seen, scores - off, 0.0)), 0.0)
    others = [n for n in np.argsort(-powers, kind="stable") if seen[n] and n != key]
    shown = sorted([key, *others[:MOST_TERMS - 1]])
    power = {n: f"e^{{{exponent(scores[n] - off, off)}}}" for n in shown}
    terms = list(power.values())
    if seen.sum() > len(shown):
        terms.append(r"\dots")
    share = powers[key] / powers.sum()
    pair = rf"{word(query)} \to {word(tokens[key])}"
    return (
        rf"w({pair}) = \frac{{{power[key]}}}{{{' + '.join(terms)}}}"
        rf" = \frac{{{powers[key]:.3g}}}{{{powers.sum():.3g}}} = {share:.2f}"
    )


def softmax_by_hand(vocabulary, logits, temperature):
    """The formula for the likeliest word, with its numbers, in LaTeX."""
    logits = np.asarray(logits, np.float64)
    best = int(logits.argmax())
    total = np.exp((logits - logits[best]) / temperature).sum()
    second = int(np.argsort(-logits, kind="stable")[1])
    word = rf"\text{{{latex_word(vocabulary[best])}}}"
    # The largest logit is taken off already, as the code does it.
    top = f"e^{{0 / {temperature:g}}}"
    runner_up = f"e^{{{logits[second] - logits[best]:.2f} / {temperature:g}}}"
    return (
        r"\begin{aligned}"
        rf"P({word}) &= \frac{{e^{{z_{word} / T}}}}{{\sum_w e^{{z_w / T}}}} \\[0.6em]"
        rf"&= \frac{{{top}}}{{{top} + {runner_up} + \dots}} \\[0.6em]"
        rf"&= \frac{{1}}{{{total:.3f}}} = {1 / total:.3f}"
        r"\end{aligned}"
    )


def score_by_hand(trace, layer, head, query, key):
    """Query · key, scaled, and what softmax makes of it, in LaTeX."""
    queries, keys = trace.queries_and_keys(layer, head)
    q, k = queries[query].astype(float), keys[key].astype(float)
    score = trace.blocks[layer].scores[head, query, : query + 1].astype(float)
    powers = np.exp(score - score.max())
    names = word(trace.tokens[query]), word(trace.tokens[key])
    dot = float(q @ k)
    # What is printed divides as printed.
    places = places_that_agree(lambda product: product / np.sqrt(len(q)), dot)
    return (
        r"\footnotesize\begin{aligned}"
        rf"q_{{{names[0]}}} \cdot k_{{{names[1]}}} &= {number(q[0])} \cdot "
        rf"{number(k[0])} + {number(q[1])} \cdot {number(k[1])} \\"
        rf"&\quad + \dots = {dot:.{places}f} \\"
        rf"\text{{scaled score}} &= {dot:.{places}f} / \sqrt{{{len(q)}}} = "
        rf"{score[key]:.2f} \\"
        rf"\text{{weight}} &= e^{{{score[key]:.2f}}} / \textstyle\sum "
        rf"e^{{\text{{scaled score}}}} = {powers[key] / powers.sum():.3f}"
        r"\end{aligned}"
    )
