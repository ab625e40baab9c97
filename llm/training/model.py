"""The tiny LLM in Keras: a decoder-only Transformer of built-in layers.

Pre-LayerNorm as in GPT-2 (Radford et al. 2019), otherwise the decoder of "Attention
Is All You Need" (Vaswani et al. 2017) without its cross-attention.
"""

import keras
from keras import layers, ops

from llm.models.config import LAYER_NORM_EPSILON
from llm.models.twins import small_waves


def build_model(config, two_sided=False):
    """Build the tiny LLM: token ids in, logits of the next token out.

    Args:
        config: a `ModelConfig`.
        two_sided: whether a token may also look at the tokens after it, as in the
            encoder twin (`llm.models.encoder_twin`).

    Returns:
        A model from (batch, num_tokens) to (batch, num_tokens, vocab_size).
    """
    token_ids = keras.Input((None,), dtype="int32", name="token_ids")
    # 0, 1, 2, ... along each row, from built-in operations only, so that the saved
    # file opens anywhere.
    positions = ops.cumsum(ops.ones_like(token_ids), axis=-1) - 1
    logits = _network(
        config, token_ids, positions, use_causal_mask=not two_sided
    )
    return keras.Model(token_ids, logits, name="tiny_llm")


def build_packed_model(config, two_sided=False):
    """Build the same network for training on rows that hold several stories.

    A token may look at tokens of its own story only, and positions start anew with
    each story; so little is wasted on padding, and each story is seen as if alone.

    Returns:
        A model of `token_ids`, `positions` and `stories` (the number of the story
        that a token belongs to), each (batch, num_tokens), with the same weights, in
        the same order, as `build_model`.
    """
    token_ids = keras.Input((None,), dtype="int32", name="token_ids")
    positions = keras.Input((None,), dtype="int32", name="positions")
    stories = keras.Input((None,), dtype="int32", name="stories")
    same_story = ops.equal(stories[:, :, None], stories[:, None, :])
    logits = _network(
        config, token_ids, positions,
        use_causal_mask=not two_sided, attention_mask=same_story,
    )
    return keras.Model([token_ids, positions, stories], logits, name="packed_llm")


def _network(config, token_ids, positions, **masks):
    residual = embed(config, token_ids, positions)
    for _ in range(config.num_layers):
        residual = block(config, residual, **masks)
    return read_out(config, residual)


def embed(config, token_ids, positions):
    """A row for each word plus a row for each place: the residual stream begins."""
    words = layers.Embedding(config.vocab_size, config.embed_dim)(token_ids)
    return words + layers.Embedding(config.context_length, config.embed_dim)(positions)


def block(config, residual, **masks):
    """One Transformer block: attend, then think, each added to the residual stream."""
    normalised = layer_norm()(residual)
    residual += attention_layer(config)(normalised, normalised, **masks)
    return feed_forward_sublayer(config, residual)


def feed_forward_sublayer(config, residual):
    """The second half of a block: each token by itself."""
    normalised = layer_norm()(residual)
    hidden = layers.Dense(config.feed_forward_dim, activation="relu")(normalised)
    return residual + layers.Dense(config.embed_dim)(hidden)


def read_out(config, residual):
    """Logits of every word from the end of the residual stream."""
    return layers.Dense(config.vocab_size)(layer_norm()(residual))


def attention_layer(config, kind=layers.MultiHeadAttention):
    """Keras's attention, with first weights that suit its kernels."""
    # Keras's default takes the three axes of a kernel for those of a convolution and
    # comes out three times too small, so that the heads wake up late (measured).
    spread = keras.initializers.RandomNormal(stddev=config.embed_dim**-0.5)
    return kind(config.num_heads, key_dim=config.head_dim, kernel_initializer=spread)


def layer_norm():
    return layers.LayerNormalization(epsilon=LAYER_NORM_EPSILON)


def save(model, config, path, two_sided=False):
    """Save a fresh copy of the network, because the optimiser triples the file.

    Args:
        model: any model with the weights of `build_model(config)`.
        path: where to write, ending in `.keras`.
    """
    fresh = build_model(config, two_sided)
    fresh.set_weights(model.get_weights())
    fresh.save(path)


def begin_positions_as_waves(model, config):
    """Let the learned positions begin as small sinusoidal waves.

    They are learned from there like every other weight. Beginning in order instead of
    in disorder, look-up arrives after a third of the steps (measured).
    """
    weights = model.get_weights()
    weights[1] = small_waves(config)
    model.set_weights(weights)
