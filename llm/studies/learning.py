"""What a training step is, and what a training run did: losses, gradient, arrivals.

The gradient here is that of the output layer, the last of the network, worked out by
hand: for softmax and cross-entropy it is what was said minus what was right. Keras
carries the same on through all the layers below.
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.softmax import softmax

ARRIVED = 0.9  # accuracy from which on a skill counts as learnt
NOTHING = 0.01  # nats; smaller differences between two trainings say nothing
SKILL_LOST = 0.05  # of accuracy


def token_losses(logits, targets):
    """The surprise at each right word: minus the logarithm of its probability.

    Args:
        logits: (num_tokens, vocab_size)
        targets: (num_tokens,), the numbers of the words that really came next.

    Returns:
        (num_tokens,), in nats; their mean is the loss.
    """
    probabilities = softmax(np.asarray(logits, np.float64))
    return -np.log(probabilities[np.arange(len(targets)), targets])


def logit_gradient(logits, targets):
    """Which way each logit should not go: what was said minus what was right.

    Args:
        logits: (num_tokens, vocab_size)
        targets: (num_tokens,)

    Returns:
        (num_tokens, vocab_size), below 0 only at the right word; each row sums
        to zero.
    """
    gradient = softmax(np.asarray(logits, np.float64))
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient


def output_gradient(final, logits, targets):
    """The gradient of the mean loss for the weights of the output layer.

    Args:
        final: (num_tokens, embed_dim), what the output layer reads.
        logits: (num_tokens, vocab_size), what it makes of it.
        targets: (num_tokens,)

    Returns:
        kernel: (embed_dim, vocab_size)
        bias: (vocab_size,)
    """
    gradient = logit_gradient(logits, targets) / len(targets)
    return final.T @ gradient, gradient.sum(axis=0)


def losses_along(final, kernel, bias, targets, gradient, distances):
    """The mean loss after walking straight along the gradient of the output layer.

    Args:
        final, targets: as in `output_gradient`.
        kernel: (embed_dim, vocab_size)
        bias: (vocab_size,)
        gradient: a pair of arrays, from `output_gradient`.
        distances: (num_distances,); above 0 is downhill, against the gradient.

    Returns:
        (num_distances,)
    """
    length = gradient_length(gradient)
    losses = []
    for distance in distances:
        moved = kernel - distance * gradient[0] / length
        moved_bias = bias - distance * gradient[1] / length
        losses.append(token_losses(final @ moved + moved_bias, targets).mean())
    return np.array(losses)


def gradient_length(gradient):
    """How long a gradient is, all its numbers taken together; at least a hair."""
    return max(np.sqrt(sum((part**2).sum() for part in gradient)), 1e-12)


def arrivals(scores, level=ARRIVED):
    """When each skill was learnt: the first step from which on it stays above a level.

    Args:
        scores: a list of records with `step` and `skills`, by step.

    Returns:
        A dictionary from skill to step, the earliest first; None if it never came.
        Frequency is not in it, because it has no accuracy.
    """
    found = {}
    for skill, last in scores[-1]["skills"].items():
        if last["accuracy"] is None:
            continue
        found[skill] = None
        for score in reversed(scores):
            if score["skills"][skill]["accuracy"] < level:
                break
            found[skill] = score["step"]
    return dict(sorted(found.items(), key=lambda item: item[1] or float("inf")))


def biggest_jump(scores, skill):
    """The two neighbouring records between which a skill rose most."""
    pairs = list(zip(scores, scores[1:]))
    return max(
        pairs,
        key=lambda pair: pair[1]["skills"][skill]["accuracy"]
        - pair[0]["skills"][skill]["accuracy"],
    )


@dataclass(frozen=True)
class Difference:
    """What a twin lost or gained against the full model, both as measured.

    Attributes:
        excess: how much further above the floor it ends, in nats per token.
        lost: from skill to (accuracy of the full model, accuracy of the twin), for
            skills that fell.
        gained: the same for skills that rose.
    """

    excess: float
    lost: dict
    gained: dict

    @property
    def nothing(self):
        """Whether nothing changed that is worth a word."""
        return abs(self.excess) < NOTHING and not self.lost and not self.gained


def difference(full, twin):
    """Compare two records with `excess` and `skills`, such as the last scores."""
    lost, gained = {}, {}
    for skill, score in full["skills"].items():
        pair = score["accuracy"], twin["skills"].get(skill, score)["accuracy"]
        if None in pair:
            continue
        if pair[1] < pair[0] - SKILL_LOST:
            lost[skill] = pair
        elif pair[1] > pair[0] + SKILL_LOST:
            gained[skill] = pair
    return Difference(twin["excess"] - full["excess"], lost, gained)
