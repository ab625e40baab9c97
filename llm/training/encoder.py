"""The training of the encoder twin: blanks, pronouns, and a head that points.

The twin is asked two kinds of question about a story: which word was hidden
behind `[mask]` (Devlin et al. 2018), and which noun each `it` stands for. Both
are answered in the same way, by logits over the vocabulary at that position.
In addition, one head of the last layer is asked to point: from `it` to that
noun, from every other word to itself. Left to itself, a network this small
fetches both nouns at once and chooses between them later, where nobody can see
it; asked about `it` alone, it points at the noun from most of the other words
too (both measured).
"""

from dataclasses import asdict

import keras
import numpy as np

from llm.models.config import ModelConfig
from llm.models.encoder_twin import MASK, NUM_ASKED, POINTING_HEAD, ask
from llm.models.keras_file import from_arrays
from llm.models.tokenizer import Tokenizer
from llm.training.model import (
    attention_layer,
    begin_positions_as_waves,
    block,
    embed,
    feed_forward_sublayer,
    layer_norm,
    packed_inputs,
    read_out,
    save,
)
from llm.training.records import smooth, write_json
from llm.training.schedule import (
    Schedule,
    run,
    word_loss,
)
from llm.world import World, held_out_pairs
from llm.world.reading import SEED

ENCODER = Schedule(num_steps=10_000)
MASKED_SHARE = 0.15  # of the words of a story, as in the 2018 paper
# Of the words that can be looked up in the story, such as the colour of mia's
# kite: so that the twin learns to copy, which few of the other words need.
DECIDED_SHARE = 0.5
# How much that counts beside an `it` that points at its noun.
POINTING_AT_ITSELF = 0.05


def vocabulary(world):
    """The words of the world, and the blank."""
    return [*world.vocabulary(), MASK]


def examples(world, tokenizer, rng):
    """Stories with questions, without end, as (inputs, targets, weights).

    Half of the stories are cut off behind one of their full stops, so that
    what comes later cannot always give the answer away.
    """
    for story in world.stories(rng):
        yield question(story, tokenizer, rng)


def question(story, tokenizer, rng):
    """One story as (inputs, targets, weights), with some words masked."""
    tokens = list(story.tokens)
    if rng.random() < 0.5:
        stops = [
            position for position, token in enumerate(tokens) if token == "."
        ]
        tokens = tokens[: rng.choice(stops) + 1]
    targets, weights = list(tokens), [0.0] * len(tokens)
    for position, noun in story.references.items():
        if position < len(tokens):
            targets[position], weights[position] = noun, 1.0
    shares = np.full(len(story.tokens), MASKED_SHARE)
    for decision in story.decisions:
        if decision.skill != "frequency":  # there, nothing tells the word
            shares[decision.position] = DECIDED_SHARE
    hidden = np.flatnonzero(rng.random(len(tokens)) < shares[: len(tokens)])
    for position in hidden[hidden > 0]:
        targets[position], weights[position] = tokens[position], 1.0
        tokens[position] = MASK
    return tokenizer.ids_of(tokens), tokenizer.ids_of(targets), weights


def build_pointing_model(config):
    """The twin for its training, with the weights of the head that points
    beside it.

    Returns:
        A model of `token_ids`, `positions` and `stories` with the same weights
        as `llm.training.model.build_model(config, two_sided=True)`, and two
        outputs: `words`, the logits, and `pointer`, (batch, num_tokens,
        num_tokens), where the pointing head looks.
    """
    inputs, same_story = packed_inputs()
    token_ids, positions, _ = inputs
    residual = embed(config, token_ids, positions)
    for _ in range(config.num_layers - 1):
        residual = block(config, residual, attention_mask=same_story)
    normalised = layer_norm()(residual)
    # Keras calls the weights "scores".
    attended, weights = attention_layer(config)(
        normalised,
        normalised,
        attention_mask=same_story,
        return_attention_scores=True,
    )
    logits = read_out(
        config, feed_forward_sublayer(config, residual + attended)
    )
    return keras.Model(
        inputs,
        {"words": logits, "pointer": weights[:, POINTING_HEAD]},
    )


def with_pointers(batches, it):
    """Add to each batch where every word should point: `it` at its noun, last
    said before, every other word at itself.

    Args:
        batches: an iterator of packed batches, (inputs, targets, weights).
        it: the number of the word `it`.
    """
    for inputs, targets, weights in batches:
        token_ids, stories = inputs["token_ids"], inputs["stories"]
        own = np.arange(token_ids.shape[1])
        positions = np.tile(own, (len(token_ids), 1)).astype(np.int32)
        counts = (stories > 0) & (token_ids != it)
        counts = POINTING_AT_ITSELF * counts.astype(np.float32)
        asked = (token_ids == it) & (weights > 0) & (targets != it)
        for row, position in np.argwhere(asked):
            fits = token_ids[row, :position] == targets[row, position]
            fits &= stories[row, :position] == stories[row, position]
            if fits.any():
                positions[row, position] = np.flatnonzero(fits)[-1]
                counts[row, position] = 1.0
        yield (
            inputs,
            {"words": targets, "pointer": positions},
            {"words": weights, "pointer": counts},
        )


def blanks_and_pronouns(pairs, count, rng):
    """Sentences that end with the reason, asked in both ways.

    Args:
        pairs: only sentences in which one of these pairs meets; empty for any
            sentence of the world that the twin was trained on.
        count: how many of each kind.

    Returns:
        {"blank": [...], "it": [...]}, lists of (tokens, position, noun); the
        tokens end with the reason, so that nothing later gives the answer
        away.
    """
    world = World() if pairs else World(held_out_pairs())
    found = {"blank": [], "it": []}
    for story in world.stories(rng):
        if not any(
            decision.skill == "reference" for decision in story.decisions
        ):
            continue
        if pairs and not story.pairs & pairs:
            continue
        tokens = list(story.tokens[: story.tokens.index(".") + 1])
        position = tokens.index("was") - 1
        noun = story.references.get(position, tokens[position])
        kind = "it" if position in story.references else "blank"
        if kind == "blank":
            tokens[position] = MASK
        if len(found[kind]) < count:
            found[kind].append((tokens, position, noun))
        if all(len(questions) == count for questions in found.values()):
            return found


def blanks_in_copies(pairs, count, rng):
    """Facts and a question about one of them, a word of the answer hidden.

    Args:
        pairs: only hidden words of one of these pairs, where it meets; empty
            for any story of the world that the twin was trained on.
        count: how many.

    Returns:
        A list of (tokens, position, word); the tokens end with the answer.
    """
    world, found = World() if pairs else World(held_out_pairs()), []
    for story in world.stories(rng):
        met = frozenset().union(*(story.pairs & pairs))
        positions = [
            decision.position
            for decision in story.decisions
            if decision.skill == "binding"
            and (not pairs or story.tokens[decision.position] in met)
        ]
        if positions:
            position = int(rng.choice(positions))
            end = story.tokens.index(".", position) + 1
            tokens = list(story.tokens[:end])
            word, tokens[position] = tokens[position], MASK
            found.append((tokens, position, word))
        if len(found) == count:
            return found


def accuracy(weights, tokenizer, asked):
    """The share of (tokens, position, noun) in which the likeliest word is the
    noun.
    """
    right = [
        ask(weights, tokenizer, tokens).logits[position].argmax()
        == tokenizer.ids[noun]
        for tokens, position, noun in asked
    ]
    return float(np.mean(right))


def strongest_links(weights, tokenizer, asked):
    """How often the strongest link of `it` goes to the noun that it stands
    for.

    Returns:
        (2, num_layers, num_heads): the shares where the noun is the one that
        acts (the animal is tired), and where it is the obstacle (the street is
        wide).
    """
    hits = [[], []]
    for tokens, position, noun in asked:
        kind = 0 if tokens.index(noun) < tokens.index("didn't") else 1
        blocks = ask(weights, tokenizer, tokens).blocks
        strongest = [
            block.attention_weights[:, position].argmax(axis=-1)
            for block in blocks
        ]
        hits[kind].append(np.array(strongest) == tokens.index(noun))
    return np.array([np.mean(kind, axis=0) for kind in hits])


def pointing(weights, tokenizer, asked, layer, head):
    """Which words of a sentence point at the noun that `it` stands for.

    Returns:
        A dictionary of shares: of `it`, and of the `others`, the noun itself
        left out, whose strongest link in this head goes to that noun.
    """
    shares = {"it": [], "others": []}
    for tokens, position, noun in asked:
        block = ask(weights, tokenizer, tokens).blocks[layer]
        strongest = block.attention_weights[head].argmax(axis=-1)
        at_noun = strongest == tokens.index(noun)
        shares["it"].append(at_noun[position])
        left_out = [position, tokens.index(noun)]
        shares["others"] += list(np.delete(at_noun, left_out))
    return {kind: float(np.mean(found)) for kind, found in shares.items()}


def evaluation(weights, tokenizer, count=NUM_ASKED, seed=1_000_003):
    """What the twin can do, on fresh sentences and on pairs that never met.

    Returns:
        A dictionary with `fresh` and `held_out` accuracies; `binding`, how
        often a hidden word is copied from earlier in the story;
        `flipping_head`, the head whose strongest link most surely goes to the
        right noun in both cases; and `pointing`, which words point at that
        noun in this head.
    """
    rng = np.random.default_rng(seed)
    fresh = blanks_and_pronouns(frozenset(), count, rng)
    held_out = blanks_and_pronouns(held_out_pairs(["reference"]), count, rng)
    copies = blanks_in_copies(frozenset(), count, rng)
    copies_apart = blanks_in_copies(held_out_pairs(["binding"]), count, rng)
    links = strongest_links(weights, tokenizer, fresh["it"])
    layer, head = np.unravel_index(links.min(axis=0).argmax(), links.shape[1:])
    return {
        "fresh": {k: accuracy(weights, tokenizer, fresh[k]) for k in fresh},
        "held_out": {
            k: accuracy(weights, tokenizer, held_out[k]) for k in held_out
        },
        "binding": {
            "fresh": accuracy(weights, tokenizer, copies),
            "held_out": accuracy(weights, tokenizer, copies_apart),
        },
        "pointing": pointing(weights, tokenizer, fresh["it"], layer, head),
        "flipping_head": {
            "layer": int(layer),
            "head": int(head),
            "right_if_actor": float(links[0, layer, head]),
            "right_if_obstacle": float(links[1, layer, head]),
        },
    }


def train_encoder(out, schedule=ENCODER):
    """Train the encoder twin on blanks and pronouns; look for the head that
    flips.
    """
    world = World(held_out_pairs())
    tokenizer = Tokenizer(vocabulary(world))
    config = ModelConfig(len(tokenizer))
    keras.utils.set_random_seed(SEED)
    model = build_pointing_model(config)
    begin_positions_as_waves(model, config)
    model.compile(
        schedule.optimizer(model.layers[-1].name),
        {"words": word_loss(), "pointer": word_loss(from_logits=False)},
        jit_compile=True,
    )
    questions = examples(world, tokenizer, np.random.default_rng(SEED))
    batches = schedule.batches(questions, config.context_length)
    batches = with_pointers(batches, tokenizer.ids["it"])
    losses = []
    for progress in run(model, batches, schedule, "the encoder twin"):
        losses += progress.losses
    weights = from_arrays(model.get_weights(), config.num_layers)
    save(model, config, out / "encoder.keras", two_sided=True)
    write_json(out / "encoder.json", {
        "vocabulary": list(tokenizer.vocabulary),
        "config": asdict(config),
        "training": {"schedule": asdict(schedule), "curve": smooth(losses)},
        "scores": evaluation(weights, tokenizer),
    })
