"""The training of the twins: the tiny LLM with one part removed or exchanged.

All twins, and a full model beside them, run the same number of steps on the same
stories, and are compared only with each other.
"""

from dataclasses import asdict

import keras
import numpy as np

from llm.models.twins import TWINS, variant_config
from llm.studies.exam import evaluate, fresh_exam, log_probabilities
from llm.training.batches import next_token_examples
from llm.training.model import begin_positions_as_waves, build_packed_model
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


def build_twin(variant, vocab_size, config=None):
    """Build a twin for training on packed rows.

    Args:
        variant: what it is made of, a `Variant`.
        vocab_size: number of different tokens.
        config: other sizes than those of `variant_config`, for tests.

    Returns:
        A Keras model of `token_ids`, `positions` and `stories`.
    """
    config = config or variant_config(variant, vocab_size)
    model = build_packed_model(config, variant)
    if variant.positions != "none":
        # As small as learned positions begin, else fixed ones drown out the words.
        begin_positions_as_waves(model, config)
    return model


def train_twins(out, schedule=TWIN):
    """Train the full model and every twin with a part removed, the same way."""
    world, tokenizer = training_world()
    fresh, arrays, records = fresh_exam(tokenizer), {}, {}
    for name, parts in TWINS.items():
        config = variant_config(parts, len(tokenizer))
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
