"""Roles name the right words, and their scores are what they say."""

import json

import numpy as np

from llm import TinyLLM
from llm.models.tiny_llm import ASSETS
from llm.studies.exam import FRESH_SEED
from llm.studies.roles import (
    ROLES,
    answers_of,
    itself,
    look_up,
    measured,
    noun_when_due,
    previous_word,
    pronoun_to_noun,
    punctuation,
    role_scores,
    roles_of,
    same_word,
    scores_in,
    typed,
    verb_to_subject,
)
from llm.world import Story, World, held_out_pairs
from llm.world.grammar import Decision

KITE = "<start> mia has a blue kite . mia 's kite is blue . <end>".split()


def links(targets, tokens):
    """The pairs of words that a role names, to be read by people."""
    return [(tokens[row], tokens[column]) for row, column in np.argwhere(targets)]


def test_the_previous_word_is_the_one_before_and_never_the_start():
    found = links(previous_word(typed(KITE)), KITE)
    assert found[:3] == [("has", "mia"), ("a", "has"), ("blue", "a")]
    assert all(column != "<start>" for _, column in found)


def test_the_same_word_is_an_earlier_one_and_no_sign():
    assert links(same_word(typed(KITE)), KITE) == [
        ("mia", "mia"), ("kite", "kite"), ("blue", "blue"),
    ]


def test_itself_is_the_diagonal_without_the_first_word():
    assert links(itself(typed(KITE)), KITE)[0] == ("has", "has")


def test_punctuation_is_what_words_see_of_full_stops():
    found = set(links(punctuation(typed(KITE)), KITE))
    assert ("kite", ".") in found and (".", ".") not in found
    assert all(column != "<start>" for _, column in found)


def test_look_up_goes_from_where_the_answer_is_due_to_where_it_stands():
    story = Story(tuple(KITE), (Decision(11, "binding"),))
    assert KITE[11] == "blue"
    assert links(look_up(story), KITE) == [("is", "blue")]


def test_a_pronoun_points_to_the_noun_that_it_stands_for():
    tokens = "<start> the cat hid . it was too tired . so the cat".split()
    story = Story(
        tuple(tokens), (Decision(12, "reference"),), references={5: "cat"}
    )
    assert links(pronoun_to_noun(story), tokens) == [("it", "cat")]
    assert links(noun_when_due(story), tokens) == [("the", "cat")]


def test_the_verb_points_to_a_subject_that_is_not_just_before_it():
    tokens = "<start> the keys to the door are lost".split()
    story = Story(tuple(tokens), (Decision(6, "agreement"),))
    assert links(verb_to_subject(story), tokens) == [("door", "keys")]
    near = Story(("<start>", "the", "keys", "are"), (Decision(3, "agreement"),))
    assert not verb_to_subject(near).any()


def test_every_role_looks_back_or_at_itself_only():
    for story in World(held_out_pairs()).sample(np.random.default_rng(3), 50):
        for role in ROLES:
            targets = role.targets(story)
            assert targets.shape == (len(story.tokens),) * 2
            assert not np.triu(targets, k=1).any(), role.name


def test_a_score_is_the_mean_attention_on_the_targets():
    rng = np.random.default_rng(0)
    attention = rng.dirichlet(np.ones(4), (2, 4))
    targets = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0]], bool)
    by_hand = [
        (head[1, 0] + head[3, 0] + head[3, 1]) / 2 for head in attention
    ]
    np.testing.assert_allclose(role_scores(attention, targets), by_hand)
    assert np.isnan(role_scores(attention, np.zeros((4, 4), bool))).all()


def test_a_typed_sentence_has_no_targets_that_only_a_derivation_knows():
    scores = scores_in(np.eye(len(KITE)), typed(KITE))
    assert scores["itself"] == 1 and scores["previous word"] == 0
    assert np.isnan(scores["look-up"])
    assert not answers_of(typed(KITE), ("binding",)).any()


def test_padding_and_batches_change_no_score(tiny_llm):
    stories = [
        story for story in World(held_out_pairs()).sample(np.random.default_rng(1), 200)
        if len(story.tokens) <= tiny_llm.config.context_length
    ][:30]
    together = measured(tiny_llm.weights, tiny_llm.tokenizer, stories)
    sums, count = 0, 0
    for story in stories:
        trace = tiny_llm.trace(story.tokens)
        targets = previous_word(story)
        heads = np.stack([block.attention_weights for block in trace.blocks])
        places = targets.any(axis=-1).sum()
        if places:
            sums = sums + role_scores(heads, targets) * places
            count += places
    assert together["previous word"]["count"] == count
    np.testing.assert_allclose(
        together["previous word"]["heads"], sums / count, atol=1e-4
    )


def test_a_head_has_a_role_when_its_score_is_high_and_well_above_even():
    roles = {
        "clear": {"heads": [[0.6]], "even": 0.1},
        "clearer": {"heads": [[0.9]], "even": 0.1},
        "no wonder": {"heads": [[0.5]], "even": 0.4},
        "weak": {"heads": [[0.1]], "even": 0.01},
    }
    assert roles_of(roles, 0, 0) == ["clearer", "clear"]


def test_the_shipped_roles_are_those_of_the_shipped_model():
    record = json.loads((ASSETS / "heads.json").read_text(encoding="utf-8"))
    llm = TinyLLM.load()
    stories = World(held_out_pairs()).sample(
        np.random.default_rng(FRESH_SEED), record["num_stories"]
    )
    found = measured(llm.weights, llm.tokenizer, stories)
    assert found.keys() == record["roles"].keys()
    for name, role in record["roles"].items():
        assert role["count"] == found[name]["count"], (
            "stale: run `python -m llm train --what heads`"
        )
        np.testing.assert_allclose(role["heads"], found[name]["heads"], atol=2e-4)
