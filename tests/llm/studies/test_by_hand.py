"""Attention by hand: the course's figure, and each step against its definition."""

import math

import numpy as np
import pytest

from llm.glassbox.attention import attend, causal_mask
from llm.studies.by_hand import (
    LARGEST,
    MATRICES,
    TABLE,
    WORDS,
    as_text,
    by_hand,
    first_fault,
    four_steps,
    from_text,
    number_in,
)

IT, CAT = WORDS.index("it"), WORDS.index("cat")


def test_the_row_of_it_is_the_figure_of_the_course():
    weights = four_steps(*by_hand(TABLE)).attention_weights
    assert [f"{share:.2f}"[1:] for share in weights[IT]] == [".17", ".33", ".17", ".33"]


def test_it_was_made_to_resemble_the_cat():
    distances = np.linalg.norm(TABLE - TABLE[IT], axis=1)
    assert np.argsort(distances)[1] == CAT


def test_the_four_steps_are_their_definition():
    steps = four_steps(*by_hand(TABLE, MATRICES), causal_mask(4))
    root = math.sqrt(steps.queries.shape[1])
    for query in range(4):
        powers = {}
        for key in range(query + 1):
            dot = sum(q * k for q, k in zip(steps.queries[query], steps.keys[key]))
            assert steps.dots[query, key] == pytest.approx(dot)
            assert steps.scores[query, key] == pytest.approx(dot / root)
            powers[key] = math.exp(dot / root)
        for key, power in powers.items():
            share = power / sum(powers.values())
            assert steps.attention_weights[query, key] == pytest.approx(share)
        row = steps.attention_weights[query]
        blend = sum(row[key] * steps.values[key] for key in range(4))
        np.testing.assert_allclose(steps.output[query], blend)


def test_together_the_steps_are_attention():
    queries, keys, values = by_hand(TABLE, MATRICES)
    steps = four_steps(queries, keys, values)
    np.testing.assert_allclose(steps.output, attend(queries, keys, values))


def test_without_matrices_every_score_is_the_same_both_ways():
    steps = four_steps(*by_hand(TABLE))
    np.testing.assert_array_equal(steps.dots, steps.dots.T)


def test_with_matrices_it_looks_for_the_cat_and_not_for_itself():
    steps = four_steps(*by_hand(TABLE, MATRICES))
    assert steps.dots[IT, CAT] > 0 > steps.dots[CAT, IT]
    row = steps.attention_weights[IT]
    assert row[CAT] > 0.8 > 0.1 > row[IT]


def test_what_makes_a_word_found_is_not_what_it_hands_over():
    _, keys, values = by_hand(TABLE, MATRICES)
    assert np.argmax(keys[:, 0]) == CAT
    assert np.argmax(values[:, 1]) != CAT
    assert not np.allclose(keys, values)


@pytest.mark.parametrize(
    ("entry", "what"),
    [(None, "is empty"), ("", "is empty"), (float("nan"), "is empty"),
     ("seven", "is not a number"), (1e308, "is beyond 99"),
     (-math.inf, "is beyond 99")],
)
def test_an_entry_that_is_no_sound_number_is_named(entry, what):
    table = TABLE.tolist()
    table[2][1] = entry
    assert first_fault(table) == (2, 1, what)


def test_a_number_may_be_typed_with_a_comma_or_a_long_minus():
    assert [number_in(entry) for entry in ("0,5", " −2 ", "3", 1)] == [0.5, -2, 3, 1]
    assert first_fault([["1,2,3"]]) == (0, 0, "is not a number")


def test_a_sound_table_has_no_fault_up_to_the_largest_numbers():
    assert first_fault(TABLE.tolist()) is None
    assert first_fault([[LARGEST, -LARGEST]]) is None


def test_the_largest_numbers_still_give_shares():
    steps = four_steps(*by_hand(np.full((4, 4), LARGEST), MATRICES))
    np.testing.assert_allclose(steps.attention_weights.sum(axis=1), 1)
    assert np.isfinite(steps.output).all()


def test_a_table_comes_back_from_the_address_as_it_was():
    for table in (TABLE, -TABLE / 4, MATRICES["queries"]):
        back = from_text(as_text(table), table.shape)
        np.testing.assert_array_equal(back, table)


@pytest.mark.parametrize("text", ["", "nan", "1~2", "a~b~c~d_", "1e308", "_" * 50,
                                  as_text(TABLE).replace("0.8", "1e308")])
def test_nonsense_in_the_address_is_no_table(text):
    assert from_text(text) is None
