"""A training that can be left and taken up again."""

import numpy as np
import pytest

from llm.digits.experiment import Experiment
from llm.digits.run import DigitRun

TOY = Experiment(
    length=6, num_rows=40, num_test_rows=20, embed_dim=8, num_heads=2, head_dim=4,
    feed_forward_dim=8, epochs=3, batch_size=20,
)


def test_a_run_that_was_left_learns_what_it_would_have_learned():
    whole, left = DigitRun(TOY), DigitRun(TOY)
    list(whole.reports())
    reports = left.reports()
    while left.step < 2:
        next(reports)
    reports.close()
    assert left.step == 2 and not left.finished and left.state
    values, arrays = left.message()
    elsewhere = DigitRun.from_message(values, arrays)
    list(elsewhere.reports())
    assert elsewhere.finished
    for one, other in zip(whole.weights, elsewhere.weights, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_time_is_counted_on_after_a_pause():
    run = DigitRun(TOY)
    reports = run.reports()
    while run.step < 2:
        next(reports)
    reports.close()
    run.seconds = 100.0
    list(run.reports())
    assert run.finished and 100 < run.seconds < 160


@pytest.mark.parametrize("tests, over", [
    ([0.5, 1.0], False), ([1.0, 1.0], True), ([1.0, 0.99], False), ([], False),
])
def test_a_run_stops_by_itself_once_it_is_right_for_good(tests, over):
    run = DigitRun(TOY)
    run.tests = list(enumerate(tests))
    assert run.right_for_good is over and run.finished is over
