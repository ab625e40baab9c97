"""Pictures of trainings show every one, and their sentences count them."""

from pages.ui.charts.trainings import (
    arrivals_in_words,
    epochs_picture,
    lengths_picture,
    reached_in_words,
    uneven_in_words,
)

MODELS = {
    "LSTM": {"draws": [
        {"accuracy": 0.99, "tests": [0.5, 0.96, 0.99]},
        {"accuracy": 0.6, "tests": [0.5, 0.55, 0.6]},
    ]},
    "SimpleRNN": {"draws": [{"accuracy": 0.5, "tests": [0.5, 0.5, 0.5]}]},
}
RESULTS = [
    {"model": "LSTM", "length": 10, "accuracy": 1.0, "always_yes": 0.54},
    {"model": "LSTM", "length": 10, "accuracy": 0.99, "always_yes": 0.54},
    {"model": "LSTM", "length": 30, "accuracy": 0.55, "always_yes": 0.55},
]


def test_every_training_has_a_dot_at_every_epoch():
    rows = epochs_picture(MODELS, 0.54).data
    assert (rows["kind"] == "dot").sum() == 9


def test_every_training_has_a_dot_at_its_length():
    rows = lengths_picture(RESULTS).data
    assert sorted(rows.loc[rows["kind"] == "dot", "value"]) == [0.55, 0.99, 1.0]


def test_trainings_that_got_there_are_counted_by_length():
    assert "2 of 2 at 10, 0 of 1 at 30 digits" in reached_in_words(RESULTS)


def test_a_longer_row_that_was_easier_is_told():
    assert uneven_in_words(RESULTS) == ""
    longer = {"model": "SimpleRNN", "length": 30, "accuracy": 0.9}
    told = uneven_in_words([*RESULTS, longer, longer | {"length": 10, "accuracy": 0.7}])
    assert "the SimpleRNN got 70% at 10 digits and 90% at 30. With 2 trainings" in told
    assert "LSTM" not in told


def test_how_often_and_how_early_is_told():
    told = arrivals_in_words(MODELS)
    assert "**LSTM**: 1 of 2 trainings got to 95%, from epoch 2 on" in told
    assert "At the end: 60% to 99%." in told
    assert "**SimpleRNN**: 0 of 1 training got to 95%. At the end: 50%." in told
