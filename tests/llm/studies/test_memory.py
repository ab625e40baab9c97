"""How far back a network looks, against the definitions."""

import numpy as np
import pytest

from llm.glassbox.lstm import LSTMWeights, lstm_states, lstm_step, sigmoid
from llm.models.tokenizer import Tokenizer
from llm.studies.distance import (
    DISTANCES,
    FACTS,
    SKILLS_WITH_A_SOURCE,
    Answer,
    answers_of,
    distance_group,
    right_by_distance,
    right_by_facts,
    skills_by_distance,
    source_of,
)
from llm.studies.exam import decision_rows, make_exam
from llm.studies.memory import (
    ASKED,
    COLOURS,
    OTHER_FACTS,
    kept_shares,
    reading_seconds,
    remembering,
    retained_share,
    story_to_remember,
    work_of_attention,
    work_of_recurrence,
)
from llm.world import World, held_out_pairs


@pytest.fixture(scope="module")
def some_lstm(tiny_llm):
    """An LSTM of seven units with numbers that nobody trained."""
    rng, words, units = np.random.default_rng(0), len(tiny_llm.tokenizer), 7
    shapes = (words, 5), (5, 4 * units), (units, 4 * units), (4 * units,)
    shapes = (*shapes, (units, words), (words,))
    return LSTMWeights(*(rng.normal(0, 0.7, shape) for shape in shapes))


@pytest.fixture(scope="module")
def some_exam():
    """Three hundred fresh stories with the truth."""
    world = World(held_out_pairs())
    tokenizer = Tokenizer(world.vocabulary())
    stories = world.sample(np.random.default_rng(7), 300)
    return make_exam(world, stories, tokenizer), tokenizer


def test_the_path_in_thirty_words_is_29_against_1():
    assert work_of_recurrence(30)["path"] == 29
    assert work_of_attention(30)["path"] == 1


@pytest.mark.parametrize("num_tokens", [1, 2, 30, 64])
def test_attention_compares_each_word_with_each_and_a_decoder_with_about_half(
    num_tokens,
):
    pairs = [(a, b) for a in range(num_tokens) for b in range(num_tokens)]
    work = work_of_attention(num_tokens)
    assert work["pairs"] == len(pairs)
    assert work["seen"] == sum(b <= a for a, b in pairs)


@pytest.mark.parametrize("num_others", range(len(OTHER_FACTS) + 1))
@pytest.mark.parametrize("colour", COLOURS)
def test_the_world_tells_the_story_and_only_one_colour_is_right(colour, num_others):
    story = story_to_remember(colour, num_others)
    assert World(held_out_pairs()).next_word_probabilities(story) == {colour: 1.0}
    assert " ".join(story).endswith(ASKED)


def test_nothing_moves_before_the_word_that_is_exchanged(tiny_llm, some_lstm):
    place = story_to_remember(COLOURS[0], 0).index(COLOURS[0])
    for read in remembering(tiny_llm, some_lstm, 0).values():
        apart = np.ptp(read["states"], axis=0).max(axis=-1)
        np.testing.assert_allclose(apart[:place], 0, atol=1e-6)
        assert apart[place] > 0.01
        np.testing.assert_allclose(read["expected"].sum(axis=-1), 1, rtol=1e-5)


def test_the_kept_shares_are_the_forget_gates_of_each_step(some_lstm):
    token_ids = [3, 1, 4, 1, 5]
    state = memory = np.zeros(7)
    for kept, token_id in zip(kept_shares(some_lstm, token_ids), token_ids):
        word = some_lstm.token_embeddings[token_id]
        gates = (word @ some_lstm.input_kernel + state @ some_lstm.state_kernel
                 + some_lstm.bias)
        np.testing.assert_allclose(kept, sigmoid(gates[7:14]))
        state, memory = lstm_step(some_lstm, word, state, memory)
    np.testing.assert_allclose(lstm_states(some_lstm, token_ids)[-1], state)


def test_what_is_left_of_a_word_begins_whole_and_never_rises(some_lstm):
    kept = kept_shares(some_lstm, [3, 1, 4, 1, 5, 9, 2])
    left = retained_share(kept, 2)
    assert (left[0] == 1).all()
    assert (np.diff(left, axis=0) <= 0).all()
    np.testing.assert_allclose(left[-1], kept[3:].prod(axis=0))


@pytest.mark.parametrize("skill, text, answer, source", [
    ("binding", "<start> mia has a red kite . tom has a red ball . what does mia have "
     "? a", "red", 4),
    ("binding", "<start> mia has a red kite . tom has a red ball . tom 's ball is",
     "red", 10),
    ("binding", "<start> there is a blue cup . it is for leo . the red hat is for mia "
     ". leo 's", "cup", 5),
    ("repetition", "<start> mia says : cup hat . the parrot says : cup", "hat", 5),
    ("reference", "<start> the animal didn't cross the street because it was too tired "
     ". so the", "animal", 2),
    ("word order", "<start> dog bites man . who was bitten ?", "man", 3),
    ("agreement", "<start> the keys to the old cabinet", "are", 2),
])
def test_the_source_is_where_the_answer_was_told(skill, text, answer, source):
    tokens = text.split()
    assert source_of(tokens, len(tokens), answer, skill) == source


def test_every_decision_of_these_skills_has_a_source(some_exam):
    found, _ = some_exam
    stories = [story for story in found.stories for _ in story.decisions]
    for story, (_, decision) in zip(stories, decision_rows(found), strict=True):
        if decision.skill in SKILLS_WITH_A_SOURCE:
            answer = story.tokens[decision.position]
            source = source_of(
                story.tokens, decision.position, answer, decision.skill)
            assert 0 < source < decision.position


def test_whoever_knows_the_truth_is_right_at_every_distance(some_exam):
    found, tokenizer = some_exam
    with np.errstate(divide="ignore"):
        answers = list(answers_of(found, np.log(found.truth), tokenizer))
    right = right_by_distance(answers)
    assert {skill for skill, _ in right} == set(SKILLS_WITH_A_SOURCE)
    assert all(all(answers) for answers in right.values())


def test_whoever_knows_nothing_is_seldom_right(some_exam):
    found, tokenizer = some_exam
    measured = skills_by_distance(
        {"none": lambda ids: np.zeros((*ids.shape, len(tokenizer)))}, found, tokenizer)
    binding, by_facts = measured["skills"]["binding"], measured["binding_by_facts"]
    assert np.sum(by_facts["counts"], axis=0).tolist() == binding["counts"]
    assert np.sum(by_facts["right"]["none"]) < 0.2 * np.sum(by_facts["counts"])
    assert len(binding["counts"]) == len(binding["none"]) == len(DISTANCES)
    assert max(share for share in binding["none"] if share is not None) < 0.2


def test_answers_of_binding_are_counted_by_facts_and_distance():
    answers = [Answer("binding", 1, 2, True), Answer("binding", 1, 2, False),
               Answer("binding", 0, 1, True), Answer("repetition", 0, 1, True)]
    counts, right = right_by_facts(answers)
    assert counts.shape == (len(FACTS), len(DISTANCES))
    assert (counts[1, 1], right[1, 1]) == (2, 1)
    assert (counts[0, 0], right[0, 0]) == (1, 1)
    assert counts.sum() == 3


def test_facts_before_a_question_are_those_that_were_told(some_exam):
    found, tokenizer = some_exam
    with np.errstate(divide="ignore"):
        answers = list(answers_of(found, np.log(found.truth), tokenizer))
    asked = {answer.num_facts for answer in answers if answer.skill == "binding"}
    assert asked == set(FACTS)


def test_distances_fall_into_groups_without_gaps():
    groups = [distance_group(distance) for distance in range(1, 61)]
    assert groups == sorted(groups)
    for number, (low, high) in enumerate(DISTANCES):
        assert {groups[low - 1], groups[high - 1]} == {number}


def test_reading_is_timed_for_both(tiny_llm, some_lstm):
    seconds = reading_seconds(tiny_llm, some_lstm, [1, 2, 3] * 20, repeats=1)
    assert seconds.keys() == {"LSTM", "attention"}
    assert min(seconds.values()) > 0
