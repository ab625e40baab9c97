"""The machine: what its picture shows is what the network did."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.ablation import Ablation
from llm.glassbox.layer_norm import EPSILON, standardised
from llm.glassbox.model import read_out
from llm.glassbox.softmax import softmax
from llm.studies.attribution import (
    HEAD,
    logit_attribution,
    read_by_head,
    unit_attribution,
    written_by_units,
)
from llm.studies.flow import (
    answer_flow,
    answer_paths,
    brought_between,
    strongest_path,
)
from llm.studies.link_cuts import lost_by_cuts
from llm.studies.machine import (
    heads_on_path,
    machine_at_work,
    needed_link,
    wrote,
)

KITE = "tom has a red ball . mia has a blue kite . mia 's kite is"
CAT = "the cat sat on the"


@pytest.fixture(scope="module")
def shipped():
    return TinyLLM.load()


@pytest.fixture(scope="module")
def kite(shipped):
    return machine_at_work(shipped, KITE)


def held_network(trace, weights, without=None):
    """The last stream, all nonlinear parts held as they were, one token at a time.

    Args:
        without: a (layer, head, query, key) that brings nothing.
    """
    def normed(stream, as_it_was, norm):
        spread = np.sqrt(as_it_was.astype(float).var() + EPSILON)
        return (stream - stream.mean()) / spread * norm.scale + norm.shift

    streams = (trace.embeddings + trace.positions).astype(float)
    for layer, (found, learned) in enumerate(zip(trace.blocks, weights.blocks)):
        attention, units = learned.attention, learned.feed_forward
        read = [normed(*pair, learned.attention_norm)
                for pair in zip(streams, found.residual_before)]
        after = []
        for query, stream in enumerate(streams):
            stream = stream + attention.output_bias
            for head, key in np.ndindex(found.attention_weights.shape[0], query + 1):
                if (layer, head, query, key) == without:
                    continue
                value = (read[key] @ attention.value_kernel[:, head]
                         + attention.value_bias[head])
                share = found.attention_weights[head, query, key]
                stream = stream + share * value @ attention.output_kernel[head]
            vector = normed(stream, found.residual_between[query],
                            learned.feed_forward_norm)
            hidden = vector @ units.hidden_kernel + units.hidden_bias
            hidden = hidden * (found.hidden[query] > 0)
            after.append(stream + hidden @ units.output_kernel + units.output_bias)
        streams = np.stack(after)
    last = trace.blocks[-1].residual_after[-1]
    final = normed(streams[-1], last, weights.final_norm)
    return final @ weights.output_kernel + weights.output_bias


def test_a_network_held_as_it_was_says_what_the_network_said(shipped):
    trace = shipped.trace(CAT)
    held = held_network(trace, shipped.weights)
    np.testing.assert_allclose(held, trace.logits[-1], atol=1e-3)


def test_a_link_brings_what_is_missing_without_it_while_all_else_is_held(shipped):
    trace = shipped.trace(CAT)
    word, other = (int(n) for n in np.argsort(-trace.logits[-1])[:2])
    flow = answer_flow(trace, shipped.weights, word, other)
    for link in [(0, 0, 5, 4), (0, 1, 2, 2), (1, 2, 5, 5), (2, 3, 5, 2)]:
        left = held_network(trace, shipped.weights, without=link)
        missing = flow.total - (left[word] - left[other])
        assert flow.links[link] == pytest.approx(missing, abs=1e-3)


def test_the_last_block_brings_what_the_attribution_of_the_logit_says(kite, shipped):
    trace, weights, last = kite.trace, shipped.weights, len(kite.trace.tokens) - 1
    reading = logit_attribution(trace, weights, last, kite.answer, kite.rival)
    np.testing.assert_allclose(
        kite.flow.pulls[2, last], reading.direction, atol=1e-6
    )
    layer = next(part for part in reading.parts if part.name == "feed-forward 3")
    assert wrote(kite, weights, 2, last)[1].sum() == pytest.approx(
        reading.amount_of(layer), abs=1e-4
    )
    # Heads bring their amount straight, and by way of the units that read it.
    fired, effects = written_by_units(trace, weights, reading, layer)
    pull = reading.direction + sum(
        effects[unit] * unit_attribution(trace, weights, last, 2, unit).direction
        for unit in np.flatnonzero(fired)
    )
    reading = replace(reading, direction=pull)
    heads = [part for part in reading.parts if (part.kind, part.layer) == (HEAD, 2)]
    for part in heads:
        attention, effects = read_by_head(trace, weights, reading, part)
        np.testing.assert_allclose(
            kite.flow.links[2, part.head, last], attention * effects, atol=1e-4
        )


def test_the_lead_is_what_the_words_give_and_what_is_fixed(kite):
    flow = kite.flow
    assert flow.words.sum() + flow.fixed == pytest.approx(flow.total)
    np.testing.assert_allclose(flow.crossings[0], flow.words)
    # Behind the last block all of it stands in the stream of the token that answers.
    assert flow.crossings[-1, :-1].sum() == 0


def test_the_words_give_what_all_ways_from_them_bring(kite, shipped):
    paths = answer_paths(kite.trace, shipped.weights, kite.answer, kite.rival)
    assert paths.shape == (len(kite.trace.tokens),) * 3
    np.testing.assert_allclose(paths.sum(axis=(1, 2)), kite.flow.words, atol=1e-4)


def test_no_way_leads_back_to_an_earlier_word(kite, shipped):
    paths = answer_paths(kite.trace, shipped.weights, kite.answer, kite.rival)
    for first, second, third in np.ndindex(paths.shape):
        if not first <= second <= third:
            assert paths[first, second, third] == 0


def test_the_colour_comes_from_its_own_word_step_by_step(kite):
    """By way of the kite or at once: that differs between trainings."""
    stops = kite.path.tokens
    assert [kite.trace.tokens[stops[0]], kite.trace.tokens[stops[-1]]] == ["blue", "is"]
    assert kite.path.amount > 0.5 * kite.flow.total
    moves = [
        (layer, query, key)
        for layer, (key, query) in enumerate(pairwise(stops)) if key != query
    ]
    assert moves == [
        (layer, query, key) for layer, _, query, key in heads_on_path(kite)
    ]


def test_the_strongest_path_brings_more_than_any_other(kite, shipped):
    paths = answer_paths(kite.trace, shipped.weights, kite.answer, kite.rival)
    assert kite.path == strongest_path(paths, len(kite.trace.tokens) - 1)
    assert kite.path.amount == max(paths.ravel())


def test_each_crossing_says_what_a_network_that_ends_there_says(kite, shipped):
    streams = [kite.trace.embeddings + kite.trace.positions]
    for found in kite.trace.blocks:
        streams += [found.residual_between, found.residual_after]
    for row, stream in enumerate(streams):
        for position, vector in enumerate(stream):
            norm = shipped.weights.final_norm
            final = standardised(vector) * norm.scale + norm.shift
            shares = softmax(final @ shipped.weights.output_kernel
                             + shipped.weights.output_bias)
            assert kite.said[row, position] == shares.argmax()
            assert kite.sure[row, position] == pytest.approx(shares.max(), abs=1e-5)


def test_the_last_crossing_says_what_the_model_says(kite, shipped):
    likeliest, share = next(iter(shipped.next_token(KITE).items()))
    assert shipped.tokenizer.vocabulary[kite.said[-1, -1]] == likeliest
    assert kite.answer == kite.said[-1, -1]
    assert kite.sure[-1, -1] == pytest.approx(share, abs=1e-6)


def test_units_write_what_their_layer_brings(kite, shipped):
    for layer, learned in enumerate(shipped.weights.blocks):
        fired, brought = wrote(kite, shipped.weights, layer, -1)
        bias = learned.feed_forward.output_bias @ kite.flow.pulls[layer, -1]
        assert brought.sum() + bias == pytest.approx(
            kite.flow.feed_forward[layer, -1], abs=1e-4
        )
        assert (fired >= 0).all()


def test_a_cut_link_loses_what_a_run_without_it_lacks(kite, shipped):
    word, other = kite.answer, kite.rival
    lost = lost_by_cuts(shipped.weights, kite.trace, word, other)
    links = np.argwhere(np.isfinite(lost))
    rng = np.random.default_rng(0)
    for link in links[rng.choice(len(links), 25, replace=False)]:
        cut = (
            shipped.trace(KITE, Ablation(edges={tuple(link)})).logits[-1].astype(float)
        )
        left = cut[word] - cut[other]
        assert lost[tuple(link)] == pytest.approx(kite.flow.total - left, abs=1e-3)


def test_every_link_that_gets_attention_and_can_matter_is_cut(kite, shipped):
    lost = lost_by_cuts(shipped.weights, kite.trace, kite.answer, kite.rival, 0.05)
    for layer, found in enumerate(kite.trace.blocks):
        seen = found.attention_weights >= 0.05
        seen[:, 0] = False
        if layer == 2:
            seen[:, :-1] = False
        np.testing.assert_array_equal(np.isfinite(lost[layer]), seen)


def test_attention_is_no_explanation(kite, shipped):
    # One link is needed far more than it brings: what it finds is used later.
    lost = lost_by_cuts(shipped.weights, kite.trace, kite.answer, kite.rival)
    link = needed_link(lost, kite.flow.links)
    assert lost[link] > 5 * kite.flow.links[link]
    assert (lost - kite.flow.links <= lost[link] - kite.flow.links[link]).sum() == (
        np.isfinite(lost).sum()
    )
    # Others are looked at with all attention, and nothing is lost without them.
    full = (np.stack([b.attention_weights for b in kite.trace.blocks]) > 0.9) & (
        abs(lost) < 0.1
    )
    assert full.any()


def test_one_word_alone_has_a_machine_too(shipped):
    machine = machine_at_work(shipped, [])
    assert machine.trace.tokens == ("<start>",)
    assert machine.path.tokens == (0, 0, 0, 0)
    assert np.isnan(lost_by_cuts(shipped.weights, machine.trace, 0)).all()


def test_a_model_of_any_depth_has_a_machine(tiny_llm):
    machine = machine_at_work(tiny_llm, CAT)
    _, logits = read_out(tiny_llm.weights, machine.trace.blocks[-1].residual_after[-1])
    lead = np.sort(logits.astype(float))[::-1]
    assert machine.flow.total == pytest.approx(lead[0] - lead[1], abs=1e-3)
    paths = answer_paths(machine.trace, tiny_llm.weights, machine.answer, machine.rival)
    np.testing.assert_allclose(paths.sum(axis=1), machine.flow.words, atol=1e-3)


def test_every_block_hands_on_the_same_sum(kite, shipped):
    paths = answer_paths(kite.trace, shipped.weights, kite.answer, kite.rival)
    brought = brought_between(paths, len(kite.trace.tokens) - 1)
    np.testing.assert_allclose(brought.sum(axis=(1, 2)), kite.flow.words.sum())
    np.testing.assert_allclose(brought[0].sum(axis=1), kite.flow.words, atol=1e-4)
    # What enters a token from below is what leaves it above.
    for below, above in zip(brought, brought[1:], strict=False):
        np.testing.assert_allclose(below.sum(axis=0), above.sum(axis=1), atol=1e-9)
    assert brought[-1][:, :-1].sum() == 0
