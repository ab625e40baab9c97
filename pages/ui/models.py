"""Trained models and records: opened once, for all students."""

import os

import streamlit as st

from llm.world import World, held_out_pairs


@st.cache_resource(show_spinner="Opening the tiny LLM…")
def tiny_llm():
    """The trained model, opened once for all students.

    The environment variable TINY_LLM names another `.keras` file.
    """
    from llm import TinyLLM

    return TinyLLM.load(os.environ.get("TINY_LLM"))


@st.cache_resource(show_spinner="Opening the encoder twin…")
def encoder_twin():
    """The two-sided twin, opened once for all students: an `EncoderTwin`.

    The environment variable ENCODER_TWIN names another `.keras` file.
    """
    from llm.models.encoder_twin import load_encoder

    return load_encoder(os.environ.get("ENCODER_TWIN"))


@st.cache_resource(show_spinner=False)
def lstm_twin():
    """The LSTM twin, opened once for all students: an `LSTMWeights`."""
    from llm.models.shipped import load_lstm

    return load_lstm()


@st.cache_resource(show_spinner=False)
def retrained_twin(name):
    """A twin with one part removed, opened once for all students: a `Weights`."""
    from llm.models.shipped import load_twin

    return load_twin(name)


@st.cache_resource(show_spinner=False)
def digit_model():
    """The model of the first and the last digit: a `DigitWeights`."""
    from llm.digits.reader import read_digit_model
    from llm.models.shipped import ASSETS

    return read_digit_model(ASSETS / "first_and_last.keras")


@st.cache_resource(show_spinner="Opening the steps of the training…")
def checkpoints():
    """The tiny LLM at every kept step of its training, from step to `Weights`."""
    from llm.models.shipped import load_checkpoints

    return load_checkpoints()


@st.cache_data(show_spinner=False)
def record(name):
    """What a training wrote down, `assets/<name>.json`, read once.

    Each call gets a copy of its own, so that no lesson can change another's.
    """
    from llm.models.shipped import load_record

    return load_record(name)


def trainings(name):
    """All trainings of a twin from different first weights, as records with `scores`.

    Args:
        name: one of `llm.models.twins.TWINS`.
    """
    return record("twins")["twins"][name]["draws"]


@st.cache_resource(show_spinner=False)
def world():
    """The toy world that the model was trained on, without the held-out pairs."""
    return World(held_out_pairs())
