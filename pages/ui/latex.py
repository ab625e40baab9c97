"""Formulas with these very numbers in them, in LaTeX."""

import numpy as np

SHOWN = 4  # numbers of a row that are written out


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
    lengths = np.linalg.norm(one), np.linalg.norm(other)
    first = " + ".join(
        rf"({left:.2f}) \cdot ({right:.2f})"
        for left, right in zip(one[:2], other[:2], strict=True)
    )
    return (
        rf"\cos = \frac{{u \cdot v}}{{|u|\,|v|}} = \frac{{{first} + \dots}}"
        rf"{{{lengths[0]:.2f} \cdot {lengths[1]:.2f}}}"
        rf" = \frac{{{one @ other:.2f}}}{{{lengths[0] * lengths[1]:.2f}}}"
        rf" = {one @ other / (lengths[0] * lengths[1]):.2f}"
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


def sum_of_heads_by_hand(parts, bias, total):
    """One number of the output as the sum of what each head adds.

    Args:
        parts: (num_heads,)
        bias, total: numbers.
    """
    said = " ".join(
        rf"\underbrace{{{part:+.3f}}}_{{h_{number}}}"
        for number, part in enumerate(parts, start=1)
    )
    return rf"{said} \; \underbrace{{{bias:+.3f}}}_{{b}} \; = \; {total:.3f}"
