"""The whole network, held to Keras with the same weights."""

import numpy as np
import pytest

from llm.glassbox.attention import attend, causal_mask
from llm.glassbox.feed_forward import project_down, project_up
from llm.glassbox.model import read_out, trace

TOKEN_IDS = np.random.default_rng(1).integers(0, 100, (3, 9))


@pytest.fixture(scope="module")
def found(tiny_llm):
    return trace(tiny_llm.weights, TOKEN_IDS, causal_mask(9))


@pytest.fixture(scope="module")
def keras_outputs(keras_model):
    """What each step of the Keras model gives, by the name of its class."""
    import keras

    # Additions are operations without weights, so `layers` does not list them.
    watched = keras_model.operations[1:]
    watcher = keras.Model(keras_model.inputs, [step.output for step in watched])
    outputs = {}
    found = watcher.predict(TOKEN_IDS, verbose=0)
    for step, output in zip(watched, found, strict=True):
        outputs.setdefault(type(step).__name__, []).append(output)
    return outputs


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, atol=1e-4)


def test_all_logits_equal_those_of_keras(found, keras_model):
    close(found.logits, keras_model.predict(TOKEN_IDS, verbose=0))


def test_embeddings_and_positions_equal_those_of_keras(found, keras_outputs):
    embeddings, positions = keras_outputs["Embedding"]
    close(found.embeddings, embeddings)
    close(np.broadcast_to(found.positions, positions.shape), positions)


def test_the_residual_stream_equals_that_of_keras_at_every_stop(found, keras_outputs):
    sums = [output for output in keras_outputs["Add"] if output.ndim == 3]
    assert len(sums) == len(found.residuals()) == 5
    for ours, theirs in zip(found.residuals(), sums, strict=True):
        close(ours, theirs)


def test_every_layer_norm_equals_that_of_keras(found, keras_outputs):
    ours = [
        vectors
        for block in found.blocks
        for vectors in (block.attention_input, block.feed_forward_input)
    ]
    for mine, theirs in zip(
        [*ours, found.final], keras_outputs["LayerNormalization"], strict=True
    ):
        close(mine, theirs)


def test_hidden_units_and_their_writing_equal_those_of_keras(found, keras_outputs):
    ours = [
        vectors
        for block in found.blocks
        for vectors in (block.hidden, block.feed_forward_output)
    ]
    for mine, theirs in zip([*ours, found.logits], keras_outputs["Dense"], strict=True):
        close(mine, theirs)


@pytest.mark.parametrize("mask", [causal_mask(9), None], ids=["causal", "two-sided"])
def test_attention_weights_equal_those_of_keras(tiny_llm, keras_model, mask):
    import keras

    layers = [
        layer
        for layer in keras_model.layers
        if isinstance(layer, keras.layers.MultiHeadAttention)
    ]
    found = trace(tiny_llm.weights, TOKEN_IDS, mask)
    for block, layer in zip(found.blocks, layers, strict=True):
        normalised = block.attention_input
        # What Keras calls attention scores is what this course calls weights.
        output, weights = layer(
            normalised,
            normalised,
            use_causal_mask=mask is not None,
            return_attention_scores=True,
        )
        close(block.attention_weights, weights)
        close(block.attention_output, output)
        close(block.queries, np.swapaxes(layer.query_dense(normalised), 1, 2))
        close(block.keys, np.swapaxes(layer.key_dense(normalised), 1, 2))
        close(block.values, np.swapaxes(layer.value_dense(normalised), 1, 2))


def test_one_sentence_alone_gives_the_same_as_among_others(tiny_llm, found):
    alone = trace(tiny_llm.weights, TOKEN_IDS[1], causal_mask(9))
    close(alone.logits, found.logits[1])
    close(alone.attention(1, 0), found.attention(1, 0)[1])


def test_a_later_word_changes_no_earlier_logit(tiny_llm, found):
    other = TOKEN_IDS.copy()
    other[:, -1] += 1
    changed = trace(tiny_llm.weights, other, causal_mask(9))
    close(changed.logits[:, :-1], found.logits[:, :-1])
    assert abs(changed.logits[:, -1] - found.logits[:, -1]).max() > 0.01


def test_without_a_mask_earlier_words_see_later_ones(tiny_llm):
    other = TOKEN_IDS.copy()
    other[:, -1] += 1
    before = trace(tiny_llm.weights, TOKEN_IDS, None).logits[:, 0]
    after = trace(tiny_llm.weights, other, None).logits[:, 0]
    assert abs(after - before).max() > 1e-3


def test_the_parts_of_a_trace_fit_together(tiny_llm, found):
    block, kernels = found.blocks[1], tiny_llm.weights.blocks[1].feed_forward
    close(block.residual_before + block.attention_output, block.residual_between)
    close(block.residual_between + block.feed_forward_output, block.residual_after)
    close(
        block.head_outputs,
        attend(block.queries, block.keys, block.values, causal_mask(9)),
    )
    hidden = project_up(
        block.feed_forward_input, kernels.hidden_kernel, kernels.hidden_bias
    )
    output = project_down(hidden, kernels.output_kernel, kernels.output_bias)
    close(block.feed_forward_output, output)
    close(read_out(tiny_llm.weights, block.residual_after)[1], found.logits)


def test_one_head_is_taken_from_its_layer(found):
    queries, keys = found.queries_and_keys(layer=1, head=0)
    assert queries.shape == keys.shape == found.values(1, 0).shape == (3, 9, 4)
    close(queries, found.blocks[1].queries[:, 0])
    close(keys, found.blocks[1].keys[:, 0])


def test_everything_stays_in_single_precision(found):
    arrays = [found.logits, found.final, *vars(found.blocks[0]).values()]
    assert {array.dtype for array in arrays} == {np.dtype(np.float32)}
