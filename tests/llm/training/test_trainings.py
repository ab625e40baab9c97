"""Training, on toys of width 8: it runs, it keeps what it promises, it repeats."""

import json
from collections import defaultdict
from dataclasses import asdict, replace
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
from llm.training import tiny_llm
from llm.training.batches import rows_of
from llm.training.lstm import LSTM
from llm.training.records import rounded, smooth
from llm.training.schedule import (
    Schedule,
    story_examples,
    training_world,
    word_loss,
)
from llm.training.tiny_llm import TINY, train_tiny
from llm.training.twins import (
    build_twin,
    named_arrays,
    twin_record,
    twins_record,
)
from llm.world import World, held_out_pairs
from llm.world.reading import StoriesRead, drawn_shares, weighted_stories
from llm.world.words import PLACES

TOY = Schedule(
    num_steps=6, batch_size=4, last_batch_size=8, warm_up=1, num_strata=10,
    thrice=("order",), muon=True,
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
        patch.setattr(
            tiny_llm, "compile_for_stories",
            partial(tiny_llm.compile_for_stories, xla=False),
        )
        yield


@pytest.fixture(scope="module")
def toy(toy_config, tmp_path_factory):
    out = tmp_path_factory.mktemp("toy")
    train_tiny(out, TOY, stops=(2, 4), config=toy_config)
    return out


def rates_of(schedule, steps):
    optimizer = schedule.optimizer("logits")
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


def test_a_word_that_a_story_decides_may_count_more_than_its_story():
    _, tokenizer = training_world()
    schedule = Schedule(1, num_strata=100, thrice=("frequency",), at_decision=4.0)
    examples = islice(story_examples(tokenizer, schedule), 50)
    stories = islice(weighted_stories(100, ("frequency",)), 50)
    for (_, targets, found), (story, counts) in zip(examples, stories, strict=True):
        more = {d.position for d in story.decisions} if counts < 1 else ()
        assert targets == tokenizer.ids_of(story.tokens)[1:]
        assert found == [
            4.0 if number in more else counts
            for number in range(1, len(story.tokens))
        ]


@pytest.fixture(scope="module")
def stories_by_place():
    """Stories, and by each of their beginnings whether a decision follows it."""
    world, _ = training_world()
    deciding = defaultdict(set)
    for story in world.sample(np.random.default_rng(0), 4000):
        decided = {decision.position for decision in story.decisions}
        for place in range(1, len(story.tokens)):
            skill = story.skill if place in decided else None
            deciding[story.tokens[:place]].add(skill)
    return deciding


def only_decides(skill, deciding):
    """Whether nothing but a decision of this skill follows where one does."""
    return all(found == {skill} for found in deciding.values() if skill in found)


def test_a_decision_counts_more_only_where_nothing_else_can_follow(stories_by_place):
    assert TINY.thrice == ("frequency",)
    assert only_decides("frequency", stories_by_place)
    # Of these, the verb may come later, and the dog may do something else.
    assert not only_decides("agreement", stories_by_place)
    assert not only_decides("category", stories_by_place)


def test_where_frequency_decides_the_shares_of_the_skills_no_longer_matter():
    drawn_otherwise = World(held_out_pairs(), shares=drawn_shares(TINY.thrice))
    world, _ = training_world()
    for (who, deed), places in PLACES.items():
        for begin in ("the", "one day , the", "the little"):
            start = f"{begin} {who} {deed} the".split()
            for drawn in (world, drawn_otherwise):
                assert drawn.next_word_probabilities(start) == pytest.approx(places)


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


def test_a_word_may_count_more_or_less_than_another():
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 1, (1, 5, 7)).astype(np.float32)
    targets = rng.integers(0, 7, (1, 5))
    counts = np.array([[1.25, 1 / 3, 1 / 3, 0, 0]], np.float32)
    surprises = token_losses(logits[0], targets[0])
    mean = np.average(surprises, weights=counts[0])
    assert float(word_loss()(targets, logits, counts)) == pytest.approx(mean, rel=1e-5)
    added = float(word_loss(reduction="sum")(targets, logits, counts))
    assert added == pytest.approx(mean * counts.sum(), rel=1e-5)


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


def test_no_story_is_counted_that_the_training_did_not_read(toy, toy_config):
    _, tokenizer = training_world()
    read = StoriesRead()
    examples = story_examples(tokenizer, TOY, read)
    batches = TOY.batches(examples, toy_config.context_length)
    assert len(list(islice(batches, TOY.num_steps))) == TOY.num_steps
    record = json.loads((toy / "tiny_llm.json").read_text(encoding="utf-8"))
    assert record["training"]["stories"] == read.count > 0


def test_learned_positions_begin_as_waves_and_move(toy, toy_config):
    with np.load(toy / "tiny_llm_checkpoints.npz") as file:
        before = file["0/1"].astype(np.float32)
    after = read(toy / "tiny_llm.keras").position_embeddings
    assert np.abs(before).max() == pytest.approx(0.1, abs=0.01)
    assert np.abs(after - before).max() > 1e-4


def test_the_same_seed_gives_the_same_model(toy, toy_config, tmp_path):
    train_tiny(tmp_path, TOY, stops=(2, 4), config=toy_config)
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
    for record, schedule in ((tiny, TINY), (lstm, LSTM)):
        # A field that a record lacks is younger than the training: its default.
        found = asdict(Schedule(**record["schedule"]))
        assert json.dumps(found) == json.dumps(asdict(schedule))
    assert rows_of(asdict(LSTM)) == rows_of(asdict(TINY))
    # As many; the batches of the LSTM hold whole stories.
    assert lstm["stories"] == pytest.approx(tiny["stories"], rel=0.01)
