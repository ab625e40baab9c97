"""Every kind of exercise: its marked answer is right, and mistakes are told apart."""

import math
import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from llm import TinyLLM
from llm.exercises import KINDS, Models, make, read_number
from llm.exercises.exercise import Mark, Number, OneOf, Order, Several
from llm.exercises.queries_keys_values import FAULTS, LINES
from llm.glassbox.attention import attend, causal_mask
from tests.llm.exercises import definitions

SEEDS = range(1, 201)
SENTENCE = tuple("the cat sat on the mat all day . it was happy".split())
# Marked by a rule, as more than one answer is right; their tests stand below.
OPEN = {"edit_table", "spread", "wrong_start", "reach"}
# Looked up in a record, in a list of facts, or executed: tests of their own.
BY_OTHER_MEANS = {"falling_skill", "which_family", "repair"}
DEFINED = set(KINDS) - OPEN - BY_OTHER_MEANS


class Remembering(TinyLLM):
    """The tiny LLM, but what it was asked once it does not compute again."""

    def _run(self, token_ids, ablation):
        known = vars(self).setdefault("known", {})
        asked = str((token_ids, ablation))
        if asked not in known:
            if len(known) > 50:  # an exercise asks a handful of times
                known.clear()
            known[asked] = super()._run(token_ids, ablation)
        return known[asked]


@pytest.fixture(scope="module")
def models():
    """The shipped models, opened once."""
    from llm.models.encoder_twin import load_encoder
    from llm.models.shipped import load_record
    from llm.world import World, held_out_pairs
    from pages.first_and_last.training import shipped_model

    return Models(
        Remembering.load(), World(held_out_pairs()), cache(load_encoder), shipped_model,
        cache(load_record),
    )


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    """Each kind once: all tests of one kind run together and share its exercises."""
    return request.param


@pytest.fixture(scope="module")
def exercises(kind, models):
    """200 exercises of a kind."""
    return [make(kind, models, seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def some(models):
    """A function from a kind to a few exercises of it."""
    return cache(lambda kind: [make(kind, models, seed) for seed in range(1, 31)])


def same(one, other):
    if isinstance(one, str):
        return one == other
    if isinstance(one, (list, tuple)):
        return list(one) == list(other)
    return math.isclose(one, other, abs_tol=1e-6)


def test_the_marked_answer_is_right_and_that_of_the_definition(kind, exercises):
    for exercise in exercises:
        assert exercise.mark(exercise.answer).right
        if kind in DEFINED:
            wanted = getattr(definitions, kind)(exercise.given)
            if isinstance(wanted, list):
                wanted = dict(zip(exercise.answer, wanted, strict=True))
            assert wanted.keys() == exercise.answer.keys()
            for name, value in wanted.items():
                assert same(exercise.answer[name], value), (name, exercise.task)


def test_common_mistakes_are_wrong_and_each_gets_its_own_sentence(kind, exercises):
    for exercise in exercises:
        assert exercise.mistakes, exercise.task
        for mistake in exercise.mistakes:
            mark = exercise.mark(exercise.filled(mistake))
            assert mark == Mark(False, mistake.said), (kind, mistake)


def test_seeds_give_different_exercises_and_the_same_seed_the_same(
    kind, exercises, models
):
    # A table to edit, heads with a clear fall, and errors of a model that is rarely
    # wrong, leave few choices.
    least = {"edit_table": 6, "wrong_start": 10, "falling_skill": 6, "order_steps": 100,
             "spread": 5, "loss_floor": 5, "head_sizes": 15, "block_parameters": 15}
    tasks = {exercise.task + str(exercise.fields) for exercise in exercises}
    assert len(tasks) >= least.get(kind, 60), len(tasks)
    assert make(kind, models, 7).task == exercises[6].task


def test_nothing_before_a_try_says_the_answer(kind, exercises):
    for exercise in exercises[:50]:
        before = " ".join([exercise.task, *exercise.hints])
        assert exercise.solution not in before
        for name, field in exercise.fields.items():
            answer = exercise.answer[name]
            if isinstance(field, Number) and field.tolerance and answer >= 0:
                shown = f"{answer:.3f}"
                if not shown.endswith("0") and kind not in OPEN:
                    assert shown not in before, (kind, name)


def test_what_is_asked_can_be_answered(kind, exercises):
    for exercise in exercises[:50]:
        assert len(exercise.hints) >= 2
        assert exercise.solution.strip() and exercise.task.strip()
        assert list(exercise.fields) == list(exercise.answer)
        for name, field in exercise.fields.items():
            answer = exercise.answer[name]
            if isinstance(field, OneOf):
                assert answer in field.options and len(set(field.options)) >= 3
                assert len(set(field.options)) == len(field.options)
            if isinstance(field, Several):
                assert set(answer) <= set(field.options)
            if isinstance(field, Order):
                assert sorted(answer) == sorted(field.options)
                assert tuple(answer) != tuple(field.options)
        assert "nan" not in exercise.task + exercise.solution
        assert not re.search(r"(?<![\d.])-0\.0*(?![\d])", exercise.task), exercise.task


def test_no_answer_is_always_the_same(kind, exercises):
    # One look is all that attention needs, at any distance.
    same = {"steps_between": {"attention"}}.get(kind, set())
    for name in exercises[0].fields:
        answers = {str(exercise.answer.get(name)) for exercise in exercises}
        assert len(answers) > 1 or name in same, (kind, name, answers)


def test_a_unit_fires_in_some_exercises_and_in_some_it_does_not(some):
    fires = [exercise.answer["fires"] > 0 for exercise in some("relu_unit")]
    assert 0.5 < np.mean(fires) < 0.95


@pytest.mark.parametrize("kind", [k for k in KINDS if KINDS[k].from_sentence])
def test_a_students_own_sentence_gives_its_numbers(kind, models):
    own = make(kind, models, 1, SENTENCE)
    assert own.mark(own.answer).right and own.told_apart
    assert own.task == make(kind, models, 1, SENTENCE).task


@pytest.mark.parametrize("words", [(), ("mat",), ("<end>",), ("the",) * 40, SENTENCE])
def test_no_sentence_breaks_an_exercise(words, models):
    for kind in KINDS:
        exercise = make(kind, models, 3, words)
        assert exercise.mark(exercise.answer).right, kind


def test_there_are_enough_kinds_and_every_lesson_has_some():
    from pages.ui.course import LESSONS

    assert len(KINDS) >= 24
    taught = {one.stem for one in LESSONS} - {
        "home", "machine", "check", "exercises", "teacher"
    }
    assert {kind.lesson for kind in KINDS.values()} == taught


def test_the_lines_of_attention_compute_attention_and_the_wrong_ones_do_not():
    rng = np.random.default_rng(0)
    queries, keys, values = rng.normal(size=(3, 5, 4))
    mask = causal_mask(5)

    def run(lines):
        names = {"np": np, "queries": queries, "keys": keys, "values": values,
                 "mask": mask}
        with np.errstate(all="ignore"):
            exec("\n".join(lines), names)
        return names["output"]

    right = attend(queries, keys, values, mask)
    np.testing.assert_allclose(run(LINES), right, atol=1e-12)
    for place, faults in FAULTS.items():
        for line, _ in faults:
            spoiled = [*LINES[:place], line, *LINES[place + 1 :]]
            assert not np.allclose(run(spoiled), right, atol=1e-3), line


def test_the_repaired_line_is_the_one_that_was_spoiled(some):
    for exercise in some("repair"):
        lines, place = exercise.given["lines"], exercise.given["place"]
        assert [n for n, line in enumerate(lines) if line != LINES[n]] == [place]
        assert exercise.answer["line"] == f"{place + 1}: {lines[place]}"
        assert exercise.answer["repair"] == LINES[place]


def test_the_falling_skill_is_the_one_that_falls_most_in_the_record(some, models):
    skills = models.record("heads")["skills"]
    for exercise in some("falling_skill"):
        after = skills["without"][exercise.given["layer"]][exercise.given["head"]]
        falls = {name: skills["whole"][name] - value for name, value in after.items()}
        assert falls[exercise.answer["skill"]] == max(falls.values())


def test_a_family_is_asked_for_by_what_it_sees(some):
    for exercise in some("which_family"):
        size, position = exercise.given["size"], exercise.given["position"]
        writes = exercise.answer["family"] == "decoder"
        assert exercise.answer["seen"] == (position + 1 if writes else size)


def test_the_edited_table_is_marked_by_the_row_of_it(some):
    exercise = some("edit_table")[0]
    table = np.array(exercise.answer["table"])
    assert exercise.mark({"table": table}).right
    table[3] = table[1]  # `it` becomes the cat again
    assert not exercise.mark({"table": table}).right
    assert "itself" in exercise.mark({"table": np.diag([1, 1, 1, 9.0])}).said


def test_a_spread_is_scored_like_a_model(some):
    for exercise in some("spread")[:20]:
        truth, names = exercise.given["truth"], list(exercise.fields)
        assert exercise.mark({n: 100 * truth[n] for n in names}).right
        even = {name: 100 / len(names) for name in names}
        nats = -sum(p * math.log(1 / len(names)) for p in truth.values())
        assert exercise.mark(even).right == (nats <= exercise.given["enough"])
        assert "makes" in exercise.mark(dict.fromkeys(names, 1)).said


def test_a_reached_probability_is_computed_by_the_sampler(some, models):
    exercise = some("reach")[0]
    assert exercise.mark(exercise.answer).right
    assert "Nothing" in exercise.mark({"temperature": 1.0, "k": 0, "p": 1.0}).said
    for nonsense in ({"temperature": -1, "k": 0, "p": 1},
                     {"temperature": 1, "k": 999999, "p": 1},
                     {"temperature": 1, "k": 0, "p": 7}):
        assert not exercise.mark(nonsense).right


def test_a_wrong_start_must_be_inside_the_world(some, models):
    exercise = some("wrong_start")[0]
    assert "never says" in exercise.mark({"start": "the mat sat"}).said
    assert "does not know" in exercise.mark({"start": "zebra"}).said
    assert not exercise.mark({"start": "the dog slept"}).right
    said = models.llm.next_token(exercise.answer["start"])
    truth = models.world.next_word_probabilities(exercise.answer["start"].split())
    worst = max(abs(p - truth.get(word, 0)) for word, p in said.items())
    assert worst >= exercise.given["needed"]


@pytest.mark.parametrize("typed, number", [
    ("0.17", 0.17), (".17", 0.17), ("0,17", 0.17), ("-1.5", -1.5), ("−1.5", -1.5),
    ("17 %", 0.17), (" 3 ", 3.0), ("+2", 2.0), ("5.", 5.0),
])
def test_numbers_are_read_as_people_type_them(typed, number):
    assert read_number(typed) == pytest.approx(number)


@pytest.mark.parametrize("typed", ["", None, "x", "1e5", "nan", "inf", "1 / 2", "1.2.3",
                                   "9" * 40, "--1", "."])
def test_what_is_no_number_is_none(typed):
    assert read_number(typed) is None


def test_commas_between_thousands_are_read_where_a_whole_number_is_asked():
    assert read_number("14,049", whole=True) == 14049
    assert read_number("1,5", whole=True) == 1.5


def test_counting_pairs_writes_no_pair_that_stands_nowhere_in_its_text(models):
    for words in (None, SENTENCE):
        for seed in SEEDS:
            given = make("copied_stretch", models, seed, words).given
            counted = set(pairwise(given["source"]))
            assert set(pairwise(given["written"])) <= counted
