"""The twins: the tiny LLM, each with one part removed or exchanged, and retrained.

All twins, and a full model beside them, run the same number of steps on the same
stories, and are compared only with each other.
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.positions import sinusoidal_positions
from llm.glassbox.variants import Design, variant_trace
from llm.models.config import ModelConfig

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


def begin_positions_as_waves(model, config):
    """Let the learned positions begin as small sinusoidal waves.

    They are learned from there like every other weight. Beginning in order instead of
    in disorder, look-up arrives after a third of the steps (measured).
    """
    weights = model.get_weights()
    weights[1] = small_waves(config)
    model.set_weights(weights)


def small_waves(config):
    """Sinusoidal positions, made about as small as the first word vectors."""
    waves = sinusoidal_positions(config.context_length, config.embed_dim)
    return START_SIZE * waves.astype(np.float32)


def build_twin(parts, vocab_size, config=None):
    """Build a twin for training on packed rows, as `build_packed_model` does.

    Args:
        config: other sizes than those of `parts.config`, for tests.

    Returns:
        A Keras model of `token_ids`, `positions` and `stories`.
    """
    import keras
    from keras import layers, ops

    from llm.training.model import attention_layer, layer_norm

    config = config or parts.config(vocab_size)

    class UnscaledAttention(layers.MultiHeadAttention):
        """Attention without the division by the square root of head_dim."""

        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self._inverse_sqrt_key_dim = 1.0

    attention = layers.MultiHeadAttention if parts.scaled else UnscaledAttention

    def part(residual, change):
        before = layer_norm()(residual) if parts.norm == "pre" else residual
        after = residual + change(before) if parts.residual else change(before)
        return layer_norm()(after) if parts.norm == "post" else after

    token_ids, positions, stories = (
        keras.Input((None,), dtype="int32", name=name)
        for name in ("token_ids", "positions", "stories")
    )
    same_story = ops.equal(stories[:, :, None], stories[:, None, :])

    def attend(vectors):
        return attention_layer(config, attention)(
            vectors, vectors, use_causal_mask=parts.causal, attention_mask=same_story
        )

    def think(vectors):
        hidden = layers.Dense(config.feed_forward_dim, activation="relu")(vectors)
        return layers.Dense(config.embed_dim)(hidden)

    residual = layers.Embedding(vocab_size, config.embed_dim)(token_ids)
    if parts.positions != "none":
        table = layers.Embedding(
            config.context_length, config.embed_dim,
            trainable=parts.positions == "learned",
        )
        residual += table(positions)
    for _ in range(config.num_layers):
        residual = part(part(residual, attend), think)
    if parts.norm == "pre":
        residual = layer_norm()(residual)
    logits = layers.Dense(vocab_size)(residual)
    model = keras.Model([token_ids, positions, stories], logits)
    if parts.positions == "sinusoidal":
        # As small as learned positions begin, else they drown out the words.
        table.set_weights([small_waves(config)])
    elif parts.positions == "learned":
        begin_positions_as_waves(model, config)
    return model


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
