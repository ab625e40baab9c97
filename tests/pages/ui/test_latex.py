"""Formulas carry the numbers of the moment, and these add up."""

import re

import numpy as np

from pages.ui.latex import (
    added_up,
    cosine_by_hand,
    dot_product,
    latex_word,
    number,
    sum_of_heads_by_hand,
    trimmed,
    weight,
)


def test_a_negative_number_stands_in_brackets_and_no_zero_is_negative():
    assert (number(-1.5), number(0.25), number(-0.001)) == ("(-1.50)", "0.25", "0.00")


def test_a_printed_sum_adds_up():
    formula = added_up([3.353, -0.264, 1 / 3], ["a", "b", "c"])
    terms, total = formula.rsplit(" = ", 1)
    shown = [float(part) for part in re.findall(r"-?\d+\.\d+", terms)]
    assert round(sum(shown), 2) == float(total) == 3.42


def test_a_printed_cosine_multiplies_and_divides_as_printed():
    rng = np.random.default_rng(0)
    for one, other in rng.normal(0, 0.3, (300, 2, 64)):
        formula = cosine_by_hand(one, other + one)
        above, below, cosine = re.search(
            r"= \\frac\{(-?[\d.]+)\}\{([\d.]+)\} = (-?[\d.]+)$", formula).groups()
        first, second = re.search(r"([\d.]+) \\cdot ([\d.]+)\} =", formula).groups()
        half_a_step = 0.5 * 10 ** -len(below.split(".")[1]) + 1e-9
        assert abs(float(first) * float(second) - float(below)) <= half_a_step
        assert abs(float(above) / float(below) - float(cosine)) <= 0.005 + 1e-9


def test_the_parts_of_the_heads_add_up_as_they_are_printed():
    formula = sum_of_heads_by_hand([-7.6204, -2.5904, 0.3254, -0.7774], -0.2404)
    terms, total = formula.rsplit(" = ", 1)
    shown = [float(part) for part in re.findall(r"-?\d+\.\d+", terms)]
    assert round(sum(shown), 3) == float(total) == -10.903
    assert sum_of_heads_by_hand([0.3, -0.1, -0.2], 0.0).endswith(" = 0.000")
    assert r" + \underbrace{0.325}_{h_3} + \underbrace{(-0.77" in formula


def test_the_brackets_of_start_are_text():
    assert "<" not in latex_word("<start>")


def test_scores_and_weights_are_written_with_their_own_numbers():
    assert dot_product([1, 0.5], [2, -1], ("a", "b"), short=True) == (
        r"q_{\text{a}} \cdot k_{\text{b}} = 1 \cdot 2 + 0.5 \cdot (-1) = 1.5"
    )
    assert [trimmed(number) for number in (0, -0.0001, 0.625, 12)] == [
        "0", "0", "0.625", "12"
    ]
    scores = np.array([0.0, 1.0, -np.inf])
    assert weight(scores, ["a", "b", "c"], 1, "b") == (
        r"w(\text{b} \to \text{b}) = \frac{e^{1}}{e^{0} + e^{1}}"
        r" = \frac{2.72}{3.72} = 0.73"
    )
    large = weight(np.array([20.0, 19.0]), ["a", "b"], 1, "b")
    assert r"\frac{e^{-1}}{e^{0} + e^{-1}} = \frac{0.368}{1.37}" in large
