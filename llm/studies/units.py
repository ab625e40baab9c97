"""Inner units: what each one in the feed-forward layers fires for, measured.

A unit is one of the `feed_forward_dim` numbers between the two halves of a
feed-forward layer. It looks for one pattern in the vector of a word, and fires
the more strongly the better it finds it (Geva et al. 2021, "Transformer
Feed-Forward Layers Are Key-Value Memories").
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.block import block
from llm.glassbox.positions import learned_positions

STORIES = 400  # about a second; nearly every word comes up
AT_ONCE = 50  # stories in one batch
MOMENTS = 5  # of each unit, the strongest ones that are kept
RARE = 3  # a mean over fewer positions than this says little


@dataclass(frozen=True)
class Activations:
    """How strongly every unit fired over many stories.

    Attributes:
        stories: a list of tuples of tokens.
        counts: (vocab_size,) how often each word came up; `<start>` is left
            out.
        means: (num_layers, feed_forward_dim, vocab_size), the mean firing at
            each word; 0 where a word never came up.
        shares: (num_layers, feed_forward_dim), the share of all positions at
            which a unit fired at all.
        strengths: (num_layers, feed_forward_dim, MOMENTS), strongest first.
        moments: (num_layers, feed_forward_dim, MOMENTS, 2), the story and the
            position in it where that was; no unit has two moments at the same
            word of the same story.
    """

    stories: list
    counts: np.ndarray
    means: np.ndarray
    shares: np.ndarray
    strengths: np.ndarray
    moments: np.ndarray


def inner_units(weights, token_ids, last_layer=None):
    """How strongly every unit fires at every word.

    Args:
        weights: a `Weights` of a causal network.
        token_ids: (..., num_tokens)
        last_layer: go no higher than this layer, counted from 0.

    Returns:
        (num_layers, ..., num_tokens, feed_forward_dim), never below zero.
    """
    token_ids = np.asarray(token_ids)
    num_tokens = token_ids.shape[-1]
    positions = learned_positions(weights.position_embeddings, num_tokens)
    residual = weights.token_embeddings[token_ids] + positions
    return units_on(weights, residual, causal_mask(num_tokens), last_layer)


def units_on(weights, residual, mask, last_layer=None):
    """How strongly every unit fires, from the vectors that enter the first
    block.

    Args:
        weights: a `Weights`.
        residual: (..., num_tokens, embed_dim)
        mask: (num_tokens, num_tokens), False where a word must not look.
    """
    num_blocks = len(weights.blocks) if last_layer is None else last_layer + 1
    found = []
    for block_weights in weights.blocks[:num_blocks]:
        done = block(residual, block_weights, mask)
        residual = done.residual_after
        found.append(done.hidden)
    return np.stack(found)


def measure_activations(
    weights, tokenizer, world, num_stories=STORIES, seed=0
):
    """Let the network read many fresh stories, and note what fires where.

    Args:
        weights: a `Weights` of a causal network.
        tokenizer: its `Tokenizer`.
        world: the `World` that writes the stories.

    Returns:
        An `Activations`.
    """
    context_length = len(weights.position_embeddings)
    told = world.sample(np.random.default_rng(seed), num_stories)
    # Nothing follows `<end>`, so it is not read.
    stories = [story.tokens[:-1][:context_length] for story in told]
    ids, moments, fired = zip(
        *read_in_batches(weights, tokenizer, stories), strict=True
    )
    return summary(
        stories, np.concatenate(ids), np.concatenate(moments),
        np.concatenate(fired, axis=1), len(tokenizer),
    )


def read_in_batches(weights, tokenizer, stories):
    """Read stories of like length together, and leave the padding out again.

    Yields:
        token_ids: (num_positions,)
        moments: (num_positions, 2), the story and the position in it.
        fired: (num_layers, num_positions, feed_forward_dim)
    """
    by_length = sorted(range(len(stories)), key=lambda n: len(stories[n]))
    for start in range(0, len(stories), AT_ONCE):
        numbers = np.array(by_length[start : start + AT_ONCE])
        rows = [tokenizer.ids_of(stories[number]) for number in numbers]
        lengths = np.array([len(row) for row in rows])
        real = np.arange(lengths.max()) < lengths[:, None]
        # What stands behind the end of a story changes nothing before it.
        padded = np.zeros(real.shape, int)
        padded[real] = np.concatenate(rows)
        # At `<start>` every story is the same: nothing to be learned there.
        real[:, 0] = False
        row, position = np.nonzero(real)
        moments = np.stack([numbers[row], position], axis=-1)
        yield padded[real], moments, inner_units(weights, padded)[:, real]


def summary(stories, token_ids, moments, fired, vocab_size):
    """What is worth keeping of all that fired.

    Args:
        stories: a list of tuples of tokens.
        token_ids: (num_positions,) the word at each position.
        moments: (num_positions, 2), story and position.
        fired: (num_layers, num_positions, feed_forward_dim)

    Returns:
        An `Activations`.
    """
    counts = np.bincount(token_ids, minlength=vocab_size)
    # All positions of a word beside each other, then one sum for each word.
    order = np.argsort(token_ids, kind="stable")
    present = np.flatnonzero(counts)
    starts = (np.cumsum(counts) - counts)[present]
    num_layers, _, num_units = fired.shape
    means = np.zeros((num_layers, num_units, vocab_size), np.float32)
    sums = np.add.reduceat(fired[:, order], starts, axis=1)
    means[:, :, present] = (sums / counts[present, None]).swapaxes(1, 2)
    best = strongest_positions(fired, moments)
    units = np.arange(num_units)
    return Activations(
        stories=stories,
        counts=counts,
        means=means,
        shares=(fired > 0).mean(axis=1),
        strengths=np.stack(
            [
                layer[rows, units[:, None]]
                for layer, rows in zip(fired, best, strict=True)
            ]
        ),
        moments=moments[best],
    )


def strongest_positions(fired, moments):
    """Where each unit fired most strongly, at most once in a story.

    Args:
        fired: (num_layers, num_positions, feed_forward_dim)
        moments: (num_positions, 2), story and position.

    Returns:
        (num_layers, feed_forward_dim, MOMENTS), rows of `moments`.
    """
    order = np.argsort(moments[:, 0], kind="stable")
    starts = np.flatnonzero(np.diff(moments[order, 0], prepend=-1))
    in_order = fired[:, order]
    peaks = np.maximum.reduceat(in_order, starts, axis=1)
    best_stories = np.argsort(-peaks, axis=1, kind="stable")[:, :MOMENTS]
    ends = np.append(starts[1:], len(order))
    best = np.empty((len(fired), fired.shape[2], MOMENTS), int)
    for layer, unit in np.ndindex(best.shape[:2]):
        for rank, story in enumerate(best_stories[layer, :, unit]):
            part = in_order[layer, starts[story] : ends[story], unit]
            best[layer, unit, rank] = order[starts[story] + part.argmax()]
    return best


def top_words(activations, layer, unit, count=8):
    """The words at which a unit fires most on average.

    Args:
        layer, unit: counted from 0.

    Returns:
        A list of token ids; fewer than `count` if it fires for fewer words.
    """
    means = np.where(
        activations.counts >= RARE, activations.means[layer, unit], 0
    )
    order = np.argsort(-means, kind="stable")[:count]
    return [int(number) for number in order if means[number] > 0]


def purity(activations, num_words=3):
    """How much of all that a unit ever fired fell on its own few words.

    Returns:
        (num_layers, feed_forward_dim), from 0 to 1: near 1 for a unit that
        fires for these words and nothing else, near 0 for one that fires for
        many.
    """
    mass = np.sort(activations.means * activations.counts, axis=-1)
    return mass[..., -num_words:].sum(axis=-1) / np.maximum(
        mass.sum(axis=-1), 1e-9
    )


def most_selective_units(activations, layer, count=12):
    """The units of a layer that fire for the fewest words, the purest first.

    Weak units and units that hardly ever fire come last: they look pure by
        chance.

    Args:
        layer: counted from 0.

    Returns:
        A list of units, counted from 0.
    """
    strongest = activations.means[layer].max(axis=-1)
    often = activations.shares[layer] * activations.counts.sum() >= 5 * RARE
    worth = often & (strongest >= np.median(strongest))
    share = purity(activations)[layer]
    order = np.argsort(-(share + worth), kind="stable")
    return [int(unit) for unit in order[:count]]


def words_that_fire(weights, tokens_before, layer, unit):
    """Try every word of the vocabulary next: how strongly does a unit fire?

    Args:
        weights: a `Weights` of a causal network.
        tokens_before: (num_tokens,) token ids, `<start>` first; fewer than the
            context length.
        layer, unit: counted from 0.

    Returns:
        (vocab_size,), never below zero; the largest is at the word that was
        looked for.
    """
    count, vocab_size = len(tokens_before), len(weights.token_embeddings)
    # All candidates at once, each in the same position; none sees another.
    token_ids = [*tokens_before, *range(vocab_size)]
    positions = np.minimum(np.arange(count + vocab_size), count)
    mask = causal_mask(count + vocab_size)
    mask[count:, count:] = np.eye(vocab_size, dtype=bool)
    residual = (weights.token_embeddings[token_ids]
                + weights.position_embeddings[positions])
    return units_on(weights, residual, mask, layer)[layer, count:, unit]


def direct_logit_effect(weights, layer, unit):
    """What a unit says about the next word when it fires, straight to the
    logits.

    What later parts make of it is not counted, and the last LayerNorm also
    divides by the spread of the whole vector, so only order and signs count.

    Args:
        layer, unit: counted from 0.

    Returns:
        (vocab_size,), above zero for words that become likelier; their mean is
        0.
    """
    written = weights.blocks[layer].feed_forward.output_kernel[unit]
    read = (written - written.mean()) * weights.final_norm.scale
    said = read @ weights.output_kernel
    return said - said.mean()
