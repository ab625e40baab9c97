"""Is attention an explanation? What each link gives, and what is missed
without it.

A weight says how much was read, not what it did: a value may hold nothing for
the word in question, and what is cut in one place may come in by another (Jain
and Wallace 2019, "Attention is not Explanation"; Wiegreffe and Pinter 2019,
"Attention is not not Explanation").
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.ablation import Ablation
from llm.glassbox.attention import causal_mask
from llm.glassbox.block import block
from llm.glassbox.model import read_out
from llm.studies.attribution import HEAD, read_by_head
from llm.studies.links import one_link


def logit_difference(logits, word, other=None):
    """A logit, or its lead over another word's.

    Args:
        logits: (..., vocab_size)
        word, other: numbers of words; no other for the logit itself.
    """
    logits = np.asarray(logits, float)
    return logits[..., word] - (0.0 if other is None else logits[..., other])


def link_effects(weights, whole, layer, head, position, word, other=None):
    """How much a logit falls when a head loses one link, for each of its
    links.

    Args:
        weights: a `Weights` of a causal network.
        whole: its `Trace` of a sentence with nothing cut.
        layer, head, position: whose links are cut, one after the other.
        word: the number of the word whose logit it is.
        other: the number of a word whose logit is taken off; None for none.

    Returns:
        (position + 1,), above zero where the link held the logit up.
    """
    before = logit_difference(whole.logits[position], word, other)
    cut = [without_link(weights, whole, layer, head, position, key)
           for key in range(position + 1)]
    return before - logit_difference(np.stack(cut), word, other)


@dataclass(frozen=True)
class LinkEffects:
    """Every link of one word, in every head, by three measures.

    Attributes:
        attention_weights: (num_layers, num_heads, num_keys), how much is read.
        given: (num_layers, num_heads, num_keys), what that gives to a logit
            directly.
        missed: (num_layers, num_heads, num_keys), how far the logit falls
            without the link.
    """

    attention_weights: np.ndarray
    given: np.ndarray
    missed: np.ndarray


def all_links(weights, whole, found, word, other=None):
    """Measure every link of one word, in every head.

    Args:
        weights: a `Weights` of a causal network.
        whole: its `Trace` of a sentence with nothing cut.
        found: the `Attribution` of the logit, at the position of the word.
        word: the number of the word whose logit it is.
        other: the number of a word whose logit is taken off; None for none.

    Returns:
        A `LinkEffects`.
    """
    heads = [part for part in found.parts if part.kind == HEAD]
    position = found.position
    shape = (len(weights.blocks), -1, position + 1)
    read = np.stack(
        [read_by_head(whole, weights, found, part) for part in heads]
    )
    attention, effects = read[:, 0, : position + 1], read[:, 1, : position + 1]
    missed = np.stack([
        link_effects(
            weights, whole, part.layer, part.head, position, word, other
        )
        for part in heads
    ])
    return LinkEffects(
        *(
            numbers.reshape(shape)
            for numbers in (attention, attention * effects, missed)
        )
    )


def head_effects(llm, tokens, position, word, other=None):
    """How much a logit falls when a head is cut out, for each head.

    Args:
        llm: a `TinyLLM`.
        tokens: the words; `<start>` in front may be left out.
        position: of the token that answers; that of `<start>` is 0.
        word: the number of the word whose logit it is.
        other: the number of a word whose logit is taken off; None for none.

    Returns:
        (num_layers, num_heads), above zero where the head held the logit up.
    """
    before = logit_difference(llm.trace(tokens).logits[position], word, other)
    missed = np.zeros((llm.config.num_layers, llm.config.num_heads))
    for head in np.ndindex(missed.shape):
        logits = llm.trace(tokens, Ablation(heads={head})).logits[position]
        missed[head] = before - logit_difference(logits, word, other)
    return missed


def without_link(weights, whole, layer, head, query, key):
    """The logits of one token when a head of it cannot see one word.

    Only the blocks from there on run anew; before them nothing changes.

    Returns:
        (vocab_size,)
    """
    residual = whole.blocks[layer].residual_before[: query + 1]
    ablation, mask = one_link(layer, head, query, key), causal_mask(query + 1)
    for number in range(layer, len(weights.blocks)):
        residual = block(
            residual, weights.blocks[number], mask, ablation, number
        ).residual_after
    return read_out(weights, residual[query])[1]


def same_order(first, second):
    """How far two lists of numbers agree on what is more and what is less.

    Spearman's rank correlation: the correlation of the ranks.

    Returns:
        From -1 (opposite orders) to 1 (the same); nan if one list is all
        alike.
    """
    ranks = [ranked(numbers) for numbers in (first, second)]
    if not all(float(rank.std()) for rank in ranks):
        return float("nan")
    return float(np.corrcoef(*ranks)[0, 1])


def ranked(numbers):
    """The rank of each number from below; equal numbers share the middle of
    theirs.
    """
    numbers = np.asarray(numbers, float)
    below = (numbers[:, None] > numbers).sum(axis=1)
    alike = (numbers[:, None] == numbers).sum(axis=1)
    return below + (alike - 1) / 2
