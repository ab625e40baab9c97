"""The sentences of the lesson on first and last follow from their figures."""

import numpy as np

from pages.first_and_last.words import (
    HALF,
    HARDLY,
    MOST,
    answer_in_words,
    ends_in_words,
    how_much,
    recurrent_in_words,
)


def test_what_was_learned_is_what_lies_above_the_baseline():
    assert how_much(0.566, 0.5445) == HARDLY
    assert how_much(0.77, 0.54) == HALF
    assert how_much(0.98, 0.54) == MOST


def test_an_answer_is_right_if_it_agrees_with_the_two_ends():
    assert "That is right." in answer_in_words(0.9, [1, 2, 1], "the model")
    assert "That is wrong." in answer_in_words(0.9, [1, 2, 3], "the model")


def test_the_share_of_the_ends_is_that_of_both():
    attention = np.tile([0.3, 0.2, 0.5], (1, 3, 1))
    told = ends_in_words(np.concatenate([attention, attention]))
    assert "head 1 gives 80% of its attention to the two ends and head 2 80%" in told


def test_attention_is_called_surer_only_where_it_was():
    def trained(*firsts):
        return {"draws": [{"tests": [0.5] * (first - 1) + [0.96]} if first else
                          {"tests": [0.5]} for first in firsts]}

    models = {"Transformer": trained(3, 4), "LSTM": trained(9, None)}
    told = recurrent_in_words(models)
    assert told.startswith("1 of 2 recurrent trainings got to 95%, 2 of 2 Transf")
    assert told.endswith("attention is surer and earlier.")
    for lstm in (trained(2, None), trained(9, 9)):
        assert "surer" not in recurrent_in_words({**models, "LSTM": lstm})
    models["Transformer"] = trained(3, None)
    assert "surer" not in recurrent_in_words(models)
