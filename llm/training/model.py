"""The tiny LLM in Keras: a decoder-only Transformer of built-in layers.

Pre-LayerNorm as in GPT-2 (Radford et al. 2019), otherwise the decoder of
"Attention Is All You Need" (Vaswani et al. 2017) without its cross-attention.
A `Variant` builds it with a part removed or exchanged.
"""

import keras
from keras import layers, ops

from llm.glassbox.variants import Variant
from llm.models.config import LAYER_NORM_EPSILON
from llm.models.twins import first_positions

TINY_LLM = Variant()


def build_model(config, two_sided=False):
    """Build the tiny LLM: token ids in, logits of the next token out.

    Args:
        config: a `ModelConfig`.
        two_sided: whether a token may also look at the tokens after it, as in
            the encoder twin (`llm.models.encoder_twin`).

    Returns:
        A model from (batch, num_tokens) to (batch, num_tokens, vocab_size).
    """
    token_ids = keras.Input((None,), dtype="int32", name="token_ids")
    # 0, 1, 2, ... along each row, from built-in operations only, so that the
    # saved file opens anywhere.
    positions = ops.cumsum(ops.ones_like(token_ids), axis=-1) - 1
    logits = network(
        config, token_ids, positions, use_causal_mask=not two_sided
    )
    return keras.Model(token_ids, logits, name="tiny_llm")


def build_packed_model(config, variant=TINY_LLM):
    """Build the network for training on rows that hold several stories.

    A token may look at tokens of its own story only, and positions start anew
    with each story; so little is wasted on padding, and each story is seen as
    if alone.

    Args:
        config: a `ModelConfig`.
        variant: what the network is made of, a `Variant`.

    Returns:
        A model of `token_ids`, `positions` and `stories` (the number of the
        story that a token belongs to), each (batch, num_tokens). That of the
        tiny LLM has the same weights, in the same order, as `build_model`.
    """
    inputs, same_story = packed_inputs()
    token_ids, positions, _ = inputs
    logits = network(
        config, token_ids, positions, variant,
        use_causal_mask=variant.causal, attention_mask=same_story,
    )
    return keras.Model(inputs, logits, name="packed_llm")


def packed_inputs():
    """The inputs of a packed model, and who may look at whom.

    Returns:
        inputs: `token_ids`, `positions` and `stories`.
        same_story: (batch, num_tokens, num_tokens), True inside a story.
    """
    inputs = [
        keras.Input((None,), dtype="int32", name=name)
        for name in ("token_ids", "positions", "stories")
    ]
    stories = inputs[-1]
    return inputs, ops.equal(stories[:, :, None], stories[:, None, :])


def network(config, token_ids, positions, variant=TINY_LLM, **masks):
    """Logits of the next token after each token."""
    residual = embed(config, token_ids, positions, variant)
    for _ in range(config.num_layers):
        residual = block(config, residual, variant, **masks)
    return read_out(config, residual, variant)


def embed(config, token_ids, positions, variant=TINY_LLM):
    """A row for each word plus a row for each position: the stream begins."""
    words = layers.Embedding(config.vocab_size, config.embed_dim)(token_ids)
    if variant.positions == "none":
        return words
    table = layers.Embedding(
        config.context_length, config.embed_dim,
        trainable=variant.positions == "learned",
    )
    return words + table(positions)


def block(config, residual, variant=TINY_LLM, **masks):
    """One Transformer block: attention, then the feed-forward layer."""

    def attend(vectors):
        return attention_layer(config, variant.scaled)(
            vectors, vectors, **masks
        )

    residual = sublayer(residual, attend, variant)
    return feed_forward_sublayer(config, residual, variant)


def feed_forward_sublayer(config, residual, variant=TINY_LLM):
    """The second half of a block: each token by itself."""

    def feed_forward(vectors):
        hidden = layers.Dense(config.feed_forward_dim, activation="relu")(
            vectors
        )
        return layers.Dense(config.embed_dim)(hidden)

    return sublayer(residual, feed_forward, variant)


def sublayer(residual, change, variant):
    """One half of a block: LayerNorm before or after it, and the addition.

    Args:
        residual: (batch, num_tokens, embed_dim)
        change: the function that is applied.
        variant: where LayerNorm stands, and whether the result is added.
    """
    before = layer_norm()(residual) if variant.norm == "pre" else residual
    after = residual + change(before) if variant.residual else change(before)
    return layer_norm()(after) if variant.norm == "post" else after


def read_out(config, residual, variant=TINY_LLM):
    """Logits of every word from the end of the residual stream."""
    # Only networks that normalise before each part need it after the last.
    final = layer_norm()(residual) if variant.norm == "pre" else residual
    return layers.Dense(config.vocab_size)(final)


class UnscaledAttention(layers.MultiHeadAttention):
    """Attention without the division by the square root of head_dim."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._inverse_sqrt_key_dim = 1.0


def attention_layer(config, scaled=True):
    """Keras's attention, with first weights that suit its kernels."""
    # Keras's default takes the three axes of a kernel for those of a
    # convolution and comes out three times too small, so that the heads wake
    # up late (measured).
    spread = keras.initializers.RandomNormal(stddev=config.embed_dim**-0.5)
    kind = layers.MultiHeadAttention if scaled else UnscaledAttention
    return kind(
        config.num_heads, key_dim=config.head_dim, kernel_initializer=spread
    )


def layer_norm():
    """Keras's LayerNorm, with the epsilon that the glass box uses."""
    return layers.LayerNormalization(epsilon=LAYER_NORM_EPSILON)


def begin_positions_as_waves(model, config):
    """Let the positions begin as small sinusoidal waves.

    Learned positions go on from there like every other weight. Beginning in
    order instead of in disorder, look-up arrives after a third of the steps
    (measured).
    """
    weights = model.get_weights()
    weights[1] = first_positions(config.context_length, config.embed_dim)
    model.set_weights(weights)


def save(model, config, path, two_sided=False):
    """Save a fresh copy of the network, because the optimiser triples the
    file.

    Args:
        model: any model with the weights of `build_model(config)`.
        config: its `ModelConfig`.
        path: where to write, ending in `.keras`.
        two_sided: whether it is the encoder twin.
    """
    fresh = build_model(config, two_sided)
    fresh.set_weights(model.get_weights())
    fresh.save(path)
