"""Figures are written alike everywhere, and what is printed adds up."""

import numpy as np
import pytest

from pages.ui.words import (
    about_time,
    change_of,
    counted,
    in_a_row,
    listed,
    percent,
    places_that_agree,
    rounded_sum,
    signed,
)


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0, "0%"), (0.0004, "under 0.1%"), (0.001, "0.1%"), (0.093, "9.3%"),
        (0.0994, "9.9%"), (0.0996, "10%"), (0.41, "41%"), (0.994, "99%"),
        (0.996, "99.6%"), (0.9996, "over 99.9%"), (1, "100%"),
    ],
)  # fmt: skip
def test_a_share_is_written_as_a_reader_likes_it(share, written):
    assert percent(share) == percent(np.float32(share)) == written


def test_only_all_is_100_percent_and_only_nothing_is_0_percent():
    for share in np.linspace(1e-6, 1 - 1e-6, 5000):
        assert percent(share) not in ("0%", "0.0%", "100%", "100.0%")


def test_a_change_too_small_to_print_is_none():
    assert change_of(0.41, 0.2) == "goes from 41% to 20%"
    assert change_of(0.41, 0.2, "**") == "goes from **41%** to **20%**"
    assert change_of(0.9999, 0.9998) == "stays at over 99.9%"
    assert change_of(0.41, 0.4102, say="{:.2f}".format) == "stays at 0.41"


def test_a_sign_is_as_long_for_minus_as_for_plus():
    assert (signed(0.25), signed(-0.25), signed(-0.001)) == ("+0.25", "−0.25", "0.00")


@pytest.mark.parametrize(("seconds", "written"), [
    (20, "about 1 minute"), (290, "about 5 minutes"), (4767, "about 80 minutes"),
    (7100, "about 120 minutes"), (7200, "about 2 hours"), (10_000, "about 3 hours"),
])
def test_a_time_is_rounded_and_says_so(seconds, written):
    assert about_time(seconds) == written


def test_one_thing_is_not_several():
    assert counted(1, "word") == "1 word"
    assert counted(1000, "word") == "1,000 words"
    assert counted(2, "class", "classes") == "2 classes"


def test_what_is_printed_adds_up_to_what_is_printed():
    rng = np.random.default_rng(0)
    for places in (1, 2, 3):
        for _ in range(200):
            parts = rng.normal(size=rng.integers(1, 9))
            shown = rounded_sum(parts, places)
            assert shown.sum() == pytest.approx(np.round(parts.sum(), places))
            assert (abs(shown - parts) < 10.0**-places).all()


def test_a_third_twice_is_two_thirds():
    assert list(rounded_sum([1 / 3, 1 / 3])) == [0.34, 0.33]


def test_a_product_gets_the_digits_that_a_pencil_needs():
    a, b = 10.951, 0.2034
    digits = places_that_agree(np.multiply, a, b)
    assert digits > 2
    assert round(round(a, digits) * round(b, digits), 2) == round(a * b, 2)
    assert places_that_agree(np.multiply, 2.0, 0.5) == 2


def test_a_list_ends_with_and():
    assert in_a_row([]) == ""
    assert in_a_row(["a"]) == "a"
    assert in_a_row("abc") == "a, b and c"
    assert listed(["mat", "b`x"]) == "`mat` and `b'x`"
