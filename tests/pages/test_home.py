"""Home: a start of one's own, continued, and the way into the course."""

from llm import TinyLLM
from llm.models.shipped import load_record
from pages.home.roadmap import MODULES, NAMED, in_words
from pages.ui.course import LESSONS
from pages.ui.words import about_time, percent
from tests.pages.harness import find, picture, press, said


def test_the_first_picture_takes_a_start_of_ones_own(open_lesson):
    app = open_lesson(home_start="the bird sang on the")
    likeliest, share = next(iter(
        TinyLLM.load().next_token("the bird sang on the").items()
    ))
    chart = picture(app, "expects")
    assert likeliest in chart.alt and percent(share) in chart.alt


def test_it_continues_word_by_word_and_takes_words_back(app):
    written = list(TinyLLM.load().generate("the cat sat on the", 2, seed=1))
    press(app, "home_written_add_1")
    press(app, "home_written_add_1")
    assert f"**{' '.join(written)}**".replace(".", "\\.") in said(app)
    press(app, "home_written_add_-1")
    assert f"**{written[0]}**" in said(app)
    press(app, "home_written_to_0")
    assert "**" + written[0] not in said(app)


def test_the_end_of_a_story_is_the_end(open_lesson):
    app = open_lesson(home_written="40")
    assert find(app, "button", "home_written_add_1").disabled


def test_what_it_knows_and_how_long_it_learned_follow_from_the_record(app):
    seconds = load_record("tiny_llm")["training"]["seconds"]
    told = " ".join(said(app).split())
    assert f"{len(TinyLLM.load().tokenizer)} tokens, most of them words" in told
    assert f"was trained in {about_time(seconds)}." in told


def test_every_lesson_is_linked_by_its_one_name(app):
    links = {link.proto.label for link in app.get("page_link")}
    for lesson in LESSONS:
        if lesson.stem not in ("home", "machine"):
            assert lesson.name in links


def test_the_roadmap_has_twelve_modules_and_this_is_the_tenth():
    assert MODULES == 12 and in_words() == "Module 10 of 12; 2 follow."
    assert {3, 8, 9, 10, 11, 12} == set(NAMED)
