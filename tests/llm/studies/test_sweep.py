"""The judge of stories, and the sweep over temperatures."""

import json

import numpy as np

from llm.studies.sweep import judge, sweep, write_story
from llm.training.measurements import measure_sweep
from llm.world import World


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
    monkeypatch.setattr("llm.studies.sweep.sweep", lambda llm: {"stories": 1})
    measure_sweep(tiny_path.parent)
    assert json.loads((tiny_path.parent / "sweep.json").read_text()) == {"stories": 1}
