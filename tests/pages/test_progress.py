"""What a student has done: kept, given back, saved and read again, and forgotten."""

import json

import pytest

from pages.ui.progress import (
    BadProgress,
    as_text,
    done_in_words,
    empty,
    name_in,
    of_lesson,
    sound,
)
from tests.pages.harness import lesson_called, opened

GUESS = "heads_guess"


def full():
    """A record with something in every section."""
    return {
        "guesses": {"qkv_guess": "all four", "home_spread": {"mat": 40, "sofa": 5}},
        "answers": {"qkv_check": ["It takes the same from both.", False]},
        "checks": {"1:pairs": [["25", False], ["36", True]]},
        "exercises": {"softmax_row:7": [2, True, 1]},
        "concepts": {"before:softmax": ["one whole", True]},
        "settings": {"own_unit": "words", "own_steps": 300, "own_open": True},
    }


def test_what_is_saved_is_what_is_read():
    assert sound(as_text(full())) == full()
    assert sound(as_text(empty())) == empty()
    assert name_in(as_text(full(), name="Ada")) == "Ada"


@pytest.mark.parametrize("text", [
    "", "{", "[]", "null", "7", '"text"', "{}", '{"course": "another"}',
    '{"course": "transformer-course", "version": 99}', "[" * 100_000,
])
def test_what_is_not_ours_is_refused_in_one_sentence(text):
    with pytest.raises(BadProgress, match=r"^This .*\.$"):
        sound(text)


@pytest.mark.parametrize("section, entry", [
    ("guesses", {"k": 7}), ("guesses", {"k": {"w": 101}}), ("guesses", {"k" * 501: ""}),
    ("answers", {"k": ["a", "yes"]}), ("answers", {"k": ["a", 1]}),
    ("checks", {"k": [["a", True, 3]]}), ("checks", {"k": "a"}),
    ("exercises", {"k": [-1, True, 0]}), ("exercises", {"k": [True, True, 0]}),
    ("concepts", {"k": [None, True]}), ("settings", {"k": []}),
    ("settings", {"k": 1e30}), ("guesses", []),
    ("guesses", {str(n): "a" for n in range(1001)}),
])
def test_a_damaged_part_is_refused(section, entry):
    text = json.dumps(json.loads(as_text(empty())) | {section: entry})
    with pytest.raises(BadProgress, match=section):
        sound(text)


def test_a_very_large_file_is_refused_before_it_is_read():
    with pytest.raises(BadProgress, match="kB"):
        sound(" " * 400_000)


def with_stored(text, stem="queries_keys_values"):
    """A lesson opened in a browser that holds this text."""
    app = opened(lesson_called(stem))
    app.session_state["progress_store"] = {"stored": text}
    return app.run()


def guess_of(app):
    return next(radio for radio in app.radio if radio.key.endswith("_guess"))


def test_a_guess_of_an_earlier_visit_stands_where_it_stood():
    app = opened(lesson_called("queries_keys_values"))
    box = guess_of(app)
    record = empty()
    record["guesses"][f"queries_keys_values/{box.key}"] = box.options[1]
    app = with_stored(as_text(record))
    assert guess_of(app).value == box.options[1]


@pytest.mark.parametrize("text", ["no json", as_text(empty()), '{"course": 1}'])
def test_what_the_browser_holds_can_do_no_harm(text):
    app = with_stored(text)
    assert not app.exception
    assert guess_of(app).value is None


def test_an_option_that_is_gone_is_not_given_back():
    app = opened(lesson_called("queries_keys_values"))
    record = empty()
    name = f"queries_keys_values/{guess_of(app).key}"
    record["guesses"][name] = "an option of last year"
    app = with_stored(as_text(record))
    assert not app.exception and guess_of(app).value is None


def test_a_guess_is_noted_and_can_be_forgotten():
    app = opened(lesson_called("queries_keys_values"))
    box = guess_of(app)
    box.set_value(box.options[0]).run()
    assert app.session_state["progress"]["guesses"][
        f"queries_keys_values/{box.key}"
    ] == box.options[0]
    assert done_in_words("queries_keys_values", app.session_state["progress"])


def test_what_is_done_of_a_lesson_is_said_in_a_few_words():
    record = empty()
    assert done_in_words("heads", record) == ""
    record["guesses"]["heads/heads_guess"] = "a"
    record["answers"]["heads/heads_check"] = ["a", True]
    record["exercises"] = {"head_sizes:1": [1, True, 0], "head_sizes:2": [1, True, 0],
                           "falling_skill:1": [2, False, 0], "score:1": [1, True, 0]}
    assert done_in_words("heads", record) == "guessed, checked, 1 exercise solved"
    assert of_lesson(record, "queries_keys_values") == (0, 0, 1)


def test_home_shows_what_is_done():
    app = opened(lesson_called("home"), home_done="true")
    record = empty()
    record["exercises"]["head_sizes:1"] = [1, True, 0]
    app.session_state["progress"] = record
    app.run()
    table = app.table[0].value
    assert "1 exercise solved" in set(table["Done"])
    assert app.get_by_key("home_forget") is not None
