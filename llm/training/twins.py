"""The training of the twins: the tiny LLM with one part removed or exchanged.

All twins, and a full model beside them, run the same number of steps on the
same stories, each from several draws of its first weights, and are compared
only with each other. What another draw undoes is chance and not the part.
"""

from dataclasses import asdict

import keras
import numpy as np

from llm.models.twins import TWINS, variant_config
from llm.studies.exam import evaluate, fresh_exam, log_probabilities
from llm.training.batches import packed_batches
from llm.training.model import begin_positions_as_waves, build_packed_model
from llm.training.records import rounded, smooth, write_json
from llm.training.schedule import (
    Schedule,
    compile_for_stories,
    run,
    story_examples,
    training_world,
)

TWIN = Schedule(num_steps=3_600, hold=0.7)
TWIN_STOPS = (600, 1200, 1800, 2400, 3000, 3600)
DRAWS = (0, 1, 2)
CURVE_POINTS = 60


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
        # As small as learned positions begin, else fixed ones drown out the
        # words.
        begin_positions_as_waves(model, config)
    return model


def train_twins(out, schedule=TWIN, draws=DRAWS):
    """Train the full model and every twin with a part removed, the same way.

    Keeps the weights of the first draw, and the records of all.
    """
    arrays, records = {}, {}
    for name, variant in TWINS.items():
        runs = []
        for draw in draws:
            weights, run_record = learn_twin(name, draw, schedule)
            runs.append(run_record)
            if draw == draws[0]:
                arrays |= named_arrays(name, weights)
        records[name] = twin_record(variant, weights, runs)
    np.savez_compressed(out / "twins.npz", **arrays)
    write_json(out / "twins.json", twins_record(schedule, records))


def learn_twin(name, draw, schedule=TWIN, stops=TWIN_STOPS):
    """Train one twin from one draw of its first weights.

    Args:
        name: one of `TWINS`.
        draw: the seed of the first weights; the stories are the same for all.

    Returns:
        Its weights, a list of arrays in the order of Keras's `get_weights()`,
        and the record of its training.
    """
    _, tokenizer = training_world()
    fresh, variant = fresh_exam(tokenizer), TWINS[name]
    config = variant_config(variant, len(tokenizer))
    keras.utils.set_random_seed(draw)
    model = build_twin(variant, len(tokenizer))
    compile_for_stories(model, schedule)
    examples = story_examples(tokenizer, schedule)
    batches = packed_batches(
        examples, schedule.batch_size, config.context_length
    )
    losses, scores = [], []
    for progress in run(
        model, batches, schedule, f"{name}, draw {draw}", stops
    ):
        losses += progress.losses
        if progress.step in stops:
            log_q = log_probabilities(unpacked_logits(model), fresh)
            found = rounded(evaluate(fresh, log_q, tokenizer))
            scores.append({"step": progress.step, **found})
    return model.get_weights(), {
        "draw": draw, "curve": smooth(losses, CURVE_POINTS), "scores": scores,
    }


def named_arrays(name, weights):
    """The weights of a twin in half precision, as they lie in `twins.npz`."""
    return {
        f"{name}/{number}": array.astype(np.float16)
        for number, array in enumerate(weights)
    }


def twin_record(variant, weights, runs):
    """One twin in `twins.json`: the first draw by itself, and all draws."""
    return {
        "parts": asdict(variant),
        "parameters": int(sum(array.size for array in weights)),
        "curve": runs[0]["curve"], "scores": runs[0]["scores"], "draws": runs,
    }


def twins_record(schedule, records):
    """What `assets/twins.json` holds."""
    draws = [run_record["draw"] for run_record in records["full"]["draws"]]
    return {"schedule": asdict(schedule), "draws": draws, "twins": records}


def unpacked_logits(packed_model):
    """A packed model as a function of token ids, one story a row."""

    def logits_of(token_ids):
        places = np.broadcast_to(
            np.arange(token_ids.shape[1]), token_ids.shape
        )
        return packed_model.predict_on_batch(
            {
                "token_ids": token_ids,
                "positions": places,
                "stories": 0 * token_ids,
            }
        )

    return logits_of
