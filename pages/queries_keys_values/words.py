"""What a row of attention weights says, in words."""

import numpy as np

from llm.glassbox.entropy import entropy
from pages.ui.charts.words import percent


def row_verdict(shares, tokens, row):
    """How one row is spread, in words.

    Args:
        shares: (num_tokens,), sums to one.
        tokens: the words.
        row: the place of the word that looks.
    """
    best = int(np.argmax(shares))
    whom = "itself" if best == row else f"`{tokens[best]}`"
    ties = np.isclose(shares, shares[best], atol=5e-4).sum()
    most = (
        f"gives most, {percent(float(shares[best]))}, to {whom}" if ties == 1
        else f"gives {ties} words the same, {percent(float(shares[best]))}"
    )
    unsure = float(entropy(shares))
    return (
        f"So `{tokens[row]}` {most}. The **entropy** of its row, which says how evenly "
        f"it looks around, is {unsure:.2f} nats; with all on one word it would be 0, "
        f"evenly spread over {len(shares)} words {np.log(len(shares)):.2f}."
    )
