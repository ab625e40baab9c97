"""Every learned number gets its name, in the order of Keras's list."""

import numpy as np
import pytest

from llm.glassbox.weights import ARRAYS_IN_A_BLOCK, from_arrays


def numbered(num_layers):
    """Arrays that hold nothing but their own number in the list."""
    return [np.full(1, n) for n in range(2 + ARRAYS_IN_A_BLOCK * num_layers + 4)]


def test_arrays_are_named_in_the_order_of_the_list():
    weights = from_arrays(numbered(2), 2)
    assert weights.token_embeddings == 0 and weights.position_embeddings == 1
    first, second = weights.blocks
    assert first.attention_norm.scale == 2 and first.attention.query_kernel == 4
    assert first.feed_forward.output_bias == 1 + ARRAYS_IN_A_BLOCK
    assert second.attention_norm.scale == 2 + ARRAYS_IN_A_BLOCK
    assert weights.output_bias == len(numbered(2)) - 1


def test_all_is_computed_in_single_precision():
    weights = from_arrays([one.astype(float) for one in numbered(1)], 1)
    assert weights.blocks[0].attention.output_kernel.dtype == np.float32


@pytest.mark.parametrize("num_layers", [1, 3])
def test_a_list_of_another_length_is_refused_with_both_numbers(num_layers):
    with pytest.raises(ValueError, match="need .* arrays, not"):
        from_arrays(numbered(2), num_layers)
