"""What the model wrote on the way, from letters to sentences."""

import streamlit as st

from llm.own_text.measures import longest_stretch
from llm.own_text.write_text import joined
from pages.ui.models import record
from pages.ui.words import counted
from pages.ui.written import written_rows

NUM_SHOWN = 5
LEAST_SHADED = 12  # characters; shorter stretches are in any text


def timeline(run=None):
    """A few samples, early ones close together, with what is copied shaded.

    Args:
        run: a `TextRun` with samples; None shows the training on the course's story.
    """
    if run is None:
        samples, source = record("own_text")["samples"], None
    else:
        samples = [(step, run.text.decode(ids)) for step, ids in run.samples]
        source = run.text
    show_samples(picked(samples, NUM_SHOWN), source)


def show_samples(samples, source):
    """Samples one below the other, each with its step.

    Args:
        samples: a list of (step, text).
        source: the `OwnText` that was learned from; None for the course's story.
    """
    with st.container(border=True):
        written_rows([
            (f"After {counted(step, 'step')}" if step else "Before training",
             text.strip(), copied(text.strip(), source))
            for step, text in samples
        ])


def picked(samples, count):
    """The first, the last, and some between them, the early ones closer together."""
    if len(samples) <= count:
        return samples
    last = len(samples) - 1
    places = {round(last ** (n / (count - 1))) for n in range(1, count)} | {0}
    return [samples[place] for place in sorted(places)]


def copied(text, source):
    """The longest stretch of a sample that stands in its text, as (first, last).

    Args:
        text: what was written.
        source: the `OwnText` that was learned from; None for the course's story.

    Returns:
        An empty tuple if it is too short to mean anything.
    """
    there = story_to_learn() if source is None else source.decode(source.training)
    first, length, _ = longest_stretch(text, there)
    return (first, first + length) if length >= LEAST_SHADED else ()


@st.cache_data(show_spinner=False)
def story_to_learn():
    """The part of the course's story that its training learned from."""
    from llm.own_text.record import story
    from llm.own_text.text import own_text

    text = own_text(story())
    return joined([text.vocabulary[number] for number in text.training], text.unit)
