"""Formulas carry the numbers of the moment, and these add up."""

import re

from pages.ui.latex import added_up, latex_word, number


def test_a_negative_number_stands_in_brackets_and_no_zero_is_negative():
    assert (number(-1.5), number(0.25), number(-0.001)) == ("(-1.50)", "0.25", "0.00")


def test_a_printed_sum_adds_up():
    formula = added_up([3.353, -0.264, 1 / 3], ["a", "b", "c"])
    terms, total = formula.rsplit(" = ", 1)
    shown = [float(part) for part in re.findall(r"-?\d+\.\d+", terms)]
    assert round(sum(shown), 2) == float(total) == 3.42


def test_the_brackets_of_start_are_text():
    assert "<" not in latex_word("<start>")
