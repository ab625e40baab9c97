"""Memory: how far back can a network look? The LSTM twin beside the tiny LLM.
"""

from time import perf_counter

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.block import attention_sublayer
from llm.glassbox.lstm import lstm_states, sigmoid
from llm.glassbox.model import trace
from llm.glassbox.softmax import softmax

# A story that begins with something to remember. Nothing in it is a held-out
# pair.
REMEMBERED = "mia has a {} kite ."
OTHER_FACTS = (
    "tom has a green ball .",
    "leo has a brown hat .",
    "anna has a black boat .",
)
ASKED = "what does mia have ? a"
COLOURS = ("red", "blue", "green", "yellow", "pink", "black", "brown")


def work_of_recurrence(num_tokens):
    """What a recurrent network does with a sentence.

    Returns:
        steps: how many must be taken one after the other.
        path: over how many of them the first word's news reaches the last.
        pairs: how often a word is put together with the state before it.
    """
    return {"steps": num_tokens, "path": num_tokens - 1, "pairs": num_tokens}


def work_of_attention(num_tokens):
    """What one layer of attention does with a sentence.

    Returns:
        steps: how many must be taken one after the other: one look.
        path: over how many of them the first word's news reaches the last.
        pairs: how many pairs of words are compared: each with each.
        seen: how many of them a decoder may look at, which looks left only.
    """
    mask = causal_mask(num_tokens)
    return {"steps": 1, "path": 1, "pairs": mask.size, "seen": int(mask.sum())}


def story_to_remember(colour, num_others):
    """A story in which a colour is said early and asked for at the end.

    Args:
        colour: one of `COLOURS`.
        num_others: how many other facts stand between, 0 to 3.

    Returns:
        A list of tokens, `<start>` first.
    """
    facts = [REMEMBERED.format(colour), *OTHER_FACTS[:num_others], ASKED]
    return ["<start>", *" ".join(facts).split()]


def remembering(llm, lstm, num_others):
    """Let both networks read the story with every colour, and ask for it.

    Args:
        llm: a `TinyLLM`.
        lstm: an `LSTMWeights`.
        num_others: how many other facts stand between, 0 to 3.

    Returns:
        For each network by name, a dictionary: `states`, (num_colours,
        num_tokens, width), what its last layer reads after each word of the
        story with each colour, and `expected`, (num_colours, vocab_size), what
        it expects at the end.
    """
    stories = [story_to_remember(colour, num_others) for colour in COLOURS]
    token_ids = np.array([llm.tokenizer.ids_of(story) for story in stories])
    found = trace(llm.weights, token_ids, causal_mask(token_ids.shape[1]))
    states = lstm_states(lstm, token_ids)
    logits = states[:, -1] @ lstm.output_kernel + lstm.output_bias
    return {
        "LSTM": {"states": states, "expected": softmax(logits)},
        "tiny LLM": {
            "states": found.final, "expected": softmax(found.logits[:, -1]),
        },
    }


def kept_shares(weights, token_ids):
    """How much of its memory an LSTM keeps at each word.

    Args:
        weights: an `LSTMWeights`.
        token_ids: (num_tokens,)

    Returns:
        (num_tokens, num_units), the forget gates, each between 0 (all
        forgotten) and 1 (all kept).
    """
    words = weights.token_embeddings[np.asarray(token_ids)]
    states = lstm_states(weights, token_ids)
    before = np.concatenate([np.zeros_like(states[:1]), states[:-1]])
    gates = words @ weights.input_kernel + before @ weights.state_kernel
    _, keep, _, _ = np.split(gates + weights.bias, 4, axis=-1)
    return sigmoid(keep)


def retained_share(kept, position):
    """What is left, after each later word, of what was stored at one word.

    Args:
        kept: (num_tokens, num_units), from `kept_shares`.
        position: the index of the word.

    Returns:
        (num_tokens - position, num_units); 1 at the word itself, and after it
        a product of ever more gates, so it never rises.
    """
    later = np.concatenate([np.ones_like(kept[:1]), kept[position + 1:]])
    return np.cumprod(later, axis=0)


def reading_seconds(llm, lstm, token_ids, repeats=5):
    """How long this computer takes to read some words, through one layer.

    Args:
        llm: a `TinyLLM`; the attention of its first block reads.
        lstm: an `LSTMWeights`.
        token_ids: (num_tokens,), any number: no positions are added.
        repeats: the fastest of so many tries counts.

    Returns:
        The seconds of each by name.
    """
    words = llm.weights.token_embeddings[token_ids]
    mask = causal_mask(len(token_ids))
    first_block = llm.weights.blocks[0]
    ways = {
        "LSTM": lambda: lstm_states(lstm, token_ids),
        "attention": lambda: attention_sublayer(words, first_block, mask),
    }
    return {
        name: min(timed(way) for _ in range(repeats))
        for name, way in ways.items()
    }


def timed(way):
    """The seconds that a function takes."""
    start = perf_counter()
    way()
    return perf_counter() - start
