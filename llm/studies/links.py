"""Which link carries the answer? Cut it, and see how much of the answer is
left.

All sentences made here have the pattern of "the animal didn't cross the street
because it was too tired", so every word has the same position in each and they
run as one batch.
"""

from typing import NamedTuple

import numpy as np

from llm.glassbox.ablation import NO_ABLATION, Ablation
from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.softmax import softmax
from llm.world import words
from llm.world.words import held_out_pairs

ACTOR, OBSTACLE, IT = 2, 6, 8  # positions of these words; `<start>` has 0
SO_THE = ("so", "the")
KINDS = {"actor": ACTOR, "obstacle": OBSTACLE}


def because(actor, deed, obstacle, fault):
    """One sentence of the pattern as tokens, `<start>` in front."""
    happened = f"<start> the {actor} didn't {deed} the {obstacle}"
    return tuple(f"{happened} because it was too {fault} .".split())


def sentences(kind):
    """All sentences of the pattern that the training could have met.

    Args:
        kind: "actor" if the one who acts is too tired, "obstacle" if the
            obstacle is too wide.
    """
    apart = held_out_pairs(["reference"])
    found = []
    for actor in words.MOVERS:
        for deed, obstacles in words.OBSTACLES.items():
            for obstacle in obstacles:
                whose = actor if kind == "actor" else obstacle
                faults = (
                    words.MOVER_FAULTS if kind == "actor"
                    else words.OBSTACLE_FAULTS[deed]
                )
                found += [
                    because(actor, deed, obstacle, fault)
                    for fault in faults
                    if frozenset((whose, fault)) not in apart
                ]
    return found


class Asked(NamedTuple):
    """A batch of sentences with the position that must answer.

    Attributes:
        token_ids: (num_sentences, num_tokens)
        position: where the answer is given.
        noun: the position of the word that is the right answer.
    """

    token_ids: np.ndarray
    position: int
    noun: int


def asked(tokenizer, kind, ending=(), count=48):
    """Sentences spread evenly over all of one kind.

    Args:
        tokenizer: a `Tokenizer`.
        kind: "actor" if the one who acts is too tired, "obstacle" if the
            obstacle is too wide.
        ending: what follows the full stop; nothing to ask at `it`, `SO_THE` to
            ask what comes next.
        count: about how many.
    """
    found = sentences(kind)
    chosen = found[:: max(1, len(found) // count)]
    token_ids = np.array(
        [tokenizer.ids_of([*tokens, *ending]) for tokens in chosen]
    )
    return Asked(
        token_ids, token_ids.shape[1] - 1 if ending else IT, KINDS[kind]
    )


def right_answers(weights, batch, mask=None, ablation=NO_ABLATION):
    """The probability of the right noun at the position that answers.

    Args:
        weights: a `Weights`.
        batch: an `Asked`.
        mask: (num_tokens, num_tokens), or None for a network that looks both
            ways.
        ablation: what is taken out, an `Ablation`.

    Returns:
        (num_sentences,)
    """
    logits = trace(weights, batch.token_ids, mask, ablation).logits
    logits = logits[:, batch.position].astype(np.float64)
    nouns = batch.token_ids[:, batch.noun]
    return softmax(logits)[np.arange(len(nouns)), nouns]


def one_link(layer, head, query, key):
    """A cut: in this head, this query cannot see this key."""
    return Ablation(edges={(layer, head, query, key)})


def link_in_all_heads(num_layers, num_heads, query, key, but=None):
    """A cut: in no head of any layer, `but` one, can this query see this key.

    Args:
        but: (layer, head) that keeps the link; None for no exception.
    """
    heads = np.ndindex(num_layers, num_heads)
    return Ablation(
        edges={(*head, query, key) for head in heads if head != but}
    )


def looking_head(whole, query, key):
    """The head in which one word gives most of its attention to another.

    Args:
        whole: a `Trace` of one sentence.
        query: the position of the word that looks.
        key: the position of the word that is looked at.

    Returns:
        (layer, head)
    """
    shares = np.array(
        [block.attention_weights[:, query, key] for block in whole.blocks]
    )
    return head_with_most(shares)


CUT_NAMES = (
    "nothing cut", "this link", "the strongest other link of this head",
    "this link in every head", "this link in every other head",
)


def strongest_other(row, key):
    """The position of the word that gets most of a row, one left out.

    Args:
        row: (num_tokens,), what one word gives to each.
        key: the position that does not count.
    """
    others = np.array(row, float)
    others[key] = -1
    return int(others.argmax())


def cut_distributions(weights, whole, head, query, key, mask=None):
    """What the network says where a link is cut, by what is cut.

    Args:
        weights: a `Weights`.
        whole: the `Trace` of a sentence with nothing cut.
        head: (layer, head) whose link from `query` to `key` is cut.
        query: the position of the word that looks, where the answer is said.
        key: the position of the word that is looked at.
        mask: (num_tokens, num_tokens), or None for a network that looks both
            ways.

    Returns:
        A dictionary from each of `CUT_NAMES` to probabilities, (vocab_size,).
    """
    other = strongest_other(whole.attention(*head)[query], key)
    ablations = [
        one_link(*head, query, key), one_link(*head, query, other),
        link_in_all_heads(*sizes(weights), query, key),
        link_in_all_heads(*sizes(weights), query, key, but=tuple(head)),
    ]
    traces = [
        whole,
        *(trace(weights, whole.token_ids, mask, cut) for cut in ablations),
    ]
    said = [softmax(one.logits[query].astype(np.float64)) for one in traces]
    return dict(zip(CUT_NAMES, said, strict=True))


def left_without_link(weights, batch, mask=None):
    """How much of the right answer is left when one head loses the link to it.

    Args:
        weights: a `Weights`.
        batch: an `Asked`; the link from its position to its noun is cut.
        mask: (num_tokens, num_tokens), or None for a network that looks both
            ways.

    Returns:
        (num_layers, num_heads), the mean probability of the right noun.
    """
    left = np.zeros(sizes(weights))
    for head in np.ndindex(left.shape):
        cut = one_link(*head, batch.position, batch.noun)
        left[head] = right_answers(weights, batch, mask, cut).mean()
    return left


def right_by_link_alone(weights, batch, mask=None):
    """How much of the right answer comes when one head alone has the link to
    it.

    Args:
        weights: a `Weights`.
        batch: an `Asked`; the link from its position to its noun is cut in all
            heads but one.
        mask: (num_tokens, num_tokens), or None for a network that looks both
            ways.

    Returns:
        (num_layers, num_heads), the mean probability of the right noun.
    """
    alone = np.zeros(sizes(weights))
    for head in np.ndindex(alone.shape):
        cut = link_in_all_heads(
            *alone.shape, batch.position, batch.noun, but=head
        )
        alone[head] = right_answers(weights, batch, mask, cut).mean()
    return alone


def left_without_each(weights, token_ids, word):
    """The probability of a word with each link cut, in all heads at once.

    Args:
        weights: the `Weights` of a causal network.
        token_ids: (num_tokens,)
        word: the number of the word, which should come next.

    Returns:
        (num_tokens, num_tokens): row by row what is left without the link from
        this token to the one of the column; nan where none can be cut.
    """
    num_tokens = len(token_ids)
    left = np.full((num_tokens, num_tokens), np.nan)
    # The first token sees itself only.
    for query in range(1, num_tokens):
        keys = np.arange(query + 1)
        # One mask for each cut, the same for all heads.
        masks = np.tile(causal_mask(num_tokens), (len(keys), 1, 1, 1))
        masks[keys, 0, query, keys] = False
        batch = np.tile(token_ids, (len(keys), 1))
        logits = trace(weights, batch, masks).logits[:, -1]
        left[query, keys] = softmax(logits)[:, word]
    return left


def head_with_most(figures):
    """The head whose figure is the largest.

    Args:
        figures: (num_layers, num_heads)

    Returns:
        (layer, head)
    """
    layer, head = np.unravel_index(np.argmax(figures), figures.shape)
    return int(layer), int(head)


def sizes(weights):
    """(num_layers, num_heads) of a network."""
    return len(weights.blocks), weights.blocks[0].attention.query_kernel.shape[
        1
    ]
