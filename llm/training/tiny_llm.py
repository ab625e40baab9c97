"""The training of the tiny LLM: its weights, its learning curve and its
checkpoints.

It starts from seed 0 and never meets the same story twice on purpose: the toy
world writes fresh ones as it goes.
"""

import time
from dataclasses import asdict
from functools import partial

import keras

from llm.models.config import ModelConfig
from llm.studies.exam import (
    evaluate,
    fresh_exam,
    log_probabilities,
    world_floor,
)
from llm.training.batches import packed_batches
from llm.training.model import (
    begin_positions_as_waves,
    build_model,
    build_packed_model,
    save,
)
from llm.training.records import rounded, smooth, write_checkpoints, write_json
from llm.training.schedule import (
    SEED,
    Schedule,
    StoriesRead,
    run_all,
    story_examples,
    training_world,
)

TINY = Schedule(num_steps=20_000, last_batch_size=64, hold=0.48)
# Then the shares of words settle, twice: in batches so large that they hardly
# shake any more, and on stories drawn in strata, in which choices come as
# often as the world says. Adam needs a longer memory for words that are
# rare.
SETTLING = tuple(
    Schedule(
        num_steps=2500, batch_size=256, peak=peak, hold=0.0, beta_2=0.999,
        num_strata=100,
    )
    for peak in (2e-3, 5e-4)
)
PLAN = (TINY, *SETTLING)
# Early ones closer together: most skills arrive in the first quarter of the
# run.
TINY_CHECKPOINTS = (100, 300, 700, 1500, 2500, 3500, 4500, 6000, 8000, 11_000,
                    14_000)


def train_tiny(out, schedules=PLAN, stops=TINY_CHECKPOINTS, config=None):
    """Train the tiny LLM; keep its weights, its learning curve and its
    checkpoints.
    """
    world, tokenizer = training_world()
    config = config or ModelConfig(len(tokenizer))
    keras.utils.set_random_seed(SEED)
    model, reader = build_packed_model(config), build_model(config)
    begin_positions_as_waves(model, config)
    fresh = fresh_exam(tokenizer)
    read = StoriesRead(fresh.stories)
    examples_of = partial(story_examples, world, tokenizer, read)
    batches_of = partial(packed_batches, row_length=config.context_length)
    last = sum(schedule.num_steps for schedule in schedules)
    checkpoints, scores, losses = {}, [], []

    def keep(step):
        checkpoints[step] = model.get_weights()
        reader.set_weights(checkpoints[step])
        log_q = log_probabilities(reader.predict_on_batch, fresh)
        scores.append({"step": step, **evaluate(fresh, log_q, tokenizer)})

    started = time.monotonic()
    keep(0)
    for step, progress in run_all(
        model, examples_of, schedules, batches_of, "the tiny LLM", stops
    ):
        losses += progress.losses
        if step in (*stops, last):
            keep(step)
    seconds = time.monotonic() - started

    save(model, config, out / "tiny_llm.keras")
    checkpoints.pop(last)  # the same as the model itself
    write_checkpoints(out / "tiny_llm_checkpoints.npz", checkpoints)
    write_json(out / "tiny_llm.json", tiny_record(
        tokenizer, config, schedules,
        **read.as_record(), seconds=round(seconds), curve=smooth(losses),
        scores=rounded(scores),
        seen=[int(read.seen[story.tokens]) for story in fresh.stories],
        world_floor=rounded(world_floor(world)),
    ))


def as_record(schedules):
    """The schedules of a training for its record: `schedule`, and `settling`,
    which holds those after the first.
    """
    first, *others = map(asdict, schedules)
    return {"schedule": first, "settling": others}


def tiny_record(tokenizer, config, schedules, **training):
    """What `assets/tiny_llm.json` holds: its words, sizes, and training."""
    return {
        "vocabulary": list(tokenizer.vocabulary),
        "config": asdict(config),
        "training": {**as_record(schedules), "seed": SEED, **training},
    }
