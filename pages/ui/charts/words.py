"""What charts say in words, for those who cannot see them."""

import numpy as np


def percent(share):
    """A share of one as a figure a reader likes: `41 %`, `0.3 %`, `under 0.1 %`."""
    if share >= 0.0995 or share == 0:
        return f"{share:.0%}".replace("%", " %")
    if share < 0.001:
        return "under 0.1 %"
    return f"{share:.1%}".replace("%", " %")


def numbered(tokens):
    """Labels that stay apart when a word repeats: `1 the`, `2 cat`, `3 the`."""
    return [f"{place} {token}" for place, token in enumerate(tokens, start=1)]


def strongest_links(weights, tokens, causal=True, count=3, ending=None):
    """The strongest links of an attention picture, in words.

    Args:
        weights: (num_tokens, num_tokens), row by row what each token looks at.
        causal: whether later words are hidden, which is then said.
        count: how many links.
        ending: what is said at the end instead.

    Returns:
        As "'sat' gives 61 % to 'cat'; later words are hidden."
    """
    weights = np.asarray(weights, float).copy()
    if causal and len(weights):
        weights[0, 0] = 0.0  # the first token has no other choice, so it says nothing
    order = np.argsort(-weights, axis=None, kind="stable")[:count]
    rows, columns = np.unravel_index(order, weights.shape)
    links = [
        f"'{tokens[row]}' gives {percent(weights[row, column])} to "
        + ("itself" if row == column else f"'{tokens[column]}'")
        for row, column in zip(rows, columns, strict=True)
    ]
    if ending is None:
        ending = "; later words are hidden." if causal else "."
    return ", ".join(links) + ending
