"""The twins: the tiny LLM, each with one part removed or exchanged, and
retrained.

All twins, and a full model beside them, run the same number of steps on the
same stories, and are compared only with each other.
"""


import numpy as np

from llm.glassbox.ablation import NO_ABLATION
from llm.glassbox.attention import causal_mask
from llm.glassbox.positions import sinusoidal_positions
from llm.glassbox.variants import Variant, variant_trace
from llm.models.config import ModelConfig
from llm.models.tiny_llm import TinyLLM

START_SIZE = 0.1  # of the waves that learned positions begin as


TWINS = {
    "full": Variant(),
    "no positions": Variant(positions="none"),
    "sinusoidal positions": Variant(positions="sinusoidal"),
    "no causal mask": Variant(causal=False),
    "no scaling": Variant(scaled=False),
    "no residual": Variant(residual=False),
    "no LayerNorm": Variant(norm="none"),
    "post-LayerNorm": Variant(norm="post"),
    "one head": Variant(num_heads=1),
    "one layer": Variant(num_layers=1),
}


def variant_config(variant, vocab_size):
    """The sizes of a twin, a `ModelConfig`."""
    return ModelConfig(
        vocab_size, num_heads=variant.num_heads, num_layers=variant.num_layers
    )


def first_positions(context_length, embed_dim):
    """The positions before the first step of training: small sinusoidal waves.

    They are about as small as the first word vectors.

    Returns:
        (context_length, embed_dim)
    """
    waves = sinusoidal_positions(context_length, embed_dim)
    return START_SIZE * waves.astype(np.float32)


def complete_weights(arrays, variant):
    """A twin's arrays in the order of a full model, with stand-ins for what it
    lacks.

    Missing positions are zeros, missing LayerNorms scale by one and shift by
    zero (`llm.glassbox.variants` does not call them), and queries that were
    never divided by the square root of head_dim are multiplied by it, so that
    the plain functions give the same scores.

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
    if variant.positions == "none":
        embeddings.append(np.zeros((ModelConfig(1).context_length, embed_dim)))
    else:
        embeddings += take(1)
    blocks = []
    for _ in range(variant.num_layers):
        for count in (8, 4):  # attention, feed-forward
            norm = take(2) if variant.norm == "pre" else unused
            kernels = take(count)
            if count == 8 and not variant.scaled:
                root = np.sqrt(kernels[0].shape[-1])
                kernels[:2] = [root * kernels[0], root * kernels[1]]
            norm = take(2) if variant.norm == "post" else norm
            blocks += norm + kernels
    final = take(2) if variant.norm == "pre" else unused
    return embeddings + blocks + final + take(2)


def twin_trace(weights, variant, token_ids, ablation=NO_ABLATION):
    """Run a twin and keep everything it computes.

    Args:
        weights: a `Weights`, from `complete_weights`.
        variant: its `Variant`.
        token_ids: (..., num_tokens)
        ablation: what is taken out, an `Ablation`.

    Returns:
        A `llm.glassbox.model.Trace`.
    """
    mask = causal_mask(np.shape(token_ids)[-1]) if variant.causal else None
    return variant_trace(weights, token_ids, mask, variant, ablation)


class TwinLLM(TinyLLM):
    """A retrained twin with its words, ready to be asked as the tiny LLM is.

    Args:
        weights: a `Weights`, from `llm.models.shipped.load_twin`.
        vocabulary: the words, in the order of their numbers.
        variant: its `Variant`.
    """

    def __init__(self, weights, vocabulary, variant):
        super().__init__(weights, vocabulary)
        self.variant = variant

    def _run(self, token_ids, ablation):
        return twin_trace(self.weights, self.variant, token_ids, ablation)

    def _writer(self, engine):
        # No cache: without a causal mask a new word changes all earlier ones
        # too.
        return lambda token_ids: self.logits(token_ids, engine)[-1]
