"""The training of the tiny LLM: its weights, its learning curve and its
checkpoints.

It starts from seed 0 and never meets the same story twice on purpose: the toy
world writes fresh ones as it goes.
"""

import time
from dataclasses import asdict

import keras

from llm.models.config import ModelConfig
from llm.studies.exam import (
    evaluate,
    fresh_exam,
    log_probabilities,
    world_floor,
)
from llm.training.model import (
    begin_positions_as_waves,
    build_model,
    build_packed_model,
    save,
)
from llm.training.records import rounded, smooth, write_checkpoints, write_json
from llm.training.schedule import (
    Schedule,
    compile_for_stories,
    run,
    story_examples,
    training_world,
)
from llm.world.reading import SEED, StoriesRead

# Stories in strata leave less to chance. Those that test frequency are short,
# so many of them cost little; many are needed, and the word that they decide
# must count much, until words that never come get next to no probability.
# What was tried, one training each. In 16,250 steps (rate 0.003, decided words
# as all others) the loss ended 0.0019 nats above the floor with Muon, and
# 0.0026 with Adam alone. In 11,750 steps, the words that cannot follow "the
# cat sat on the" ended at 0.0019 together where all words after the verb
# counted 2, and at 0.0015 where the decided word alone counted 4. The plan
# below was trained twice: 0.0013 above the floor (shipped) and 0.0015. So the
# trainings that read fewer rows than its 827,200 cannot be told from it by
# their loss: 0.0014 in 14,000 steps of 32 and 64 rows at rate 0.005; 0.0015
# after 737,280 rows (32 and 64, rate 0.006) and after 704,000 (64 throughout,
# rate 0.007); 0.0016 after 665,600 (32 and 64, rate 0.006). But each of these
# missed something that the two held: that loss of 0.0015 itself, the words
# that cannot come, or the pairs that never met.
TINY = Schedule(
    num_steps=23_500, last_batch_size=64, peak=4.5e-3, hold=0.6,
    num_strata=100, thrice=("frequency",), at_decision=8.0, muon=True,
)
# Early ones closer together: most skills arrive early.
TINY_CHECKPOINTS = (100, 300, 700, 1500, 2500, 3500, 4500, 6000, 8000, 11_000,
                    14_000)


def train_tiny(out, schedule=TINY, stops=TINY_CHECKPOINTS, config=None):
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
    examples = story_examples(tokenizer, schedule, read)
    batches = schedule.batches(examples, config.context_length)
    last = schedule.num_steps
    checkpoints, scores, losses = {}, [], []

    def keep(step):
        checkpoints[step] = model.get_weights()
        reader.set_weights(checkpoints[step])
        log_q = log_probabilities(reader.predict_on_batch, fresh)
        scores.append({"step": step, **evaluate(fresh, log_q, tokenizer)})

    compile_for_stories(model, schedule)
    started = time.monotonic()
    keep(0)
    for progress in run(model, batches, schedule, "the tiny LLM", stops):
        losses += progress.losses
        if progress.step in (*stops, last):
            keep(progress.step)
    seconds = time.monotonic() - started

    save(model, config, out / "tiny_llm.keras")
    checkpoints.pop(last)  # the same as the model itself
    write_checkpoints(out / "tiny_llm_checkpoints.npz", checkpoints)
    write_json(out / "tiny_llm.json", tiny_record(
        tokenizer, config, schedule,
        stories=read.count, seconds=round(seconds), curve=smooth(losses),
        scores=rounded(scores),
        seen=[int(read.seen[story.tokens]) for story in fresh.stories],
        world_floor=rounded(world_floor(world)),
    ))


def tiny_record(tokenizer, config, schedule, **training):
    """What `assets/tiny_llm.json` holds: its words, sizes, and training."""
    return {
        "vocabulary": list(tokenizer.vocabulary),
        "config": asdict(config),
        "training": {"schedule": asdict(schedule), "seed": SEED, **training},
    }
