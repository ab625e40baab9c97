"""Training, on toys of width 8: it runs, it keeps what it promises, it repeats."""

import json
from dataclasses import replace
from functools import partial
from itertools import count, islice

import numpy as np
import pytest

from llm.__main__ import WHAT
from llm.commands.train import trainings
from llm.models.config import ModelConfig
from llm.models.keras_file import from_arrays, read
from llm.models.shipped import load_record
from llm.models.twins import TWINS, complete_weights
from llm.studies.loss import token_losses
from llm.training import schedule as training_schedule
from llm.training import tiny_llm
from llm.training.records import rounded, smooth
from llm.training.schedule import (
    SEED,
    Schedule,
    StoriesRead,
    run_all,
    stories_of,
    story_ids,
    training_world,
    word_loss,
)
from llm.training.steps import Progress
from llm.training.tiny_llm import PLAN, as_record, train_tiny
from llm.training.twins import (
    build_twin,
    named_arrays,
    twin_record,
    twins_record,
)
from llm.world import Story

TOYS = (
    Schedule(num_steps=4, batch_size=4, warm_up=1),
    Schedule(num_steps=2, batch_size=8, warm_up=1, hold=0.0),
)


@pytest.fixture(scope="module")
def toy_config():
    _, tokenizer = training_world()
    return ModelConfig(
        len(tokenizer), embed_dim=8, num_heads=2, num_layers=1, feed_forward_dim=8
    )


@pytest.fixture(scope="module", autouse=True)
def _quick():
    """Without what takes longer than the toys: the floor of the world, and XLA."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiny_llm, "world_floor", partial(tiny_llm.world_floor, count=20))
        patch.setattr(tiny_llm, "run_all", partial(tiny_llm.run_all, xla=False))
        yield


@pytest.fixture(scope="module")
def toy(toy_config, tmp_path_factory):
    out = tmp_path_factory.mktemp("toy")
    train_tiny(out, TOYS, stops=(2, 4), config=toy_config)
    return out


def rates_of(schedule, steps):
    optimizer = schedule.optimizer()
    return [float(optimizer._learning_rate(step)) for step in steps]


def test_the_learning_rate_rises_stays_and_falls_to_zero():
    schedule = Schedule(num_steps=100, warm_up=10, hold=0.5)
    np.testing.assert_allclose(
        rates_of(schedule, (0, 9, 50, 75, 100)), [3e-4, 3e-3, 3e-3, 1.5e-3, 0.0],
        atol=1e-9,
    )


def test_the_batches_grow_where_the_learning_rate_begins_to_fall():
    schedule = Schedule(num_steps=4, batch_size=2, last_batch_size=3, hold=0.5)
    examples = count()

    def batches_of(examples, size):
        while True:
            yield list(islice(examples, size))

    found = list(islice(schedule.in_batches(examples, batches_of), 4))
    assert found == [[0, 1], [2, 3], [4, 5, 6], [7, 8, 9]]


def test_a_training_counts_its_stories_and_knows_those_of_the_exam():
    world, tokenizer = training_world()
    first = world.sample(np.random.default_rng(SEED), 3)
    read = StoriesRead([*first[:1], Story(("<start>", "never"))])
    list(islice(story_ids(world, tokenizer, read), 3))
    assert list(read.seen.values()) == [True, False]
    list(islice(story_ids(world, tokenizer, read, num_strata=10), 2))
    assert read.as_record() == {"stories": 5, "in_strata": 2}


def test_the_stories_of_a_training_can_be_told_again():
    world, tokenizer = training_world()
    free = list(islice(story_ids(world, tokenizer), 3))
    strata = list(islice(story_ids(world, tokenizer, num_strata=10), 2))
    training = {"stories": 5, "in_strata": 2,
                "settling": [{"num_strata": 10}, {"num_strata": 10}]}
    assert list(stories_of(training)) == free + strata
    assert strata != free[:2]


def test_schedules_of_one_stream_read_on_where_the_one_before_has_ended(monkeypatch):
    read = []

    def learn(model, batches, schedule, name, stops):
        read.append((schedule.num_strata, next(batches)))
        yield Progress(schedule.num_steps, schedule.num_steps, (1.0,), 0.0)

    def batches_of(examples, size):
        while True:
            yield list(islice(examples, size))

    monkeypatch.setattr(training_schedule, "run", learn)
    monkeypatch.setattr(training_schedule, "compile_for_stories", lambda *_: None)
    plan = [Schedule(1, batch_size=2, hold=0.0, num_strata=n) for n in (0, 5, 5)]
    training = run_all(None, lambda strata: count(100 * strata), plan, batches_of, "")
    assert [step for step, _ in training] == [1, 2, 3], "counted over all schedules"
    assert read == [(0, [0, 1]), (5, [500, 501]), (5, [502, 503])]


def test_the_loss_is_the_mean_over_the_words_that_count():
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 1, (2, 5, 7)).astype(np.float32)
    targets = rng.integers(0, 7, (2, 5))
    counts = np.array([[1, 1, 1, 0, 0], [1, 0, 0, 0, 0]], np.float32)
    surprises = [
        token_losses(row, words)[: int(count.sum())]
        for row, words, count in zip(logits, targets, counts, strict=True)
    ]
    found = float(word_loss()(targets, logits, counts))
    assert found == pytest.approx(np.concatenate(surprises).mean(), rel=1e-5)


def test_a_twin_is_recorded_with_all_its_draws():
    weights = [np.ones((2, 3), np.float32), np.ones(4, np.float32)]
    runs = [{"draw": draw, "curve": [], "scores": []} for draw in (0, 1, 2)]
    found = twin_record(TWINS["full"], weights, runs)
    assert found["parameters"] == 10 and found["draws"] == runs
    record = twins_record(Schedule(num_steps=6), {"full": found})
    assert record["draws"] == [0, 1, 2]
    assert {a.dtype for a in named_arrays("full", weights).values()} == {
        np.dtype(np.float16)
    }


def test_a_rounded_record_keeps_its_shape():
    record = {"a": [0.123456789, {"b": 2, "c": None}], "d": (1.0, "word")}
    assert rounded(record, 3) == {"a": [0.123, {"b": 2, "c": None}],
                                  "d": [1.0, "word"]}


def test_a_curve_keeps_the_mean_of_its_losses():
    losses = np.random.default_rng(0).random(1000)
    curve = np.array(smooth(losses, num_points=50))
    assert curve[-1, 0] == 1000
    assert curve[:, 1].mean() == pytest.approx(losses.mean(), abs=1e-3)


def test_a_training_keeps_its_record_and_its_checkpoints(toy, toy_config):
    record = json.loads((toy / "tiny_llm.json").read_text(encoding="utf-8"))
    training = record["training"]
    assert [found["step"] for found in training["scores"]] == [0, 2, 4, 6]
    assert len(training["seen"]) == 1000
    with np.load(toy / "tiny_llm_checkpoints.npz") as file:
        steps = {int(name.split("/")[0]) for name in file.files}
        arrays = [file[f"2/{n}"] for n in range(len(file.files) // len(steps))]
    assert steps == {0, 2, 4}
    from_arrays(arrays, toy_config.num_layers)


def test_learned_positions_begin_as_waves_and_move(toy, toy_config):
    with np.load(toy / "tiny_llm_checkpoints.npz") as file:
        before = file["0/1"].astype(np.float32)
    after = read(toy / "tiny_llm.keras").position_embeddings
    assert np.abs(before).max() == pytest.approx(0.1, abs=0.01)
    assert np.abs(after - before).max() > 1e-4


def test_the_same_seed_gives_the_same_model(toy, toy_config, tmp_path):
    train_tiny(tmp_path, TOYS, stops=(2, 4), config=toy_config)
    first = read(toy / "tiny_llm.keras")
    second = read(tmp_path / "tiny_llm.keras")
    np.testing.assert_allclose(
        first.output_kernel, second.output_kernel, atol=1e-6
    )


@pytest.mark.parametrize("name", TWINS)
def test_every_twin_has_weights_that_the_plain_functions_take(name):
    variant = replace(TWINS[name], num_layers=1)
    model = build_twin(variant, vocab_size=20)
    from_arrays(complete_weights(model.get_weights(), variant), num_layers=1)


def test_the_command_line_offers_every_training():
    assert WHAT == [*trainings(), "all"]


def test_what_is_shipped_was_trained_by_the_plan_that_is_written_down():
    tiny, lstm = load_record()["training"], load_record("lstm")
    for record in (tiny, lstm):
        assert as_record(PLAN) == {name: record[name] for name in as_record(PLAN)}
    # Of both streams as many; batches of the LSTM hold whole stories.
    for name in ("stories", "in_strata"):
        assert lstm[name] == pytest.approx(tiny[name], rel=0.01)
