"""What the lesson on the block tries out on the trained model."""

import streamlit as st

from llm.studies.units import most_selective_units, top_words
from pages.block.words import unit_name
from pages.ui.measures import activations
from pages.ui.models import record, tiny_llm


def without_feed_forward():
    """How often each skill is right, whole and without any feed-forward layer.

    Returns:
        Two dictionaries from skill to accuracy, and on how many stories.
    """
    found = record("heads")
    skills = found["skills"]
    return skills["whole"], skills["without_feed_forward"], found["num_stories"]


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
