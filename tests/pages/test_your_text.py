"""The lesson on one's own text, used as a student would."""

import threading
import time

import pytest

from llm.own_text.training import Plan
from llm.training.queue import QUEUE
from pages.your_text import text as page
from tests.pages.harness import press, said

TOY = Plan(embed_dim=8, num_layers=1, context_length=8, num_steps=3, batch_size=2)


@pytest.fixture
def toy(monkeypatch):
    """Trainings of a toy, whatever sizes are chosen; TensorFlow is loaded before."""
    import keras  # noqa: F401

    monkeypatch.setattr(page, "plan_input", lambda: TOY)


def upload(app, data):
    app.file_uploader(key="own_file").set_value(("a.txt", data, "text/plain")).run()


def trained(open_lesson, **address):
    app = open_lesson(**address)
    press(app, "text_training_main")
    return app


def test_a_text_and_what_counting_makes_of_it_are_there_at_once(app):
    assert app.text_area(key="own_words").value == page.default_text()
    assert len(app.text[0].value) == 120
    assert not app.get_by_key("text_training_main").disabled


@pytest.mark.parametrize("unit", ["characters", "words"])
def test_after_a_training_one_s_own_model_is_there(unit, toy, open_lesson, is_whole):
    app = trained(open_lesson, own_unit=unit)
    is_whole(app)
    for heading in ("Your own model", "Against counting pairs", "Take it home"):
        assert heading in [one.value for one in app.header]
    assert "By heart" in said(app) and "Made up" in said(app)
    assert len(QUEUE) == 0


def test_every_control_of_one_s_own_model_moves_to_both_ends(
    toy, open_lesson, is_whole
):
    app = trained(open_lesson)
    for key in ("own_temperature", "own_count"):
        for end in (app.slider(key=key).min, app.slider(key=key).max):
            app.slider(key=key).set_value(end).run()
            is_whole(app)
    for start in ("", "qqq \U0001f40c", "Olga " * 40, "**bold** <b>"):
        app.text_input(key="own_start").set_value(start).run()
        is_whole(app)
    for section in ("own_attention", "own_source", "own_code", "own_losses_table"):
        app.session_state[section] = True
    app.run()
    is_whole(app)


def test_what_one_s_own_model_cannot_read_is_named(toy, open_lesson):
    app = trained(open_lesson)
    app.text_input(key="own_start").set_value("\U0001f40c snail").run()
    assert "Your text has no `\U0001f40c`" in said(app)


@pytest.mark.parametrize("bad", ["", "too short", "a" * 2000])
def test_a_text_that_teaches_nothing_cannot_be_trained_on(bad, app, is_whole):
    app.text_area(key="own_words").set_value(bad).run()
    is_whole(app)
    assert "This text has" in said(app)
    assert app.get_by_key("text_training_main").disabled


def test_a_huge_text_is_cut_and_still_answers(app, is_whole):
    app.text_area(key="own_words").set_value("the cat sat . " * 50_000).run()
    is_whole(app)
    assert not app.get_by_key("text_training_main").disabled


@pytest.mark.parametrize("data, answer", [
    (b"\x89PNG\r\n\x1a\n\x00\x01", "not plain text"),
    (b"\xff\xfe\xfa\xfb", "not plain text"),
    ("words".encode("utf-16"), "not plain text"),
])
def test_a_binary_file_is_refused_in_a_sentence(data, answer, app, is_whole):
    upload(app, data)
    is_whole(app)
    assert answer in said(app)
    assert app.text_area(key="own_words").value == page.default_text()


def test_a_text_file_goes_into_the_box(open_lesson, is_whole):
    app, words = open_lesson(), "The owl counts the stars. " * 40
    upload(app, words.encode())
    is_whole(app)
    assert app.text_area(key="own_words").value == words


def test_stop_keeps_what_was_learned_and_continue_goes_on(toy, app):
    text = page.studied(page.default_text(), "characters")[0]
    run = page.new_run(text, TOY)
    next(run.reports)
    app.session_state["text_training_run"] = run
    app.session_state["text_training_on"] = False
    app.run()
    assert "By heart" in said(app) and not run.finished
    press(app, "text_training_main")
    assert run.finished


def test_the_second_to_come_waits_for_the_first(toy, app, monkeypatch):
    runs, new_run = [], page.new_run
    monkeypatch.setattr(
        page, "new_run", lambda *args: runs.append(new_run(*args)) or runs[-1]
    )
    with QUEUE.place():
        thread = threading.Thread(target=press, args=(app, "text_training_main"))
        thread.start()
        deadline = time.monotonic() + 50
        while len(QUEUE) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.5)
        assert len(QUEUE) == 2 and not runs[-1].curve, "it did not wait"
    thread.join(60)
    assert runs[-1].finished and len(QUEUE) == 0
