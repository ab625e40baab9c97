"""One's own model in the glass box, ready to be asked."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.cache import KeyValueCache, fast_network
from llm.glassbox.model import trace
from llm.glassbox.sampling import draw, with_temperature
from llm.glassbox.weights import Weights


@dataclass(frozen=True)
class OwnModel:
    """A trained network with the text that it learned from.

    Attributes:
        weights: a `Weights`.
        text: an `OwnText`.
        step: after how many steps of training.
    """

    weights: Weights
    text: object
    step: int

    @property
    def context_length(self):
        return len(self.weights.position_embeddings)

    def next_logits(self, token_ids):
        """The logits of the token after some tokens, (vocab_size,)."""
        return self.that_are_known(self.look(token_ids).logits[-1])

    def that_are_known(self, logits):
        """Logits in which the token for unknown ones has -inf, so that it is
        never drawn.

        Args:
            logits: (vocab_size,)

        Returns:
            (vocab_size,)
        """
        known = np.arange(len(logits)) != self.text.unknown
        return np.where(known, logits, -np.inf)

    def look(self, token_ids):
        """Everything that the network computes on the last tokens, a `Trace`.
        """
        window = list(token_ids)[-self.context_length :]
        return trace(self.weights, window, causal_mask(len(window)))

    def write(self, token_ids, count, temperature=0.8, seed=0):
        """Write on, one token at a time.

        When the window is full, its older half is dropped at once, so that the
        cache serves for many tokens. `write_text.py` does the same.

        Args:
            token_ids: at least one.
            count: how many tokens to write.

        Returns:
            The numbers of the written tokens, without the start.
        """
        rng, cache = np.random.default_rng(seed), KeyValueCache(self._fast)
        window, written = tuple(token_ids)[-self.context_length :], []
        for _ in range(count):
            logits = self.that_are_known(cache.next_logits(window))
            shares = with_temperature(logits, temperature)
            written.append(int(draw(shares, rng.random())))
            if len(window) == self.context_length:
                window = window[-(self.context_length // 2) :]
            window += (written[-1],)
        return written

    @cached_property
    def _fast(self):
        return fast_network(self.weights)


def write_by_pairs(pairs, token_id, count, temperature=1.0, seed=0):
    """Write by counted pairs alone: each token looks at the one before it, no
    further.

    Args:
        pairs: (vocab_size, vocab_size), each row sums to one.
        token_id: the token to begin after.

    Returns:
        The numbers of the written tokens.
    """
    rng, written = np.random.default_rng(seed), [token_id]
    for _ in range(count):
        logits = np.log(np.maximum(pairs[written[-1]], 1e-30))
        shares = with_temperature(logits, temperature)
        written.append(int(draw(shares, rng.random())))
    return written[1:]
