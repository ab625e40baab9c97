"""Reading in parallel, writing one by one: the same answers, not the same work."""

import numpy as np


def all_at_once(llm, token_ids):
    """One pass over a whole text: the logits of the word after each word.

    In training all words are known, so every place is an exercise, and one
    pass corrects them all.

    Args:
        llm: a `TinyLLM`.
        token_ids: (num_tokens,)

    Returns:
        (num_tokens, vocab_size)
    """
    return llm.logits(token_ids)


def one_by_one(llm, token_ids):
    """The same, with a pass of its own for each beginning of the text.

    Args:
        llm: a `TinyLLM`.
        token_ids: (num_tokens,)

    Returns:
        (num_tokens, vocab_size), the same as `all_at_once`.
    """
    ends = range(1, len(token_ids) + 1)
    return np.stack([llm.logits(token_ids[:end])[-1] for end in ends])


def exercises(logits, tokens, vocabulary):
    """What each place of a text expected, and what came.

    Args:
        logits: (num_tokens, vocab_size), from either function above.
        tokens: (num_tokens,) the words.
        vocabulary: (vocab_size,) all words.

    Returns:
        A list of (words so far, word that came, its surprise in nats, likeliest
        word), one for each word but the first.
    """
    largest = logits.max(axis=-1, keepdims=True)
    total = np.exp(logits - largest).sum(axis=-1, keepdims=True)
    log_probabilities = logits - largest - np.log(total)
    rows = []
    for place, came in enumerate(tokens[1:], start=1):
        before = log_probabilities[place - 1]
        rows.append((
            " ".join(tokens[:place]), came,
            -float(before[vocabulary.index(came)]),
            vocabulary[int(before.argmax())],
        ))
    return rows
