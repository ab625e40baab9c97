"""The lesson on one's own text, used as a student would."""

import time

import pytest

from llm.own_text.record import story
from llm.own_text.text import own_text
from llm.own_text.training import Plan, TextRun
from llm.worker.trainings import TRAININGS
from pages.ui.progress import as_text, empty
from pages.your_text import text as page
from pages.your_text.words import (
    BETWEEN,
    FALLS,
    RISES,
    STAYS,
    about,
    about_the_guess,
    against_counting,
    outcome,
    what_happened,
    which_text,
)
from tests.pages.harness import go_to, lesson_called, opened, picture, press, said

TOY = Plan(embed_dim=8, num_layers=1, context_length=8, num_steps=3, batch_size=2)
NAMES = "\n".join(f"Anna{chr(97 + n % 26)} Berg{n}" for n in range(60))


def run_of(text, unit="characters"):
    """A toy that was trained to its end, in the worker process."""
    run = TextRun(page.studied(text, unit), TOY)
    TRAININGS.enter(run)
    while TRAININGS.look(run):
        time.sleep(0.05)
    assert run.finished, run.paused
    return run


@pytest.fixture(scope="module")
def run():
    return run_of(story())


@pytest.fixture
def toy(monkeypatch):
    """Trainings of a toy, whatever sizes are chosen."""
    monkeypatch.setattr(page, "chosen_plan", lambda: TOY)


@pytest.fixture
def trained(toy, app, run):
    """The lesson as it stands after a training."""
    app.session_state["own_model_run"] = run
    return app.run()


def upload(app, data):
    app.file_uploader(key="own_file").set_value(("a.txt", data, "text/plain")).run()


def html(app):
    """All that models have written on the page, as it is sent to the browser."""
    sent = [element.proto.body for element in app.get("html")]
    return " ".join(body for body in sent if 'class="written' in body)


def test_the_first_thing_to_see_is_how_letters_became_sentences(app):
    assert app.text_area(key="own_words").value == story()
    assert "Before training" in html(app) and "<mark>" in html(app)
    assert not app.get_by_key("own_model_main").disabled
    assert "pauses" in said(app), "what ends a training is said before it"


def test_a_training_runs_to_its_end_in_a_process_of_its_own(toy, app, is_whole):
    press(app, "own_model_main")
    is_whole(app)
    assert app.session_state["own_model_run"].finished
    assert len(TRAININGS) == 0 and not app.session_state["own_model_on"]
    assert "By heart" in said(app) and "Made up" in said(app)


def test_a_reload_finds_the_model_again(trained, open_lesson):
    word = "".join(trained.query_params["own_model"])
    anew = open_lesson(own_model=word)
    assert anew.session_state["own_model_run"] is trained.session_state["own_model_run"]
    assert "Your own model" in [one.value for one in anew.header]
    nobody = open_lesson(own_model="what nobody has")
    assert "own_model_run" not in nobody.session_state
    assert "own_model" not in nobody.query_params


def test_every_control_of_one_s_own_model_moves_to_both_ends(trained, is_whole):
    for key in ("own_temperature", "own_count", "own_seed"):
        for end in (trained.slider(key=key).min, trained.slider(key=key).max):
            trained.slider(key=key).set_value(end).run()
            is_whole(trained)
    for start in ("", "qqq \U0001f40c", "Olga " * 60, "**bold** <b>"):
        trained.text_input(key="own_start").set_value(start).run()
        is_whole(trained)
    for section in ("own_attention", "own_source", "own_samples", "own_pairs"):
        trained.session_state[section] = True
    is_whole(trained.run())


def test_what_the_model_writes_cannot_act_as_markup(trained):
    run = run_of("<b>**x**</b> -> :red[$5] -- " * 40)
    trained.session_state["own_model_run"] = run
    trained.run()
    assert "<b>" not in html(trained) and "&lt;" in html(trained)
    assert 'translate="no"' in html(trained) and 'dir="auto"' in html(trained)


def test_what_one_s_own_model_cannot_read_is_named(trained):
    trained.text_input(key="own_start").set_value("\U0001f40c snail").run()
    assert "Your text has no `\U0001f40c`" in said(trained)


def test_the_bars_show_the_model_beside_counting_pairs(trained):
    bars = picture(trained, "your model expects")
    assert "counting pairs" in bars.alt


def test_after_another_text_what_stands_below_is_marked_as_old(trained, run):
    assert which_text(run) not in said(trained)
    trained.text_area(key="own_words").set_value("the owl counts stars. " * 40).run()
    assert which_text(run) in said(trained)
    assert "`The Snail Post" in which_text(run) and "characters" in which_text(run)


def test_the_start_follows_the_text(trained):
    old = trained.text_input(key="own_start").value
    trained.session_state["own_model_run"] = run_of("the owl counts all stars. " * 40)
    trained.run()
    assert trained.text_input(key="own_start").value != old


def test_the_training_takes_what_is_chosen_at_the_click(toy, app):
    app.text_area(key="own_words").set_value("a b c d e f g h. " * 60)
    press(app, "own_model_main")
    assert app.session_state["own_model_run"].text.source.startswith("a b c d")


@pytest.mark.parametrize("bad", ["", "too short", "a" * 2000])
def test_a_text_that_teaches_nothing_cannot_be_trained_on(bad, app, is_whole):
    app.text_area(key="own_words").set_value(bad).run()
    is_whole(app)
    assert "This text has" in said(app)
    assert app.get_by_key("own_model_main").disabled


def test_a_huge_text_is_cut_and_the_page_says_so(app, is_whole):
    app.text_area(key="own_words").set_value("the cat sat . " * 50_000).run()
    is_whole(app)
    assert "the first 60,000 count" in said(app)
    assert not app.get_by_key("own_model_main").disabled


def test_a_list_is_shuffled_and_the_page_says_so(app):
    app.text_area(key="own_words").set_value(NAMES).run()
    assert "its lines were shuffled" in said(app)


def test_a_script_without_spaces_is_noticed(app):
    app.session_state["own_unit"] = "words"
    words = "猫坐在垫子上。狗在房子里睡觉！" * 60
    app.text_area(key="own_words").set_value(words).run()
    assert "Choose *characters*" in said(app)


@pytest.mark.parametrize("data, answer", [
    (b"\x89PNG\r\n\x1a\n\x00\x01", "not plain text"),
    (b"abc\x00def" * 100, "not plain text"),
])
def test_a_binary_file_is_refused_and_the_text_stays(data, answer, app, is_whole):
    upload(app, data)
    is_whole(app)
    assert answer in said(app) and "still the one before" in said(app)
    assert app.text_area(key="own_words").value == story()


@pytest.mark.parametrize("encoding, named", [
    ("utf-8", None), ("utf-8-sig", None), ("utf-16", "UTF-16"), ("cp1252", "CP1252"),
])
def test_a_text_file_goes_into_the_box(encoding, named, app, is_whole):
    words = "Die Eule zählt für Jürgen die größten Sterne über dem Meer. " * 20
    upload(app, words.encode(encoding))
    is_whole(app)
    assert app.text_area(key="own_words").value == words
    assert named is None or f"read as {named}" in said(app)


def test_leaving_the_lesson_pauses_the_training(toy, app, lesson):
    run = TextRun(page.studied(story(), "characters"), TOY)
    app.session_state["own_model_run"] = run
    go_to(app, lesson_called("home"))
    app.session_state["own_model_on"] = True
    go_to(app, lesson)
    assert not app.session_state["own_model_on"] and not run.finished
    assert app.get_by_key("own_model_again")


class Losses(TextRun):
    """A finished training with these losses, and nothing behind it."""

    def __init__(self, validation, training=1.0):
        self.losses = list(enumerate(validation))
        self.curve = [(1, training)]


@pytest.mark.parametrize("losses, said_of_it, fate", [
    ([4.0, 2.3, 3.9], "**overfitting**", RISES),
    ([2.0, 2.6, 3.0], "lowest before any training", STAYS),
    ([4.0, 2.0, 1.05], "has not turned upwards", FALLS),
    ([4.0, 2.6, 2.4], "has not turned upwards", BETWEEN),
])
def test_what_the_loss_did_is_said_and_held_against_the_guess(losses, said_of_it, fate):
    run = Losses(losses)
    assert said_of_it in what_happened(run) and outcome(run) == fate
    right, sentence = about_the_guess(RISES, run)
    assert right is (fate == RISES) and (right or fate.lower() in sentence)


@pytest.mark.parametrize("by_pairs, verdict", [
    (1.9, "counting wins"), (3.0, "looking further back"), (2.35, "about the same"),
    (None, ""),
])
def test_it_is_said_when_counting_wins(by_pairs, verdict):
    assert verdict in against_counting(Losses([4.0, 2.3, 3.9]), by_pairs)


def test_all_kinds_of_the_part_to_learn_from_are_counted_the_rare_ones_too():
    common = " ".join(f"w{number}" for number in range(1199)) + " "
    once = " ".join(f"rare{number}" for number in range(20))
    text = own_text(2 * common + once + " w1" * 400, "words")
    told = about(text)
    kinds = len(set((2 * common + once).split()))
    assert (text.rare, kinds) == (20, 1219)
    assert f"of {kinds:,} different kinds, are to learn from" in told
    assert ("20 rare kinds beyond the 1,199 most common ones cannot be learned; the "
            "model never writes them.") in told
    assert "rare" not in about(own_text(story()))


def test_a_training_without_a_loss_to_measure_says_so():
    assert "nothing to measure" in what_happened(Losses([]))
    assert against_counting(Losses([]), 2.0) == ""


def visit_with(settings, **address):
    """The lesson in a browser that holds these settings, and its app."""
    app = opened(lesson_called("your_text"), **address)
    record = empty() | {"settings": settings}
    app.session_state["progress_store"] = {"stored": as_text(record)}
    return app.run()


def test_settings_of_an_earlier_visit_stand_where_they_stood():
    app = visit_with({"own_unit": "words", "own_steps": 300.0, "own_layers": 1,
                      "own_temperature": 1})
    assert app.get_by_key("own_unit").value == "words"
    assert app.get_by_key("own_steps").value == 300
    assert app.get_by_key("own_layers").value == 1
    assert app.session_state["own_temperature"] == 1.0
    app.get_by_key("own_steps").set_value(page.USUAL.num_steps).run()
    assert app.get_by_key("own_steps").value == page.USUAL.num_steps
    noted = app.session_state["progress"]["settings"]
    assert noted["own_steps"] == page.USUAL.num_steps


def test_a_link_goes_before_what_the_browser_holds():
    app = visit_with({"own_steps": 300}, own_steps="500")
    assert app.get_by_key("own_steps").value == 500


def test_settings_that_no_widget_can_hold_are_left_out():
    app = visit_with({"own_unit": "syllables", "own_steps": 7e8, "own_width": "x"})
    assert not app.exception and not app.error
    assert app.get_by_key("own_unit").value == "characters"
    assert app.get_by_key("own_steps").value == page.USUAL.num_steps


def test_nothing_is_noted_while_nothing_is_changed(app):
    assert app.session_state["progress"]["settings"] == {}
    app.get_by_key("own_steps").set_value(500).run()
    app.run()
    assert app.session_state["progress"]["settings"] == {"own_steps": 500}
