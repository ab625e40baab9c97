"""A retrained twin, ready to be asked in the same way as the tiny LLM."""

from dataclasses import replace

import numpy as np

from llm.models.tiny_llm import TinyLLM
from llm.models.twins import twin_trace


class TwinLLM(TinyLLM):
    """A twin with its words.

    Args:
        weights: a `Weights`, from `llm.models.shipped.load_twin`.
        vocabulary: the words, in the order of their numbers.
        parts: its `llm.models.twins.Parts`.
    """

    def __init__(self, weights, vocabulary, parts):
        super().__init__(weights, vocabulary)
        self.parts = parts

    def logits(self, token_ids, engine="glassbox"):
        """The logits of the next token after each token.

        Returns:
            (..., num_tokens, vocab_size)
        """
        return twin_trace(self.weights, self.parts, token_ids).logits

    def trace(self, prompt):
        """Every intermediate array on the way to the logits, a `Trace`."""
        window = self.window(prompt)
        found = twin_trace(self.weights, self.parts, window.token_ids)
        return replace(found, tokens=window.tokens, dropped=window.dropped)

    def _writer(self, engine):
        # No cache: without a causal mask a new word changes all earlier ones too.
        return lambda token_ids: self.logits(token_ids)[-1]


def log_probabilities_unseen(logits_of, exam):
    """As `llm.studies.exam.log_probabilities`, but nobody can peek at what comes next.

    Each word is predicted from the words before it alone, which are given by
    themselves. For a model with a causal mask this changes nothing.

    Args:
        logits_of: a function from token ids (batch, num_tokens) to logits.
        exam: an `llm.studies.exam.Exam`.

    Returns:
        (filled.sum(), vocab_size), in the order of `exam.truth`.
    """
    found = np.zeros((*exam.filled.shape, exam.truth.shape[-1]))
    for place in range(exam.filled.shape[1]):
        rows = exam.filled[:, place]
        logits = logits_of(exam.inputs[rows, : place + 1])[:, -1].astype(np.float64)
        logits -= logits.max(axis=-1, keepdims=True)
        found[rows, place] = logits - np.log(
            np.exp(logits).sum(axis=-1, keepdims=True)
        )
    return found[exam.filled]
