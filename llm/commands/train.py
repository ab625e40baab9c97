"""`python -m llm train`: rebuild every trained asset from nothing.

Each training starts from seed 0 and never meets the same story twice on purpose: the
toy world writes fresh ones as it goes.
"""

import time
from dataclasses import asdict
from itertools import islice

import numpy as np

from llm.models.config import ModelConfig
from llm.models.pairs import count_pairs
from llm.models.tokenizer import Tokenizer
from llm.models.twins import TWINS, begin_positions_as_waves, build_twin
from llm.studies.exam import fresh_exam, log_probabilities, score
from llm.training.batches import next_token_examples
from llm.training.records import (
    SEED,
    Schedule,
    compile_for_stories,
    run,
    smooth,
    story_ids,
    training_world,
    write_checkpoints,
    write_json,
)
from llm.world import World, held_out_pairs

TINY = Schedule(num_steps=16_000, last_batch_size=64)
# Early ones closer together: most skills arrive in the first fifth of the run.
TINY_CHECKPOINTS = (100, 300, 700, 1500, 2500, 3500, 4500, 6000, 8000, 11_000)
ENCODER = Schedule(num_steps=3_000)
TWIN = Schedule(num_steps=3_600, hold=0.7)
TWIN_STOPS = (600, 1200, 1800, 2400, 3000, 3600)


def command(args):
    """Run `python -m llm train --what ... --out ...`."""
    args.out.mkdir(parents=True, exist_ok=True)
    for name, training in trainings().items():
        if args.what in (name, "all"):
            training(args.out)
    return 0


def trainings():
    """Every training by its name for `--what`, in the order in which they build on
    each other."""
    from llm.digits.train import train_first_and_last, train_lengths
    from llm.studies.memory import measure_distance
    from llm.studies.sweep import write_sweep

    return {
        "tiny": train_tiny,
        "encoder": train_encoder,
        "twins": train_twins,
        "lstm": train_lstm,
        "pairs": train_pairs,
        "heads": measure_heads,
        "distance": measure_distance,
        "sweep": write_sweep,
        "lengths": train_lengths,
        "first_and_last": train_first_and_last,
    }


def train_tiny(out, schedule=TINY, stops=TINY_CHECKPOINTS, config=None):
    """Train the tiny LLM; keep its weights, its learning curve and its checkpoints."""
    import keras

    from llm.training.model import build_model, build_packed_model, save

    world, tokenizer = training_world()
    config = config or ModelConfig(len(tokenizer))
    keras.utils.set_random_seed(SEED)
    model, reader = build_packed_model(config), build_model(config)
    begin_positions_as_waves(model, config)
    compile_for_stories(model, schedule)
    fresh = fresh_exam(tokenizer)
    seen = {story.tokens: False for story in fresh.stories}
    examples = next_token_examples(story_ids(world, tokenizer, seen))
    batches = schedule.batches(examples, config.context_length)
    checkpoints, scores, losses = {}, [], []

    def keep(step):
        checkpoints[step] = model.get_weights()
        reader.set_weights(checkpoints[step])
        log_q = log_probabilities(reader.predict_on_batch, fresh)
        scores.append({"step": step, **score(fresh, log_q, tokenizer)})

    started = time.monotonic()
    keep(0)
    for progress in run(model, batches, schedule, "the tiny LLM", stops):
        losses += progress.losses
        if progress.step in (*stops, schedule.num_steps):
            keep(progress.step)
    seconds = time.monotonic() - started

    save(model, config, out / "tiny_llm.keras")
    checkpoints.pop(schedule.num_steps)  # the same as the model itself
    write_checkpoints(out / "tiny_llm_checkpoints.npz", checkpoints)
    write_json(out / "tiny_llm.json", {
        "vocabulary": list(tokenizer.vocabulary),
        "config": asdict(config),
        "training": {
            "schedule": asdict(schedule), "seed": SEED, "seconds": round(seconds),
            "curve": smooth(losses), "scores": scores,
            "seen": [int(seen[story.tokens]) for story in fresh.stories],
        },
    })


def train_pairs(out, count=200_000):
    """Count pairs of words in some of the stories that the tiny LLM learned from."""
    world, tokenizer = training_world()
    counts = count_pairs(islice(story_ids(world, tokenizer), count), len(tokenizer))
    np.savez_compressed(out / "pairs.npz", counts=counts.astype(np.uint32))


def train_lstm(out, schedule=TINY):
    """Train the LSTM twin: same stories, same number of steps, same size."""
    import keras

    from llm.training.lstm import STORIES_IN_BATCH, build_lstm, padded_batches

    world, tokenizer = training_world()
    config = ModelConfig(len(tokenizer))
    keras.utils.set_random_seed(SEED)
    model = build_lstm(len(tokenizer), config.embed_dim)
    compile_for_stories(model, schedule, xla=False)  # XLA is slower for an LSTM
    examples = next_token_examples(story_ids(world, tokenizer))
    batches = padded_batches(examples, STORIES_IN_BATCH)
    losses = []
    for progress in run(model, batches, schedule, "the LSTM twin"):
        losses += progress.losses
    fresh = fresh_exam(tokenizer)
    log_q = log_probabilities(model.predict_on_batch, fresh)
    fresh_model = build_lstm(len(tokenizer), config.embed_dim)
    fresh_model.set_weights(model.get_weights())  # without the optimiser's state
    fresh_model.save(out / "lstm.keras")
    write_json(out / "lstm.json", {
        "schedule": asdict(schedule), "curve": smooth(losses),
        "parameters": model.count_params(), "scores": score(fresh, log_q, tokenizer),
    })


def train_encoder(out, schedule=ENCODER):
    """Train the encoder twin on blanks and pronouns; look for the head that flips."""
    import keras

    from llm.models import encoder_twin as encoder
    from llm.models.keras_file import from_arrays
    from llm.training.model import save

    world = World(held_out_pairs())
    tokenizer = Tokenizer(encoder.vocabulary(world))
    config = ModelConfig(len(tokenizer))
    keras.utils.set_random_seed(SEED)
    model = encoder.build_pointing_model(config)
    begin_positions_as_waves(model, config)
    model.compile(
        schedule.optimizer(),
        {
            "words": keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            "pointer": keras.losses.SparseCategoricalCrossentropy(),
        },
        jit_compile=True,
    )
    examples = encoder.examples(world, tokenizer, np.random.default_rng(SEED))
    batches = encoder.with_pointers(
        schedule.batches(examples, config.context_length), tokenizer.ids["it"]
    )
    losses = []
    for progress in run(model, batches, schedule, "the encoder twin"):
        losses += progress.losses
    weights = from_arrays(model.get_weights(), config.num_layers)
    save(model, config, out / "encoder.keras", two_sided=True)
    write_json(out / "encoder.json", {
        "vocabulary": list(tokenizer.vocabulary),
        "config": asdict(config),
        "training": {"schedule": asdict(schedule), "curve": smooth(losses)},
        "scores": encoder.scores(weights, tokenizer),
    })


def train_twins(out, schedule=TWIN):
    """Train the full model and every twin with a part removed, the same way."""
    import keras

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
                log_q = log_probabilities(alone(model), fresh)
                scores.append(
                    {"step": progress.step, **score(fresh, log_q, tokenizer)}
                )
        for number, array in enumerate(model.get_weights()):
            arrays[f"{name}/{number}"] = array.astype(np.float16)
        records[name] = {
            "parts": asdict(parts), "parameters": model.count_params(),
            "curve": smooth(losses), "scores": scores,
        }
    np.savez_compressed(out / "twins.npz", **arrays)
    write_json(out / "twins.json", {"schedule": asdict(schedule), "twins": records})


def alone(packed_model):
    """A packed model as a function of token ids, one story a row."""

    def logits_of(token_ids):
        places = np.broadcast_to(np.arange(token_ids.shape[1]), token_ids.shape)
        return packed_model.predict_on_batch(
            {"token_ids": token_ids, "positions": places, "stories": 0 * token_ids}
        )

    return logits_of


def measure_heads(out):
    """Measure what each head of the tiny LLM does, and what falls without it."""
    from llm.models.tiny_llm import TinyLLM
    from llm.studies.head_cuts import head_record

    write_json(out / "heads.json", head_record(TinyLLM.load(out / "tiny_llm.keras")))
