"""Entropy: how evenly attention is spread, as one number.

Shannon 1948, "A Mathematical Theory of Communication".
"""

import numpy as np


def entropy(shares):
    """How unsure a draw from these shares is, in nats.

    Args:
        shares: (..., num_choices), each row sums to one.

    Returns:
        (...), 0 if one choice has all, and the logarithm of num_choices if all
        have the same.
    """
    shares = np.asarray(shares, np.float64)
    # What has no share adds nothing: x times log x goes to 0 with x.
    logarithms = np.log(np.where(shares > 0, shares, 1.0))
    # Plus 0 makes a minus 0 a plain one.
    return -(shares * logarithms).sum(axis=-1) + 0.0
