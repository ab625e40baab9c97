"""The experiment with the first and the last digit."""

import json
from dataclasses import replace

import numpy as np
import pytest

from llm.digits import experiment as task
from llm.digits.lengths import experiments
from llm.digits.reader import (
    digit_weights,
    mean_attention,
    parameter_table,
    read_digit_model,
    read_digits,
)
from llm.digits.train import learn, train_first_and_last, train_lengths
from llm.models.keras_file import WeightsError

TOY = task.Experiment(
    length=6, num_rows=40, num_test_rows=20, embed_dim=8, num_heads=2, head_dim=4,
    feed_forward_dim=8, epochs=2, batch_size=20,
)


@pytest.fixture(scope="module")
def toy_assets(tmp_path_factory):
    """What training writes, from a toy that learned next to nothing."""
    out = tmp_path_factory.mktemp("assets")
    with pytest.MonkeyPatch.context() as patch:
        # Steps at once make one large graph, which takes long to build.
        patch.setattr("llm.digits.train.STEPS_AT_ONCE", 1)
        train_first_and_last(out, TOY, draws=(0, 1))
    return out


def rows_of(experiment):
    rng = np.random.default_rng(experiment.seed)
    return task.make_rows(rng, experiment.num_rows, experiment.length)


def test_the_rows_hold_the_digits_1_to_9_and_a_little_more_than_half_agree():
    rows, answers = rows_of(task.Experiment())
    assert rows.shape == (8000, 30) and rows.min() == 1 and rows.max() == 9
    # Half are made alike, and one in nine of the others is by chance.
    assert answers.mean() == pytest.approx(0.5 + 0.5 / 9, abs=0.02)


def test_the_answer_is_whether_first_and_last_are_the_same():
    for row, answer in zip(*rows_of(TOY), strict=True):
        assert answer == (row[0] == row[-1])


def test_always_answering_yes_is_right_on_1089_of_2000_test_rows():
    assert task.always_yes(task.Experiment()) == 0.5445


def test_training_and_test_rows_are_different_parts():
    rows, answers, test_rows, test_answers = task.split_rows(task.Experiment())
    assert len(rows) == len(answers) == 8000
    assert len(test_rows) == len(test_answers) == 2000


def test_the_course_s_model_has_14049_parameters():
    assert task.build_transformer(task.Experiment()).count_params() == 14_049


def test_every_epoch_shows_each_row_once():
    batches = list(task.shuffled_batches(np.arange(40), np.arange(40), TOY))
    assert len(batches) == TOY.num_steps == 4
    seen = np.concatenate([rows for rows, _ in batches[:2]])
    assert sorted(seen) == list(range(40))


def test_training_writes_the_model_and_the_curves_of_all_three(toy_assets):
    record = json.loads((toy_assets / "first_and_last.json").read_text())
    assert set(record["models"]) == set(task.MODELS)
    for model in record["models"].values():
        assert [epoch for epoch, _ in model["tests"]] == [1, 2]
        assert [found["draw"] for found in model["draws"]] == [0, 1]
        assert all(len(found["tests"]) == TOY.epochs for found in model["draws"])
    assert task.Experiment(**record["experiment"]) == TOY


def test_numpy_gives_the_answers_and_the_attention_of_keras(toy_assets):
    import keras

    model = keras.saving.load_model(toy_assets / "first_and_last.keras")
    rows = rows_of(TOY)[0][:7]
    attention, same = read_digits(
        rows, read_digit_model(toy_assets / "first_and_last.keras")
    )
    np.testing.assert_allclose(same, model(rows)[:, 0], atol=1e-5)
    layer = next(layer for layer in model.layers if "attention" in layer.name)
    x = keras.Model(model.input, layer.input[0])(rows)
    _, weights = layer(x, x, return_attention_scores=True)
    np.testing.assert_allclose(attention, weights, atol=1e-5)


def test_each_place_shares_out_all_its_attention(toy_assets):
    weights = read_digit_model(toy_assets / "first_and_last.keras")
    mean = mean_attention(rows_of(TOY)[0], weights)
    assert mean.shape == (2, 6, 6)
    np.testing.assert_allclose(mean.sum(axis=-1), 1, atol=1e-5)


def test_the_parameter_table_adds_up_to_every_parameter():
    model = task.build_transformer(task.Experiment())
    table = parameter_table(digit_weights(model.get_weights()))
    assert sum(count for _, _, count in table) == 14_049 == model.count_params()


def test_a_file_of_another_model_is_refused(tiny_path):
    with pytest.raises(WeightsError, match="no digit model"):
        read_digit_model(tiny_path)


def test_each_draw_begins_with_other_weights_and_the_same_rows():
    first, second = TOY, replace(TOY, draw=1)
    for one, other in zip(task.split_rows(first), task.split_rows(second), strict=True):
        np.testing.assert_array_equal(one, other)
    weights = [task.compiled(toy).get_weights()[0] for toy in (first, second, first)]
    assert np.abs(weights[0] - weights[1]).max() > 0.01
    np.testing.assert_array_equal(weights[0], weights[2])


def test_the_sweep_gives_every_network_the_course_s_budget(tmp_path, monkeypatch):
    def reached(experiment, name, stop_early):
        assert stop_early
        return None, {"model": name, "length": experiment.length,
                      "draw": experiment.draw}

    monkeypatch.setattr("llm.digits.train.learn", reached)
    train_lengths(tmp_path, (3, 4), (0, 1))
    record = json.loads((tmp_path / "lengths.json").read_text())
    found = {(r["model"], r["length"], r["draw"]) for r in record["results"]}
    assert len(found) == len(record["results"]) == 2 * 2 * len(task.MODELS)
    assert record["budget"]["draws"] == [0, 1]
    course = task.Experiment()
    sizes = {(e.num_rows, e.epochs, e.batch_size) for _, e in experiments()}
    assert sizes == {(course.num_rows, course.epochs, course.batch_size)}


def test_a_run_that_is_right_for_good_ends_early(monkeypatch):
    monkeypatch.setattr("llm.digits.train.share_right", lambda *_: 1.0)
    longer = replace(TOY, epochs=4)
    assert len(learn(longer, "SimpleRNN", stop_early=True)[1]["tests"]) == 2
    assert len(learn(longer, "SimpleRNN")[1]["tests"]) == 4
