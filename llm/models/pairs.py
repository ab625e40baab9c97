"""The simplest language model: count which word follows which."""

import numpy as np


def count_pairs(stories, vocab_size):
    """Count how often each word follows each other word.

    Args:
        stories: lists of token ids.

    Returns:
        (vocab_size, vocab_size) whole numbers; row: the word before.
    """
    counts = np.zeros((vocab_size, vocab_size), np.int64)
    for ids in stories:
        np.add.at(counts, (ids[:-1], ids[1:]), 1)
    return counts


def pair_probabilities(counts, added=0.01):
    """The probability of each next word, given the word before.

    A little is added to every count, so that no pair is impossible for ever
    (Laplace's rule, with less than one).

    Returns:
        (vocab_size, vocab_size), each row sums to one.
    """
    smoothed = counts + added
    return smoothed / smoothed.sum(axis=-1, keepdims=True)
