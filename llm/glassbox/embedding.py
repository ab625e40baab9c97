"""Embedding: a word is a number, and the number of a row in a table.

The rows are learned like every other weight.
"""

import numpy as np


def one_hot(token_ids, vocab_size):
    """A row of zeros for each token, with a single one at its number.

    Args:
        token_ids: (..., num_tokens)

    Returns:
        (..., num_tokens, vocab_size)
    """
    return np.eye(vocab_size, dtype=np.float32)[token_ids]


def look_up(table, token_ids):
    """The row of each token; the same as `one_hot(token_ids, ...) @ table`.

    Args:
        table: (vocab_size, embed_dim)
        token_ids: (..., num_tokens)

    Returns:
        (..., num_tokens, embed_dim)
    """
    return table[token_ids]
