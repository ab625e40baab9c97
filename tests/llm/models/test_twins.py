"""Every twin in plain functions, held to the Keras model that is trained."""

import numpy as np
import pytest

from llm.glassbox.ablation import Ablation
from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.variants import Variant, variant_trace
from llm.models.config import ModelConfig
from llm.models.keras_file import from_arrays
from llm.models.twins import TWINS, TwinLLM, complete_weights, twin_trace
from llm.studies.exam import log_probabilities, log_probabilities_unseen
from llm.studies.exam import make_exam as exam_of
from llm.studies.sampling import write_story
from llm.training.twins import build_twin
from llm.world import World, held_out_pairs

VOCAB_SIZE = 30
TOKEN_IDS = np.random.default_rng(1).integers(0, VOCAB_SIZE, (3, 9))


def small(variant):
    return ModelConfig(
        vocab_size=VOCAB_SIZE, embed_dim=8, feed_forward_dim=12,
        num_heads=min(variant.num_heads, 2), num_layers=variant.num_layers,
    )


def shaken(model):
    """Give every weight that is learned a number that nobody chose."""
    rng = np.random.default_rng(0)
    for weight in model.trainable_weights:
        weight.assign(weight.numpy() + rng.normal(0, 0.2, weight.shape))
    return model


def alone(model, token_ids):
    """The logits of a packed model for one story a row."""
    places = np.broadcast_to(np.arange(token_ids.shape[1]), token_ids.shape)
    return model.predict_on_batch(
        {"token_ids": token_ids, "positions": places, "stories": 0 * token_ids}
    )


@pytest.fixture(scope="module", params=TWINS)
def twin(request):
    """A twin of width 8: its `Variant`, its Keras model and its `Weights`."""
    variant = TWINS[request.param]
    model = shaken(build_twin(variant, VOCAB_SIZE, small(variant)))
    arrays = complete_weights(model.get_weights(), variant)
    return variant, model, from_arrays(arrays, variant.num_layers)


def test_a_twin_in_numpy_says_what_it_says_in_keras(twin):
    variant, model, weights = twin
    ours = twin_trace(weights, variant, TOKEN_IDS).logits
    np.testing.assert_allclose(ours, alone(model, TOKEN_IDS), atol=2e-4)


def test_a_twin_has_the_parts_that_its_name_says(twin):
    variant, _, weights = twin
    found = twin_trace(weights, variant, TOKEN_IDS)
    future = np.triu(np.ones((9, 9), bool), 1)
    looks_ahead = found.blocks[0].attention_weights[..., future].max() > 0
    assert looks_ahead == (not variant.causal)
    assert found.positions.any() == (variant.positions != "none")
    assert len(found.blocks) == variant.num_layers
    if not variant.residual:
        last = found.blocks[-1]
        np.testing.assert_array_equal(last.residual_after, last.feed_forward_output)


def test_the_design_of_the_tiny_llm_is_the_tiny_llm(tiny_llm):
    token_ids, mask = TOKEN_IDS % len(tiny_llm.tokenizer), causal_mask(9)
    ours = variant_trace(tiny_llm.weights, token_ids, mask, Variant())
    np.testing.assert_array_equal(
        ours.logits, trace(tiny_llm.weights, token_ids, mask).logits
    )


def test_a_twin_is_read_from_the_file_that_training_writes(twin, tmp_path, monkeypatch):
    from llm.models import shipped as assets

    variant, model, weights = twin
    name = next(name for name in TWINS if TWINS[name] is variant)
    arrays = {f"{name}/{n}": array for n, array in enumerate(model.get_weights())}
    np.savez_compressed(tmp_path / "twins.npz", **arrays)
    monkeypatch.setattr(assets, "ASSETS", tmp_path)
    read = assets.load_twin(name)
    np.testing.assert_array_equal(read.output_kernel, weights.output_kernel)
    ours, theirs = (twin_trace(w, variant, TOKEN_IDS).logits for w in (read, weights))
    np.testing.assert_array_equal(ours, theirs)


@pytest.fixture(scope="module")
def exam(tiny_llm):
    # The model of the tests sees 16 tokens; longer stories would not fit.
    world = World(held_out_pairs())
    stories = world.sample(np.random.default_rng(0), 60)
    short = [story for story in stories if len(story.tokens) <= 16][:8]
    return exam_of(world, short, tiny_llm.tokenizer)


def twin_llm(tiny_llm, name):
    return TwinLLM(tiny_llm.weights, tiny_llm.tokenizer.vocabulary, TWINS[name])


def test_a_twin_with_all_parts_writes_what_the_tiny_llm_writes(tiny_llm):
    full = twin_llm(tiny_llm, "full")
    for seed in range(3):
        ours = write_story(full, ["the", "cat"], seed)
        assert ours == write_story(tiny_llm, ["the", "cat"], seed)
    np.testing.assert_allclose(
        full.trace("the cat").logits, tiny_llm.trace("the cat").logits, atol=1e-5
    )


def test_without_peeking_a_causal_model_is_as_good_as_before(tiny_llm, exam):
    seen = log_probabilities(tiny_llm.logits, exam)
    unseen = log_probabilities_unseen(tiny_llm.logits, exam)
    np.testing.assert_allclose(unseen, seen, atol=1e-4)


def test_without_peeking_a_model_without_mask_says_something_else(tiny_llm, exam):
    blind = twin_llm(tiny_llm, "no causal mask")
    seen = log_probabilities(blind.logits, exam)
    unseen = log_probabilities_unseen(blind.logits, exam)
    assert abs(seen - unseen).max() > 0.01
    np.testing.assert_allclose(np.exp(unseen).sum(axis=-1), 1)


def test_a_twin_keeps_what_the_tiny_llm_promises(tiny_llm):
    blind = twin_llm(tiny_llm, "no causal mask")
    cut = blind.trace("the cat", Ablation(heads={(0, 0)}))
    assert (cut.blocks[0].head_outputs[0] == 0).all()
    with pytest.raises(ValueError, match="no file that Keras could open"):
        blind.logits([0, 1], engine="keras")
