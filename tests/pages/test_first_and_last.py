"""The lesson on the first and the last digit, used as a student would."""

import pytest

from llm.digits.experiment import Experiment
from llm.digits.run import DigitRun
from llm.models.shipped import load_record
from llm.training.run import Report
from llm.worker.trainings import TRAININGS
from pages.first_and_last import live
from pages.first_and_last import training as page
from pages.first_and_last.live import what_it_reached, while_it_trains
from pages.ui.charts.trainings import arrivals_in_words
from tests.pages.harness import go_to, lesson_called, picture, press, said

TOY = Experiment(
    length=6, num_rows=40, num_test_rows=20, embed_dim=8, num_heads=2, head_dim=4,
    feed_forward_dim=8, epochs=2, batch_size=20,
)


@pytest.fixture
def toy(monkeypatch):
    """Trainings of a toy, whatever sizes are chosen."""
    for module in (page, live):
        monkeypatch.setattr(module, "chosen_experiment", lambda: TOY)


def test_every_shipped_training_is_drawn_and_counted(open_lesson):
    app = open_lesson(shown="first_and_last_guess")
    models = load_record("first_and_last")["models"]
    rows = picture(app, "Share of test rows answered correctly").rows
    dots = rows[rows["kind"] == "dot"]
    for name, found in models.items():
        expected = sum(len(draw["tests"]) for draw in found["draws"])
        assert (dots["series"] == name).sum() == expected
    assert arrivals_in_words(models) in said(app)


def test_nothing_tells_the_answer_before_a_guess(app):
    assert "0.5445" not in said(app)
    app.radio(key="first_and_last_guess").set_value("Most of it").run()
    assert "Not quite." in said(app) and "0.5445" in said(app)


@pytest.mark.parametrize("name", ["Transformer", "LSTM", "SimpleRNN"])
def test_a_training_runs_to_its_end_and_says_what_it_reached(
    name, toy, open_lesson, is_whole
):
    app = open_lesson(network=name)
    press(app, "digit_model_main")
    is_whole(app)
    assert app.session_state["digit_model_run"].finished
    assert f"the {name} is right on 0." in said(app)
    assert len(TRAININGS) == 0


def test_a_row_of_one_s_own_is_answered_by_the_model_one_trained(toy, app):
    press(app, "digit_model_main")
    assert "reads 6 digits, so your row of 30 was cut to fit" in said(app)
    assert "says the one you trained" in said(app)
    app.text_input(key="digits").set_value("12").run()
    assert "reads exactly 6 digits" in said(app)
    press(app, "digits_fit")
    assert "says the one you trained" in said(app)


def test_a_row_with_a_zero_is_refused_as_no_training_row_has_one(app):
    app.text_input(key="digits").set_value("0" * 30).run()
    assert "`0` cannot be read" in said(app)


def test_a_run_that_was_stopped_has_no_verdict_and_goes_on(toy, app):
    run = DigitRun(TOY)
    run.take(Report(2, 1.0, 0.7, 0.5, found={"right": 0.5}, state=("s",)))
    run.keep(())
    run.step = 0
    app.session_state["digit_model_run"] = run
    assert "It is not finished" in said(app.run())
    press(app, "digit_model_main")
    assert app.session_state["digit_model_run"].finished


def test_what_was_trained_before_is_marked_as_old(toy, app):
    app.session_state["digit_model_run"] = DigitRun(TOY, "LSTM")
    assert "Below is the LSTM on rows of 6 digits" in said(app.run())


@pytest.mark.parametrize("tests, answer", [
    ([1.0, 1.0], "stopped by itself"), ([0.5, 0.995], "learned the task"),
    ([0.5, 0.55], "found nothing that helps"), ([0.5, 0.8], "learned a part"),
])
def test_a_finished_run_gets_a_verdict(tests, answer):
    run = DigitRun(TOY)
    run.step, run.tests = run.num_steps, list(enumerate(tests))
    assert answer in what_it_reached(run, 0.5445)


def test_a_plateau_is_called_normal_while_it_lasts():
    run = DigitRun(TOY)
    run.tests = [(2, 0.55)]
    assert "That is normal" in while_it_trains(run, 0.5445)
    run.tests.append((4, 0.9))
    assert "That is normal" not in while_it_trains(run, 0.5445)


def test_coming_back_from_another_lesson_finds_the_training_stopped(toy, app, lesson):
    app.session_state["digit_model_run"] = DigitRun(TOY)
    go_to(app, lesson_called("home"))
    app.session_state["digit_model_on"] = True
    go_to(app, lesson)
    assert not app.session_state["digit_model_on"]
    assert not app.session_state["digit_model_run"].finished


@pytest.mark.parametrize("typed, answer", [
    ("", "here are 0"), ("123", "add 27"), ("1" * 31, "take 1 away"),
    ("12a" + "1" * 27, "`a`"), ("١٢٣", "`١`"), ("1e5", "`e`"), ("-1", "`-`"),
])
def test_a_row_that_does_not_fit_is_named(typed, answer, app, is_whole):
    app.text_input(key="digits").set_value(typed).run()
    is_whole(app)
    assert answer in said(app)


def test_the_ends_can_be_made_alike_and_different(app):
    press(app, "ends_differ")
    row = app.text_input(key="digits").value
    assert len(row) == 30 and row[0] != row[-1]
    press(app, "ends_same")
    row = app.text_input(key="digits").value
    assert row[0] == row[-1]


def test_the_parameters_add_up_to_14049(open_lesson):
    app = open_lesson(parameters="true")
    app.session_state["parameters"] = True
    app.run()
    assert "14,049" in str(app.table[0].value)
