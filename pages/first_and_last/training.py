"""Rows of digits, what the shipped networks reached, and the sizes of a training."""

import streamlit as st

from llm.digits.experiment import EXAMPLE_ROW as DEFAULT_ROW
from llm.digits.experiment import (
    Experiment,
    always_yes,
    split_rows,
)
from llm.digits.reader import mean_attention, read_digit_model
from llm.models.tiny_llm import ASSETS
from pages.ui.controls import at_most
from pages.ui.words import listed, plain

YES = "always yes"
NUM_AVERAGED = 500  # test rows


@st.cache_resource(show_spinner=False)
def shipped_model():
    """The digit model that the course ships, a `DigitWeights`."""
    return read_digit_model(ASSETS / "first_and_last.keras")


@st.cache_resource(show_spinner=False)
def shipped_averages():
    """Where the shipped model looks, averaged over test rows, by the right answer.

    Returns:
        A dictionary from "yes" and "no" to (num_heads, length, length).
    """
    _, _, rows, answers = split_rows(Experiment())
    rows, answers = rows[:NUM_AVERAGED], answers[:NUM_AVERAGED]
    return {
        word: mean_attention(rows[answers == answer], shipped_model())
        for word, answer in (("yes", 1), ("no", 0))
    }


@st.cache_data(show_spinner=False)
def example_rows():
    """The first test row with each answer, as (text, "yes" or "no")."""
    _, _, rows, answers = split_rows(Experiment())
    return [
        (row_text(rows[answers.argmax()]), "yes"),
        (row_text(rows[answers.argmin()]), "no"),
    ]


@st.cache_data(show_spinner=False, max_entries=100)
def yes_share(experiment):
    """The accuracy of always answering yes to these test rows."""
    return always_yes(experiment)


def row_text(row):
    """Digits as a text."""
    return "".join(str(digit) for digit in row)


def experiment_input():
    """The sizes of the experiment, within bounds that keep it short.

    Returns:
        An `Experiment`; the course's own while nothing is changed.
    """
    st.slider("Digits in a row", 5, 60, 30, 5, key="length", bind="query-params")
    st.select_slider("Heads", [1, 2, 4, 8], 4, key="num_heads", bind="query-params")
    st.select_slider("Width of the vectors", [16, 32, 64], 32, key="width",
                     bind="query-params")
    st.slider("Epochs (how often it sees every row)", 1, 30, 30, key="epochs",
              bind="query-params")
    return chosen_experiment()


def chosen_experiment():
    """The `Experiment` that the controls of `experiment_input` stand at now."""
    length, heads, width, epochs = (
        st.session_state[key] for key in ("length", "num_heads", "width", "epochs")
    )
    return Experiment(
        length=length, num_heads=heads, embed_dim=width, head_dim=width // 2,
        feed_forward_dim=2 * width, epochs=epochs,
    )


def digits_input(length):
    """A row of digits that the student types, kept in the address.

    Args:
        length: how many digits the model reads.

    Returns:
        A list of `length` digits, or None while the row is not sound; then the page
        says what is wrong with it.
    """
    default = (DEFAULT_ROW * 2)[: length - 1] + DEFAULT_ROW[0]
    st.session_state.setdefault("digits", st.query_params.get("digits", default))
    before, st.session_state["digits_read"] = (
        st.session_state.get("digits_read", length), length)
    row = list(st.session_state["digits"])
    if before != length and len(row) == before:
        # Another model reads another number of digits; the row was right for the last.
        fit(row, length)
        st.caption(f"This model reads {length} digits, so your row of {before} was "
                   f"{'cut' if length < before else 'repeated'} to fit.")
    text = st.text_input("Your row of digits", key="digits", validate=at_most(600),
                         bind="query-params")
    kept = [
        character
        for character in text or ""
        if not character.isspace() and character not in ",;"
    ]
    wrong = list(
        dict.fromkeys(character for character in kept if character not in "123456789")
    )
    if wrong:
        st.warning("Only digits, and no zero, because no row of the training has one: "
                   f"{listed(wrong[:3])} cannot be read.")
        return None
    if len(kept) != length:
        off = length - len(kept)
        st.warning(
            f"This model reads exactly {length} digits, and here are {len(kept)}: "
            + (f"add {off}." if off > 0 else f"take {-off} away.")
        )
        st.button("Make it fit", on_click=fit, args=(kept, length), key="digits_fit")
        return None
    return [int(character) for character in kept]


def fit(kept, length):
    """A callback: repeat or cut the row until it has the right length."""
    kept = kept or list(DEFAULT_ROW)
    repeated = kept * -(-length // len(kept))
    st.session_state["digits"] = "".join(repeated[:length])


def set_last(digits, last):
    """A callback: another last digit."""
    st.session_state["digits"] = row_text([*digits[:-1], last])


def ends_buttons(digits):
    """Buttons that make the last digit the same as the first, or another."""
    same = digits[0] == digits[-1]
    with st.container(horizontal=True):
        st.button("Make the ends the same", disabled=same, key="ends_same",
                  on_click=set_last, args=(digits, digits[0]))
        st.button("Make the ends differ", disabled=not same, key="ends_differ",
                  on_click=set_last, args=(digits, (digits[0] + 4) % 9 + 1))


def example_table():
    """A test row with each answer, as Markdown lines."""
    return "\n".join(f"- {plain(row)} {answer}" for row, answer in example_rows())
