"""The training lesson: scrubbing, playing, one step by hand, and the twins."""

import numpy as np
import pytest

from llm.models.shipped import load_checkpoints, load_record
from llm.models.tiny_llm import TinyLLM
from llm.models.twins import TWINS
from llm.studies.arrivals import arrivals, last_to_arrive
from llm.studies.loss import token_losses
from llm.world import SKILLS
from pages.training import player as playing
from pages.training.charts import skills_over_steps
from pages.training.measures import first_story
from pages.training.player import written
from pages.training.twins import shown
from tests.pages.harness import picture, pictures, press, said, sentence


@pytest.fixture(scope="module")
def run():
    """The scores of the run, by step."""
    return load_record()["training"]["scores"]


def slide(app, step):
    return app.select_slider(key="step").set_value(written(step)).run()


def model_at(step):
    return TinyLLM(load_checkpoints()[step], load_record()["vocabulary"])


def test_the_slider_moves_everything_at_once(app, run):
    before = [one.alt for one in pictures(app)]
    step = run[5]["step"]
    slide(app, step)
    after = [one.alt for one in pictures(app)]
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert f"At step {step:,} it is {run[5]['loss']:.3f}" in after[0]
    assert f"**{run[5]['loss']:.5f}**" in sentence(app, f"At step {step:,} the loss")


def test_the_bars_are_those_of_the_model_at_that_step(app, run):
    step = run[4]["step"]
    slide(app, step)
    given = model_at(step).next_token(app.text_input(key="training_start").value)
    data = picture(app, f"the tiny LLM of step {step:,} expects").rows
    for word, share in zip(data["label"][:-1], data["bar"][:-1], strict=True):
        assert share == pytest.approx(given[word], abs=1e-6)


def test_the_last_step_is_the_finished_model(run):
    finished = TinyLLM.load()
    np.testing.assert_array_equal(
        model_at(run[-1]["step"]).next_logits("the cat"),
        finished.next_logits("the cat"),
    )


def test_an_address_between_two_kept_steps_gets_the_nearest_and_says_so(
    open_lesson, run
):
    first, second = run[0]["step"], run[1]["step"]
    app = open_lesson(step=str(second - 1))
    assert app.select_slider(key="step").value == written(second)
    assert f"the nearest is step {second:,}" in said(app)
    slide(app, first)
    assert "the nearest is step" not in said(app)


@pytest.mark.parametrize("write", [str, written])
def test_a_link_to_a_kept_step_opens_it_without_a_word(open_lesson, run, write):
    app = open_lesson(step=write(run[-1]["step"]))
    assert app.select_slider(key="step").value == written(run[-1]["step"])
    assert "the nearest is step" not in said(app)


def test_it_plays_to_the_end_and_stops_there(app, run, monkeypatch):
    monkeypatch.setattr(playing, "SECONDS_A_STEP", 0)
    slide(app, run[-3]["step"])
    press(app, "step_play")
    assert app.select_slider(key="step").value == written(run[-1]["step"])
    assert not app.session_state["step_playing"]


def test_playing_from_the_end_begins_at_the_start_and_pauses_where_it_is(
    open_lesson, run, monkeypatch
):
    # A page that would run for ever in a test: play no further than one step.
    monkeypatch.setattr(playing.st, "rerun", lambda: None)
    monkeypatch.setattr(playing, "SECONDS_A_STEP", 0)
    app = open_lesson(step=str(run[-1]["step"]))
    press(app, "step_play")
    assert app.select_slider(key="step").value == written(run[0]["step"])
    app.run()
    assert app.select_slider(key="step").value == written(run[1]["step"])
    press(app, "step_pause")
    assert app.select_slider(key="step").value == written(run[1]["step"])
    assert app.button(key="step_play")


def test_the_losses_of_the_story_are_those_of_the_model(open_lesson, run):
    step = run[-2]["step"]
    data = picture(open_lesson(step=str(step), walk="true"), "Surprise at each of").rows
    llm = model_at(step)
    words = ["<start>", *(label.split(maxsplit=1)[1] for label in data["label"])]
    ids = llm.tokenizer.ids_of(words)
    np.testing.assert_allclose(
        data["loss"], token_losses(llm.logits(ids[:-1]), ids[1:]), atol=1e-6
    )
    assert (data["least"] >= 0).all()


def test_the_formulas_follow_the_chosen_word(open_lesson):
    app = open_lesson(walk="true")
    data = picture(app, "Surprise at each of").rows
    box = app.selectbox(key="training_word")
    box.set_value(box.options[2]).run()
    word = data["label"][2].split(maxsplit=1)[1]
    formula = [one.value for one in app.latex if "P(" in one.value][-1]
    assert rf"P(\text{{{word}}})" in formula
    assert formula.strip("$\n ").endswith(f"= {data['loss'][2]:.2f}")
    assert f"when '{word}' comes" in picture(app, "Where a step pushes").alt


def test_the_skills_are_held_back_until_a_guess_and_every_skill_can_be_guessed(
    app, run
):
    assert not any("in which the skills arrived" in one.alt for one in pictures(app))
    order, late = arrivals(run), last_to_arrive(run)
    box = app.radio(key="training_guess")
    assert set(order) == set(box.options)
    box.set_value(late[-1]).run()
    assert app.success[0].value.startswith("Yes.")
    drawn = picture(app, "in which the skills arrived")
    assert set(drawn.rows["skill"][drawn.rows["guessed"]]) == {late[-1]}
    early = next(skill for skill in order if skill not in late)
    app.radio(key="training_guess").set_value(early).run()
    assert "Later still" in app.info[-1].value


def test_the_way_along_the_gradient_is_drawn(open_lesson):
    app = open_lesson(walk="true")
    assert "where it stands" in picture(app, "Loss of the story when").alt


def test_the_exam_says_its_floor_and_how_much_the_training_met(open_lesson):
    training = load_record()["training"]
    text = sentence(open_lesson(exam="true"), "The loss is measured on")
    assert f"{training['scores'][-1]['floor']:.3f}" in text
    assert f"{np.mean(training['seen']):.0%}" in text


@pytest.mark.parametrize("place", [0, 4, -1])
def test_what_is_still_wrong_is_shared_out_among_the_skills(open_lesson, run, place):
    step, excess = run[place]["step"], run[place]["excess"]
    app = open_lesson(step=str(step), exam="true")
    assert f"{excess:.4f} nats above the floor" in sentence(app, "On the stories of")
    shares = picture(app, "What is above the floor").rows
    assert set(shares["label"]) == set(SKILLS)
    assert shares["bar"].sum() + shares["second"].sum() == pytest.approx(1, abs=1e-9)
    assert shares["tick"].sum() == pytest.approx(1, abs=1e-6)
    given = model_at(step).next_token("mia says : cup hat fox")
    listed = picture(app, "after 'mia says : cup hat fox'").rows.set_index("label")
    for word in ("cup", "hat", "fox"):
        assert listed["bar"][word] == pytest.approx(given[word], abs=1e-6)
        assert listed["tick"][word] == 0


def test_the_story_that_is_taken_apart_is_the_first_that_the_model_read():
    from llm.training.schedule import story_examples
    from llm.training.tiny_llm import TINY

    tokenizer = TinyLLM.load().tokenizer
    (inputs, targets, _) = next(story_examples(tokenizer, TINY))
    said = tokenizer.ids_of(first_story())
    assert said == [*inputs, targets[-1]]
    # Rows are filled in another order, but it is learned from in the first step.
    batches = TINY.batches(story_examples(tokenizer, TINY), 64)
    rows = next(batches)[0]["token_ids"].tolist()
    read = said[:-1]
    assert any(read == row[i : i + len(read)] for row in rows for i in range(64))


@pytest.mark.parametrize("name", [name for name in TWINS if name != "full"])
def test_every_twin_is_shown_with_its_figures(open_lesson, is_whole, name):
    app = open_lesson(twins="true", twin=shown(name))
    is_whole(app)
    assert sentence(app, f"**{shown(name)[0].upper() + shown(name)[1:]}**")


def test_every_training_of_a_twin_is_a_dot(open_lesson):
    twins = load_record("twins")["twins"]
    data = picture(open_lesson(twins="true"), "Each network at the end").rows
    names = {shown(name): name for name in twins}
    for thing, dots in data.groupby("thing"):
        name = names[thing]
        runs = twins[name].get("draws", [twins[name]])
        assert sorted(dots["value"]) == pytest.approx(
            sorted(run["scores"][-1]["excess"] for run in runs)
        )


def test_the_table_of_skills_has_a_column_for_each_step():
    scores = [{"step": step, "skills": {"a": {"accuracy": 0.5}}} for step in (0, 1000)]
    chart = skills_over_steps(scores, ["a"], 0, {"a": 0.5})
    assert list(chart.table().columns) == ["skill", "0", "1,000"]
    assert "guessing gets 50%" in chart.alt
