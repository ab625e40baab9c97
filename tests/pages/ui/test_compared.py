"""Verdicts on trainings of two kinds follow from all of them, chance included."""

from itertools import combinations

import pytest

from pages.ui.compared import by_chance, ends_compared, one_split_in

FULL = [0.02, 0.03, 0.025]


@pytest.mark.parametrize("first, second", [(3, 3), (2, 3), (4, 2)])
def test_a_clean_split_by_chance_is_counted(first, second):
    ranks = range(first + second)
    orders = list(combinations(ranks, first))  # which ranks the first kind gets
    clean = {tuple(ranks[:first]), tuple(ranks[second:])}
    assert one_split_in(first, second) == round(len(orders) / len(clean))


def test_the_chance_of_a_split_names_both_counts_and_how_many_were_made():
    assert by_chance(3, 3) == (
        "With 3 trainings of each, chance alone gives such a clean split in about 1 "
        "comparison in 10."
    )
    told = by_chance(2, 3, 7)
    assert "With 2 trainings on one side and 3 on the other, chance" in told
    assert "in about 1 comparison in 5, and 7 were made here." in told


def test_one_twin_is_worse_or_better_only_if_all_its_trainings_are():
    def told(*ends):
        return ends_compared(FULL, {"with one head": ends})

    chance = "With 3 trainings of each, chance alone"
    assert told(0.04, 0.1, 0.05).startswith(
        f"Every training with one head ends worse. {chance}")
    assert told(0.01, 0.019, 0.0).startswith(
        f"Every training with one head ends better. {chance}")
    assert told(0.01, 0.1, 0.1) == (
        "These overlap: no difference beyond chance, but 3 trainings could miss a "
        "small one."
    )
    assert told(0.03, 0.1, 0.1).startswith("These overlap"), "two ended alike"


@pytest.mark.parametrize("full, twin", [(FULL, [0.9]), ([0.02], [0.5, 0.6, 0.7])])
def test_a_single_training_proves_nothing(full, twin):
    told = ends_compared(full, {"with one head": twin})
    assert told.startswith("One training of a kind proves nothing")
    assert "Every" not in told and "overlap" not in told


def test_several_twins_are_told_by_what_became_of_them():
    told = ends_compared(FULL, {
        "with no residual connections": [0.2, 0.3, 0.25],
        "with one block": [0.1, 0.1, 0.1],
        "with fixed waves": [0.01, 0.0, 0.01],
        "with no LayerNorm": [0.01, 0.028, 0.1],
    }, "the full model's")
    assert told == (
        "Every training with no residual connections or with one block ends worse than "
        "each of the full model's. Every training with fixed waves ends better than "
        "each of the full model's. With 3 trainings of each, chance alone gives such a "
        "clean split in about 1 comparison in 10, and 4 were made here. The trainings "
        "with no LayerNorm overlap with the full model's: no difference beyond chance, "
        "but 3 trainings could miss a small one."
    )
