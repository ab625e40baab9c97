"""The twins: the tiny LLM, each with one part removed or exchanged, and retrained.

All twins, and a full model beside them, run the same number of steps on the same
stories, and are compared only with each other.
"""

from dataclasses import dataclass, replace

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.positions import sinusoidal_positions
from llm.glassbox.variants import Design, variant_trace
from llm.models.config import ModelConfig
from llm.models.tiny_llm import TinyLLM

START_SIZE = 0.1  # of the waves that learned positions begin as


@dataclass(frozen=True)
class Parts:
    """What a twin is made of; the defaults are the tiny LLM's.

    Attributes:
        positions: "learned", "sinusoidal" or "none".
        causal: whether a token is kept from looking at later ones.
        scaled: whether scores are divided by the square root of head_dim.
        residual: whether each part adds to its input, or replaces it.
        norm: "pre" (before each part), "post" (after each addition) or "none".
        num_heads, num_layers: as in `ModelConfig`.
    """

    positions: str = "learned"
    causal: bool = True
    scaled: bool = True
    residual: bool = True
    norm: str = "pre"
    num_heads: int = 4
    num_layers: int = 3

    def config(self, vocab_size):
        return ModelConfig(
            vocab_size, num_heads=self.num_heads, num_layers=self.num_layers
        )


TWINS = {
    "full": Parts(),
    "no positions": Parts(positions="none"),
    "sinusoidal positions": Parts(positions="sinusoidal"),
    "no causal mask": Parts(causal=False),
    "no scaling": Parts(scaled=False),
    "no residual": Parts(residual=False),
    "no LayerNorm": Parts(norm="none"),
    "post-LayerNorm": Parts(norm="post"),
    "one head": Parts(num_heads=1),
    "one layer": Parts(num_layers=1),
}


def small_waves(config):
    """Sinusoidal positions, made about as small as the first word vectors."""
    waves = sinusoidal_positions(config.context_length, config.embed_dim)
    return START_SIZE * waves.astype(np.float32)


def complete_weights(arrays, parts):
    """A twin's arrays in the order of a full model, with stand-ins for what it lacks.

    Missing positions are zeros, missing LayerNorms scale by one and shift by zero
    (`llm.glassbox.variants` does not call them), and queries that were never divided
    by the square root of head_dim are multiplied by it, so that the plain functions
    give the same scores.

    Args:
        arrays: in the order of the twin's `get_weights()`.

    Returns:
        A list that `llm.models.keras_file.from_arrays` takes.
    """
    arrays = list(arrays)
    embed_dim = arrays[0].shape[1]
    unused = [np.ones(embed_dim, np.float32), np.zeros(embed_dim, np.float32)]
    following = iter(arrays)

    def take(count):
        return [next(following) for _ in range(count)]

    embeddings = take(1)
    if parts.positions == "none":
        embeddings.append(np.zeros((ModelConfig(1).context_length, embed_dim)))
    else:
        embeddings += take(1)
    blocks = []
    for _ in range(parts.num_layers):
        for count in (8, 4):  # attention, feed-forward
            norm = take(2) if parts.norm == "pre" else unused
            kernels = take(count)
            if count == 8 and not parts.scaled:
                root = np.sqrt(kernels[0].shape[-1])
                kernels[:2] = [root * kernels[0], root * kernels[1]]
            norm = take(2) if parts.norm == "post" else norm
            blocks += norm + kernels
    final = take(2) if parts.norm == "pre" else unused
    return embeddings + blocks + final + take(2)


def twin_trace(weights, parts, token_ids):
    """Run a twin and keep everything it computes.

    Args:
        weights: a `Weights`, from `complete_weights`.
        parts: its `Parts`.
        token_ids: (..., num_tokens)

    Returns:
        A `llm.glassbox.model.Trace`.
    """
    mask = causal_mask(np.shape(token_ids)[-1]) if parts.causal else None
    return variant_trace(weights, token_ids, mask, Design(parts.norm, parts.residual))


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
