"""What the lesson on the block tries out on the trained model."""

import numpy as np
import streamlit as st

from llm.glassbox.ablation import Ablation
from llm.glassbox.softmax import softmax
from llm.studies.units import most_selective_units, top_words
from pages.block.words import Without, unit_name
from pages.ui.measures import activations
from pages.ui.models import tiny_llm


@st.cache_resource(show_spinner=False)
def without_layers(text, part):
    """What the tiny LLM says after a text, whole and without all layers of a kind.

    Args:
        text: words of the vocabulary.
        part: "attention" or "feed_forward".

    Returns:
        A `Without`.
    """
    llm = tiny_llm()
    cut = Ablation(layers={(layer, part) for layer in range(llm.config.num_layers)})
    whole, left = (softmax(run.logits[-1].astype(float))
                   for run in (llm.trace(text), llm.trace(text, cut)))
    best, other = int(whole.argmax()), int(np.argmax(left))
    words = llm.tokenizer.vocabulary
    return Without(text, words[best], float(whole[best]), float(left[best]),
                   words[other], float(left[other]))


def name_of(layer, unit):
    """A unit, both numbers from 0, named for the words at which it fires most."""
    words = top_words(activations(), layer, unit)
    return unit_name(unit, [tiny_llm().tokenizer.vocabulary[word] for word in words])


@st.cache_resource(show_spinner=False)
def named_units():
    """All inner units, in each block those first that keep to few words.

    Returns:
        A dictionary from name, as `2.57: kite, hat`, to (layer, unit).
    """
    config = tiny_llm().config
    return {
        f"{layer + 1}.{name_of(layer, unit)}": (layer, unit)
        for layer in range(config.num_layers)
        for unit in most_selective_units(activations(), layer, config.feed_forward_dim)
    }
