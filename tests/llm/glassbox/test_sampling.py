"""Sampling: from logits to one token."""

import numpy as np
import pytest

from llm.glassbox import sampling
from llm.glassbox.softmax import softmax

PROBABILITIES = np.array([0.05, 0.4, 0.1, 0.3, 0.15])


def test_greedy_takes_the_likeliest():
    np.testing.assert_array_equal(sampling.greedy(np.array([1, 3, 2])), [0, 1, 0])


def test_temperature_zero_is_greedy():
    logits = np.array([1.0, 3.0, 2.0])
    np.testing.assert_array_equal(sampling.with_temperature(logits, 0), [0, 1, 0])


def test_temperature_one_is_softmax():
    logits = np.array([1.0, 3.0, 2.0])
    np.testing.assert_allclose(sampling.with_temperature(logits, 1), softmax(logits))


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_top_k_keeps_the_k_likeliest_in_proportion(k):
    kept = sampling.top_k(PROBABILITIES, k)
    likeliest = sorted(range(5), key=lambda token: -PROBABILITIES[token])[:k]
    assert set(np.flatnonzero(kept)) == set(likeliest)
    together = PROBABILITIES[likeliest].sum()
    np.testing.assert_allclose(kept[likeliest], PROBABILITIES[likeliest] / together)


def test_of_equal_tokens_top_k_keeps_exactly_k():
    np.testing.assert_allclose(sampling.top_k(np.full(4, 0.25), 2), [0.5, 0.5, 0, 0])


def top_p_by_loops(probabilities, p):
    kept, together = [], 0.0
    for token in sorted(range(len(probabilities)), key=lambda i: -probabilities[i]):
        kept.append(token)
        together += probabilities[token]
        if together > p - 1e-9:
            return kept
    return kept


@pytest.mark.parametrize("p", [1e-9, 0.39, 0.4, 0.41, 0.7, 0.71, 0.85, 0.999])
def test_top_p_is_its_definition(p):
    kept = sampling.top_p(PROBABILITIES, p)
    assert set(np.flatnonzero(kept)) == set(top_p_by_loops(PROBABILITIES, p))
    np.testing.assert_allclose(kept.sum(), 1)


def test_top_p_keeps_at_least_one_token():
    kept = sampling.top_p(PROBABILITIES, 1e-300)
    np.testing.assert_array_equal(kept, [0, 1, 0, 0, 0])


def test_rounding_adds_no_token_to_top_p():
    # In floating point .7 + .1 is a hair below .8.
    kept = sampling.top_p(np.array([0.7, 0.1, 0.1, 0.1]), 0.8)
    assert np.count_nonzero(kept) == 2


def test_top_p_of_one_cuts_nothing():
    rare = np.array([1 - 1e-15, 1e-15])
    np.testing.assert_array_equal(sampling.top_p(rare, 1), rare)


def test_top_p_looks_at_what_top_k_left():
    # Of .4 and .3, the first is .57 of what is left: alone it reaches one half.
    kept = sampling.cut(PROBABILITIES, k=2, p=0.5)
    np.testing.assert_array_equal(kept, [0, 1, 0, 0, 0])


def test_cutting_nothing_changes_nothing():
    np.testing.assert_array_equal(sampling.cut(PROBABILITIES), PROBABILITIES)


def draw_by_loops(probabilities, u):
    border = 0.0
    for token, probability in enumerate(probabilities):
        border += probability
        if u < border:
            return token


@pytest.mark.parametrize("u", [0.0, 0.04, 0.05, 0.449, 0.45, 0.55, 0.84, 0.851, 0.999])
def test_draw_is_its_definition(u):
    assert sampling.draw(PROBABILITIES, u) == draw_by_loops(PROBABILITIES, u)


@pytest.mark.parametrize("u", [0.0, 0.5, np.nextafter(1, 0)])
def test_a_token_without_probability_is_never_drawn(u):
    assert sampling.draw(np.array([0, 0, 1, 0]), u) == 2


@pytest.mark.parametrize("total", [1 - 1e-12, 1 + 1e-12])
def test_rounding_at_the_end_of_the_line_does_no_harm(total):
    probabilities = np.array([0.5, 0.5, 0.0]) * total
    assert sampling.draw(probabilities, np.nextafter(1, 0)) == 1


def test_many_draws_are_as_frequent_as_they_should_be():
    numbers = np.random.default_rng(0).random(20_000)
    drawn = [sampling.draw(PROBABILITIES, u) for u in numbers]
    shares = np.bincount(drawn, minlength=5) / len(drawn)
    # Four standard deviations of a share from 20,000 draws.
    np.testing.assert_allclose(shares, PROBABILITIES, atol=4 * 0.5 / 20_000**0.5)


@pytest.mark.parametrize("settings, rule", [
    ({"temperature": -1.0}, "temperature must be a number from 0 upwards, not -1.0"),
    ({"temperature": float("nan")}, "not nan"),
    ({"temperature": float("inf")}, "not inf"),
    ({"top_k": 0}, "Top-k must be from 1 to 5, .* not 0"),
    ({"top_k": 6}, "not 6"),
    ({"top_p": 0.0}, "Top-p must be above 0 and at most 1, not 0.0"),
    ({"top_p": 7.0}, "not 7.0"),
    ({"top_p": float("nan")}, "not nan"),
])
def test_a_setting_without_meaning_is_refused(settings, rule):
    with pytest.raises(sampling.UnsoundSetting, match=rule):
        sampling.Sampling(**settings).check(5)


@pytest.mark.parametrize("settings", [
    {"temperature": 0}, {"temperature": 1e308}, {"top_k": 1}, {"top_k": 5},
    {"top_p": 1e-9}, {"top_p": 1},
])
def test_an_extreme_setting_with_a_meaning_is_accepted(settings):
    sampling.Sampling(**settings).check(5)
