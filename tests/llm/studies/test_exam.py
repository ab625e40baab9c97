"""The figures: a perfect model has no excess, and every figure is its definition."""

import numpy as np
import pytest

from llm.studies.exam import (
    decision_rows,
    evaluate,
    held_out_exam,
    log_probabilities,
    losses,
)
from llm.world import SKILLS, held_out_pairs
from llm.world.words import HELD_OUT


def perfect(an_exam):
    return np.log(np.maximum(an_exam.truth, 1e-30))


def test_a_perfect_model_has_no_excess_and_every_skill(small_exam, tokenizer):
    found = evaluate(small_exam, perfect(small_exam), tokenizer)
    assert found["excess"] == pytest.approx(0.0, abs=1e-5)
    assert found["loss"] == pytest.approx(found["floor"], abs=1e-5)
    for skill, figures in found["skills"].items():
        if skill == "frequency":
            assert figures["accuracy"] is None
            assert figures["divergence"] == pytest.approx(0.0, abs=1e-5)
        else:
            assert figures["accuracy"] == 1.0


def test_a_model_that_knows_nothing_loses_the_logarithm_of_the_vocabulary(
    small_exam, tokenizer
):
    size = len(tokenizer)
    blank = np.full(small_exam.truth.shape, -np.log(size))
    found = evaluate(small_exam, blank, tokenizer)
    assert found["loss"] == pytest.approx(np.log(size), rel=1e-5)
    assert found["excess"] > 3


def test_the_truth_of_an_exam_sums_to_one_and_allows_what_was_said(
    small_exam, tokenizer
):
    np.testing.assert_allclose(small_exam.truth.sum(axis=-1), 1.0, rtol=1e-5)
    row = 0
    for story in small_exam.stories:
        for word in story.tokens[1:]:
            assert small_exam.truth[row, tokenizer.ids[word]] > 0
            row += 1
    assert row == len(small_exam.truth)


def test_the_loss_is_the_mean_surprise_over_many_draws(small_exam):
    """Loss and floor are expectations; drawing words must lead to the same number."""
    rng = np.random.default_rng(0)
    log_q = np.log(0.9 * small_exam.truth + 0.1 / small_exam.truth.shape[1])
    loss, _ = losses(small_exam, log_q)
    rows = rng.integers(0, len(loss), 3000)
    drawn = [
        -log_q[row, rng.choice(log_q.shape[1], p=exact / exact.sum())]
        for row in rows
        for exact in [small_exam.truth[row].astype(float)]
    ]
    assert np.mean(drawn) == pytest.approx(loss[rows].mean(), abs=0.1)


def test_decisions_are_judged_at_the_place_before_the_word(small_exam, tokenizer):
    for row, decision in decision_rows(small_exam):
        exact = small_exam.truth[row]
        answers = tokenizer.ids_of(decision.candidates) or slice(None)
        if decision.skill != "frequency":
            assert exact[answers].max() > 0.8 * exact[answers].sum()


def test_all_skills_are_asked(small_exam):
    assert {d.skill for _, d in decision_rows(small_exam)} == set(SKILLS)


@pytest.mark.parametrize("skill", HELD_OUT)
def test_held_out_exams_hold_a_pair_that_never_met(tokenizer, skill):
    asked = held_out_exam(tokenizer, skill, count=5)
    for story in asked.stories:
        assert story.pairs & held_out_pairs([skill])
        assert any(d.skill == skill for d in story.decisions)


def test_log_probabilities_are_those_of_the_softmax(small_exam):
    rng = np.random.default_rng(0)
    table = rng.normal(0, 2, (400, small_exam.truth.shape[1]))
    log_q = log_probabilities(lambda ids: table[ids], small_exam, batch_size=7)
    np.testing.assert_allclose(np.exp(log_q).sum(axis=-1), 1.0, rtol=1e-6)
    ids = small_exam.inputs[small_exam.filled]
    expected = table[ids] - np.log(np.exp(table[ids]).sum(axis=-1, keepdims=True))
    np.testing.assert_allclose(log_q, expected, atol=1e-6)
