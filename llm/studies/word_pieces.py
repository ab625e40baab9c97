"""Word pieces: a vocabulary for which no text is unknown.

Byte-pair encoding (Sennrich et al. 2016; on bytes as in GPT-2, Radford et al.
2019). Begin with the 256 bytes that any text is made of. Then, again and
again, find the two pieces that stand side by side most often, and join them.
"""

from collections import Counter
from functools import cache

import numpy as np

from llm.world import World, held_out_pairs

NUM_BYTES = 256
NUM_MERGES = 200
NUM_STORIES = 1000


def as_bytes(word):
    """The bytes of a word, one by one: what every word is made of at first."""
    written = word.encode("utf-8", "surrogatepass")
    return [bytes([number]) for number in written]


def merged(pieces, pair):
    """The pieces of a word, each occurrence of a pair made into one."""
    together, place = [], 0
    while place < len(pieces):
        if tuple(pieces[place : place + 2]) == pair:
            together.append(pair[0] + pair[1])
            place += 2
        else:
            together.append(pieces[place])
            place += 1
    return together


def most_common_pair(words, counts):
    """The two pieces that stand side by side most often.

    Args:
        words: a dictionary from word to its pieces so far.
        counts: a dictionary from word to how often it was read.

    Returns:
        The pair, and how often it was read; None and 0 if every word is whole.
    """
    pairs = Counter()
    for word, pieces in words.items():
        for pair in zip(pieces, pieces[1:]):
            pairs[pair] += counts[word]
    # Of pairs that are equally common, the one first in the alphabet.
    best = min(pairs, key=lambda pair: (-pairs[pair], pair), default=None)
    return best, pairs[best]


def learn_merges(counts, num_merges):
    """Learn which pieces to join, the most common pair first.

    Args:
        counts: a dictionary from word to how often it was read.
        num_merges: how many new pieces to make.

    Returns:
        A list of pairs of pieces, in the order in which they were joined.
    """
    words = {word: as_bytes(word) for word in counts}
    merges = []
    while len(merges) < num_merges:
        pair, _ = most_common_pair(words, counts)
        if pair is None:
            break
        merges.append(pair)
        words = {word: merged(pieces, pair) for word, pieces in words.items()}
    return merges


def split_into_pieces(word, merges):
    """Cut any word into pieces, by doing the learned merges in their order.

    Returns:
        A list of bytes; joined again, they are the word.
    """
    pieces = as_bytes(word)
    for pair in merges:
        if len(pieces) == 1:
            break
        pieces = merged(pieces, pair)
    return pieces


def readable(piece):
    """A piece as text; a byte that is only part of a character as its number.
    """
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError:
        return " ".join(f"<{number}>" for number in piece)


@cache
def word_counts(num_stories=NUM_STORIES):
    """How often each word comes in some stories of the toy world."""
    rng = np.random.default_rng(0)
    stories = World(held_out_pairs()).sample(rng, num_stories)
    return Counter(token for story in stories for token in story.tokens[1:-1])


@cache
def toy_merges():
    """The merges that the toy world's stories lead to."""
    return learn_merges(word_counts(), NUM_MERGES)


@cache
def words_in_pieces(num_merges):
    """The words of the stories in pieces, after the first so many merges."""
    merges = toy_merges()[:num_merges]
    return {word: split_into_pieces(word, merges) for word in word_counts()}


def pieces_per_word(num_merges):
    """The mean number of pieces a word in the stories, after some merges."""
    words, counts = words_in_pieces(num_merges), word_counts()
    pieces = sum(counts[word] * len(words[word]) for word in words)
    return pieces / counts.total()
