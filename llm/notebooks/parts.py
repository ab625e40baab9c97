"""Parts that several notebooks have."""

import numpy as np

from llm.glassbox.weights import from_arrays

SHOWN = 8  # words in a list


def said_words(tokens):
    """The words of a sentence as a line of Python."""
    return f"tokens = {list(tokens)!r}"


def print_likeliest():
    """Lines of Python that print the likeliest words of `probabilities`."""
    return f"""likeliest = np.argsort(-probabilities, kind="stable")[:{SHOWN}]
    for number in likeliest:
        print(f"{{vocabulary[number]:>10}} {{probabilities[number]:.4f}}")"""


def all_weights(book, weights):
    """Add all weights of a network under the name `weights`.

    Args:
        book: a `Notebook`.
        weights: a `Weights`.
    """
    arrays = flat_arrays(weights)
    book.functions(from_arrays)
    book.text(
        f"{len(arrays)} arrays, {sum(a.size for a in arrays):,} numbers."
    )
    book.array("numbers", np.concatenate([array.ravel() for array in arrays]))
    book.code(f"""
    shapes = {[array.shape for array in arrays]!r}
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    arrays = [part.reshape(shape)
              for part, shape in zip(np.split(numbers, ends[:-1]), shapes)]
    weights = from_arrays(arrays, num_layers={len(weights.blocks)})
    """)


def flat_arrays(weights):
    """All arrays of a `Weights` in the order of `from_arrays`."""
    found = [weights.token_embeddings, weights.position_embeddings]
    for each in weights.blocks:
        for part in (
            each.attention_norm,
            each.attention,
            each.feed_forward_norm,
            each.feed_forward,
        ):
            found += list(vars(part).values())
    final = weights.final_norm
    return [
        *found,
        final.scale,
        final.shift,
        weights.output_kernel,
        weights.output_bias,
    ]
