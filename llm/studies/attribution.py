"""Showing the working: from one logit back to the words, as exact sums.

The residual stream is a sum of what every part added. LayerNorm takes off a
mean and divides by a spread; with the spread that a place really has, it goes
through a sum term by term. So whatever is read from a stream through LayerNorm
is a sum too, with one amount for each part: a logit, the score of a query and
a key, what a value hands over (Elhage et al. 2021, "A Mathematical Framework
for Transformer Circuits").

Sums run in double precision. What they differ by from the network's own
numbers is the rounding of its single precision. Layers, heads, units and
places count from 0.
"""

from dataclasses import dataclass

import numpy as np

from llm.glassbox.heads import head_contributions
from llm.glassbox.layer_norm import EPSILON

WORD, PLACE, HEAD = "word", "place", "head"
FEED_FORWARD, BIAS = "feed-forward", "bias"


@dataclass(frozen=True)
class Part:
    """Something that was added to the residual stream of one token.

    Attributes:
        name: fits beside a bar: `head 2.3` is the third head of the second
            block.
        kind: "word", "place", "head", "feed-forward" or "bias".
        layer, head: None where there is none.
        vector: (embed_dim,), what was added.
    """

    name: str
    kind: str
    layer: int | None
    head: int | None
    vector: np.ndarray


def decompose_residual(trace, weights, position, layer=None, half=False):
    """Everything in the residual stream of one token, part by part.

    Args:
        trace: a `Trace` of one sentence, with nothing cut.
        weights: the `Weights` that it ran with.
        position: of the token in the sentence.
        layer: stop in front of this block; None for the end of the stream.
        half: stop only after the attention of that block.

    Returns:
        A list of `Part`; their vectors add up to the stream.
    """
    word, place = trace.embeddings[position], trace.positions[position]
    parts = [
        Part(WORD, WORD, None, None, word.astype(float)),
        Part(PLACE, PLACE, None, None, place.astype(float)),
    ]
    for number, (found, learned) in enumerate(
        zip(trace.blocks, weights.blocks)
    ):
        if number == layer:
            return parts + (
                head_parts(found, learned, number, position) if half else []
            )
        parts += head_parts(found, learned, number, position)
        parts += feed_forward_parts(found, learned, number, position)
    return parts


def head_parts(found, learned, layer, position):
    """What the attention of one block added to one token: each head, and a
    bias.

    Args:
        found: a `BlockTrace` of one sentence.
        learned: its `BlockWeights`.
    """
    kernel = learned.attention.output_kernel.astype(float)
    vectors = head_contributions(
        found.head_outputs[:, [position]].astype(float), kernel
    )
    bias = learned.attention.output_bias.astype(float)
    return [
        *(Part(f"head {layer + 1}.{head + 1}", HEAD, layer, head, vector)
          for head, vector in enumerate(vectors[:, 0])),
        Part(f"attention bias {layer + 1}", BIAS, layer, None, bias),
    ]


def feed_forward_parts(found, learned, layer, position):
    """What the feed-forward layer of one block added: its units, and a bias.
    """
    units = learned.feed_forward
    written = found.hidden[position].astype(float) @ units.output_kernel
    bias = units.output_bias.astype(float)
    return [
        Part(f"feed-forward {layer + 1}", FEED_FORWARD, layer, None, written),
        Part(f"feed-forward bias {layer + 1}", BIAS, layer, None, bias),
    ]


@dataclass(frozen=True)
class Attribution:
    """One number that is read from the stream of one token, taken apart.

    Attributes:
        position: of the token whose stream is read.
        parts: a list of `Part`, all that stands in the stream there.
        amounts: (num_parts,), how much each part gives to the number.
        constant: what the number gets whatever was in the stream.
        direction: (embed_dim,), how much a vector gives when it is added to
            the stream: their dot product. The spread of LayerNorm is held as
            it is.
    """

    position: int
    parts: list
    amounts: np.ndarray
    constant: float
    direction: np.ndarray

    @property
    def total(self):
        """The number itself."""
        return float(self.amounts.sum() + self.constant)

    def strongest(self, kinds=(WORD, PLACE, HEAD, FEED_FORWARD, BIAS), sign=1):
        """The index of the part of these kinds that gives most; None if none
        does.

        Args:
            sign: -1 for the part that takes most away.
        """
        gives = [
            sign * amount if part.kind in kinds else -np.inf
            for part, amount in zip(self.parts, self.amounts, strict=True)
        ]
        best = int(np.argmax(gives))
        return best if gives[best] > 0 else None

    def amount_of(self, part):
        """How much one of the parts gives."""
        return float(self.amounts[self.parts.index(part)])


def through_norm(direction, stream, scale):
    """What a direction behind LayerNorm is in front of it, for this one
    stream.

    LayerNorm is `(stream - mean) / spread * scale + shift`. With its spread
    held, a part of the stream gives `part @ through_norm(direction, stream,
    scale)` to `layer_norm(stream, scale, shift) @ direction`; the shift gives
    the rest.

    Args:
        direction: (embed_dim,)
        stream: (embed_dim,), the whole stream, which has the spread.
        scale: (embed_dim,)

    Returns:
        (embed_dim,), its mean is 0, as LayerNorm takes the mean off.
    """
    spread = np.sqrt(stream.astype(float).var() + EPSILON)
    scaled = direction * scale / spread
    return scaled - scaled.mean()


def attribution(
    trace, weights, position, direction, constant=0.0, layer=None, half=False
):
    """Take apart a number that is read from a stream through LayerNorm.

    Args:
        trace: a `Trace` of one sentence, with nothing cut.
        weights: the `Weights` that it ran with.
        position: of the token in the sentence.
        layer: read in front of this block; None for the end of the stream.
        half: read only after the attention of that block.
        direction: (embed_dim,), what the normalised vector is multiplied with.
        constant: what is added then.

    Returns:
        An `Attribution`; its total is `layer_norm(stream) @ direction +
        constant`.
    """
    parts = decompose_residual(trace, weights, position, layer, half)
    vectors = np.stack([part.vector for part in parts])
    norm = norm_at(weights, layer, half)
    before_norm = through_norm(direction, vectors.sum(axis=0), norm.scale)
    shift = float(norm.shift @ direction)
    return Attribution(
        position,
        parts,
        vectors @ before_norm,
        shift + float(constant),
        before_norm,
    )


def norm_at(weights, layer=None, half=False):
    """The LayerNorm that reads the stream there, a `NormWeights`."""
    if layer is None:
        return weights.final_norm
    found = weights.blocks[layer]
    return found.feed_forward_norm if half else found.attention_norm


def logit_attribution(trace, weights, position, word, other=None):
    """A logit, or its lead over another, taken apart.

    Args:
        word: the number of the word whose logit it is.
        other: the number of a word whose logit is taken off; None for none.

    Returns:
        An `Attribution` of the end of the stream.
    """
    kernel = weights.output_kernel.astype(float)
    bias = weights.output_bias.astype(float)
    direction, constant = kernel[:, word], bias[word]
    if other is not None:
        direction, constant = (
            direction - kernel[:, other],
            constant - bias[other],
        )
    return attribution(trace, weights, position, direction, constant)


def read_by_head(trace, weights, found, part):
    """What one head read: for each word, how much of it and what that would
    give.

    Args:
        found: the `Attribution` of the number that is asked about.
        part: the head, one of its parts.

    Returns:
        attention: (num_tokens,), the weights; they add up to one.
        effects: (num_tokens,), how much each word's value would give at weight
            1. The products add up to what the head gives.
    """
    attention = trace.attention(part.layer, part.head)[found.position].astype(
        float
    )
    kernel = weights.blocks[part.layer].attention.output_kernel[part.head]
    values = trace.values(part.layer, part.head).astype(float)
    return attention, values @ (kernel.astype(float) @ found.direction)


def value_attribution(trace, weights, found, part, key):
    """What one head took from one word, taken apart by what stood in that
    word.

    Args:
        found: the `Attribution` of the number that is asked about.
        part: the head, one of its parts.
        key: the position of the word that it read.

    Returns:
        An `Attribution` of that word's stream in front of the head's block.
    """
    learned = weights.blocks[part.layer].attention
    weight = float(trace.attention(part.layer, part.head)[found.position, key])
    wanted = (
        learned.output_kernel[part.head].astype(float)
        @ found.direction
        * weight
    )
    direction = learned.value_kernel[:, part.head].astype(float) @ wanted
    constant = learned.value_bias[part.head].astype(float) @ wanted
    return attribution(trace, weights, key, direction, constant, part.layer)


def score_attribution(trace, weights, part, query, key, of_key=True):
    """The score of a query and a key, taken apart by what stood in one of the
    words.

    Args:
        part: the head.
        query, key: the position that looks, and the one that it looks at.
        of_key: whether it is the word looked at that is taken apart, or the
            other.

    Returns:
        An `Attribution` of that word's stream in front of the head's block.
    """
    learned = weights.blocks[part.layer].attention
    queries, keys = trace.queries_and_keys(part.layer, part.head)
    if of_key:
        position, fixed = key, queries[query]
        kernel, bias = learned.key_kernel, learned.key_bias
    else:
        position, fixed = query, keys[key]
        kernel, bias = learned.query_kernel, learned.query_bias
    fixed = fixed.astype(float) / np.sqrt(len(fixed))
    direction = kernel[:, part.head].astype(float) @ fixed
    constant = bias[part.head].astype(float) @ fixed
    return attribution(
        trace, weights, position, direction, constant, part.layer
    )


def written_by_units(trace, weights, found, part):
    """What the inner units of one feed-forward layer wrote.

    Args:
        found: the `Attribution` of the number that is asked about.
        part: the layer, one of its parts.

    Returns:
        fired: (feed_forward_dim,), how strongly each fired.
        effects: (feed_forward_dim,), how much each gives at strength 1. The
            products add up to what the layer gives, without its bias.
    """
    fired = trace.blocks[part.layer].hidden[found.position].astype(float)
    rows = weights.blocks[part.layer].feed_forward.output_kernel.astype(float)
    return fired, rows @ found.direction


def unit_attribution(trace, weights, position, layer, unit):
    """Why a unit fired: its number before ReLU, taken apart.

    Returns:
        An `Attribution` of the stream behind the attention of that block.
    """
    learned = weights.blocks[layer].feed_forward
    direction = learned.hidden_kernel[:, unit].astype(float)
    return attribution(
        trace,
        weights,
        position,
        direction,
        learned.hidden_bias[unit],
        layer,
        half=True,
    )


@dataclass(frozen=True)
class Stop:
    """One stop on the way back from a logit to the words.

    Attributes:
        position: of the token where it is.
        part: the `Part` that gave most there.
        amount: how much it gave.
        total: to what.
        key: the position of the word that a head read; None for other parts.
        unit: the unit that wrote most; None for other parts.
    """

    position: int
    part: Part
    amount: float
    total: float
    key: int | None = None
    unit: int | None = None


def trail(trace, weights, found, part):
    """Follow a number back: always to the part, the word or the unit that gave
    most.

    Args:
        found: the `Attribution` to begin with.
        part: the part to begin with. If it takes away, what took most is
            followed.

    Returns:
        A list of `Stop`; the last is the row of a word or of a place, or a
        part that nothing below it holds up.
    """
    stops = []
    while part is not None:
        amount = found.amount_of(part)
        sign = 1 if amount > 0 else -1
        key, unit, following = below(trace, weights, found, part, sign)
        stops.append(
            Stop(found.position, part, amount, found.total, key, unit)
        )
        if following is None:
            return stops
        found = following
        # A unit that fired did so because something spoke for it.
        kinds, sign = (
            (WORD, PLACE, HEAD, FEED_FORWARD),
            sign if unit is None else 1,
        )
        number = found.strongest(kinds, sign)
        part = None if number is None else found.parts[number]
    return stops


def below(trace, weights, found, part, sign=1):
    """What a part got its amount from, one step further down.

    Returns:
        key: the word from which a head took most, else None.
        unit: the unit of a feed-forward layer that wrote most, else None.
        following: the `Attribution` of that word or unit; None at the bottom.
    """
    if part.kind == HEAD:
        attention, effects = read_by_head(trace, weights, found, part)
        key = int((sign * attention * effects).argmax())
        return key, None, value_attribution(trace, weights, found, part, key)
    if part.kind == FEED_FORWARD:
        fired, effects = written_by_units(trace, weights, found, part)
        unit = int((sign * fired * effects).argmax())
        if fired[unit] > 0:
            reason = unit_attribution(
                trace, weights, found.position, part.layer, unit
            )
            return None, unit, reason
    return None, None, None
