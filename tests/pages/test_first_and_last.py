"""The lesson on the first and the last digit, used as a student would."""

import threading
import time

import pytest

from llm.digits.experiment import Experiment
from llm.training.queue import QUEUE
from pages.first_and_last import training as page
from tests.pages.harness import go_to, lesson_called, picture, press, said

TOY = Experiment(
    length=6, num_rows=40, num_test_rows=20, embed_dim=8, num_heads=2, head_dim=4,
    feed_forward_dim=8, epochs=2, batch_size=20,
)


@pytest.fixture
def toy(monkeypatch):
    """Trainings of a toy, whatever sizes are chosen; TensorFlow is loaded before."""
    import keras  # noqa: F401

    monkeypatch.setattr(page, "experiment_input", lambda: TOY)


def test_the_shipped_result_is_there_before_anyone_presses(app):
    figures = {metric.label: metric.value for metric in app.metric}
    assert figures["Always yes"] == "0.5445"
    assert float(figures["Transformer"]) > float(figures["SimpleRNN"])
    assert picture(app, "Share of test rows answered rightly")


def test_nothing_tells_the_answer_before_a_guess(app):
    assert "Yes: nothing" not in said(app)
    app.radio(key="first_and_last_guess").set_value("Nothing at all").run()
    assert "Yes: nothing" in said(app)


@pytest.mark.parametrize("name", ["Transformer", "LSTM", "SimpleRNN"])
def test_a_training_runs_to_its_end_and_says_what_it_reached(
    name, toy, open_lesson, is_whole
):
    app = open_lesson(network=name)
    press(app, "digit_training_main")
    is_whole(app)
    assert app.session_state["digit_training_run"].finished
    assert f"{name}: 0." in said(app)
    assert len(QUEUE) == 0


def test_a_row_of_one_s_own_is_answered_by_the_model_one_trained(toy, app):
    press(app, "digit_training_main")
    assert "reads exactly 6 digits" in said(app)
    press(app, "digits_fit")
    assert "says the one you trained" in said(app)


def test_stop_and_continue(toy, app, monkeypatch):
    run = page.new_run(TOY, "Transformer")
    while not run.tests:
        next(run.reports)
    app.session_state["digit_training_run"] = run
    app.session_state["digit_training_on"] = False
    app.run()
    assert "It is not finished" in said(app)
    press(app, "digit_training_main")
    assert run.finished


def test_the_second_to_come_waits_and_sees_its_place(toy, app, monkeypatch):
    runs, new_run = [], page.new_run
    monkeypatch.setattr(
        page, "new_run", lambda *args: runs.append(new_run(*args)) or runs[-1]
    )
    with QUEUE.place():
        thread = threading.Thread(target=press, args=(app, "digit_training_main"))
        thread.start()
        deadline = time.monotonic() + 50
        while len(QUEUE) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.5)
        assert len(QUEUE) == 2 and not runs[-1].curve, "it did not wait"
    thread.join(60)
    assert runs[-1].finished and len(QUEUE) == 0


def test_coming_back_from_another_lesson_finds_the_training_stopped(toy, app, lesson):
    app.session_state["digit_training_run"] = page.new_run(TOY, "Transformer")
    go_to(app, lesson_called("home"))
    app.session_state["digit_training_on"] = True
    go_to(app, lesson)
    assert not app.session_state["digit_training_on"]
    assert not app.session_state["digit_training_run"].finished


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
