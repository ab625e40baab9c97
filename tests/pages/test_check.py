"""The last lesson: nothing tells an answer before a try, and nothing is lost."""


from pages.check.questions import lesson_of, make
from pages.check.views import NAMES, first_uses, fitting, models
from pages.ui.course import LESSONS
from pages.ui.glossary import terms
from tests.pages.harness import find, go_to, open_all, press


def sent(app):
    """Everything that the browser gets, as bytes."""
    def parts(block):
        for child in block.children.values():
            proto = getattr(child, "proto", None)
            if proto is not None:
                yield proto.SerializeToString()
            if hasattr(child, "children"):
                yield from parts(child)

    return b"\n".join(parts(app._tree))


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
    assert any(label.startswith("Back to: ") for label in links)


def test_the_first_try_counts_and_the_second_may_still_be_right(app):
    question = asked(2)
    wrong = next(option for option in question.options if option != question.answer)
    choose(app, 2, wrong)
    choose(app, 2, question.answer)
    assert question.options[question.answer] in app.success[0].value
    assert "1 of 29" in bar(app).replace(str(len(NAMES)), "29")
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
    assert missed.question in labels
    press(app, "check_forget")
    assert bar(app).startswith("0 of")
    assert app.main.get("radio")[0].value is None


def test_next_turns_the_page_and_comes_round_at_the_end(app):
    app.session_state["check_question"] = len(NAMES)
    app.run()
    press(app, "check_next")
    assert any(f"Question 1 of {len(NAMES)}" in line.value for line in app.caption)


def test_the_code_behind_the_numbers_is_shown_after_a_try_only(app):
    assert app.session_state["check_question"] == 1
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
    taught = [one for one in LESSONS if one.stem not in ("home", "machine", "check")]
    assert {one.question for one in taught} <= links


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
