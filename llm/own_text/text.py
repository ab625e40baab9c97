"""Somebody's own text: what is taken, how it is cut, and what is kept back."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

import numpy as np

from llm.own_text.write_text import UNKNOWN, joined, pieces

LEAST_CHARACTERS = 400
MOST_CHARACTERS = 60_000
MOST_BYTES = 1_000_000
LEAST_TOKENS = 80
VALIDATION_SHARE = 0.1  # of the text, at its end: the model never learns from it
UNITS = {"characters": 150, "words": 1200}  # and the most different ones it may have


class BadText(ValueError):
    """A text or a file that nothing can be learned from; one sentence says why."""


def decoded(data):
    """The text in an uploaded file.

    Args:
        data: its bytes.
    """
    if len(data) > MOST_BYTES:
        raise BadText(
            f"This file has {len(data) / 1e6:.1f} MB; at most "
            f"{MOST_BYTES / 1e6:.0f} MB of plain text is read."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if any(unicodedata.category(character) == "Cc" and character not in "\t\n\r\f\v"
           for character in text):
        raise BadText(
            "This file is not plain text in UTF-8: save it as “plain text (UTF-8)” "
            "from your editor, then upload it again."
        )
    return text


def cleaned(text):
    """A text with plain line ends and spaces, and no invisible characters."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "".join(
        character
        for character in text
        if character == "\n"
        or unicodedata.category(character)[0] not in "CZ"
        or character.isspace()
    )
    text = re.sub(r"[^\S\n]+", " ", text)
    return re.sub(r" ?\n ?(?:\n ?)+", "\n\n", text).strip()


@dataclass(frozen=True)
class OwnText:
    """A text, cut into tokens, with its end kept back.

    Attributes:
        unit: "characters" or "words".
        vocabulary: the tokens that may be known; the place of one is its number.
        learn: (num_tokens,) numbers of the tokens to learn from.
        kept: the numbers of the tokens that are kept back.
    """

    unit: str
    vocabulary: tuple[str, ...]
    learn: np.ndarray
    kept: np.ndarray

    @property
    def known(self):
        """Which kept-back tokens occur in the part to learn from, booleans."""
        return self.kept != self.vocabulary.index(UNKNOWN)

    def encode(self, text):
        """The numbers of the known tokens of a text, and the unknown tokens."""
        numbers = {token: number for number, token in enumerate(self.vocabulary)}
        tokens = pieces(text, self.unit)
        known = [numbers[token] for token in tokens if token in numbers]
        return known, [token for token in dict.fromkeys(tokens) if token not in numbers]

    def decode(self, token_ids):
        """The text of some numbers."""
        return joined([self.vocabulary[number] for number in token_ids], self.unit)


def own_text(text, unit="characters"):
    """Cut a text into tokens, and keep its end back.

    Args:
        text: any text; only its first 60,000 characters count.
        unit: "characters" or "words".

    Raises:
        BadText: with one sentence, if nothing can be learned from it.
    """
    text = cleaned(text[: 2 * MOST_CHARACTERS])[:MOST_CHARACTERS]
    if len(text) < LEAST_CHARACTERS:
        raise BadText(
            f"This text has {len(text)} characters; there must be at least "
            f"{LEAST_CHARACTERS}, or there is nothing to learn from."
        )
    tokens = pieces(text, unit)
    if len(tokens) < LEAST_TOKENS or len(set(tokens)) < 5:
        raise BadText(
            f"This text has {len(tokens)} {unit}, {len(set(tokens))} of them "
            f"different; there must be at least {LEAST_TOKENS}, and 5 different ones."
        )
    end = round(len(tokens) * (1 - VALIDATION_SHARE))
    common = Counter(tokens[:end]).most_common(UNITS[unit] - 1)
    vocabulary = (*sorted(token for token, _ in common if token != UNKNOWN), UNKNOWN)
    numbers = {token: number for number, token in enumerate(vocabulary)}
    ids = np.array([numbers.get(token, numbers[UNKNOWN]) for token in tokens], np.int32)
    return OwnText(unit, vocabulary, ids[:end], ids[end:])


def windows(token_ids, context_length, batch_size, rng):
    """Random stretches of a text, without end.

    Yields:
        inputs: (batch_size, context_length)
        targets: the same, one to the right.
    """
    within = np.arange(context_length)
    while True:
        starts = rng.integers(0, len(token_ids) - context_length, batch_size)
        places = starts[:, None] + within
        yield token_ids[places], token_ids[places + 1]
