"""The next-token lesson: its figures are those of the functions that it shows."""

import json

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.sampling import cut, draw
from llm.glassbox.softmax import softmax, softmax_with_temperature
from llm.studies.loss import as_distribution, expected_surprise
from pages.next_token import writing
from pages.ui.controls import sound_number, truth_at
from pages.ui.models import tiny_llm, world
from pages.ui.words import percent
from tests.pages.harness import let_go, picture, press, sentence

EXPECTS = "the tiny LLM expects"
CAT = "the cat sat on the".split()


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


def move_chart_slider(app, temperature):
    """What the browser reports when the slider in the chart is let go."""
    return let_go(app, "bars", "temperature", T=temperature)


def words_under_the_bars(app):
    return sentence(app, "At temperature")


def written(app):
    """The words that the model wrote, from the box with the sentence."""
    box = sentence(app, "the cat sat on the")
    return box.split("**")[1].replace("\\", "").split() if "**" in box else []


def test_the_bars_carry_the_logits_of_every_word(app, llm):
    data = picture(app, EXPECTS).rows
    logits = llm.next_logits(CAT)
    np.testing.assert_allclose(data["behind"], logits - logits.max(), atol=1e-6)
    truth = world().next_word_probabilities(CAT)
    vocabulary = llm.tokenizer.vocabulary
    expected = [truth.get(word, 0.0) for word in vocabulary]
    np.testing.assert_allclose(data["truth"], expected)
    assert truth["mat"] == pytest.approx(0.41)


def test_the_words_under_the_bars_follow_the_temperature(app, llm):
    best, share = next(iter(llm.next_token(CAT).items()))
    assert f"'{best}' {percent(share)}" in words_under_the_bars(app)
    move_chart_slider(app, 0.5)
    cooler = softmax_with_temperature(llm.next_logits(CAT), 0.5).max()
    said = words_under_the_bars(app)
    assert said.startswith("At temperature 0.5, ")
    assert f"'{best}' {percent(cooler)}" in said
    assert app.query_params["temperature"] == "0.5"


def test_only_the_slider_moves_so_the_chart_stays_the_same(app):
    before = picture(app, EXPECTS)
    move_chart_slider(app, 0.5)
    after = picture(app, EXPECTS)
    assert (after.spec, after.alt) == (before.spec, before.alt)
    assert after.rows.equals(before.rows)


def test_the_chart_stays_in_the_hand_when_the_written_words_change_with_it(app):
    for _ in range(3):
        press(app, "next_word")
    before = picture(app, EXPECTS).spec
    move_chart_slider(app, 0.1)
    assert picture(app, EXPECTS).spec == before


def test_the_mean_surprise_is_that_of_the_written_words(app, llm):
    for _ in range(2):
        press(app, "next_word")
    steps = list(llm.steps(CAT, 2, seed=1))
    mean = sum(step.surprise for step in steps) / 2
    assert any(f"words: {mean:.2f} nats" in text.value for text in app.markdown)


def test_a_new_start_takes_the_temperature_into_its_chart(app):
    move_chart_slider(app, 0.5)
    app.text_input(key="start").set_value("the dog slept on the").run()
    chart = picture(app, EXPECTS)
    assert '"value": [{"T": 0.5}]' in json.dumps(chart.spec)
    assert chart.alt.startswith("At temperature 0.5, after 'the dog slept on the'")


def test_the_truth_follows_the_temperature():
    truth = {"mat": 0.5, "floor": 0.3, "sofa": 0.2}
    squares = np.array([0.25, 0.09, 0.04])
    np.testing.assert_allclose(
        list(truth_at(truth, 0.5).values()), squares / squares.sum()
    )
    assert truth_at(truth, 1.0) == pytest.approx(truth)
    assert truth_at({}, 0.5) == {}


def test_stepping_writes_what_the_sampler_draws(app, llm):
    rng, tokens = np.random.default_rng(1), list(CAT)
    for number in range(1, 4):
        press(app, "next_word")
        probabilities = cut(softmax(llm.next_logits(tokens)))
        tokens.append(llm.tokenizer.vocabulary[draw(probabilities, rng.random())])
        assert written(app) == tokens[5:]
        drawn = picture(app, "the number").rows
        assert drawn["step"].max() == number
        hit = drawn[drawn["part"] == "the word it fell on"]
        assert ((hit["from"] <= hit["u"]) & (hit["u"] <= hit["to"])).all()


def test_undo_and_start_again_take_words_back(app):
    for _ in range(3):
        press(app, "next_word")
    three = written(app)
    press(app, "undo")
    assert written(app) == three[:2]
    press(app, "next_word")
    assert written(app) == three
    press(app, "start_again")
    assert written(app) == []
    assert app.button(key="undo").disabled


def test_writing_on_goes_to_the_end_and_can_be_left(app, monkeypatch):
    monkeypatch.setattr("pages.next_token.writing.PAUSE", 0)
    monkeypatch.setattr("pages.next_token.writing.MOST_WORDS", 6)
    press(app, "write_on")
    assert len(written(app)) == 6 or written(app)[-1] == "<end>"
    assert not app.session_state["writing_on"]
    assert app.button(key="next_word").disabled


def test_the_counter_never_goes_beyond_the_story(open_lesson):
    app = open_lesson(start="the dog", written="40", top_k="1")
    told = len(picture(app, "the number").rows["step"].unique())
    assert app.slider(key="written").value == told < 40
    press(app, "undo")
    assert app.slider(key="written").value == told - 1


def test_stop_keeps_what_was_written_even_if_the_browser_lags_behind(monkeypatch):
    held = {"reached": 7, "written": 4, "writing_on": True}
    monkeypatch.setattr(writing.st, "session_state", held)
    writing.stop_here()
    assert held["written"] == 7 and not held["writing_on"]


def test_the_words_to_continue_with_follow_what_was_written(app):
    press(app, "next_word")
    word = written(app)[0]
    added = next(b for b in app.button if (b.key or "").startswith("start_add_"))
    added.click().run()
    assert app.text_input(key="start").value.startswith(f"the cat sat on the {word} ")


def test_the_guess_is_drawn_beside_what_answers_it(app):
    app.number_input(key="guess_roof").set_value(40)
    press(app, "guess_reveal")
    rows = picture(app, "After 'the bird sang on the' the tiny LLM").rows
    assert rows.set_index("label")["guess"]["roof"] == pytest.approx(0.4)


def test_the_same_seed_writes_the_same_and_another_seed_another(open_lesson):
    one = written(open_lesson(written="8", seed="5"))
    same = written(open_lesson(written="8", seed="5"))
    other = written(open_lesson(written="8", seed="6"))
    assert one == same != other


def test_a_link_restores_the_screen(open_lesson, llm):
    app = open_lesson(
        start="the dog", written="2", seed="3", temperature="0.4", top_k="2"
    )
    steps = list(llm.steps(["the", "dog"], 2, 3, temperature=0.4, top_k=2))
    told = sentence(app, "the dog").replace("\\", "")
    assert " ".join(step.token for step in steps) in told
    assert "At temperature 0.4" in words_under_the_bars(app)


def test_tapping_a_word_adds_it_and_starts_writing_anew(app):
    press(app, "start_add_floor")
    assert app.text_input(key="start").value == "the cat sat on the floor"
    assert app.slider(key="written").value == 0


def test_nothing_drops_what_stands_behind_an_unknown_word(app):
    app.text_input(key="start").set_value("the zebra sat").run()
    keys = [button.key or "" for button in app.button]
    assert not [key for key in keys if key.startswith("start_add_")]
    press(app, next(key for key in keys if key.startswith("start_mend_")))
    assert app.text_input(key="start").value.endswith(" sat")


def test_an_unknown_word_is_named_and_can_be_mended(app):
    app.text_input(key="start").set_value("the catt sat on").run()
    assert "`catt`" in app.warning[0].value
    assert app.text_input(key="start").value == "the catt sat on"
    press(app, "start_mend_cat")
    assert app.text_input(key="start").value == "the cat sat on"
    assert not app.warning


def test_the_first_impossible_word_is_marked_and_one_click_leads_back(app):
    app.text_input(key="start").set_value("the cat sat on mia").run()
    assert "never say `mia` after `the cat sat on`" in app.warning[0].value
    assert "`the`" in app.warning[0].value
    press(app, "start_back")
    assert app.text_input(key="start").value == "the cat sat on"
    assert not app.warning


def test_an_empty_start_is_the_beginning_of_a_story(app, llm):
    app.text_input(key="start").set_value("").run()
    np.testing.assert_allclose(
        softmax(picture(app, EXPECTS).rows["behind"].to_numpy()),
        softmax(llm.next_logits("")),
        atol=1e-6,
    )
    assert not app.warning


def test_a_long_start_is_read_from_its_end_and_that_is_said(app):
    app.text_input(key="start").set_value("the cat " * 60).run()
    room = tiny_llm().config.context_length - 1
    assert any(f"reads only the last {room}" in info.value for info in app.info)


def test_the_guess_is_scored_as_a_model_is(app, llm):
    for word, given in {"roof": 40, "fence": 30, "branch": 22, "chair": 8}.items():
        app.number_input(key=f"guess_{word}").set_value(given)
    press(app, "guess_reveal")
    truth = world().next_word_probabilities("the bird sang on the".split())
    said = llm.next_token("the bird sang on the")
    floor = -sum(p * np.log(p) for p in truth.values())
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["The exact truth"] == f"{floor:.2f}"
    assert shown["The tiny LLM"] == f"{expected_surprise(truth, said):.2f}"
    assert float(shown["Your guess"]) == pytest.approx(floor - np.log(0.99), abs=0.01)
    assert shown["Every word alike"] == f"{np.log(len(said)):.2f}"


def test_a_guess_of_more_than_all_cannot_be_revealed(app):
    for word in ("roof", "fence"):
        app.number_input(key=f"guess_{word}").set_value(80)
    app.run()
    assert "160%" in app.warning[0].value
    assert app.button(key="guess_reveal").disabled


def test_a_guess_becomes_a_distribution_over_all_words():
    words = ["mat", "floor", *map(str, range(98))]
    guess = as_distribution({"mat": 0.5, "floor": 0.0, "": 0.5}, words)
    assert sum(guess.values()) == pytest.approx(1)
    assert min(guess.values()) > 0
    assert guess["mat"] == pytest.approx(0.99 * 0.5 + 0.0001)


def test_nothing_tells_the_answer_before_a_try(app):
    sent = [str(element.proto) for element in app.main if hasattr(element, "proto")]
    assert "not picked" not in " ".join(sent)
    app.radio(key="next_token_check").set_value("The model made a mistake.").run()
    assert "Not quite" in app.info[-1].value


@pytest.mark.parametrize("value", [None, "nan", "inf", "-1e999", "x", "", [], "1e308"])
def test_a_number_from_an_address_is_made_sound(value):
    assert 0.1 <= sound_number(value, 1.0, 0.1, 2.0) <= 2.0


def test_both_engines_write_the_same(open_lesson):
    pytest.importorskip("tensorflow")
    by_glass_box = written(open_lesson(written="6"))
    app = open_lesson(written="6", engine="Keras", engines="true")
    assert written(app) == by_glass_box
    apart = next(m for m in app.metric if "Largest difference" in m.label)
    assert float(apart.value) < 1e-4
