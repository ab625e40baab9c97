"""Exercises on the block: LayerNorm, units, the stream, and parameters."""

import numpy as np

from llm.exercises.exercise import Exercise, Kind, Mistake, Number
from llm.exercises.parts import (
    added,
    pick,
    products,
    shown,
    some_words,
    term,
    vector,
)
from llm.glassbox.feed_forward import relu
from llm.glassbox.layer_norm import EPSILON, layer_norm
from llm.models.config import ModelConfig
from llm.models.parameters import count_parameters


def drawn_block(models, rng, words):
    """A block of the tiny LLM on some words, and one position in it."""
    words = some_words(models, rng, words)
    trace = models.llm.trace(words)
    layer = int(rng.integers(len(trace.blocks)))
    position = int(rng.integers(1, len(trace.tokens)))
    return words, trace, layer, position


def normalised(models, rng, words):
    words, trace, layer, position = drawn_block(models, rng, words)
    vector_in = shown(trace.blocks[layer].residual_before[position, :4], 1)
    centred = vector_in - vector_in.mean()
    spread = float(vector_in.std())
    if spread < 0.3 or abs(vector_in.mean()) < 0.1:
        return None
    right = layer_norm(vector_in, np.ones(4), np.zeros(4))

    def numbers(row):
        return dict(zip(("first", "second"), map(float, row)))

    return Exercise(
        kind="normalised",
        task=f"Four numbers of the residual stream of "
        f"`{trace.tokens[position]}` before block {layer + 1}, rounded: "
        f"{vector(vector_in, 1)}.\n\nTake them for the whole vector, and "
        "apply LayerNorm (without scale and shift). What are the first two "
        "numbers afterwards?",
        fields={
            "first": Number("first number", 0.03),
            "second": Number("second number", 0.03),
        },
        answer=numbers(right),
        hints=(
            "Subtract the mean of the four from each.",
            "Then divide each by the standard deviation: the root of the mean "
            "of their squares. (The small ε makes no difference here.)",
        ),
        solution=f"The mean is {vector_in.mean():.3f}; without it: "
        f"{vector(centred)}. The mean of the squares is "
        f"{(centred**2).mean():.3f}, its root {spread:.3f}. Divided: "
        f"**{right[0]:.2f}** and **{right[1]:.2f}**.",
        mistakes=(
            Mistake(
                numbers(centred),
                "The mean is gone. Now divide by the standard deviation.",
            ),
            Mistake(
                numbers(centred / spread**2),
                "You have divided by the variance. Take its square root.",
            ),
            Mistake(
                numbers(centred / vector_in.std(ddof=1)),
                "You have divided by the sum of squares over 3. LayerNorm "
                "takes the plain mean, over all 4.",
            ),
            Mistake(
                numbers(vector_in / spread),
                "Subtract the mean first.",
            ),
        ),
        given={"vector": vector_in.tolist(), "epsilon": EPSILON},
        functions=(layer_norm,),
        start=tuple(words),
    )


LEAST_SEEN = 0.15  # a part smaller than this could be left out unnoticed
FIRING = 0.75  # the share of the units that are drawn which fire


def drawn_unit(trace, learned, layer, rng):
    """An inner unit at a position, with a few of its numbers, rounded.

    Whether it is to fire is drawn first: so 0 is neither always nor never the
    answer.

    Returns:
        reads, looks_for: (3,), what comes in, and what it is compared with.
        bias: a number.
        writes: (2,), what it adds at strength 1.
        position: where in the sentence; None if no draw gave clear numbers.
    """
    fires = rng.random() < FIRING
    for _ in range(40):
        position = int(rng.integers(1, len(trace.tokens)))
        unit = int(rng.integers(learned.hidden_kernel.shape[1]))
        reads = shown(trace.blocks[layer].feed_forward_input[position, :3], 1)
        looks_for = shown(10 * learned.hidden_kernel[:3, unit], 1)
        bias = float(shown(10 * learned.hidden_bias[unit], 1))
        writes = shown(10 * learned.output_kernel[unit, :2], 1)
        before = reads @ looks_for + bias
        sizes = abs(before), abs(bias), abs(writes[0])
        if min(sizes) > LEAST_SEEN and (before > 0) == fires:
            return reads, looks_for, bias, writes, position
    return None, None, None, None, None


def relu_unit(models, rng, words):
    words, trace, layer, _ = drawn_block(models, rng, words)
    learned = models.llm.weights.blocks[layer].feed_forward
    reads, looks_for, bias, writes, position = drawn_unit(
        trace, learned, layer, rng
    )
    if position is None:
        return None
    dot = float(reads @ looks_for)
    before = dot + bias
    fires = float(relu(before))
    out = fires * writes

    def both(strength, row):
        return {"fires": float(strength), "first": float(row[0])}

    exercise = Exercise(
        kind="relu_unit",
        task=f"One inner unit of the feed-forward layer of block {layer + 1} "
        "at "
        f"`{trace.tokens[position]}`, with three of its numbers (weights and "
        "bias times 10, rounded):\n\n"
        f"- the vector that it reads: {vector(reads, 1)}\n"
        f"- what it looks for: {vector(looks_for, 1)}\n"
        f"- its bias: {bias:.1f}\n"
        f"- what it writes at full strength 1: {vector(writes, 1)}\n\n"
        "How strongly does it fire, and what is the first number that it "
        "writes?",
        fields={
            "fires": Number("how strongly it fires", 0.02),
            "first": Number("first number that it writes", 0.03),
        },
        answer=both(fires, out),
        hints=(
            "Dot product, plus the bias, then ReLU.",
            "ReLU makes a negative number 0. What is written is multiplied "
            "by the strength.",
        ),
        solution=f"{products(reads, looks_for, 1)} = {dot:.2f}; with the bias "
        f"{before:.2f}. ReLU makes it **{fires:.2f}**, and it writes "
        f"{fires:.2f} · {term(writes[0], 1)} = **{out[0]:.2f}**.",
        mistakes=(
            Mistake(
                both(before, before * writes),
                "A unit cannot fire below zero: ReLU makes negative numbers "
                "0.",
            ),
            Mistake(
                {"fires": float(relu(dot))},
                "Add the bias before ReLU.",
            ),
            Mistake(
                {"fires": float(relu(dot) + bias)},
                "The bias is added before ReLU, not after it.",
            ),
            Mistake(
                {"first": float(writes[0])},
                "That is what it writes at full strength. Multiply it by how "
                "strongly it fires.",
            ),
        ),
        given={
            "reads": reads.tolist(),
            "looks_for": looks_for.tolist(),
            "bias": bias,
            "writes": writes.tolist(),
        },
        functions=(relu,),
        start=tuple(words),
    )
    # Which mistakes can be seen depends on whether it fires.
    exercise = exercise.without_unclear()
    return exercise if len(exercise.mistakes) >= 2 else None


def residual_sum(models, rng, words):
    words, trace, layer, position = drawn_block(models, rng, words)
    block = trace.blocks[layer]
    before, attention, feed_forward = (
        shown(part[position, :3])
        for part in (
            block.residual_before,
            block.attention_output,
            block.feed_forward_output,
        )
    )
    after = before + attention + feed_forward

    def numbers(row):
        return dict(zip(("first", "second", "third"), map(float, row)))

    return Exercise(
        kind="residual_sum",
        task=f"The first three numbers of `{trace.tokens[position]}` in block "
        f"{layer + 1}:\n\n"
        f"- residual stream before the block: {vector(before)}\n"
        f"- output of attention: {vector(attention)}\n"
        f"- output of the feed-forward layer: {vector(feed_forward)}\n\n"
        "What does the residual stream hold after the block?",
        fields={
            "first": Number("number 1", 0.015),
            "second": Number("number 2", 0.015),
            "third": Number("number 3", 0.015),
        },
        answer=numbers(after),
        hints=(
            "Each part only adds to the stream.",
            "Add the three rows, number by number.",
        ),
        solution="; ".join(
            f"{added(column)} = **{sum(column):.2f}**"
            for column in zip(before, attention, feed_forward)
        )
        + ".",
        mistakes=(
            Mistake(
                numbers(feed_forward),
                "Nothing is replaced. The residual connection keeps what was "
                "there, and each part adds to it.",
            ),
            Mistake(
                numbers(attention + feed_forward),
                "What was in the stream before the block stays in it.",
            ),
            Mistake(
                numbers(before + attention),
                "That is the stream between the two parts. The feed-forward "
                "layer adds too.",
            ),
        ),
        given={
            "before": before.tolist(),
            "attention": attention.tolist(),
            "feed_forward": feed_forward.tolist(),
        },
        start=tuple(words),
    )


def block_parameters(models, rng, words):
    heads = int(pick(rng, (2, 4)))
    width = heads * int(pick(rng, (2, 4, 8, 16)))
    inner = width * int(pick(rng, (2, 4)))
    config = ModelConfig(
        vocab_size=10,
        embed_dim=width,
        num_heads=heads,
        num_layers=1,
        feed_forward_dim=inner,
    )
    parts = {part.name: part for part in count_parameters(config)}
    norm, attention, feed_forward = (
        parts[name].each for name in ("LayerNorm", "attention", "feed-forward")
    )
    whole = 2 * norm + attention + feed_forward
    return Exercise(
        kind="block_parameters",
        task=f"A block has vectors of {width} numbers, {heads} heads and a "
        f"feed-forward layer with {inner} inner units. How many parameters "
        "has its feed-forward layer, and how many the whole block? Every "
        "matrix has a bias, and there are two LayerNorms, each with a scale "
        "and a shift.",
        fields={
            "feed_forward": Number("parameters of the feed-forward layer"),
            "block": Number("parameters of the block"),
        },
        answer={"feed_forward": feed_forward, "block": whole},
        hints=(
            "The feed-forward layer has two matrices: one up, one down.",
            f"Attention has four matrices of {width} × {width} with a bias "
            f"each; a LayerNorm has 2 · {width} numbers.",
        ),
        solution=f"Feed-forward: {width} · {inner} + {inner} + {inner} · "
        f"{width} + {width} = **{feed_forward:,}**. Attention: 4 · ({width} · "
        f"{width} + {width}) = {attention:,}. Two LayerNorms: 2 · 2 · {width} "
        f"= {2 * norm:,}. Together **{whole:,}**.",
        mistakes=(
            Mistake(
                {"feed_forward": 2 * width * inner},
                "The biases are missing: one for each inner unit, and one for "
                "each number that comes out.",
            ),
            Mistake(
                {"feed_forward": width * inner + inner},
                "That is the way up. The way down has a matrix and a bias as "
                "well.",
            ),
            Mistake(
                {"block": attention + feed_forward},
                "The two LayerNorms have parameters too.",
            ),
            Mistake(
                {"block": whole - norm},
                "There are two LayerNorms in a block.",
            ),
            Mistake(
                {"block": 2 * norm + heads * attention + feed_forward},
                "The heads divide the matrices among them; they do not "
                "multiply them.",
            ),
        ),
        given={"width": width, "heads": heads, "inner": inner},
        functions=(count_parameters,),
    )


BLOCK = {
    "normalised": Kind("block", "LayerNorm of four numbers", normalised, True),
    "relu_unit": Kind("block", "A unit that fires", relu_unit, True),
    "residual_sum": Kind("block", "What a block adds", residual_sum, True),
    "block_parameters": Kind(
        "block", "Parameters of a block", block_parameters
    ),
}
