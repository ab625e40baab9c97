"""Which lessons have a notebook, and what stands in each.

Each function takes a `TinyLLM` and words, and returns a `Notebook` that ends
in the numbers of its page.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from llm.glassbox.attention import (
    attend,
    attention_scores,
    attention_weights,
    blend,
    causal_mask,
)
from llm.glassbox.embedding import look_up, one_hot
from llm.glassbox.entropy import entropy
from llm.glassbox.layer_norm import layer_norm
from llm.glassbox.model import trace
from llm.glassbox.positions import sinusoidal_positions
from llm.glassbox.sampling import draw, top_k, top_p, with_temperature
from llm.glassbox.softmax import softmax
from llm.glassbox.weights import from_arrays
from llm.notebooks.notebook import Notebook
from llm.studies.by_hand import TABLE, WORDS, four_steps
from llm.studies.loss import logit_gradient, token_losses
from llm.studies.word_map import cosine_similarities

SHOWN = 8  # words in a list
LAYER, HEAD = 1, 0  # the head that a notebook opens, counted from 0


def said_words(tokens):
    """The words of a sentence as a line of Python."""
    return f"tokens = {list(tokens)!r}"


def queries_keys_values(llm, words):
    """The course's listing, redone with our functions; then a trained head."""
    run = llm.trace(words)
    queries, keys = run.queries_and_keys(LAYER, HEAD)
    weights = run.attention(LAYER, HEAD)
    book = Notebook(
        "Attention by hand",
        "The course's own listing: four words with four numbers each. Score, "
        "scale, "
        "softmax, blend. Then the same functions on a head of the tiny LLM.",
    )
    book.functions(softmax, attention_scores, blend, attend)
    book.text(
        "The table of the course. Each row is query, key and value at once."
    )
    book.code(f"words = {list(WORDS)!r}").array("E", TABLE)
    book.code("""
    weights = softmax(attention_scores(E, E))
    output = attend(E, E, E)
    for word, weight in zip(words, weights[words.index("it")]):
        print(word, weight.round(2))
    """)
    book.text("The row of `it`, as on the page:")
    row = four_steps(*3 * [TABLE]).weights[WORDS.index("it")]
    book.compared('weights[words.index("it")]', row)
    book.text(f"""
    Now head {LAYER + 1}.{HEAD + 1} of the tiny LLM on a sentence. Learned
    matrices made its queries and keys; what follows is the same.
    """)
    book.code(said_words(run.tokens)).array("queries", queries).array(
        "keys", keys
    )
    book.functions(causal_mask, attention_weights)
    book.code("mask = causal_mask(len(tokens))")
    return book.compared("attention_weights(queries, keys, mask)", weights)


def attention(llm, words):
    """Who looks at whom in one head, with and without the causal mask."""
    run = llm.trace(words)
    queries, keys = run.queries_and_keys(LAYER, HEAD)
    book = Notebook(
        "Which words matter to each other?",
        f"Head {LAYER + 1}.{HEAD + 1} of the tiny LLM on one sentence: its "
        "scores, the "
        "causal mask, and the attention weights.",
    )
    book.code(said_words(run.tokens)).array("queries", queries).array(
        "keys", keys
    )
    book.functions(attention_scores, causal_mask, softmax, attention_weights)
    book.code("""
    scores = attention_scores(queries, keys)
    mask = causal_mask(len(tokens))
    weights = attention_weights(queries, keys, mask)
    for token, row in zip(tokens, weights):
        best = int(row.argmax())
        print(f"{token:>10} looks most at {tokens[best]:<10} {row[best]:.2f}")
    """)
    return book.compared("weights", run.attention(LAYER, HEAD))


def embeddings(llm, words):
    """Looking rows up, and comparing them by the cosine."""
    words = tuple(dict.fromkeys(words))
    rows = llm.weights.token_embeddings[llm.tokenizer.ids_of(words)]
    book = Notebook(
        "How a word becomes numbers",
        "A small table with the real rows of some words of the tiny LLM.",
    )
    book.code(f"vocabulary = {list(words)!r}").array("table", rows)
    book.functions(one_hot, look_up, cosine_similarities)
    book.text("A one-hot row times the table is the row itself:")
    book.code("""
    token_ids = list(range(len(vocabulary)))
    assert np.allclose(one_hot(token_ids, len(vocabulary)) @ table,
                       look_up(table, token_ids))
    """)
    book.text(f"How far each row points the same way as that of `{words[0]}`:")
    book.code("""
    cosines = cosine_similarities(table[0], table)
    for word, cosine in zip(vocabulary, cosines):
        print(f"{word:>10} {cosine:+.2f}")
    """)
    return book.compared("cosines", cosine_similarities(rows[0], rows))


def positions(llm, words):
    """Waves, and what attention knows of the order without them."""
    rows = llm.weights.token_embeddings[llm.tokenizer.ids_of(words)]
    book = Notebook(
        "How it knows the order",
        "Attention without positions does not notice when words change "
        "places. "
        "Sinusoidal positions change that.",
    )
    book.code(f"words = {list(words)!r}").array("rows", rows)
    book.functions(attend, sinusoidal_positions)
    book.code("""
    turned = np.arange(len(words))[::-1]
    before = attend(rows, rows, rows)
    after = attend(rows[turned], rows[turned], rows[turned])
    change = abs(before - after[turned]).max()
    print("without positions, largest change:", change)
    waves = sinusoidal_positions(len(words), rows.shape[1])
    before = attend(*3 * [rows + waves])
    after = attend(*3 * [rows[turned] + waves])
    change = abs(before - after[turned]).max()
    print("with positions, largest change:", change)
    """)
    waves = sinusoidal_positions(len(words), rows.shape[1])
    return book.compared("waves[:, :4]", waves[:, :4])


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


def next_token(llm, words):
    """The whole tiny LLM in NumPy: from words to probabilities."""
    run = llm.trace(words)
    said = llm.next_token(words)
    names = list(said)[:SHOWN]
    book = Notebook(
        "The whole tiny LLM in NumPy",
        "All weights and every function, from the words to the probability "
        "of each "
        "next word.",
    )
    book.code(f"vocabulary = {list(llm.tokenizer.vocabulary)!r}")
    book.functions(from_arrays)
    arrays = flat_arrays(llm.weights)
    book.text(
        f"{len(arrays)} arrays, {sum(a.size for a in arrays):,} numbers."
    )
    book.array("numbers", np.concatenate([array.ravel() for array in arrays]))
    book.code(f"""
    shapes = {[array.shape for array in arrays]!r}
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    arrays = [part.reshape(shape)
              for part, shape in zip(np.split(numbers, ends[:-1]), shapes)]
    weights = from_arrays(arrays, num_layers={llm.config.num_layers})
    """)
    book.functions(trace, causal_mask, softmax)
    book.code(f"""
    {said_words(run.tokens)}
    token_ids = [vocabulary.index(token) for token in tokens]
    logits = trace(weights, token_ids, causal_mask(len(tokens))).logits[-1]
    probabilities = softmax(logits)
    likeliest = np.argsort(-probabilities, kind="stable")[:{SHOWN}]
    for number in likeliest:
        print(f"{{vocabulary[number]:>10}} {{probabilities[number]:.4f}}")
    """)
    return book.compared(
        "probabilities[likeliest]", [said[name] for name in names]
    )


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


def sampling(llm, words):
    """From logits to one word: temperature, top-k, top-p, draw."""
    logits = llm.next_logits(words)
    settings = {"temperature": 0.8, "top_k": 5, "top_p": 0.9}
    kept = llm.probabilities(words, **settings)
    book = Notebook(
        "How a word is chosen",
        f"After `{' '.join(words)}`: temperature, softmax, top-k, top-p, and "
        "the draw.",
    )
    book.code(f"vocabulary = {list(llm.tokenizer.vocabulary)!r}")
    book.array("logits", logits)
    book.functions(with_temperature, top_k, top_p, draw)
    book.code(f"""
    probabilities = with_temperature(logits, {settings["temperature"]})
    probabilities = top_k(probabilities, {settings["top_k"]})
    probabilities = top_p(probabilities, {settings["top_p"]})
    for number in np.flatnonzero(probabilities):
        print(f"{{vocabulary[number]:>10}} {{probabilities[number]:.4f}}")
    """)
    book.text("Ten words drawn with ten numbers between 0 and 1:")
    book.code("""
    rng = np.random.default_rng(1)
    print([vocabulary[draw(probabilities, u)] for u in rng.random(10)])
    """)
    return book.compared("probabilities", kept)


def training(llm, words):
    """The loss of a sentence, and the gradient at its logits."""
    tokens = llm.tokens(words)
    ids = llm.tokenizer.ids_of(tokens)
    logits = llm.logits(ids[:-1])
    losses = token_losses(logits, np.array(ids[1:]))
    book = Notebook(
        "The loss of a sentence",
        "At each position the model gave every word a logit. The surprise at "
        "the word "
        "that really came is the loss; the gradient is what was said minus "
        "what was "
        "right.",
    )
    book.code(f"""
    inputs = {tokens[:-1]!r}
    came = {tokens[1:]!r}
    """)
    book.array("logits", logits)
    book.code(f"targets = np.array({ids[1:]!r})")
    book.functions(token_losses, logit_gradient, entropy)
    book.code("""
    losses = token_losses(logits, targets)
    for word, loss in zip(came, losses):
        print(f"{word:>10} {loss:.3f}")
    print("loss:", losses.mean().round(4))
    sums = logit_gradient(logits, targets).sum(axis=-1)
    print("sums of the gradient:", abs(sums).max())
    unsure = entropy(softmax(logits.astype(float)))
    print("entropy of what was said:", unsure.round(2))
    """)
    return book.compared("losses", losses)


class LessonNotebook(NamedTuple):
    """The notebook of a lesson.

    Attributes:
        make: a function of a `TinyLLM` and words that returns a `Notebook`.
        words: the lesson's own sentence.
    """

    make: Callable
    words: tuple


CAT = tuple("the cat sat on the mat".split())
START = CAT[:-1]
BITES = tuple("dog bites man".split())
TIRED = tuple(
    "the animal didn't cross the street because it was too tired .".split()
)
NOTEBOOKS = {
    "embeddings": LessonNotebook(embeddings, ("cat", "dog", "mat", "sat")),
    "attention": LessonNotebook(attention, TIRED),
    "queries_keys_values": LessonNotebook(queries_keys_values, CAT),
    "positions": LessonNotebook(positions, BITES),
    "block": LessonNotebook(block, START),
    "next_token": LessonNotebook(next_token, START),
    "sampling": LessonNotebook(sampling, START),
    "training": LessonNotebook(training, CAT),
}
