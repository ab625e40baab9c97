"""How good is it, and what does it know by heart?"""

import re
from itertools import pairwise

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.softmax import softmax
from llm.models.pairs import count_pairs, pair_probabilities

MOST_MEASURED = (
    2000  # tokens of the kept-back text; more would only take longer
)
MOST_REPEATED = 0.5  # of the kept-back part; beyond it, it tells nothing new
SMOOTHINGS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


def validation_loss(weights, text):
    """The mean loss on the kept-back text, in nats a token.

    Only tokens that occur in the part to learn from count. Each is read after
    at least half a window of the text before it.

    Args:
        weights: a `Weights`.
        text: an `OwnText`.

    Returns:
        A number; None if no kept-back token occurs in the part to learn from.
    """
    context_length = len(weights.position_embeddings)
    step = context_length - context_length // 2
    validation = text.validation[:MOST_MEASURED]
    known = text.known[:MOST_MEASURED]
    before = text.training[-context_length:]
    ids = np.concatenate([before, validation])
    mask = causal_mask(context_length)
    losses = np.zeros(len(validation))
    for first in range(0, len(validation), step):
        part = validation[first : first + step]
        end = (
            len(before) + first + len(part) - 1
        )  # the last input predicts the last
        inputs = (
            ids[end - context_length : end]
            if end >= context_length
            else ids[:end]
        )
        size = len(inputs)
        logits = trace(weights, inputs, mask[:size, :size]).logits[
            -len(part) :
        ]
        chosen = softmax(logits)[np.arange(len(part)), part]
        losses[first : first + len(part)] = -np.log(np.maximum(chosen, 1e-30))
    return float(losses[known].mean()) if known.any() else None


def pairs_of(text, added=None):
    """Counting pairs: how likely each token follows each other token.

    Args:
        text: an `OwnText`.
        added: what is added to each count; None takes what is best on the
            kept-back text, so that counting gets the best that it can.

    Returns:
        (vocab_size, vocab_size), each row sums to one.
    """
    counts = count_pairs([text.training], len(text.vocabulary))
    added = best_smoothing(text) if added is None else added
    return pair_probabilities(counts, added)


def best_smoothing(text):
    """What is best added to each count, measured on the kept-back text."""
    counts = count_pairs([text.training], len(text.vocabulary))
    return min(SMOOTHINGS, key=lambda some: _pair_loss(counts, some, text))


def pair_loss(text):
    """The loss of counting pairs on the same tokens as `validation_loss`, in
    nats.

    None if no kept-back token occurs in the part to learn from.
    """
    if not text.known[:MOST_MEASURED].any():
        return None
    counts = count_pairs([text.training], len(text.vocabulary))
    return min(_pair_loss(counts, some, text) for some in SMOOTHINGS)


def _pair_loss(counts, added, text):
    validation = text.validation[:MOST_MEASURED]
    known = text.known[:MOST_MEASURED]
    if not known.any():
        return 0.0  # nothing to choose by
    before = np.concatenate([text.training[-1:], validation[:-1]])
    row_sums = counts.sum(axis=1)[before] + added * len(counts)
    chosen = (counts[before, validation] + added) / row_sums
    return float(-np.log(chosen)[known].mean())


def longest_copy(written, source):
    """The longest stretch of what was written that stands in the source as
    well.

    Args:
        written, source: token ids.

    Returns:
        start: where it begins in what was written.
        length: how many tokens it has.
        position: where it stands in the source.
    """
    # One character a token, so that Python's own fast search can look for it.
    return longest_stretch(_as_characters(written), _as_characters(source))


def longest_stretch(here, there):
    """The longest stretch of a text that stands in another text as well.

    Returns:
        Where it begins here, how long it is, and where it begins there.
    """
    start = length = position = 0
    for first in range(len(here)):
        while first + length < len(here):
            found = there.find(here[first : first + length + 1])
            if found < 0:
                break
            start, length, position = first, length + 1, found
    return start, length, position


def repeats_the_rest(text):
    """Whether the kept-back part stands almost whole in the part to learn
    from.
    """
    _, length, _ = longest_copy(text.validation, text.training)
    return length > MOST_REPEATED * len(text.validation)


def made_up(written, text):
    """What was written and stands nowhere in the part that was learned from.

    Args:
        written: token ids.
        text: an `OwnText`.

    Returns:
        New words, if the text was cut into characters; new pairs of words, if
        it was cut into words. Each once, in the order in which they come.
    """
    new = _parts(written, text)
    known = set(_parts(text.training, text))
    if text.unit == "characters":
        new = new[1:-1]  # the first and the last word may be cut in two
    return [part for part in dict.fromkeys(new) if part not in known]


def _parts(token_ids, text):
    """The words of a text in characters, the pairs of words of a text in
    words.
    """
    if text.unit == "characters":
        return re.findall(r"[^\W\d_]+", text.decode(token_ids).lower())
    words = [text.vocabulary[number] for number in token_ids]
    return [
        f"{first} {second}"
        for first, second in pairwise(words)
        if first[0].isalnum() and second[0].isalnum()
    ]


def _as_characters(token_ids):
    return "".join(chr(0x100 + int(number)) for number in token_ids)
