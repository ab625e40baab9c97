"""The loss of a text, word by word, and its gradient at the output layer.

The gradient here is that of the output layer, the last of the network, worked
out by hand: for softmax and cross-entropy it is what was said minus what was
right. Keras carries the same on through all the layers below.
"""

import math

import numpy as np

from llm.glassbox.softmax import log_softmax, softmax

# A guess of exactly nothing would be infinitely surprised by what then
# happens, so every guess gives this share away, evenly over all words, as a
# model in effect does.
GIVEN_AWAY = 0.01


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


def one_step(final, kernel, bias, targets, learning_rate):
    """One training step of the output layer: each weight against its gradient.

    This is plain gradient descent on one layer; the layers below stay as they
    are.

    Args:
        final: (num_tokens, embed_dim), what the output layer reads.
        targets: (num_tokens,), the numbers of the words that came next.
        kernel: (embed_dim, vocab_size)
        bias: (vocab_size,)
        learning_rate: how far to go, as a multiple of the gradient.

    Returns:
        The gradient, a pair of (embed_dim, vocab_size) for the kernel and
        (vocab_size,) for the bias; then the new kernel and the new bias.
    """
    gradient = output_gradient(final, final @ kernel + bias, targets)
    moved = kernel - learning_rate * gradient[0]
    return gradient, moved, bias - learning_rate * gradient[1]


def losses_along(final, kernel, bias, targets, gradient, distances):
    """The mean loss after walking straight along the gradient of the output
    layer.

    Args:
        final: (num_tokens, embed_dim), what the output layer reads.
        targets: (num_tokens,), the numbers of the words that came next.
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
    """How long a gradient is, all its numbers taken together; never quite 0.
    """
    return max(np.sqrt(sum((part**2).sum() for part in gradient)), 1e-12)


def logits_by_prefix(llm, token_ids):
    """The logits of the word after each word, from a pass for each beginning.

    One pass over the whole text, `llm.logits(token_ids)`, gives the same: in
    training all words are known, so every position is an exercise, and one
    pass corrects them all.

    Args:
        llm: a `TinyLLM`.
        token_ids: (num_tokens,)

    Returns:
        (num_tokens, vocab_size)
    """
    ends = range(1, len(token_ids) + 1)
    return np.stack([llm.logits(token_ids[:end])[-1] for end in ends])


def exercises(logits, tokens, vocabulary):
    """What each position of a text expected, and what came.

    Args:
        logits: (num_tokens, vocab_size), for the word after each word.
        tokens: (num_tokens,) the words.
        vocabulary: (vocab_size,) all words.

    Returns:
        A list of (words so far, word that came, its surprise in nats,
        likeliest word), one for each word but the first.
    """
    log_probabilities = log_softmax(logits)
    rows = []
    for position, came in enumerate(tokens[1:], start=1):
        before = log_probabilities[position - 1]
        rows.append((
            " ".join(tokens[:position]), came,
            -float(before[vocabulary.index(came)]),
            vocabulary[int(before.argmax())],
        ))
    return rows


def as_distribution(spread, vocabulary):
    """A guess over a few words as a distribution over all words.

    Args:
        spread: a dictionary from word to share, and from "" to what any other
            word shall have.
        vocabulary: all words.

    Returns:
        A dictionary from every word to a probability above 0; they add up to
        one.
    """
    others = [word for word in vocabulary if word not in spread]
    even = GIVEN_AWAY / len(vocabulary)
    rest = spread[""] / len(others)
    return {
        word: (1 - GIVEN_AWAY) * spread.get(word, rest) + even
        for word in vocabulary
    }


def expected_surprise(truth, guess):
    """The mean surprise of a guess at what the truth draws, in nats.

    Args:
        truth: a dictionary from word to probability.
        guess: the same, above 0 wherever the truth is.
    """
    return -sum(p * math.log(guess[word]) for word, p in truth.items() if p)
