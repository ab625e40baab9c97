"""Guess before you look: choices, a spread of 100%, and questions at the end."""

import streamlit as st

from llm.studies.loss import as_distribution, expected_surprise
from pages.ui.progress import give_back, here, note, noted


def pick_first(question, options, answer=None, key=None, horizontal=False):
    """Ask for a guess before the lesson shows what happens, and answer it.

    Args:
        question: one sentence.
        options: a dictionary from option to one sentence for the student who picks it:
            why it is right, or what was mixed up. (A list while a lesson answers by
            itself.)
        answer: the right option.
        key: names the choice in the session; different for each question.
        horizontal: whether the options stand beside each other, where they are short.

    Returns:
        What was picked, or None so far.
    """
    give_back("guesses", here(key), options, key)
    picked = st.radio(
        question, list(options), index=None, key=key, persist_state="session",
        horizontal=horizontal,
    )
    if picked is not None:
        note("guesses", here(key), picked)
    if picked is not None and answer is not None:
        verdict(picked == answer, options[picked])
    return picked


def verdict(right, reply):
    """What a guess or an answer gets: right and wrong look different.

    Args:
        right: whether it is right.
        reply: one sentence.
    """
    if right:
        st.success(f"Yes. {reply}")
    else:
        st.info(f"Not quite. {reply}")


def guessed(guess, key, label="Show me"):
    """Whether to show what happens: after a guess, or when the student asks to see it.

    Use it as `if guessed(guess, "heads"):` before the picture that gives it away.

    Args:
        guess: from `pick_first` or `spread_first`; None so far.
        key: names the wish in the session and in the address; different on each page.
        label: of the button.
    """
    name = f"{key}_shown"
    if guess is not None:
        return True
    if not (st.session_state.get(name) or st.query_params.get("shown") == key):
        st.button(label, key=f"{name}_now", on_click=show_it, args=(name,),
                  icon=":material/visibility:")
    return bool(st.session_state.get(name) or st.query_params.get("shown") == key)


def show_it(name):
    """A callback: show a picture without a guess."""
    st.session_state[name] = True


def spread_first(words, key):
    """Ask for 100% to be spread over words before the lesson shows the truth.

    Args:
        words: the candidates; what is left goes to any other word.
        key: names the answer in the session; different for each question.

    Returns:
        A dictionary from word to share, "" for any other word; None until revealed.
    """
    given_back(words, key)
    given = {}
    with st.container(horizontal=True):
        for word in words:
            given[word] = st.number_input(
                f"{word} (%)", min_value=0, max_value=100, value=0, step=5, width=125,
                key=f"{key}_{word}", persist_state="session",
            )
    given = {word: max(percent or 0, 0) for word, percent in given.items()}
    total = sum(given.values())
    if total > 100:
        st.warning(f"That makes {total}%. Take {total - 100}% away again.")
    else:
        st.caption(f"{100 - total}% left for any other word.")
    st.button(
        "Reveal", key=f"{key}_reveal", disabled=total > 100, type="primary",
        on_click=reveal, args=(key,),
    )
    if total > 100 or not st.session_state.get(f"{key}_revealed"):
        return None
    note("guesses", here(key), given)
    return {word: percent / 100 for word, percent in given.items()} | {
        "": 1 - total / 100
    }


def given_back(words, key):
    """Put a spread of an earlier visit back into its boxes, and reveal again."""
    held = noted("guesses", here(key))
    if not isinstance(held, dict) or st.session_state.get(f"{key}_revealed"):
        return
    if set(held) == set(words) and sum(held.values()) <= 100:
        for word in words:
            st.session_state[f"{key}_{word}"] = held[word]
        st.session_state[f"{key}_revealed"] = True


def reveal(key):
    """A callback: show what the guess is compared with."""
    st.session_state[f"{key}_revealed"] = True


def score_card(spread, said, truth):
    """Score a guess as a model is scored, beside the model and the truth.

    Args:
        spread: from `spread_first`.
        said: the model's probability of every word.
        truth: the exact probability of each possible word.
    """
    guess = as_distribution(spread, list(said))
    scores = {
        "Your guess": guess,
        "The tiny LLM": said,
        "The exact truth": truth,
        "Every word alike": dict.fromkeys(said, 1 / len(said)),
    }
    with st.grid(4, min_column_width=140):
        for name, distribution in scores.items():
            nats = expected_surprise(truth, distribution)
            st.metric(name, f"{nats:.2f}", border=True)
    st.caption(
        "The score is the mean **surprise** in nats: minus the logarithm of the "
        "probability that was given to the word that came next. Lower is better, and "
        "nobody gets below the truth. One hundredth of your guess was spread over all "
        "words: an outright 0% would be penalised without limit."
    )


def check_yourself(question, options, answer, key):
    """One question at the end of a lesson; nothing tells the answer before a try.

    Args:
        question: one sentence.
        options: a dictionary from option to what is said to one who picks it: why it
            is right, or what was mixed up.
        answer: the right option.
        key: names the answer in the session; different for each question.

    Returns:
        True if right, False if wrong, None so far.
    """
    st.header("Check yourself", anchor=False)
    give_back("answers", here(key), options, key)
    picked = st.radio(
        question, list(options), index=None, key=key, persist_state="session"
    )
    if picked is None:
        return None
    first = noted("answers", here(key), [picked, picked == answer])
    note("answers", here(key), [picked, first[1]])
    verdict(picked == answer, options[picked])
    return picked == answer
