"""The three families of Transformers, which differ in who may look at whom.

The paper of 2017 had both halves: an encoder that reads and a decoder that
writes (Vaswani et al. 2017, figure 1). Later models kept one half or both.
"""

import numpy as np

from llm.glassbox.attention import causal_mask

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
        world: a `llm.world.World`.
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
