"""The questions at the end: one right option each, all answered, real numbers."""

import math

import numpy as np
import pytest

from llm.digits.reader import read_digit_model, read_digits
from llm.glassbox.ablation import Ablation
from llm.glassbox.sampling import top_p
from llm.glassbox.softmax import softmax, softmax_with_temperature
from llm.models.encoder_twin import load_encoder
from llm.models.parameters import count_parameters
from llm.models.shipped import load_record
from llm.models.tiny_llm import ASSETS, TinyLLM
from llm.studies.stream import logit_lens
from llm.world import World, held_out_pairs
from pages.check.progress import by_lesson, last_option, verdicts
from pages.check.questions import QUESTIONS, Models, Question, lesson_of, make
from pages.check.questions.parts import exactly, options
from pages.check.takeaways import takeaways
from pages.ui.course import COURSE

SETS = (1, 2, 3, 999)
NO_QUESTIONS = {"home", "machine", "check", "exercises", "teacher"}
EVERY = pytest.mark.parametrize("name", QUESTIONS)


@pytest.fixture(scope="module")
def models():
    encoder = load_encoder()
    digits = read_digit_model(ASSETS / "first_and_last.keras")
    return Models(
        TinyLLM.load(), World(held_out_pairs()), lambda: encoder, lambda: digits,
        load_record,
    )


@pytest.fixture(scope="module")
def llm(models):
    return models.llm


def test_there_are_twenty_questions_at_least_and_some_for_every_lesson():
    assert len(QUESTIONS) >= 20
    taught = {lesson.stem for part in COURSE.values() for lesson in part}
    assert {lesson_of(name) for name in QUESTIONS} == taught - NO_QUESTIONS


@EVERY
def test_one_option_is_right_and_each_has_an_answer_of_its_own(name, models):
    for numbers in SETS:
        question = make(name, models, numbers)
        assert question.answer in question.options
        assert 3 <= len(question.options) <= 5
        replies = [*question.options.values()]
        assert all(len(reply) > 25 for reply in replies)
        assert len(set(replies)) == len(replies)
        assert all(option.strip() for option in question.options)


@EVERY
def test_the_same_set_makes_the_same_question(name, models):
    one, again = make(name, models, 7), make(name, models, 7)
    assert one == again
    assert list(one.options) == list(again.options)


def test_the_right_option_stands_in_any_place(models):
    places = [
        list(question.options).index(question.answer)
        for name in QUESTIONS for numbers in (1, 2)
        for question in [make(name, models, numbers)]
    ]
    assert {0, 1, 2, 3} <= set(places)


def test_many_questions_are_computed_from_the_models(models):
    computed = [name for name in QUESTIONS if make(name, models).functions]
    assert len(computed) >= 12


def test_the_start_of_a_question_is_one_that_the_world_can_say(models):
    for name in QUESTIONS:
        question = make(name, models, 4)
        if name != "no_ground":
            assert models.world.allows(question.start), name


def numbers_of(models, name, numbers=5):
    return make(name, models, numbers)


def test_the_nearest_row_is_the_nearest(models, llm):
    question = numbers_of(models, "nearest_row")
    asked = question.text.split("`")[1]
    table = llm.weights.token_embeddings.astype(float)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = unit @ unit[llm.tokenizer.ids[asked]]
    cosines[llm.tokenizer.ids[asked]] = -2
    assert question.answer == f"`{llm.tokenizer.vocabulary[cosines.argmax()]}`"


def test_what_is_left_of_a_row_is_what_the_model_leaves(models, llm):
    question = numbers_of(models, "rest_of_row")
    said = [float(word) for word in question.text.split() if word.startswith("0.")]
    rows = [row for block in llm.trace(question.start).blocks
            for row in block.attention_weights[:, -1]]
    tops = [sorted(row)[-2:][::-1] for row in rows]
    assert any(np.allclose(top, said, atol=0.006) for top in tops)
    assert float(question.answer) == pytest.approx(1 - sum(said), abs=0.001)


def test_the_future_gets_exactly_nothing(models, llm):
    question = numbers_of(models, "future")
    run = llm.trace(question.start)
    it, tired = run.tokens.index("it"), run.tokens.index("tired")
    assert all(
        (block.attention_weights[:, it, tired] == 0).all() for block in run.blocks
    )
    assert question.answer.startswith("Exactly 0,")


def test_the_cut_head_leaves_what_it_leaves(models, llm):
    question = numbers_of(models, "cut_head")
    right, name = question.text.split("`")[1], question.text.split("Head ")[1]
    layer, head = (int(part) - 1 for part in name.split()[0].split("."))
    word = llm.tokenizer.ids[right]
    cut = llm.trace(question.start, Ablation(heads={(layer, head)})).logits[-1]
    assert exactly(softmax(cut.astype(float))[word]) in question.text
    assert exactly(llm.next_token(question.start)[right]) in question.text
    assert f"head {layer + 1}.{head + 1}" in question.answer


def test_the_parameters_are_counted(models, llm):
    part = next(p for p in count_parameters(llm.config) if p.name == "feed-forward")
    assert numbers_of(models, "feed_forward_size").answer == f"{part.each:,}"


def test_the_digit_model_says_what_it_says(models):
    question = numbers_of(models, "middle")
    row = question.text.split(": ")[1].split(".")[0]
    digits = np.array([[int(digit) for digit in row.split()]])
    same = float(read_digits(digits, models.digits())[1][0])
    assert question.answer == exactly(same)
    assert digits[0, 0] != digits[0, -1]


def test_the_ratio_is_that_of_the_probabilities(models, llm):
    question = numbers_of(models, "times_as_likely")
    first, second = list(llm.next_token(question.start).values())[:2]
    assert question.answer == f"About {first / second:.2f} times"


def test_the_word_without_ground_is_the_likeliest(models, llm):
    question = numbers_of(models, "no_ground")
    best = next(iter(llm.next_token(question.start)))
    assert f"`{best}`" in question.answer


def test_the_share_at_another_temperature_is_computed(models, llm):
    question = numbers_of(models, "temperature")
    temperature = float(question.text.split("temperature ")[-1].rstrip("?"))
    logits = llm.next_logits(question.start)
    share = softmax_with_temperature(logits, temperature).max()
    assert question.answer == exactly(share)


def test_the_words_that_top_p_leaves_are_counted(models, llm):
    question = numbers_of(models, "words_left")
    p = float(question.text.split("p = ")[1].split()[0])
    left = (top_p(llm.probabilities(question.start), p) > 0).sum()
    assert question.answer == str(left)


def test_the_surprise_is_the_logarithm(models, llm):
    question = numbers_of(models, "surprise")
    word = question.text.split("`")[1]
    share = llm.next_token(question.start)[word]
    assert question.answer == f"{-math.log(share):.2f}"


def test_the_lens_settles_where_it_settles(models, llm):
    question = numbers_of(models, "settled")
    run = llm.trace(question.start)
    stops = ["the embeddings", *(f"block {n + 1}" for n in range(len(run.blocks)))]
    streams = [run.embeddings[-1] + run.positions[-1],
               *(block.residual_after[-1] for block in run.blocks)]
    said = [logit_lens(llm.weights, stream).argmax() for stream in streams]
    at = stops.index(question.answer)
    assert all(word == said[-1] for word in said[at:])
    assert at == 0 or said[at - 1] != said[-1]


def test_the_cut_link_leaves_what_it_leaves(models, llm):
    question = numbers_of(models, "weight_or_effect")
    head, key = question.text.split()[1], question.text.split("(position ")[1]
    layer, head = (int(part) - 1 for part in head.split("."))
    key, right = int(key.split(")")[0]), question.text.split("`")[-2]
    query, word = len(question.start), llm.tokenizer.ids[right]
    cuts = Ablation(edges={(layer, head, query, key)})
    before, after = (
        softmax(llm.trace(question.start, *cut).logits[-1].astype(float))[word]
        for cut in ((), (cuts,))
    )
    assert exactly(after) in question.text and exactly(before) in question.text
    assert ("little" in question.answer) == (abs(after - before) < 0.05)


def test_the_recurrent_network_is_judged_by_all_its_runs(models):
    question = numbers_of(models, "baseline")
    record = load_record("first_and_last")
    found = record["models"]["SimpleRNN"]
    for run in found.get("draws", [found]):
        assert exactly(run["accuracy"]) in question.text
    assert exactly(record["always_yes"]) in question.text


def test_every_option_for_the_blank_has_its_figure(models):
    question = numbers_of(models, "blank")
    assert sum("%" in option for option in question.options) >= 3


def test_the_floor_is_that_of_the_record(models):
    last = load_record()["training"]["scores"][-1]
    question = numbers_of(models, "floor")
    assert f"{last['floor']:.3f}" in question.answer
    assert f"{last['loss']:.3f}" in question.text


def test_an_option_that_reads_like_the_right_one_is_left_out():
    found = options(("7", "right"), ("7", "wrong"), ("8", "wrong"), ("9", "wrong too"))
    assert found == {"7": "right", "8": "wrong", "9": "wrong too"}


@pytest.mark.parametrize("answer", ["a", "d"])
def test_a_question_without_sound_options_is_refused(answer):
    few = {"a": "yes", "b": "no"}
    with pytest.raises(ValueError, match="No sound options"):
        Question("Which?", few | ({"c": "no"} if answer == "d" else {}), answer)


def test_only_the_first_try_counts():
    checks = {
        "1:pairs": [["3", False], ["9", True]], "1:path": [["one", True]],
        "2:path": [["two", False]],
    }
    assert verdicts(checks, 1) == {"pairs": False, "path": True}
    assert verdicts(checks, 2) == {"path": False} and verdicts(checks, 12) == {}
    assert last_option(checks, 1, "pairs") == "9"
    names = ["path", "pairs", "ids"]
    assert by_lesson(verdicts(checks, 1), lesson_of, names) == {
        "why": (1, 2, 2), "embeddings": (0, 0, 1)}


def test_every_lesson_has_a_takeaway_and_the_price_is_among_them(models):
    found = takeaways(models)
    taught = [lesson.stem for part in COURSE.values() for lesson in part]
    assert list(found) == [stem for stem in taught if stem not in NO_QUESTIONS]
    assert "n²" in found["why"] and "1,000 words 1,000,000" in found["why"]


def test_only_what_is_certain_is_printed_as_all_or_nothing():
    assert [exactly(share) for share in (0, 0.0004, 0.41, 0.9996, 1)] == [
        "0.0%", "under 0.1%", "41.0%", "over 99.9%", "100.0%",
    ]
