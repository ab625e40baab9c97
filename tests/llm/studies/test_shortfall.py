"""What separates a model from the truth, in parts that add up to it."""

import json
from math import log

import numpy as np
import pytest

from llm.models.shipped import load_record
from llm.studies.exam import losses
from llm.studies.shortfall import said_again, share_of_places, shortfall
from llm.training.measurements import measure_shortfall


def log_of(probabilities):
    return np.log(np.maximum(probabilities, 1e-30))


def anything(small_exam):
    """The log probabilities of a model that nobody trained."""
    guesses = np.random.default_rng(0).random(small_exam.truth.shape)
    return log_of(guesses / guesses.sum(axis=-1, keepdims=True))


def test_all_parts_together_are_the_loss_above_the_floor(small_exam):
    log_q = anything(small_exam)
    loss, floor = losses(small_exam, log_q)
    parts = shortfall(small_exam, log_q)
    assert min(min(pair) for pair in parts.values()) > 0
    assert sum(map(sum, parts.values())) == pytest.approx((loss - floor).mean())
    assert set(parts) == {story.skill for story in small_exam.stories}


def test_the_two_parts_are_what_the_definition_gives_word_by_word(small_exam):
    log_q, row = anything(small_exam), 0
    impossible = possible = 0.0
    for story in small_exam.stories:
        for _ in story.tokens[1:]:
            if story.skill == "binding":
                truth, said = small_exam.truth[row], np.exp(log_q[row])
                rest = sum(q for q, p in zip(said, truth, strict=True) if p > 0)
                impossible -= log(rest)
                possible += sum(
                    p * log(p / (q / rest))
                    for q, p in zip(said, truth, strict=True) if p > 0
                )
            row += 1
    expected = impossible / row, possible / row
    assert shortfall(small_exam, log_q)["binding"] == pytest.approx(expected, rel=1e-5)


def test_the_places_of_a_skill_are_the_words_of_its_stories(small_exam):
    row, binding = 0, 0
    for story in small_exam.stories:
        for _ in story.tokens[1:]:
            binding += story.skill == "binding"
            row += 1
    found = share_of_places(small_exam)
    assert found["binding"] == pytest.approx(binding / row)
    assert sum(found.values()) == pytest.approx(1)


def test_who_is_right_but_for_a_share_has_only_words_that_cannot_come(small_exam):
    share, never = 0.1, small_exam.truth == 0
    impossible = never / never.sum(axis=-1, keepdims=True)
    log_q = log_of((1 - share) * small_exam.truth + share * impossible)
    found = np.array(list(shortfall(small_exam, log_q).values())).sum(axis=0)
    np.testing.assert_allclose(found, [-log(1 - share), 0.0], atol=1e-6)


def test_who_repeats_the_story_gives_all_that_is_wrong_to_words_said_before(
    small_exam, tokenizer
):
    row, last_said = 0, np.zeros_like(small_exam.truth)
    for story in small_exam.stories:
        for word in tokenizer.ids_of(story.tokens)[:-1]:
            last_said[row, word] = 1.0
            row += 1
    assert said_again(small_exam, log_of(last_said), tokenizer) == pytest.approx(1)
    # Of all the words that cannot come, those that were said are few.
    all_alike = log_of(np.ones_like(small_exam.truth))
    assert said_again(small_exam, all_alike, tokenizer) < 0.1


def test_it_is_measured_at_every_kept_step_and_written_beside_the_model(
    tiny_path, monkeypatch
):
    from llm.models.keras_file import read

    weights = read(tiny_path)
    for name, stand_in in {
        "load_checkpoints": lambda folder: {0: weights, 7: weights},
        "fresh_exam": lambda tokenizer: None,
        "log_probabilities": lambda logits_of, exam: None,
        "shortfall_record": lambda exam, log_q, tokenizer: {"said_again": 0.5},
    }.items():
        monkeypatch.setattr(f"llm.training.measurements.{name}", stand_in)
    measure_shortfall(tiny_path.parent)
    written = json.loads((tiny_path.parent / "shortfall.json").read_text())
    assert written == {
        "steps": [{"step": step, "said_again": 0.5} for step in (0, 7)]
    }


def test_what_is_shipped_adds_up_to_the_losses_of_the_training():
    scores = load_record()["training"]["scores"]
    steps = load_record("shortfall")["steps"]
    for score, one in zip(scores, steps, strict=True):
        total = sum(
            parts["impossible"] + parts["possible"] for parts in one["skills"].values()
        )
        assert one["step"] == score["step"]
        places = [parts["places"] for parts in one["skills"].values()]
        assert sum(places) == pytest.approx(1, abs=1e-6)
        # The checkpoints are kept in half precision.
        assert total == pytest.approx(score["excess"], rel=0.01)
