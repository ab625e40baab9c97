"""Many draws at once are the same draws, and their counts behave as chance does."""

import numpy as np
import pytest

from llm.glassbox.sampling import draw
from llm.studies.draws import allowed, counts, deviation, draw_many

SHARES = np.array([0.0, 0.41, 0.0, 0.22, 0.12, 0.25, 0.0])


def test_many_draws_are_the_same_as_one_after_the_other():
    numbers = np.random.default_rng(0).random(500)
    one_by_one = [draw(SHARES, u) for u in numbers]
    np.testing.assert_array_equal(draw_many(SHARES, numbers), one_by_one)


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


def test_the_allowed_shares_stay_between_nothing_and_everything():
    assert allowed(0.0, 10) == (0.0, 0.0)
    assert allowed(1.0, 10) == (1.0, 1.0)
    assert allowed(0.02, 10)[0] == 0.0
