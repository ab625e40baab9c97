"""What is said about the training follows from the figures."""

import re

import numpy as np
import pytest

from llm.models.shipped import load_record
from llm.models.twins import TWINS
from pages.training.measures import Step, said_and_possible, shares_of_shortfall
from pages.training.twins import (
    PEEKING,
    WORDS,
    found_in_words,
    peeking_in_words,
    shown,
)
from pages.training.words import (
    MAY_COME,
    batch_sizes_in_words,
    draws_in_words,
    floors_in_words,
    jump_in_words,
    last_replies,
    loss_meanwhile,
    map_in_words,
    mean_by_hand,
    optimisers_in_words,
    order_in_words,
    said_again_in_words,
    shortfall_in_words,
    stands_in_words,
    step_in_words,
    surprise_by_hand,
    weight_by_hand,
)


def record(step, accuracy, loss=1.0):
    return {"step": step, "loss": loss, "skills": {"a": {"accuracy": accuracy}}}


def numbers_in(text):
    return [float(n) for n in re.findall(r"-?\d+\.?\d*", text)]


def test_each_size_of_a_batch_is_named_once():
    assert batch_sizes_in_words(
        {"batch_size": 16, "last_batch_size": 64}
    ) == "16, later 64"
    for last in (0, 16):
        schedule = {"batch_size": 16, "last_batch_size": last}
        assert batch_sizes_in_words(schedule) == "16"


def test_floor_and_what_is_left_add_up_to_the_loss_that_is_printed():
    for floor, excess in ((0.7966, 0.0506), (0.79546, 0.00128)):
        text = stands_in_words({"step": 7, "floor": floor, "excess": excess})
        _, loss, printed, left = numbers_in(text)
        assert loss == pytest.approx(printed + left)
        assert f"{floor:.5f}".startswith(str(printed)[:5])


@pytest.mark.parametrize("loss", [6.146, 0.0004, 3.4219, 12.3])
def test_a_pocket_calculator_gets_the_printed_surprise(loss):
    text = surprise_by_hand(float(np.exp(-loss)), loss, "the")
    probability, result = numbers_in(text)[-2:]
    assert round(-np.log(probability), 2) == pytest.approx(result)


def test_the_printed_sum_divided_is_the_printed_mean():
    losses = np.random.default_rng(0).uniform(0, 7, 16)
    total, count, mean = numbers_in(mean_by_hand(losses))
    assert round(total / count, 2) == mean


def test_the_printed_step_of_a_weight_adds_up():
    step = Step(None, None, "a", 1, 0.10791, -0.33155, 0.0, 1.0)
    before, rate, slope, after = numbers_in(weight_by_hand(step, 0.1))
    assert round(before - rate * slope, 3) == after


def test_a_step_that_does_harm_is_said_to():
    assert "falls from 2.00 to 1.00" in step_in_words(2.0, 1.0, 10)
    assert "rises from 1.00 to 2.00" in step_in_words(1.0, 2.0, 10)


def test_how_a_skill_rose_is_told_by_two_figures_and_no_verdict():
    told = jump_in_words((record(0, 0.2), record(10, 0.9)), "a")
    assert told == "A rose most from step 0, with 20% right, to step 10, with 90%."


def test_muon_is_named_only_where_it_trained():
    assert "Muon" in optimisers_in_words({"muon": True})
    assert "Muon" not in optimisers_in_words({"muon": False})


def test_how_the_stories_were_drawn_is_told_only_if_it_was_not_freely():
    free = {"num_strata": 0, "thrice": [], "at_decision": 0.0}
    assert draws_in_words(free) == ""
    assert "dealt like cards" in draws_in_words(free | {"num_strata": 9})
    often = draws_in_words(free | {"thrice": ["order", "category"]})
    assert "order and category were read three times as often" in often
    # 14% of the stories, drawn thrice: of 86% that are left, 58% are drawn.
    assert "counted a third and each of the others 1.48" in often
    assert "cards" not in often and "The one word" not in often
    assert draws_in_words(free | {"at_decision": 4.0}) == ""
    emphasised = draws_in_words(free | {"thrice": ["order"], "at_decision": 4.0})
    assert "counted 4, and not a third" in emphasised


def test_only_a_small_change_of_the_loss_is_called_small():
    assert "only" in loss_meanwhile((record(0, 0.2, 1.0), record(10, 0.9, 0.95)))
    assert "only" not in loss_meanwhile((record(0, 0.2, 2.0), record(10, 0.9, 0.95)))
    assert "rose" in loss_meanwhile((record(0, 0.2, 1.0), record(10, 0.9, 1.1)))


def test_skills_that_came_together_are_named_together():
    assert "a and b by step 10; c by step 20" in order_in_words(
        {"a": 10, "b": 10, "c": 20}
    )
    assert "never: c" in order_in_words({"a": 10, "c": None})


def test_each_guess_is_answered_by_what_comes_last():
    replies = last_replies({"a": 10, "b": 20, "c": 30}, ["b", "c"])
    assert "Later still: *b* and *c*" in replies["a"]
    assert "another bound" in replies["b"] and "*c*" in replies["b"]
    assert "from step 30 on" in replies["c"]


def test_why_neighbours_of_one_kind_get_fewer_is_only_guessed():
    beside = {0: 0.1, 300: 0.9, 900: 0.6}
    told = map_in_words(0, beside, 0.1, (0.5, 1.0))
    assert "from 50% to 100%" in told and "It may be" in told
    assert "highest" not in map_in_words(0, {0: 0.1, 900: 0.9}, 0.1, (0.5, 1.0))


def test_the_floor_of_the_world_is_said_where_it_was_measured():
    score = {"floor": 0.797, "num_tokens": 24561}
    without = floors_in_words(score, [1, 0, 0, 0])
    assert "25%" in without and "0.797" in without
    world = {"nats": 0.807, "spread": 0.0006, "stories": 100_000}
    told = floors_in_words(score, [1, 0], world)
    assert "0.8070, with a standard error of 0.0006" in told


def runs(*excesses):
    return [
        {"scores": [{"excess": excess, "skills": {"a": {"accuracy": 1 - excess}}}]}
        for excess in excesses
    ]


def test_what_is_said_of_a_twin_follows_from_all_its_trainings():
    assert set(WORDS) == set(TWINS) - {"full"}
    once = found_in_words("one head", runs(0.02), runs(0.9), ["a"])
    assert "One training of a kind proves nothing" in once
    assert "beyond chance" not in once and "clean split" not in once
    same = found_in_words("one head", runs(0.02, 0.03), runs(0.025, 0.9), ["a"])
    assert "no difference beyond chance, though 2 trainings could miss" in same
    assert "do not test this" in same
    worse = found_in_words("one head", runs(0.02, 0.03), runs(0.5, 0.9), ["a"])
    assert "ends above each" in worse
    assert "a (10% to 50% instead of 97% to 98%)" in worse
    assert "in about 1 comparison in 3, and 2 were made here." in worse
    better = found_in_words("one head", runs(0.2, 0.3), runs(0.1, 0.15), ["a"])
    assert "ends below each" in better
    by_the_loss_alone = found_in_words("one head", runs(0.2, 0.3), runs(0.1, 0.15), [])
    assert "ends below each" in by_the_loss_alone
    assert "in about 1 comparison in 3." in by_the_loss_alone


def test_the_small_network_is_called_as_in_the_lesson_on_blocks():
    once = found_in_words("one layer", runs(0.02), runs(0.9), ["a"])
    assert once.startswith("**One block**: the network has one block")
    assert shown("one head") == "one head"


def test_the_twin_that_peeks_is_held_against_the_exact_floor():
    twins = load_record("twins")["twins"]
    last = twins["full"]["scores"][-1]
    peeking = twins[PEEKING]["curve"][-1][1]
    assert peeking < last["floor"], "it beats what nobody can beat"
    told = peeking_in_words(peeking, {"loss": 9.5}, last, 300)
    assert "ln 300 = 5.70" in told
    assert "**9.50**" in told and f"{peeking:.3f}" in told


def test_the_shares_of_what_is_wrong_are_printed_so_that_they_add_up():
    skills = {
        "a": {"places": 0.75, "impossible": 2.0, "possible": 3.0},
        "b": {"places": 0.25, "impossible": 1.0, "possible": 1.0},
    }
    parts = shares_of_shortfall(dict(reversed(skills.items())))
    assert list(parts) == ["a", "b"]
    assert sum(part.all for part in parts.values()) == pytest.approx(1, abs=1e-9)
    told = shortfall_in_words(parts, 0.5)
    # Most of it lies in the stories of `a`, but these are also most of the exam.
    assert "Word for word, stories of *b* are furthest" in told
    assert "25.0% of the words, and **28.6%** of what is above the floor" in told
    assert "42.9% is for words that cannot come" in told and "50% goes" in told


def test_of_a_list_the_word_is_named_that_is_expected_most_to_come_again():
    possible = {"z": 0.5, "w": 0.3, ".": 0.2}
    model = {"x": 0.1, "y": 0.2, "z": 0.3, "w": 0.1, ".": 0.3}
    truth, given = (
        said_and_possible(["x", "y"], distribution, possible)
        for distribution in (possible, model)
    )
    assert truth == pytest.approx({"x": 0.0, "y": 0.0, MAY_COME: 0.4})
    assert given == pytest.approx({"x": 0.1, "y": 0.2, MAY_COME: 0.2})
    told = said_again_in_words(["x", "y"], given, truth)
    assert "gives most to `y`: 20%. A word that may come gets 20% on average" in told
    assert "By the rules it is 0% and 40%" in told
