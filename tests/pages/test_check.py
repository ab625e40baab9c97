"""The last lesson: nothing tells an answer before a try, and nothing is lost."""

from pages.check.questions import lesson_of, make
from pages.check.takeaways import digits_in_words, one_head_in_words
from pages.check.views import (
    NAMES,
    ROUNDS,
    first_open,
    first_uses,
    fitting,
    mark,
    models,
    number_of,
)
from pages.ui.concepts import AFTER, BEFORE, CONCEPTS, complete, gained, result
from pages.ui.course import LESSONS
from pages.ui.glossary import terms
from tests.pages.harness import find, go_to, open_all, press, sent


def choose(app, number, option):
    """Turn to a question and pick an option."""
    app.session_state["check_question"] = number
    app.run()
    app.main.get("radio")[0].set_value(option).run()


def asked(number, numbers=1):
    return make(NAMES[number - 1], models(), numbers)


def test_nothing_tells_an_answer_before_a_try(app):
    for number in range(1, len(NAMES) + 1):
        app.session_state["check_question"] = number
        app.run()
        everything = sent(app)
        question = asked(number)
        for option, reply in question.options.items():
            assert reply[:30].encode() not in everything, (number, option)
        assert not app.success and not app.info
        radio = app.main.get("radio")[0]
        assert list(radio.options) == list(question.options)
        assert radio.value is None


def test_what_is_sent_is_found_once_it_is_said(app):
    question = asked(1)
    choose(app, 1, question.answer)
    assert question.options[question.answer][:30].encode() in sent(app)


def test_a_wrong_try_is_answered_by_what_was_mixed_up_with_a_way_back(app):
    question = asked(2)
    wrong = next(option for option in question.options if option != question.answer)
    choose(app, 2, wrong)
    assert question.options[wrong] in app.info[0].value
    assert question.options[question.answer].encode() not in sent(app)
    links = [link.proto.label for link in app.get("page_link")]
    assert any(label.startswith("Look it up: ") for label in links)


def test_the_first_try_counts_and_the_second_may_still_be_right(app):
    question = asked(2)
    wrong = next(option for option in question.options if option != question.answer)
    choose(app, 2, wrong)
    choose(app, 2, question.answer)
    assert question.options[question.answer] in app.success[0].value
    assert bar(app).startswith(f"1 of {len(NAMES)} questions")
    assert "0 right" in bar(app)


def bar(app):
    return app.get("progress")[0].proto.text


def test_progress_is_kept_while_moving_between_lessons(app, lesson):
    first = asked(1)
    choose(app, 1, first.answer)
    assert "1 right" in bar(app)
    home = LESSONS[0]
    go_to(app, home)
    go_to(app, lesson)
    app.session_state["check_question"] = 1
    app.run()
    assert "1 right" in bar(app)
    assert app.main.get("radio")[0].value == first.answer


def test_another_set_has_a_score_of_its_own(app):
    choose(app, 1, asked(1).answer)
    find(app, "number_input", "check_set").set_value(2).run()
    assert bar(app).startswith("0 of")
    find(app, "number_input", "check_set").set_value(1).run()
    assert bar(app).startswith("1 of")


def test_the_result_names_what_was_missed_and_can_be_forgotten(app):
    question = asked(3)
    wrong = next(option for option in question.options if option != question.answer)
    choose(app, 3, wrong)
    assert app.table, "no result"
    missed = next(one for one in LESSONS if one.stem == lesson_of(NAMES[2]))
    labels = [link.proto.label for link in app.get("page_link")]
    assert missed.name in labels
    press(app, "check_forget")
    assert bar(app).startswith("0 of")
    assert app.main.get("radio")[0].value is None


def test_next_goes_through_the_round_and_comes_round_at_its_end(app):
    first, *_, last = ROUNDS[1]
    app.session_state["check_question"] = number_of(last)
    app.run()
    press(app, "check_next")
    assert app.session_state["check_question"] == number_of(first)
    assert any("Round 2, question 1 of" in line.value for line in app.caption)


def test_every_round_goes_through_the_lessons_and_none_is_asked_twice():
    assert sorted(name for names in ROUNDS for name in names) == sorted(NAMES)
    assert all(9 <= len(names) <= 10 for names in ROUNDS)
    assert all(len({lesson_of(name) for name in names}) >= 8 for names in ROUNDS)


def test_what_is_right_missed_and_open_is_marked(app):
    first, second = ROUNDS[0][:2]
    choose(app, number_of(first), asked(number_of(first)).answer)
    question = asked(number_of(second))
    wrong = next(option for option in question.options if option != question.answer)
    choose(app, number_of(second), wrong)
    labels = [button.label for button in app.button]
    assert {"1 ✓", "2 ✗", "3"} <= set(labels)
    assert f"Round 1: 2 of {len(ROUNDS[0])}" in labels
    press(app, "check_round_0")
    assert app.session_state["check_question"] == number_of(ROUNDS[0][2])


def test_marks_and_the_first_open_question_follow_from_the_tries():
    assert [mark({"a": True, "b": False}, name) for name in "abc"] == [" ✓", " ✗", ""]
    assert first_open({"a": True}, ["a", "b"]) == "b"
    assert first_open({"a": True, "b": False}, ["a", "b"]) == "a"


def test_a_set_out_of_range_is_named(app):
    find(app, "number_input", "check_set").set_value(-3).run()
    assert "out of range" in app.warning[0].value


def test_each_idea_is_asked_twice_in_other_words():
    assert len(CONCEPTS) == 12
    for concept in CONCEPTS.values():
        assert concept.before[0] != concept.after[0]
        for when in (BEFORE, AFTER):
            options = concept.form(when)[1]
            assert len(set(options)) == len(options) >= 3
            assert sorted(concept.shuffled(when)) == sorted(options)
    firsts = [c.shuffled(w)[0] == c.answer(w) for c in CONCEPTS.values()
              for w in (BEFORE, AFTER)]
    assert 2 < sum(firsts) < 12  # the right one does not stand in one place


def hand_in(app, when, right):
    """Answer all ideas of one time: rightly those in `right`."""
    app.session_state["check_view"] = "Before and after"
    app.session_state["check_when"] = when
    app.run()
    for key, concept in CONCEPTS.items():
        options = concept.form(when)[1]
        box = find(app, "radio", f"concept_{when}_{key}")
        box.set_value(options[0] if key in right else options[1])
    next(button for button in app.button if button.label == "Hand in").click().run()


def test_before_the_course_no_answer_is_told_and_after_it_both_stand_together(app):
    some = list(CONCEPTS)[:4]
    hand_in(app, BEFORE, some)
    assert not app.table
    assert not any(concept.idea.encode() in sent(app) for concept in CONCEPTS.values())
    hand_in(app, AFTER, list(CONCEPTS))
    assert app.table
    assert any("8 gained" in text.value for text in app.markdown)


def test_results_are_compared_idea_by_idea():
    concepts = {f"{BEFORE}:{key}": ["x", False] for key in CONCEPTS}
    assert complete(concepts, BEFORE) and not complete(concepts, AFTER)
    assert result(concepts)[0][1:] == (False, None)
    rows = [("a", True, True), ("b", False, True), ("c", True, False)]
    assert gained(rows).endswith("1 gained, 1 lost.")
    assert gained([("a", True, True)]).endswith("the same ones.")


def test_what_is_said_of_the_recurrent_network_follows_from_its_runs():
    def record(*reached):
        return {
            "always_yes": 0.54, "experiment": {"length": 30}, "models": {
                "Transformer": {"parameters": 14049, "accuracy": 1.0},
                "SimpleRNN": {"draws": [{"accuracy": one} for one in reached]},
            },
        }

    said = digits_in_words(record(0.82, 0.55, 0.53))
    assert "1 of 3 runs ended clearly above" in said
    assert "0 of 2 runs" in digits_in_words(record(0.55, 0.53))


def test_what_is_said_of_one_head_follows_from_all_trainings():
    def record(one, several):
        return {"twins": {
            name: {"draws": [{"scores": [{"excess": e}]} for e in values]}
            for name, values in (("one head", one), ("full", several))
        }}

    assert "These overlap" in one_head_in_words(record([0.018, 0.025], [0.02, 0.015]))
    high, low = [0.05, 0.04], [0.02, 0.01]
    worse = one_head_in_words(record(high, low))
    assert "with several heads 0.010 to 0.020. Every training with one head" in worse
    assert "ends worse. With 2 trainings of each, chance alone" in worse
    assert "ends better. With 2" in one_head_in_words(record(low, high))
    assert "proves nothing" in one_head_in_words(record([0.9], low))


def test_the_code_behind_the_numbers_is_shown_after_a_try_only(app):
    number = NAMES.index("pairs") + 1
    choose(app, number, asked(number).answer)
    open_all(app)
    assert any("def attention_scores" in code.value for code in app.code)


def test_takeaways_are_sent_only_when_they_are_looked_at(app):
    assert "n²".encode() not in sent(app)
    app.session_state["check_view"] = "Takeaways"
    app.run()
    assert any("n² pairs" in text.value for text in app.markdown)
    links = {link.proto.label for link in app.get("page_link")}
    taught = [one for one in LESSONS if one.counted and one.number][:-1]
    assert {one.name for one in taught} <= links


def test_the_glossary_is_whole_and_can_be_searched(app):
    assert len(terms()) >= 40
    app.session_state["check_view"] = "Glossary"
    app.run()
    shown = "\n".join(text.value for text in app.markdown)
    assert all(f"**{term}**" in shown for term in terms())
    find(app, "text_input", "check_search").set_value("residual").run()
    shown = "\n".join(text.value for text in app.markdown)
    assert "**residual stream**" in shown and "**seed**" not in shown
    find(app, "text_input", "check_search").set_value("zzz**").run()
    assert "zzz" in app.info[0].value


def test_a_search_looks_into_terms_and_meanings_alike():
    few = {"Zebra": "An animal.", "apple": "A fruit, no ZEBRA."}
    assert list(fitting(few, "zebra")) == ["apple", "Zebra"]
    assert list(fitting(few, " ")) == ["apple", "Zebra"]
    assert fitting(few, "x") == {}


def test_each_term_names_the_lesson_that_first_explains_it():
    assert set(first_uses()) <= set(terms())
    assert first_uses()["token"].number == 0
