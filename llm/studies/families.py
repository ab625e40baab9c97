"""The three families of Transformers: who may look at whom, and what they
read.

The paper of 2017 had both halves: an encoder that reads and a decoder that
writes (Vaswani et al. 2017, figure 1). Later models kept one half or both.
Here are their masks, a blank that both sides decide, cross-attention on a
blackboard, and a picture cut into patches (Dosovitskiy et al. 2020, "An Image
is Worth 16x16 Words").
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.attention import (
    attention_scores,
    blend,
    causal_mask,
)
from llm.glassbox.softmax import softmax

ENCODER, DECODER, BOTH = "encoder", "decoder", "encoder-decoder"
FAMILIES = (ENCODER, DECODER, BOTH)


def family_mask(family, num_tokens, num_read=0):
    """Who may look at whom in a network of this family.

    Args:
        family: one of `FAMILIES`.
        num_tokens: tokens in all.
        num_read: with both halves, the first so many tokens are the text that
            is read; the others are the text that is being written.

    Returns:
        (num_tokens, num_tokens), True where a row may look at a column.
    """
    if family == ENCODER:
        return np.ones((num_tokens, num_tokens), bool)
    mask = causal_mask(num_tokens)
    if family == BOTH:
        # The text that is read is there from the start, so all may look at all
        # of it. It never looks at what is being written.
        mask[:, :num_read] = True
    return mask


def blank_truth(world, before, after):
    """The exact probability of every word in a blank, given both sides.

    A word is as likely as the world would be to tell the whole text with it.

    Args:
        world: a `llm.world.world.World`.
        before, after: the words on either side of the blank.

    Returns:
        A dictionary from word to probability, likeliest first, that adds up to
        one; empty if no word fits.
    """
    told = {}
    for word, share in world.next_word_probabilities(before).items():
        words = [*before, word]
        for following in after:
            share *= world.next_word_probabilities(words).get(following, 0.0)
            if not share:
                break
            words.append(following)
        told[word] = share
    total = sum(told.values())
    likeliest = sorted(told, key=told.get, reverse=True)
    return {word: told[word] / total for word in likeliest if told[word]}


# First number: a living thing. Second number: something that one does.
READ = ("die", "katze", "schläft")
KEYS = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
VALUES = np.array([[1.0, 1.0], [9.0, 0.0], [0.0, 9.0]])
WRITTEN = ("the", "cat", "sleeps")
QUERIES = np.array([[0.5, 0.5], [3.0, 0.0], [0.0, 3.0]])


@dataclass(frozen=True)
class CrossAttention:
    """One text looking at another.

    Attributes:
        scores: (num_written, num_read)
        attention_weights: (num_written, num_read), each row sums to one.
        outputs: (num_written, head_dim)
    """

    scores: np.ndarray
    attention_weights: np.ndarray
    outputs: np.ndarray


def cross_attention(queries, keys, values):
    """Let the text that is being written look at the text that was read.

    It is attention as everywhere. Only where the three come from is new, and
    no mask is needed: the other text is there as a whole.

    Args:
        queries: (num_written, head_dim), from the text that is written.
        keys: (num_read, head_dim), from the text that was read.
        values: (num_read, head_dim), from the text that was read.

    Returns:
        A `CrossAttention`.
    """
    scores = attention_scores(queries, keys)
    weights = softmax(scores)
    return CrossAttention(scores, weights, blend(weights, values))


SIZE = 32
SKY, MEADOW, WALL = (0.62, 0.80, 0.95), (0.44, 0.66, 0.33), (0.93, 0.87, 0.74)
ROOF, DOOR, PANE = (0.72, 0.27, 0.20), (0.42, 0.27, 0.16), (0.36, 0.56, 0.78)
SUN = (0.99, 0.80, 0.24)


def small_picture():
    """A house, a meadow and the sun, drawn in a few lines.

    Returns:
        (32, 32, 3), red, green and blue from 0 to 1.
    """
    rows, columns = np.mgrid[:SIZE, :SIZE]
    picture = np.empty((SIZE, SIZE, 3))
    picture[:] = SKY
    picture[(rows - 6) ** 2 + (columns - 25) ** 2 <= 14] = SUN
    picture[rows >= 26] = MEADOW
    picture[15:28, 5:19] = WALL
    picture[(rows >= 7) & (rows < 15) & (abs(columns - 11.5) < rows - 5)] = (
        ROOF
    )
    picture[21:28, 8:12] = DOOR
    picture[18:22, 14:17] = PANE
    return picture


def patches(picture, size):
    """Cut a picture into square patches, row by row as one reads.

    Args:
        picture: (height, width, 3)
        size: the side of a patch; height and width are multiples of it.

    Returns:
        (num_patches, size * size * 3), one row a patch: the vector that stands
        where a word's embedding would.
    """
    height, width, colours = picture.shape
    if height % size or width % size:
        raise ValueError(
            f"A picture of {height} by {width} cannot be cut into patches of "
            f"{size} by {size}."
        )
    cut = picture.reshape(
        height // size, size, width // size, size, colours
    ).swapaxes(1, 2)
    return cut.reshape(-1, size * size * colours)
