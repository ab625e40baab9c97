"""The training of the twins: the tiny LLM with one part removed or exchanged.

All twins, and a full model beside them, run the same number of steps on the same
stories, and are compared only with each other.
"""

from dataclasses import asdict

import keras
import numpy as np
from keras import layers, ops

from llm.models.twins import TWINS, small_waves
from llm.studies.exam import evaluate, fresh_exam, log_probabilities
from llm.training.batches import next_token_examples
from llm.training.model import attention_layer, begin_positions_as_waves, layer_norm
from llm.training.records import smooth, write_json
from llm.training.schedule import (
    SEED,
    Schedule,
    compile_for_stories,
    run,
    story_ids,
    training_world,
)

TWIN = Schedule(num_steps=3_600, hold=0.7)
TWIN_STOPS = (600, 1200, 1800, 2400, 3000, 3600)


def build_twin(parts, vocab_size, config=None):
    """Build a twin for training on packed rows, as `build_packed_model` does.

    Args:
        config: other sizes than those of `parts.config`, for tests.

    Returns:
        A Keras model of `token_ids`, `positions` and `stories`.
    """
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


def train_twins(out, schedule=TWIN):
    """Train the full model and every twin with a part removed, the same way."""
    world, tokenizer = training_world()
    fresh, arrays, records = fresh_exam(tokenizer), {}, {}
    for name, parts in TWINS.items():
        config = parts.config(len(tokenizer))
        keras.utils.set_random_seed(SEED)
        model = build_twin(parts, len(tokenizer))
        compile_for_stories(model, schedule)
        examples = next_token_examples(story_ids(world, tokenizer))
        batches = schedule.batches(examples, config.context_length)
        losses, scores = [], []
        for progress in run(model, batches, schedule, name, TWIN_STOPS):
            losses += progress.losses
            if progress.step in TWIN_STOPS:
                log_q = log_probabilities(unpacked_logits(model), fresh)
                scores.append(
                    {"step": progress.step, **evaluate(fresh, log_q, tokenizer)}
                )
        for number, array in enumerate(model.get_weights()):
            arrays[f"{name}/{number}"] = array.astype(np.float16)
        records[name] = {
            "parts": asdict(parts), "parameters": model.count_params(),
            "curve": smooth(losses), "scores": scores,
        }
    np.savez_compressed(out / "twins.npz", **arrays)
    write_json(out / "twins.json", {"schedule": asdict(schedule), "twins": records})


def unpacked_logits(packed_model):
    """A packed model as a function of token ids, one story a row."""

    def logits_of(token_ids):
        places = np.broadcast_to(np.arange(token_ids.shape[1]), token_ids.shape)
        return packed_model.predict_on_batch(
            {"token_ids": token_ids, "positions": places, "stories": 0 * token_ids}
        )

    return logits_of
