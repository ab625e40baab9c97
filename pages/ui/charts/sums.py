"""Attention written out with its own numbers, in LaTeX."""

import numpy as np

from pages.ui.charts.softmax import latex_word

MOST_TERMS = 4  # a longer sum shows its first terms and goes on with dots
LARGE = 3.0  # from this score on, powers are written with the largest taken off


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


def scaling(dot, head_dim, scaled=True, short=False):
    """The score of one pair of words: its dot product, divided or not."""
    write = plain_number if short else number
    if not scaled:
        return rf"\text{{score}} = {write(dot)}"
    return (
        rf"\text{{score}} = \frac{{{write(dot)}}}{{\sqrt{{{head_dim}}}}}"
        rf" = {trimmed(dot / np.sqrt(head_dim))}"
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


def blended(weights, values, tokens, dim=0):
    """One number of what a word takes: every word's share of it, added up.

    Args:
        weights: (num_tokens,), a row that sums to one.
        values: (num_tokens, head_dim)
        tokens: the words.
        dim: which of the numbers.
    """
    strongest = np.argsort(-np.asarray(weights), kind="stable")
    shown = sorted(strongest[:MOST_TERMS])
    terms = [
        rf"\underbrace{{{number(weights[n])} \cdot {number(values[n][dim])}}}"
        rf"_{{{word(tokens[n])}}}"
        for n in shown
    ]
    if len(tokens) > len(shown):
        terms.append(r"\dots")
    total = float(np.asarray(weights) @ np.asarray(values)[:, dim])
    return rf"o_{{{dim + 1}}} = {' + '.join(terms)} = {number(total)}"
