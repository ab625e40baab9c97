"""The teacher's page: paths, links, worksheets with keys, and a class's results."""

import json
from collections import Counter

import pytest

from llm.exercises import KINDS
from pages.teacher.links import address, sections_of, settings_in, whole_link
from pages.teacher.paths import PATHS, minutes_of
from pages.teacher.results import (
    class_table,
    exercise_table,
    idea_table,
    read,
    row_of,
    share_right,
)
from pages.teacher.worksheets import (
    answer_in_words,
    not_on_paper,
    options_in_words,
    paper_kinds,
)
from pages.ui.address import NAMES
from pages.ui.concepts import CONCEPTS
from pages.ui.course import LESSONS, PAGES
from pages.ui.exercise import by_lesson, made
from pages.ui.progress import as_text, empty
from pages.ui.projector import LARGER, enlarged
from tests.pages.harness import (
    find,
    lesson_called,
    opened,
    picture,
    press,
    said,
    sentence,
)

STOPS = [stop for part in PATHS.values() for stops in part for stop in stops]


@pytest.mark.parametrize("name", PATHS)
def test_a_path_fits_into_its_time_and_leaves_some_to_talk(name):
    for stops in PATHS[name]:
        assert 0.7 * 45 <= minutes_of(stops) <= (45 if name == "45 minutes" else 90)


def test_another_seed_goes_on_with_another_word_as_the_path_says():
    stop = next(stop for stop in STOPS if stop.lesson == "next_token")
    assert "change the seed" in stop.wrong
    app = opened(lesson_called("next_token"), **stop.settings)
    press(app, "next_word")
    words = set()
    for seed in range(1, 9):
        find(app, "number_input", "seed").set_value(seed).run()
        words.add(sentence(app, "the cat sat on the **"))
    assert len(words) > 1


def test_every_stop_names_a_page_and_settings_that_it_has():
    for stop in STOPS:
        lesson = lesson_called(stop.lesson)
        files = [lesson.path, *(PAGES / lesson.stem).rglob("*.py"),
                 PAGES / "ui" / "exercise.py"]
        text = "".join(path.read_text(encoding="utf-8") for path in files)
        for setting in stop.settings:
            known = setting in {*NAMES, *sections_of(lesson)} or f'"{setting}"' in text
            assert known, (stop.lesson, setting)
        assert stop.ask and stop.wrong and stop.do


@pytest.mark.parametrize("stop", {s.lesson: s for s in STOPS if s.settings}.values(),
                         ids=lambda stop: stop.lesson)
def test_the_screen_of_a_stop_opens(stop):
    app = opened(lesson_called(stop.lesson), **stop.settings)
    assert not app.exception
    assert not [box for box in app.error if "Nothing you did" in box.value]


def test_a_link_says_the_page_and_its_settings():
    heads = lesson_called("heads")
    assert address(heads) == "/heads"
    assert address(heads, {"head": "2.3", "cut": "a b"}) == "/heads?head=2.3&cut=a+b"
    assert address(LESSONS[0]) == "/"
    assert whole_link(heads).endswith("/heads")


@pytest.mark.parametrize("pasted", [
    "http://localhost:8501/heads?head=2.3&cut=a+b", "/heads?head=2.3&cut=a+b",
    "  https://x.example.org/course/heads?head=2.3&cut=a+b#top ",
])
def test_an_address_that_is_pasted_is_taken_apart(pasted):
    lesson, settings = settings_in(pasted)
    assert lesson.stem == "heads" and settings == {"head": "2.3", "cut": "a b"}


def test_an_address_of_something_else_is_no_lesson():
    assert settings_in("https://example.org/elsewhere")[0] is None
    assert settings_in("http://localhost:8501/")[0] is LESSONS[0]


def test_the_sections_of_a_lesson_are_read_from_its_files():
    assert "scale" in sections_of(lesson_called("queries_keys_values"))
    for key in sections_of(lesson_called("queries_keys_values")):
        app = opened(lesson_called("queries_keys_values"), **{key: "true"})
        assert app.get_by_key(key) is not None


def test_the_link_builder_takes_over_what_was_set_up(open_lesson):
    app = open_lesson(teacher_part="Links")
    box = next(one for one in app.text_input if one.key == "teacher_pasted")
    box.set_value("http://x/heads?head=1.2").run()
    links = [one.value for one in app.text_input if one.key != "teacher_pasted"]
    assert links[0].endswith("/heads?head=1.2")
    box = next(one for one in app.text_input if one.key == "teacher_pasted")
    box.set_value("http://x/nowhere").run()
    assert "not an address" in app.warning[0].value


def test_the_same_number_prints_the_same_sheet_and_its_key(open_lesson):
    sheets = open_lesson(teacher_part="Worksheets", teacher_sheet="7")
    keys = open_lesson(
        teacher_part="Worksheets", teacher_sheet="7", teacher_print="keys"
    )
    kinds = paper_kinds(["queries_keys_values"])[:4]
    for kind in kinds:
        asked = made(kind, 7)
        assert asked.task in said(sheets) and asked.task in said(keys)
        assert asked.solution in said(keys)
        assert asked.solution not in said(sheets)
        assert (answer_in_words(asked) or asked.solution) not in said(sheets)


def test_several_sheets_have_different_numbers(open_lesson):
    app = open_lesson(teacher_part="Worksheets", teacher_sheets="3")
    kind = paper_kinds(["queries_keys_values"])[0]
    assert all(made(kind, seed).task in said(app) for seed in (1, 2, 3))


def test_every_lesson_has_exercises_for_paper_with_their_options():
    for stem in by_lesson():
        assert paper_kinds([stem]), stem
    assert "☐" in options_in_words(made("repair", 1))
    assert options_in_words(made("score", 1)) == ""


def test_what_needs_the_running_model_is_named_and_all_else_is_printed():
    stems = list(by_lesson())
    on_screen = set(KINDS) - set(paper_kinds(stems))
    assert on_screen == {"wrong_start", "reach"}
    assert all(KINDS[kind].title in not_on_paper(stems) for kind in on_screen)
    assert not_on_paper(["why"]) == ""


def test_a_table_to_be_changed_is_printed_with_an_empty_one_beside_it():
    asked = made("edit_table", 1)
    first = asked.fields["table"].start[0][0]
    assert f"| {first} |" in options_in_words(asked)
    assert "|  |  |" in options_in_words(asked)
    assert answer_in_words(asked) == ""


def record(**more):
    found = empty()
    for section, entries in more.items():
        found[section] = entries
    return found


def test_a_class_is_read_from_files_and_bad_ones_are_named():
    good = as_text(record(guesses={"heads/x": "a"}), name="Ada").encode()
    nameless = as_text(empty()).encode()
    records, refused = read([
        ("1.json", good), ("2.json", nameless), ("3.json", b"\xff\xfe"),
        ("4.json", good), ("5.json", b"[]"),
    ])
    assert list(records) == ["Ada", "2", "Ada (2)"]
    assert [line.split(":")[0] for line in refused] == ["3.json", "5.json"]


def test_a_line_says_what_a_student_has_done():
    concepts = {f"before:{key}": ["a", number < 3] for number, key in
                enumerate(CONCEPTS)}
    concepts |= {f"after:{key}": ["a", True] for key in CONCEPTS}
    row = row_of(record(
        concepts=concepts, checks={"1:a": [["x", True]], "1:b": [["x", False]]},
        exercises={"score:1": [3, True, 0], "mask:1": [1, False, 0]},
    ))
    assert row["ideas before"] == 3 and row["gained"] == len(CONCEPTS) - 3
    assert row["questions, first try"] == "1 of 2"
    assert row["kinds of exercise solved"] == 1 and row["tries at exercises"] == 4
    assert share_right([]) == ""


def test_the_tables_of_a_class_count_students():
    one = record(exercises={"score:1": [1, True, 0], "score:2": [2, False, 0]},
                 concepts={"before:qkv": ["a", True]})
    two = record(exercises={"score:1": [4, False, 0]})
    records = {"Ada": one, "Ben": two}
    assert list(class_table(records)["student"]) == ["Ada", "Ben"]
    assert json.loads(class_table(records).to_json())
    line = exercise_table(records).iloc[0]
    assert (line["students"], line["solved"], line["tries"]) == (2, 1, 7)
    assert idea_table(records).iloc[0]["before"] == "1 of 1"
    assert len(exercise_table({"Ada": empty()})) == 0


def test_projector_mode_enlarges_type_and_height_and_no_number():
    part = {"height": 200, "config": {"axis": {"labelFontSize": 12}},
            "datasets": {"rows": [{"size": 1}]}, "encoding": {"y": {"field": "size"}}}
    large = enlarged(part)
    assert large["height"] == 200 * LARGER
    assert large["config"]["axis"]["labelFontSize"] == 12 * LARGER
    assert large["datasets"] == part["datasets"]
    assert large["encoding"] == part["encoding"]


def test_every_lesson_honours_projector_mode():
    usual = picture(opened(lesson_called("home")), "The tiny LLM expects").spec
    app = opened(lesson_called("home"), projector="on")
    large = picture(app, "The tiny LLM expects").spec
    assert Counter(str(usual)) != Counter(str(large))
    assert app.get_by_key("no_print_projector") is not None
    app.get_by_key("no_print_projector").click().run()
    assert picture(app, "The tiny LLM expects").spec == usual


def test_there_are_kinds_enough_for_a_class():
    assert len(KINDS) >= 24
