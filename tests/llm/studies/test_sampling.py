"""Counts behave as chance does, and the world judges what is written."""

import json

import numpy as np
import pytest

from llm.glassbox.sampling import draw
from llm.studies.sampling import (
    WITHIN_DEVIATIONS,
    allowed,
    chance_of_exactly,
    counts,
    deviation,
    is_enough,
    judge,
    random_numbers,
    sweep,
    write_story,
)
from llm.training.measurements import measure_sweep
from llm.world import World

SHARES = np.array([0.0, 0.41, 0.0, 0.22, 0.12, 0.25, 0.0])


def test_many_draws_are_the_same_as_one_after_the_other():
    numbers = np.random.default_rng(0).random(500)
    one_by_one = [draw(SHARES, u) for u in numbers]
    np.testing.assert_array_equal(draw(SHARES, numbers), one_by_one)


def test_counts_add_up_to_the_number_of_draws_and_never_hit_what_was_cut():
    found = counts(SHARES, np.random.default_rng(0).random(1000))
    assert found.sum() == 1000
    assert not found[SHARES == 0].any()


def test_the_deviation_is_the_one_that_many_students_would_see():
    rng = np.random.default_rng(0)
    seen = [counts(SHARES, rng.random(1000))[1] for _ in range(2000)]
    assert np.std(seen) == pytest.approx(deviation(0.41, 1000), rel=0.05)
    low, high = allowed(0.41, 1000)
    within = np.mean([low <= count / 1000 <= high for count in seen])
    assert 0.94 < within < 0.97


def test_two_deviations_hold_as_many_counts_as_a_normal_distribution_says():
    low, high = np.multiply(allowed(0.41, 1000), 1000)
    held = sum(
        chance_of_exactly(count, 0.41, 1000) for count in range(1001)
        if low <= count <= high
    )
    assert held == pytest.approx(WITHIN_DEVIATIONS, abs=0.01)


def test_the_chances_of_all_counts_add_up_to_one():
    chances = [chance_of_exactly(count, 0.41, 20) for count in range(21)]
    assert sum(chances) == pytest.approx(1)
    assert chances[0] == pytest.approx(0.59**20)


def test_one_draw_is_not_enough_and_a_rare_word_needs_more_than_a_likely_one():
    assert not is_enough(0.41, 1)
    assert is_enough(0.41, 100)
    assert not is_enough(0.001, 100)
    assert not is_enough(0.999, 100)


def test_more_numbers_of_a_seed_begin_with_the_same():
    np.testing.assert_array_equal(random_numbers(3, 10)[:4], random_numbers(3, 4))
    assert (random_numbers(3, 10) < 1).all()


def test_the_allowed_shares_stay_between_nothing_and_everything():
    assert allowed(0.0, 10) == (0.0, 0.0)
    assert allowed(1.0, 10) == (1.0, 1.0)
    assert allowed(0.02, 10)[0] == 0.0


def test_every_story_of_the_world_is_possible():
    world = World()
    for story in world.sample(np.random.default_rng(0), 50):
        assert judge(world, story.tokens).possible


def test_a_wrong_word_makes_a_story_impossible_and_is_named():
    words = "the cat sat on the moon . <end>".split()
    verdict = judge(World(), words)
    assert not verdict.possible
    assert words[verdict.impossible] == "moon"


def test_a_story_without_an_end_is_not_yet_a_story():
    verdict = judge(World(), "the cat sat".split())
    assert verdict.impossible is None
    assert not verdict.possible


def test_without_chance_there_is_one_story(tiny_llm):
    cold = sweep(tiny_llm, temperatures=[0.0], count=3)["temperatures"][0]
    assert cold["different"] == 1 / 3
    assert 0 <= cold["possible"] <= 1


def test_a_story_keeps_its_start_and_fits_the_model(tiny_llm):
    words = write_story(tiny_llm, ["the", "cat"], seed=1)
    assert words[:2] == ["the", "cat"]
    assert len(words) <= tiny_llm.config.context_length


def test_the_sweep_is_written_beside_the_model(tiny_path, monkeypatch):
    monkeypatch.setattr("llm.training.measurements.sweep", lambda llm: {"stories": 1})
    measure_sweep(tiny_path.parent)
    assert json.loads((tiny_path.parent / "sweep.json").read_text()) == {"stories": 1}
