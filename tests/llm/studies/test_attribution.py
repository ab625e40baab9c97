"""Sums over parts are the numbers that the network itself computed."""

import numpy as np
import pytest

from llm.glassbox.ablation import Ablation
from llm.glassbox.layer_norm import layer_norm
from llm.studies.attribution import (
    BIAS,
    FEED_FORWARD,
    HEAD,
    PLACE,
    WORD,
    decompose_residual,
    logit_attribution,
    read_by_head,
    score_attribution,
    through_norm,
    trail,
    unit_attribution,
    value_attribution,
    written_by_units,
)
from llm.studies.link_effects import (
    all_links,
    head_effects,
    link_effects,
    logit_difference,
    ranked,
    same_order,
    without_link,
)

PROMPT = "mia has a red ball . tom has"
CLOSE = {"rtol": 0, "atol": 1e-4}


@pytest.fixture(scope="module")
def run(tiny_llm):
    return tiny_llm.trace(PROMPT)


@pytest.fixture(scope="module", params=[(5, None), (7, 40)], ids=["logit", "lead"])
def asked(request):
    return request.param


@pytest.fixture(scope="module")
def found(tiny_llm, run, asked):
    return logit_attribution(run, tiny_llm.weights, 6, *asked)


def parts_of(found, kind):
    return [part for part in found.parts if part.kind == kind]


def test_the_parts_add_up_to_the_stream_at_every_stop(tiny_llm, run):
    for token in (0, 4, len(run.tokens) - 1):
        for layer, block in enumerate(run.blocks):
            for half, stream in ((False, block.residual_before),
                                 (True, block.residual_between)):
                parts = decompose_residual(run, tiny_llm.weights, token, layer, half)
                total = sum(part.vector for part in parts)
                np.testing.assert_allclose(total, stream[token], **CLOSE)
        parts = decompose_residual(run, tiny_llm.weights, token)
        total = sum(part.vector for part in parts)
        np.testing.assert_allclose(total, run.blocks[-1].residual_after[token], **CLOSE)


def test_every_head_layer_bias_word_and_place_is_a_part(tiny_llm, run):
    config = tiny_llm.config
    kinds = [part.kind for part in decompose_residual(run, tiny_llm.weights, 3)]
    assert kinds.count(HEAD) == config.num_layers * config.num_heads
    assert kinds.count(FEED_FORWARD) == config.num_layers
    assert kinds.count(BIAS) == 2 * config.num_layers
    assert kinds.count(WORD) == kinds.count(PLACE) == 1


def test_with_its_spread_held_layer_norm_goes_through_a_sum_term_by_term(tiny_llm):
    rng = np.random.default_rng(0)
    parts, direction = rng.normal(size=(4, 8)), rng.normal(size=8)
    norm = tiny_llm.weights.final_norm
    stream = parts.sum(axis=0)
    pull = through_norm(direction, stream, norm.scale)
    assert pull.mean() == pytest.approx(0, abs=1e-12)
    whole = layer_norm(stream, norm.scale, norm.shift) @ direction
    assert (parts @ pull).sum() + norm.shift @ direction == pytest.approx(whole)


def test_a_logit_is_the_sum_of_what_every_part_gave(run, found, asked):
    word, other = asked
    assert found.total == pytest.approx(
        logit_difference(run.logits[6], word, other), abs=1e-4
    )


def test_a_head_gave_the_sum_of_weight_times_effect(tiny_llm, run, found):
    for part in parts_of(found, HEAD):
        attention, effects = read_by_head(run, tiny_llm.weights, found, part)
        assert attention.sum() == pytest.approx(1, abs=1e-5)
        assert attention @ effects == pytest.approx(found.amount_of(part), abs=1e-4)


def test_what_a_head_took_from_a_word_is_the_sum_over_that_words_parts(
    tiny_llm, run, found
):
    for part in parts_of(found, HEAD):
        attention, effects = read_by_head(run, tiny_llm.weights, found, part)
        for key in (0, 3, 6):
            value = value_attribution(run, tiny_llm.weights, found, part, key)
            assert value.position == key
            assert value.total == pytest.approx(attention[key] * effects[key], abs=1e-4)


@pytest.mark.parametrize("of_key", [True, False])
def test_a_score_is_the_sum_over_the_parts_of_either_word(
    tiny_llm, run, found, of_key
):
    for part in parts_of(found, HEAD):
        match = score_attribution(run, tiny_llm.weights, part, 6, 2, of_key)
        score = run.blocks[part.layer].scores[part.head, 6, 2]
        assert match.total == pytest.approx(score, abs=1e-4)
        assert match.position == (2 if of_key else 6)


def test_a_layer_gave_the_sum_of_what_its_units_wrote(tiny_llm, run, found):
    for part in parts_of(found, FEED_FORWARD):
        fired, effects = written_by_units(run, tiny_llm.weights, found, part)
        assert fired @ effects == pytest.approx(found.amount_of(part), abs=1e-4)


def test_a_unit_fired_by_the_sum_over_its_parts_unless_that_is_below_zero(
    tiny_llm, run
):
    for layer, block in enumerate(run.blocks):
        for unit in range(5):
            reason = unit_attribution(run, tiny_llm.weights, 6, layer, unit)
            assert max(reason.total, 0) == pytest.approx(
                block.hidden[6, unit], abs=1e-4)


def test_the_way_back_goes_down_until_nothing_is_below(tiny_llm, run, found):
    for part in found.parts:
        stops = trail(run, tiny_llm.weights, found, part)
        assert stops[0].part is part
        assert stops[0].total == pytest.approx(found.total)
        layers = [stop.part.layer for stop in stops if stop.part.layer is not None]
        assert layers == sorted(layers, reverse=True)
        last = stops[-1]
        assert last.key is None or last.part.kind == HEAD
        for before, after in zip(stops, stops[1:]):
            read = before.position if before.key is None else before.key
            assert after.position == read


def test_the_strongest_part_is_of_the_kind_that_was_asked_for(found):
    best = found.strongest((HEAD,))
    heads = [amount for part, amount in zip(found.parts, found.amounts)
             if part.kind == HEAD]
    assert max(heads) <= 0 if best is None else found.amounts[best] == max(heads)
    worst = found.strongest((HEAD,), sign=-1)
    assert min(heads) >= 0 if worst is None else found.amounts[worst] == min(heads)


def test_cutting_a_link_from_its_block_on_is_cutting_it_in_the_whole(tiny_llm, run):
    for layer in range(tiny_llm.config.num_layers):
        logits = without_link(tiny_llm.weights, run, layer, 1, 6, 2)
        cut = tiny_llm.trace(PROMPT, Ablation(edges={(layer, 1, 6, 2)})).logits[6]
        np.testing.assert_allclose(logits, cut, **CLOSE)


def test_what_is_missed_is_the_fall_of_the_logit(tiny_llm, run, asked):
    word, other = asked
    missed = link_effects(tiny_llm.weights, run, 1, 0, 6, word, other)
    cut = tiny_llm.trace(PROMPT, Ablation(edges={(1, 0, 6, 4)})).logits[6]
    fall = logit_difference(run.logits[6], word, other) - logit_difference(
        cut, word, other
    )
    assert missed.shape == (7,)
    assert missed[4] == pytest.approx(fall, abs=1e-4)
    heads = head_effects(tiny_llm, PROMPT, 6, word, other)
    cut = tiny_llm.trace(PROMPT, Ablation(heads={(0, 1)})).logits[6]
    fall = logit_difference(run.logits[6], word, other) - logit_difference(
        cut, word, other
    )
    assert heads[0, 1] == pytest.approx(fall, abs=1e-4)


def test_orders_agree_from_minus_one_to_one():
    numbers = [0.1, 5, 2, 9]
    assert same_order(numbers, [1, 3, 2, 4]) == pytest.approx(1)
    assert same_order(numbers, [4, 2, 3, 1]) == pytest.approx(-1)
    assert np.isnan(same_order(numbers, [1, 1, 1, 1]))
    assert ranked([7, 1, 7]).tolist() == [1.5, 0, 1.5]


def test_every_link_is_measured_as_each_by_itself(tiny_llm, run, found, asked):
    word, other = asked
    links = all_links(tiny_llm.weights, run, found, word, other)
    shape = tiny_llm.config.num_layers, tiny_llm.config.num_heads, 7
    assert (
        links.attention_weights.shape
        == links.given.shape
        == links.missed.shape
        == shape
    )
    np.testing.assert_allclose(links.attention_weights.sum(axis=-1), 1, atol=1e-5)
    for part in parts_of(found, HEAD):
        place = part.layer, part.head
        given = links.given[place].sum()
        assert given == pytest.approx(found.amount_of(part), abs=1e-4)
        missed = link_effects(tiny_llm.weights, run, *place, 6, word, other)
        np.testing.assert_allclose(links.missed[place], missed, **CLOSE)
