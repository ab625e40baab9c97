"""The encoder twin: the same glass box, without the causal mask."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from llm.glassbox.ablation import Ablation
from llm.models.encoder_twin import MASK, EncoderTwin, load_encoder
from llm.models.keras_file import WeightsError
from llm.models.tokenizer import Tokenizer, UnknownWord
from llm.training.encoder import (
    blanks_and_pronouns,
    blanks_in_copies,
    evaluation,
    question,
    vocabulary,
    with_pointers,
)
from llm.world import World, held_out_pairs

TIRED = "the animal didn't cross the street because it was too tired ."


@pytest.fixture(scope="module")
def words():
    return vocabulary(World(held_out_pairs()))


@pytest.fixture(scope="module")
def twin_model(tiny_config, words):
    """A two-sided Keras model of width 8 whose numbers are random, and its sizes."""
    from llm.training.model import build_model

    config = replace(tiny_config, vocab_size=len(words))
    rng = np.random.default_rng(1)
    model = build_model(config, two_sided=True)
    model.set_weights(
        [array + rng.normal(0, 0.5, array.shape) for array in model.get_weights()]
    )
    return model, config


@pytest.fixture(scope="module")
def twin_path(twin_model, words, tmp_path_factory):
    """The same model as a `.keras` file with its record beside it."""
    from llm.training.model import save

    model, config = twin_model
    path = tmp_path_factory.mktemp("assets") / "encoder.keras"
    save(model, config, path, two_sided=True)
    record = {
        "vocabulary": words, "config": asdict(config),
        "scores": {"flipping_head": {"layer": 1, "head": 0}},
    }
    path.with_suffix(".json").write_text(json.dumps(record), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def twin(twin_path):
    return load_encoder(twin_path)


def test_the_glass_box_equals_keras_on_a_two_sided_model(twin, twin_model):
    found = twin.ask(TIRED)
    expected = twin_model[0].predict_on_batch(found.token_ids[None])[0]
    np.testing.assert_allclose(found.logits, expected, atol=1e-4)


def test_it_is_two_sided_a_later_word_changes_what_comes_before(twin):
    tired, wide = twin.ask(TIRED), twin.ask(TIRED.replace("tired", "wide"))
    place = tired.tokens.index("it")
    assert abs(tired.logits[place] - wide.logits[place]).max() > 1e-3
    assert (tired.blocks[0].attention_weights > 0).all()


def test_answers_are_probabilities_of_every_word_likeliest_first(twin, words):
    masked = TIRED.replace("because it", f"because the {MASK}")
    place = twin.tokens(masked).index(MASK)
    said = twin.answers(masked, place)
    assert set(said) == set(words)
    assert sum(said.values()) == pytest.approx(1)
    assert list(said.values()) == sorted(said.values(), reverse=True)


def test_a_cut_edge_gets_no_attention(twin):
    tokens = twin.tokens(TIRED)
    it, animal = tokens.index("it"), tokens.index("animal")
    cut = twin.ask(TIRED, Ablation(edges={(0, 1, it, animal)}))
    assert cut.attention(0, 1)[it, animal] == 0
    np.testing.assert_allclose(cut.attention(0, 1).sum(axis=-1), 1, atol=1e-6)


def test_start_is_put_in_front_once_and_long_texts_are_cut_to_what_it_reads(twin):
    assert twin.tokens("the cat") == ["<start>", "the", "cat"]
    assert twin.tokens(["<start>", "the", "cat"]) == ["<start>", "the", "cat"]
    assert len(twin.tokens("the cat " * 99)) == twin.config.context_length
    with pytest.raises(UnknownWord):
        twin.tokens("the zebra")


def test_it_knows_the_head_that_the_training_measured(twin):
    assert twin.flipping_head == (1, 0)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(WeightsError, match="There is no weights file"):
        load_encoder(tmp_path / "encoder.keras")


def test_half_of_the_questions_are_about_it_and_the_noun_is_known():
    asked = blanks_and_pronouns(frozenset(), 20, np.random.default_rng(0))
    for kind, token in (("blank", MASK), ("it", "it")):
        assert len(asked[kind]) == 20
        for tokens, place, noun in asked[kind]:
            assert tokens[place] == token
            assert noun in tokens


def test_masked_words_and_pronouns_are_the_only_targets(words):
    tokenizer = Tokenizer(words)
    rng = np.random.default_rng(0)
    story = next(s for s in World().stories(rng) if s.references)
    inputs, targets, weights = question(story, tokenizer, rng)
    assert len(inputs) == len(targets) == len(weights)
    asked = [place for place, weight in enumerate(weights) if weight]
    for place in asked:
        shown = tokenizer.vocabulary[inputs[place]]
        assert shown == MASK or place in story.references
    assert 0 not in asked


def test_a_hidden_word_of_a_copy_was_said_before(words):
    rng = np.random.default_rng(0)
    for pairs in (frozenset(), held_out_pairs(["binding"])):
        for tokens, place, word in blanks_in_copies(pairs, 20, rng):
            assert tokens[place] == MASK and word in tokens[:place]
            assert tokens[-1] == "."
            assert not pairs or any(word in pair for pair in pairs)


def test_it_points_at_its_noun_and_every_other_word_at_itself(words):
    ids = Tokenizer(words).ids
    it, cat, was = ids["it"], ids["cat"], ids["was"]
    inputs = {
        "token_ids": np.array([[cat, was, it, was, cat, it, 0]]),
        "stories": np.array([[1, 1, 1, 1, 2, 2, 0]]),
    }
    targets = np.array([[0, 0, cat, 0, 0, cat, 0]])
    weights = np.array([[0, 0, 1, 0, 0, 0, 0]], np.float32)
    batch = inputs, targets, weights
    _, pointed, counted = next(with_pointers(iter([batch]), it))
    assert pointed["pointer"][0].tolist() == [0, 1, 0, 3, 4, 5, 6]
    counts = counted["pointer"][0]
    assert counts[2] == 1.0 > counts[0] > 0
    # An `it` that was not asked about, and padding, may point anywhere.
    assert counts[5] == counts[6] == 0


def test_scores_name_a_head_and_lie_between_nothing_and_all(twin_model, words):
    from llm.glassbox.weights import from_arrays

    model, config = twin_model
    weights = from_arrays(model.get_weights(), config.num_layers)
    wide_enough = replace_positions(weights)
    found = evaluation(wide_enough, Tokenizer(words), count=5)
    assert EncoderTwin(wide_enough, words, {"scores": found}).flipping_head < (2, 2)
    for kind in ("fresh", "held_out", "binding", "pointing"):
        assert all(0 <= share <= 1 for share in found[kind].values())


def replace_positions(weights):
    """The same network with more learned positions, for whole stories."""
    return replace(
        weights, position_embeddings=np.tile(weights.position_embeddings, (4, 1))
    )
