"""Inputs that two lessons need. Each returns a value that is already sound."""

import math
import time
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from llm.glassbox.softmax import softmax_with_temperature
from llm.models.tokenizer import split
from pages.ui import address
from pages.ui.memory import freeze
from pages.ui.models import tiny_llm, world
from pages.ui.words import in_a_row, plain

# Far more than the model reads, and the address holds it.
MOST_CHARACTERS = 2000
MOST_SIDE_BY_SIDE = 24  # tokens; more words in a picture could not be told apart
MOST_BUTTONS = 10
LARGEST_SEED = 999_999
TEMPERATURES = (0.1, 2.0)
TOP_K = ["1", "2", "3", "5", "10", "20", "50", "100", "all"]


CHOICES = {
    "segments": "segmented_control",
    "pills": "pills",
    "list": "selectbox",
    "radio": "radio",
    "steps": "select_slider",
}


def choose(label, options, key, default=None, kind="segments", name=None, **how):
    """One of some options, whatever the address holds.

    Args:
        label: what is asked.
        options: values, each but once; `format_func` may name them.
        key: names the control and its place in the address; different on each page.
        default: what holds at first; the first option if None or not among them.
        kind: "segments" or "pills" for a few short options, "radio" for longer ones,
            "list" for many, "steps" for a slider over them.
        name: what other lessons call it too, one of `address.NAMES`.
        how: goes to Streamlit, as `horizontal=True`.

    Returns:
        The chosen option.
    """
    options = list(options)
    default = default if default in options else options[0]
    if st.session_state.get(key, default) not in options:
        del st.session_state[key]  # as after another sentence, with fewer words
    start = {
        "segments": {"default": default, "required": True},
        "pills": {"default": default, "required": True},
        "list": {"index": options.index(default)},
        "radio": {"index": options.index(default)},
        "steps": {"value": default},
    }[kind]
    if name:
        address.seed(key, name, default, partial(option_of, options))
        how |= {"persist_state": "session"} | (
            {"required": True} if "required" in start else {})
    else:
        how |= {"bind": "query-params"} | start
    chosen = getattr(st, CHOICES[kind])(label, options, key=key, **how)
    chosen = chosen if chosen in options else default
    return address.keep(name, chosen, default, old=key) if name else chosen


def option_of(options, text):
    """The option that an address names; of numbers the nearest, else None."""
    for option in options:
        if str(option) == text:
            return option
    try:
        numbers = {option: float(str(option).replace(",", "")) for option in options}
        wanted = float(text.replace(",", ""))
    except ValueError:
        return None
    if not math.isfinite(wanted):
        return None
    return min(options, key=lambda option: abs(numbers[option] - wanted))


def choose_position(label, labels, key, default=0, kind="list", **how):
    """The index of one of some labels, as `choose`.

    Args:
        labels: one for each position, each but once; see `numbered`.
        default: an index; -1 is the last.
    """
    labels = list(labels)
    chosen = choose(label, labels, key, labels[default], kind, **how)
    return labels.index(chosen)


@dataclass(frozen=True)
class Counter:
    """A whole number that buttons and a slider change; kept in the address.

    Attributes:
        key: names it in the session; different on each page.
        highest, lowest: the bounds, both included.
        default: where it begins.
        name: its name in the address; the key if empty.
    """

    key: str
    highest: int
    lowest: int = 0
    default: int = 0
    name: str = ""

    def value(self):
        """The number in the session, or else in the address; always within bounds."""
        read = partial(whole_number, self.lowest, self.highest)
        number = address.seed(self.key, self.name or self.key, self.default, read)
        return int(sound_number(number, self.default, self.lowest, self.highest))

    def go_to(self, number):
        """Set the number, within the bounds; also a callback."""
        st.session_state[self.key] = int(min(max(number, self.lowest), self.highest))

    def add(self, number=1):
        """Add to the number; also a callback."""
        self.go_to(self.value() + number)

    def at_most(self, number):
        """Keep within what there is, as the end of a story; the number then."""
        if self.value() > number:
            self.go_to(number)
        return self.value()

    def keep(self):
        """Write the number into the address; the number."""
        name = self.name or self.key
        return address.keep(name, self.value(), self.default, old=self.key)

    def button(self, label, add=None, to=None, **how):
        """A button that adds to the number, or sets it.

        Args:
            add, to: one of the two.
            how: goes to Streamlit; `disabled` follows from the bounds if not given.
        """
        change, number = (self.add, add) if to is None else (self.go_to, to)
        reached = self.value() + add if to is None else to
        beyond = not self.lowest <= reached <= self.highest
        how.setdefault("disabled", beyond or reached == self.value())
        name = f"{self.key}_{'to' if to is not None else 'add'}_{number}"
        return st.button(label, key=name, on_click=change, args=(number,), **how)

    def slider(self, label, highest=None, **how):
        """A slider over the number, up to what there is."""
        highest = self.highest if highest is None else highest
        self.at_most(highest)
        if highest <= self.lowest:
            return self.lowest  # nothing to choose from
        st.slider(label, self.lowest, highest, key=self.key, persist_state="session",
                  **how)
        return self.keep()


def number_box(label, lowest, highest, default, key, step=1, empty=None, **how):
    """A number in a box; one beyond the bounds is named, and not changed silently.

    Args:
        lowest, highest: the bounds, both included.
        default: what stands in the box at first; None for nothing.
        empty: what an empty box means, if not the default.
        how: goes to Streamlit.

    Returns:
        The number, or the nearest that is allowed.
    """
    number = st.number_input(
        label, value=default, step=step, key=key, bind="query-params", **how
    )
    meant = default if empty is None else empty
    number = meant if number is None else number
    sound = min(max(number, lowest), highest)
    if sound != number:
        st.warning(
            f"{label}: {number:,g} is out of range, so {sound:,g} is used. "
            f"It goes from {lowest:,g} to {highest:,g}."
        )
    return type(meant)(sound)


def at_most(characters):
    """For `validate=` of a text box: a paste that is too long stays, and is named."""
    return (
        rf"^[\s\S]{{0,{characters}}}$",
        f"This is too long: the box holds {characters:,} characters.",
    )


def sentence_input(
    default, key="start", label="Start of a sentence", on_change=None, name="start"
):
    """A box for the start of a sentence, kept in the address.

    What is typed stays as it is. An unknown word is named and its neighbours offered;
    what stands before it is what the lesson goes on with.

    Args:
        default: what the box holds at first.
        key: names the box in the session; different on each page.
        on_change: called when the sentence changes.
        name: its name in the address, one of `address.NAMES`.

    Returns:
        The known tokens, without `<start>`; at most as many as the model sees.
    """
    address.seed(key, name, default)
    text = st.text_input(
        label,
        validate=at_most(MOST_CHARACTERS),
        key=key,
        persist_state="session",
        on_change=on_change or "rerun",
    )
    address.keep(name, text, default, old=key)
    tokens = split(text or "")
    tokens = tokens[1:] if tokens[:1] == ["<start>"] else tokens
    tokens = before_unknown_word(tokens, key, on_change)
    return last_that_fit(tokens)


def before_unknown_word(tokens, key, on_change=None):
    """The tokens before the first that the model does not know; says which it is."""
    tokenizer = tiny_llm().tokenizer
    unknown = next((i for i, t in enumerate(tokens) if t not in tokenizer.ids), None)
    if unknown is None:
        return tokens
    word = tokens[unknown]
    nearest = [near for near in tokenizer.nearest(word) if near[0] not in "<["]
    with st.container(key=f"{key}_unknown"):
        st.warning(
            f"The models have never met the word {plain(word)}: they know "
            f"{len(tokenizer)} words and signs, and no others. "
            + ("Did you mean one of these?" if nearest else "Try another word.")
            + (" Until then, only the words before it count." if unknown else
               " Until then, nothing that you typed counts.")
        )
        with st.container(horizontal=True):
            for near in nearest:
                mended = [*tokens[:unknown], near, *tokens[unknown + 1 :]]
                st.button(
                    near,
                    key=f"{key}_mend_{near}",
                    on_click=write_into,
                    args=(key, mended, on_change),
                )
    return tokens[:unknown]


def last_that_fit(tokens):
    """The last tokens, as many as the model sees with `<start>`; says if it cuts."""
    room = tiny_llm().config.context_length - 1
    if len(tokens) > room:
        st.info(
            f"This model sees {room + 1} tokens at once, `<start>` among them. It "
            f"reads only the last {room} of your {len(tokens)}."
        )
    return tokens[-room:]


def last_side_by_side(tokens, pictures="This picture has"):
    """The last tokens, as many as can be told apart side by side with `<start>`.

    Says if it cuts.

    Args:
        tokens: without `<start>`.
        pictures: how the message begins.
    """
    if len(tokens) >= MOST_SIDE_BY_SIDE:
        st.info(
            f"{pictures} room for {MOST_SIDE_BY_SIDE} tokens, `<start>` among them. "
            f"Only the last {MOST_SIDE_BY_SIDE - 1} of yours are read."
        )
    return tokens[-MOST_SIDE_BY_SIDE + 1 :]


def write_into(key, tokens, then=None):
    """A callback: put these words into the box with this key."""
    st.session_state[key] = " ".join(tokens)
    if then:
        then()


def word_buttons(tokens, key="start", on_change=None):
    """Words that the world allows next, as buttons that add them to the box.

    None while a word in the box is unknown: its neighbours are offered there, and to
    add a word would drop what was typed behind it.

    Args:
        tokens: the words so far.
        key: the key of the `sentence_input`.
    """
    typed = split(st.session_state.get(key) or "")
    if any(word not in tiny_llm().tokenizer.ids for word in typed):
        return
    allowed = world().next_word_probabilities(tokens)
    likeliest = sorted(allowed, key=allowed.get, reverse=True)
    likeliest = [word for word in likeliest if word != "<end>"]
    if not likeliest:
        return
    with st.container(
        horizontal=True, gap="xsmall", vertical_alignment="center", key=f"{key}_words"
    ):
        st.caption("Continue with", width="content")
        for word in likeliest[:MOST_BUTTONS]:
            st.button(
                plain_label(word),
                key=f"{key}_add_{word}",
                on_click=write_into,
                args=(key, [*tokens, word], on_change),
            )
        if len(likeliest) > MOST_BUTTONS:
            st.selectbox(
                "More words",
                likeliest[MOST_BUTTONS:],
                index=None,
                placeholder=f"{len(likeliest) - MOST_BUTTONS} more",
                label_visibility="collapsed",
                width=150,
                key=f"{key}_more",
                on_change=add_picked,
                args=(key, tokens, on_change),
            )


def add_picked(key, tokens, then=None):
    """A callback: add the word picked from the list of more words."""
    word = st.session_state[f"{key}_more"]
    st.session_state[f"{key}_more"] = None
    if word:
        write_into(key, [*tokens, word], then)


def plain_label(word):
    """A word as a button's label, where some characters would count as Markdown."""
    return word if word[0].isalnum() else "\\" + word


def world_says(tokens, key="start", on_back=None):
    """Say whether the world could say these words, and if not, from where on.

    Args:
        tokens: the words so far.
        key: the key of the `sentence_input`.
        on_back: called with the number of words to keep when the reader goes back to
            before the impossible word; None keeps them in the box.

    Returns:
        The exact distribution of the next word, empty if there is none.
    """
    impossible = world().first_impossible(tokens)
    if impossible is None:
        truth = world().next_word_probabilities(tokens)
        st.caption(
            f"The toy world could say this; {len(truth)} "
            f"{'word' if len(truth) == 1 else 'words'} may come next."
            if truth
            else "The toy world could say this, and here the story is over."
        )
        return truth
    allowed = world().next_word_probabilities(tokens[:impossible])
    best = sorted(allowed, key=allowed.get, reverse=True)[:5]
    named = [plain(word) for word in best]
    if len(allowed) > len(best):
        named.append(f"{len(allowed) - len(best)} more")
    so_far = " ".join(tokens[:impossible]) or "<start>"
    with st.container(key=f"{key}_impossible"):
        st.warning(
            f"The world would never say {plain(tokens[impossible])} after "
            f"{plain(so_far)}. "
            + (f"There it allows {in_a_row(named)}." if best else "There it ends.")
            + " So there is no truth to compare with, and what the model says now is "
            "made up."
        )
        st.button(
            f"Back to before {plain(tokens[impossible])}",
            key=f"{key}_back",
            on_click=on_back or write_into,
            args=(impossible,) if on_back else (key, tokens[:impossible]),
        )
    return {}


ENGINES = {"The glass box (NumPy)": "glassbox", "Keras": "keras"}


def engine_input(key="engine"):
    """Which code runs the model; TensorFlow is loaded on the first wish for Keras.

    Returns:
        "glassbox" or "keras".
    """
    engine = ENGINES[
        st.segmented_control(
            "What runs the model?",
            list(ENGINES),
            default="The glass box (NumPy)",
            required=True,
            key=key,
            bind="query-params",
        )
        or "The glass box (NumPy)"
    ]
    if engine == "keras":
        st.caption(
            f"Loading TensorFlow and opening the file took {keras_ready():.1f} s, once."
        )
    return engine


@st.cache_resource(show_spinner="Loading TensorFlow and opening the same file…")
def keras_ready():
    """Open the model with Keras; the seconds that it took."""
    start = time.perf_counter()
    tiny_llm().keras_engine.logits([[0]])
    seconds = time.perf_counter() - start
    freeze()
    return seconds


def truth_at(truth, temperature):
    """The truth at a temperature, so that a model at it is compared fairly.

    Args:
        truth: a dictionary from word to probability, each above 0.
        temperature: a number above 0.
    """
    if not truth:
        return {}
    shares = softmax_with_temperature(np.log(list(truth.values())), temperature)
    return dict(zip(truth, shares.tolist(), strict=True))


def sound_number(value, default, lowest, highest):
    """A number within bounds, whatever an address holds."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return default
    if not math.isfinite(number):
        return default
    return round(min(max(number, lowest), highest), 4)


def top_k_input(key="top_k"):
    """How many of the likeliest words may be drawn; None for all."""
    chosen = choose("Top-k: draw from the k likeliest words only", TOP_K, key, "all",
                    "steps", name="top_k")
    return int(chosen) if chosen != "all" else None


def top_p_input(key="top_p"):
    """The probability that the words drawn from must reach together; None for all."""
    chosen = slider_input("Top-p: draw from the likeliest words that together reach p",
                          0.05, 1.0, 1.0, 0.05, key, "top_p")
    return chosen if chosen < 1 else None


def seed_input(key="seed", default=1):
    """A whole number from which all draws follow; kept in the address."""
    address.seed(key, "seed", default, partial(whole_number, 0, LARGEST_SEED))
    seed = st.number_input(
        "Seed of the draws",
        min_value=0,
        max_value=LARGEST_SEED,
        step=1,
        key=key,
        persist_state="session",
        help="The same seed always draws the same numbers, here and anywhere.",
    )
    seed = int(min(max(seed or 0, 0), LARGEST_SEED))
    return address.keep("seed", seed, default, old=key)


def whole_number(lowest, highest, text):
    """A text as a whole number within bounds; a ValueError if it is none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number.")
    return int(min(max(number, lowest), highest))


def slider_input(label, lowest, highest, default, step, key, name):
    """A number from a slider, kept in the address.

    Args:
        key: names the slider in the session; different on each page.
        name: its name in the address, one of `address.NAMES`.

    Returns:
        A sound number.
    """

    def read(text):
        number = sound_number(text, default, lowest, highest)
        return type(default)(round(round(number / step) * step, 4))

    address.seed(key, name, default, read)
    number = st.slider(label, lowest, highest, step=step, key=key,
                       persist_state="session")
    number = type(default)(sound_number(number, default, lowest, highest))
    return address.keep(name, number, default, old=key)


def switch_input(label, key, name, **how):
    """A switch, kept in the address.

    Args:
        key: names the switch in the session; different on each page.
        name: its name in the address, one of `address.NAMES`.
        how: goes to Streamlit.
    """
    address.seed(key, name, False, {"true": True, "false": False}.get)
    on = st.toggle(label, key=key, persist_state="session", **how)
    address.keep(name, "true" if on else None, None, old=key)
    return on


def temperature_input(key, default=1.0):
    """The temperature of the draws."""
    return slider_input("Temperature", *TEMPERATURES, default, 0.05, key, "temperature")
