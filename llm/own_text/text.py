"""Somebody's own text: what is taken, how it is cut, and what is kept back."""

import random
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

import numpy as np

from llm.own_text.write_text import JOINERS, UNKNOWN, joined, pieces

LEAST_CHARACTERS = 400
MOST_CHARACTERS = 60_000
MOST_BYTES = 1_000_000
LEAST_TOKENS = 80
VALIDATION_SHARE = (
    0.1  # of the text, at its end: the model never learns from it
)
UNITS = {
    "characters": 1200,
    "words": 1200,
}  # the most different ones it may have
# A list: at least this many lines, nearly all of them short.
LEAST_LINES, MOST_WORDS, LONGEST_LINE, SHORT_LINES = 30, 3, 30, 0.9
# Chinese, Japanese, Thai, Lao, Burmese and Khmer are written without spaces.
NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
    "\U00020000-\U0003ffff]"
)
# What a Western text in a Windows code page holds beside letters; and the
# largest share of letters with accents. Other scripts have more.
WESTERN_SIGNS, MOST_ACCENTS = "“”„‘’‚–—…«»‹›•€£°§·\xa0¡¿", 0.3
TAGS = range(0xE0020, 0xE0080)  # parts of some flags


class BadText(ValueError):
    """A text or a file that nothing can be learned from; one sentence says
    why.
    """


def decoded(data):
    """The text in an uploaded file, and the encoding that it was read in.

    UTF-16 is known by its mark or its zeros; then UTF-8 is tried, then the
    code page that fits best.

    Args:
        data: its bytes.
    """
    if len(data) > MOST_BYTES:
        raise BadText(
            f"This file has {len(data) / 1e6:.1f} MB; at most "
            f"{MOST_BYTES / 1e6:.0f} MB of plain text is read."
        )
    for encoding in (*sixteen_bits(data), "utf-8-sig"):
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            pass
    else:
        text, encoding = by_code_page(data)
    if any(
        unicodedata.category(character) == "Cc"
        and character not in "\t\n\r\f\v"
        for character in text
    ):
        raise BadText(
            "This file is not plain text: save it as “plain text (UTF-8)” "
            "from your editor, then upload it again."
        )
    return text.removeprefix("\ufeff"), encoding.removesuffix("-sig").upper()


def sixteen_bits(data):
    """The kinds of UTF-16 that a file may be in, by its mark or by its zeros.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return ("utf-16",)
    # Without a mark: of plain Latin text, every second byte is zero.
    zeros = [data[first : first + 2000 : 2].count(0) for first in (0, 1)]
    if (
        len(data) % 2 == 0
        and max(zeros) > 4 * min(zeros) + len(data[:2000]) / 8
    ):
        return ("utf-16-be" if zeros[0] > zeros[1] else "utf-16-le",)
    return ()


def by_code_page(data):
    """The text in the Windows code page that fits best, and its name."""
    western = data.decode("cp1252", errors="replace")
    odd = [character for character in western if not character.isascii()]
    strange = [c for c in odd if not c.isalpha() and c not in WESTERN_SIGNS]
    if not strange and len(odd) < MOST_ACCENTS * len(western):
        return western, "cp1252"
    from charset_normalizer import from_bytes

    pages = [f"cp{n}" for n in (1250, 1251, 1252, 1253, 1254, 1255, 1256)]
    best = from_bytes(data, cp_isolation=pages).best()
    return (str(best), best.encoding) if best else ("\0", "")


def cleaned(text):
    """A text with plain line ends, without characters that cannot be seen."""
    text = unicodedata.normalize(
        "NFC", text.replace("\r\n", "\n").replace("\r", "\n")
    )
    return "".join(filter(can_be_seen, text)).strip("\n")


def can_be_seen(character):
    """Whether it shows, by itself or by what it does to its neighbours."""
    kind = unicodedata.category(character)
    return (
        character in "\n\t"
        or character in JOINERS
        or ord(character) in TAGS
        or kind not in ("Cc", "Cf", "Cs", "Zl", "Zp")
    )


def is_list(text):
    """Whether a text is a list of short lines, such as names, and no prose or
    verse.
    """
    lines = text.split("\n")
    short = [
        len(line.split()) <= MOST_WORDS and len(line) <= LONGEST_LINE
        for line in lines
    ]
    return len(lines) >= LEAST_LINES and sum(short) >= SHORT_LINES * len(lines)


def shuffled_lines(text):
    """The lines of a list in a random order, the same each time."""
    lines = [line for line in text.split("\n") if line]
    random.Random(0).shuffle(lines)
    return "\n".join(lines)


def writes_no_spaces(text):
    """Whether a text is in a script without spaces, so that it cannot be cut
    there.
    """
    letters = sum(map(str.isalpha, text))
    return len(NO_SPACES.findall(text)) > letters / 2


@dataclass(frozen=True)
class OwnText:
    """A text, cut into tokens, with its end kept back.

    Attributes:
        unit: "characters" or "words".
        vocabulary: the tokens that may be known; the position of one is its
            number.
        training: (num_tokens,) numbers of the tokens to learn from.
        validation: the numbers of the tokens that are kept back.
        shuffled: whether it is a list, whose lines were shuffled first.
        rare: how many different tokens are too rare to be learned.
        source: the text as it was given.
    """

    unit: str
    vocabulary: tuple[str, ...]
    training: np.ndarray
    validation: np.ndarray
    shuffled: bool = False
    rare: int = 0
    source: str = ""

    @property
    def unknown(self):
        """The number of the token that stands for all that is not known."""
        return len(self.vocabulary) - 1

    @property
    def known(self):
        """Which kept-back tokens occur in the part to learn from, booleans."""
        return self.validation != self.unknown

    def encode(self, text):
        """The numbers of the known tokens of a text, and the unknown tokens.
        """
        numbers = {
            token: number for number, token in enumerate(self.vocabulary)
        }
        tokens = pieces(text, self.unit)
        known = [numbers[token] for token in tokens if token in numbers]
        return known, [
            token for token in dict.fromkeys(tokens) if token not in numbers
        ]

    def decode(self, token_ids):
        """The text of some numbers."""
        return joined(
            [self.vocabulary[number] for number in token_ids], self.unit
        )


def own_text(text, unit="characters"):
    """Cut a text into tokens, and keep its end back.

    Args:
        text: any text; only its first 60,000 characters count.
        unit: "characters" or "words".

    Raises:
        BadText: with one sentence, if nothing can be learned from it.
    """
    source, text = text, cleaned(text[: 2 * MOST_CHARACTERS])[:MOST_CHARACTERS]
    if len(text.strip()) < LEAST_CHARACTERS:
        raise BadText(
            f"This text has {len(text.strip())} characters; there must be at "
            f"least {LEAST_CHARACTERS}, or there is nothing to learn from."
        )
    if shuffled := is_list(text):
        text = shuffled_lines(text)
    tokens = pieces(text, unit)
    different = len(set(tokens))
    if len(tokens) < LEAST_TOKENS or different < 2:
        raise BadText(
            f"This text has {len(tokens)} {unit}, {different} of them "
            f"different; there must be at least {LEAST_TOKENS}, and 2 "
            "different ones."
        )
    end = round(len(tokens) * (1 - VALIDATION_SHARE))
    counts = Counter(token for token in tokens[:end] if token != UNKNOWN)
    common = [token for token, _ in counts.most_common(UNITS[unit] - 1)]
    vocabulary = (*sorted(common), UNKNOWN)
    numbers = {token: number for number, token in enumerate(vocabulary)}
    ids = np.array(
        [numbers.get(token, len(common)) for token in tokens], np.int32
    )
    return OwnText(
        unit,
        vocabulary,
        ids[:end],
        ids[end:],
        shuffled,
        len(counts) - len(common),
        source,
    )


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
