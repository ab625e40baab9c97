"""Notebooks of the lessons on the Transformer.

Each function takes a `TinyLLM` and words, and returns a `Notebook` that ends
in the numbers of its page.
"""

import numpy as np

from llm.digits.experiment import EXAMPLE_ROW
from llm.digits.reader import (
    DigitWeights,
    read_digit_model,
    read_digits,
)
from llm.glassbox.layer_norm import layer_norm
from llm.glassbox.model import trace
from llm.glassbox.softmax import softmax
from llm.glassbox.weights import (
    AttentionWeights,
    FeedForwardWeights,
    NormWeights,
)
from llm.models.encoder_twin import MASK, load_encoder
from llm.models.tiny_llm import ASSETS
from llm.notebooks.notebook import Notebook
from llm.notebooks.parts import (
    SHOWN,
    all_weights,
    print_likeliest,
    said_words,
)
from llm.studies.families import FAMILIES, family_mask


def block(llm, words):
    """LayerNorm of one word before the first block."""
    run = llm.trace(words)
    norm = llm.weights.blocks[0].attention_norm
    found = run.blocks[0]
    book = Notebook(
        "What a block adds",
        f"The vector of `{run.tokens[-1]}` in the first block: LayerNorm, "
        "and the sums "
        "of the residual stream.",
    )
    book.array("stream", found.residual_before[-1])
    book.array("scale", norm.scale).array("shift", norm.shift)
    book.functions(layer_norm)
    book.text("Attention does not read the stream itself, but this:")
    book.code("read = layer_norm(stream, scale, shift)")
    book.compared("read", found.attention_input[-1])
    book.text("Attention and the feed-forward layer only add to the stream.")
    book.array("attention", found.attention_output[-1])
    book.array("feed_forward", found.feed_forward_output[-1])
    return book.compared(
        "stream + attention + feed_forward", found.residual_after[-1]
    )


def families(llm, words):
    """Three masks, and a blank that a network fills from both sides."""
    twin = load_encoder()
    tokens = twin.tokens(with_blank(list(words)))
    said = twin.answers(tokens, tokens.index(MASK))
    book = Notebook(
        "Who may look at whom",
        "The masks of the three families. Then the encoder twin, which looks "
        "to both sides, fills in a blank.",
    )
    book.code(said_words(tokens))
    book.functions(family_mask)
    book.code(f"""
    for family in {FAMILIES!r}:
        mask = family_mask(family, len(tokens), num_read=len(tokens) // 2)
        print(f"{{family:>15}}: {{mask.sum()}} of {{mask.size}} pairs")
    """)
    book.code(f"vocabulary = {list(twin.tokenizer.vocabulary)!r}")
    all_weights(book, twin.weights)
    book.functions(trace, softmax)
    book.text("Nothing is masked from anything: the mask is None.")
    book.code(f"""
    token_ids = [vocabulary.index(token) for token in tokens]
    logits = trace(weights, token_ids, mask=None).logits
    probabilities = softmax(logits[tokens.index({MASK!r})].astype(float))
    {print_likeliest()}
    """)
    return book.compared(
        "probabilities[likeliest]", list(said.values())[:SHOWN]
    )


def with_blank(words):
    """A sentence with one word hidden, if none is yet.

    It is the word behind the last `the`; where there is none, the middle one.
    """
    if MASK in words:
        return words
    nouns = [n + 1 for n, word in enumerate(words[:-1]) if word == "the"]
    hidden = nouns[-1] if nouns else len(words) // 2
    return [*words[:hidden], MASK, *words[hidden + 1:]]


def first_and_last(llm, words):
    """The network that compares the first digit with the last, whole."""
    learned = read_digit_model(ASSETS / "first_and_last.keras")
    length = len(learned.position_embeddings)
    typed = "".join(words)
    row = typed if typed.isdigit() and len(typed) == length else EXAMPLE_ROW
    digits = [int(digit) for digit in row]
    attention, same = read_digits(np.array([digits]), learned)
    book = Notebook(
        "Is the last digit the same as the first?",
        "The whole Transformer of the lesson, all its parameters, on one row "
        "of digits.",
    )
    book.functions(
        AttentionWeights, NormWeights, FeedForwardWeights, DigitWeights
    )
    book.functions(read_digits)
    book.array("digit_embeddings", learned.digit_embeddings)
    book.array("position_embeddings", learned.position_embeddings)
    book.array("answer_kernel", learned.answer_kernel)
    book.array("answer_bias", learned.answer_bias)
    given = []
    for part, value in vars(learned).items():
        given.append(part if isinstance(value, np.ndarray) else f"its_{part}")
        if part != given[-1]:
            named_arrays(book, f"its_{part}", value)
    book.code(f"weights = DigitWeights({', '.join(given)})")
    book.code(f"""
    digits = {digits!r}
    attention, same = read_digits(np.array([digits]), weights)
    print("first and last:", digits[0], digits[-1])
    print(f"the same with {{same[0]:.4f}}")
    for head, weights_of_head in enumerate(attention[0], 1):
        best = weights_of_head[-1].argmax()
        print(f"head {{head}} looks from the last position most at {{best}}")
    """)
    return book.compared(
        "[same[0], *attention[0, :, -1, 0]]",
        [same[0], *attention[0, :, -1, 0]],
    )


def named_arrays(book, name, weights):
    """Add the arrays of a part of a network, and the part itself.

    Args:
        book: a `Notebook`, which has the class of the part.
        name: under which the part is known then.
        weights: the part, as a `NormWeights`.
    """
    for array_name, array in vars(weights).items():
        book.array(f"{name}_{array_name}", array)
    given = ", ".join(f"{name}_{array_name}" for array_name in vars(weights))
    book.code(f"{name} = {type(weights).__name__}({given})")
