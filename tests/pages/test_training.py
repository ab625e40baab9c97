"""The training lesson: scrubbing, playing, one step by hand, and the twins."""

import numpy as np
import pytest

from llm.models.shipped import load_checkpoints, load_record
from llm.models.tiny_llm import TinyLLM
from llm.models.twins import TWINS
from llm.studies.arrivals import Difference, arrivals
from llm.studies.loss import token_losses
from pages.training import player as playing
from pages.training.charts import jump_in_words, skills_data, skills_table
from pages.training.twins import WORDS, found_in_words, peeking_in_words
from tests.pages.harness import picture, pictures, press


@pytest.fixture(scope="module")
def run():
    """The scores of the run, by step."""
    return load_record()["training"]["scores"]


def test_the_slider_moves_everything_at_once(app, run):
    before = [one.alt for one in pictures(app)]
    step = run[5]["step"]
    app.select_slider(key="step").set_value(str(step)).run()
    after = [one.alt for one in pictures(app)]
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert f"At step {step:,} it is {run[5]['loss']:.3f}" in after[0]
    assert app.metric[0].value == f"{run[5]['loss']:.3f}"


def test_the_bars_are_those_of_the_model_at_that_step(app, run):
    step = run[4]["step"]
    app.select_slider(key="step").set_value(str(step)).run()
    vocabulary = load_record()["vocabulary"]
    then = TinyLLM(load_checkpoints()[step], vocabulary)
    said = then.next_token(app.text_input(key="training_start").value)
    data = picture(app, "the tiny LLM expects").rows
    for word, share in zip(data["word"][:-1], data["model"][:-1], strict=True):
        assert share == pytest.approx(said[word], abs=1e-6)


def test_the_last_step_is_the_finished_model(run):
    finished = TinyLLM.load()
    then = TinyLLM(load_checkpoints()[run[-1]["step"]], finished.tokenizer.vocabulary)
    np.testing.assert_array_equal(
        then.next_logits("the cat"), finished.next_logits("the cat")
    )


def test_it_plays_to_the_end_and_stops_there(app, run, monkeypatch):
    monkeypatch.setattr(playing, "SECONDS_A_STEP", 0)
    app.select_slider(key="step").set_value(str(run[-3]["step"])).run()
    press(app, "step_play")
    assert app.select_slider(key="step").value == str(run[-1]["step"])
    assert not app.session_state["step_playing"]


def test_playing_from_the_end_begins_at_the_start_and_pauses_where_it_is(
    open_lesson, run, monkeypatch
):
    # A page that would run for ever in a test: play no further than one step.
    monkeypatch.setattr(playing.st, "rerun", lambda: None)
    monkeypatch.setattr(playing, "SECONDS_A_STEP", 0)
    app = open_lesson(step=str(run[-1]["step"]))
    press(app, "step_play")
    assert app.select_slider(key="step").value == str(run[0]["step"])
    app.run()
    assert app.select_slider(key="step").value == str(run[1]["step"])
    press(app, "step_pause")
    assert app.select_slider(key="step").value == str(run[1]["step"])
    assert app.button(key="step_play")


def test_the_losses_of_a_story_are_those_of_the_model(open_lesson, run):
    step = run[-2]["step"]
    app = open_lesson(step=str(step))
    data = picture(app, "Loss of each of").rows
    vocabulary = load_record()["vocabulary"]
    then = TinyLLM(load_checkpoints()[step], vocabulary)
    ids = then.tokenizer.ids_of([*data["after"], data["next"].iloc[-1]])
    losses = token_losses(then.logits(ids[:-1]), ids[1:])
    np.testing.assert_allclose(data["loss"], losses, atol=1e-6)
    assert (np.exp(-data["floor"]) <= 1 + 1e-9).all()


def test_the_sentences_by_hand_follow_the_chosen_word(app):
    data = picture(app, "Loss of each of").rows
    box = app.selectbox(key="training_place_1")
    box.set_value(box.options[2]).run()
    chance = np.exp(-data["loss"][2])
    assert any(rf"-\ln {chance:.4f}" in formula.value for formula in app.latex)


def test_every_skill_has_its_example_and_arrives_in_order(app, run):
    order = arrivals(run)
    assert set(order) == set(app.radio(key="training_guess").options)
    last = [skill for skill, step in order.items() if step == max(order.values())]
    app.radio(key="training_guess").set_value(last[-1]).run()
    assert any(text.value.startswith("Yes. Nine") for text in app.markdown)


def test_the_way_along_the_gradient_is_drawn(open_lesson):
    app = open_lesson(walk="true")
    assert "where it stands" in picture(app, "Loss of the batch when").alt


@pytest.mark.parametrize("name", [name for name in TWINS if name != "full"])
def test_every_twin_is_shown_with_its_figures(open_lesson, is_whole, name):
    app = open_lesson(twins="true", twin=name)
    is_whole(app)
    start = f"**{name[0].upper() + name[1:]}**"
    assert any(text.value.startswith(start) for text in app.markdown)


def test_the_twin_that_peeks_is_told_apart():
    twins = load_record("twins")["twins"]
    last = twins["full"]["scores"][-1]
    peeking = twins["no causal mask"]["curve"][-1][1]
    assert peeking < last["floor"], "it beats what nobody can beat"
    said = peeking_in_words(peeking, 0.8, {"loss": 9.5}, last, 300)
    assert "ln 300 = 5.70" in said
    assert "**9.50**" in said and f"{peeking:.3f}" in said


def test_what_is_said_of_a_twin_follows_from_its_figures():
    assert set(WORDS) == set(TWINS) - {"full"}
    same = found_in_words("one head", Difference(0.0, {}, {}))
    assert "changes nothing" in same and WORDS["one head"].spared in same
    worse = found_in_words("one layer", Difference(0.1, {"binding": (0.97, 0.5)}, {}))
    assert "binding falls from 97% to 50%" in worse
    assert "0.100 nats per token above" in worse
    assert WORDS["one layer"].matters in worse
    better = found_in_words("one head", Difference(-0.05, {}, {"order": (0.5, 0.9)}))
    assert "order rises from 50% to 90%" in better


def test_a_skill_that_grows_slowly_is_not_called_sudden():
    def record(step, accuracy):
        return {"step": step, "loss": 1.0, "skills": {"a": {"accuracy": accuracy}}}

    assert "at once" in jump_in_words((record(0, 0.2), record(10, 0.9)), "a")
    assert "little by little" in jump_in_words((record(0, 0.2), record(10, 0.3)), "a")


def test_the_table_of_skills_has_a_column_for_each_step():
    scores = [{"step": step, "skills": {"a": {"accuracy": 0.5}}} for step in (0, 1000)]
    table = skills_table(skills_data(scores, ["a"], 0))
    assert list(table.columns) == ["skill", "0", "1,000"]


