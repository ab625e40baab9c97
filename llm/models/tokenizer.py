"""Text to tokens to numbers and back: one word, one token."""

import re
import unicodedata
from difflib import get_close_matches

import numpy as np

# Marks stand on the letter before them, and joiners bind letters: a word keeps
# both.
MARKS = "\u200c\u200d" + "".join(
    chr(number)
    for number in range(0x300, 0x1F000)
    if unicodedata.category(chr(number))[0] == "M"
)
WORD = rf"[\w{MARKS}]"
# A clitic such as 's, a word (which may hold one apostrophe, as didn't), a
# special token such as <start>, or any other single character.
TOKEN = re.compile(
    rf"<start>|<end>|\[mask\]|'s\b|{WORD}+?(?='s\b)"
    rf"|{WORD}+(?:'{WORD}+)?|[^\w\s]",
    re.IGNORECASE,
)
CURLY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
)


class UnknownWord(ValueError):
    """A word that is not in the vocabulary.

    Attributes:
        word: the word.
        nearest: up to three known words that look like it.
    """

    def __init__(self, word, nearest):
        self.word, self.nearest = word, nearest
        hint = (
            f" Nearest known words: {', '.join(nearest)}." if nearest else ""
        )
        super().__init__(f"The word {word!r} is not in the vocabulary.{hint}")


def split(text):
    """Cut a text into tokens: lower case, straight quotes, each mark apart."""
    return [token.lower() for token in as_typed(text)]


def as_typed(text):
    """Cut a text into tokens as they were typed: capitals stay."""
    return TOKEN.findall(text.translate(CURLY))


class Tokenizer:
    """The numbers of a fixed list of words.

    Args:
        vocabulary: the words; the place of a word in the list is its number.
    """

    def __init__(self, vocabulary):
        self.vocabulary = tuple(vocabulary)
        self.ids = {
            word: number for number, word in enumerate(self.vocabulary)
        }

    def __len__(self):
        return len(self.vocabulary)

    def nearest(self, word):
        """Up to three known words spelled most like this one, likeliest first.
        """
        return get_close_matches(word[:40], self.vocabulary, n=3, cutoff=0.5)

    def unknown(self, tokens):
        """The tokens that are not in the vocabulary, each once, in order."""
        return [word for word in dict.fromkeys(tokens) if word not in self.ids]

    def ids_of(self, tokens):
        """The numbers of some tokens.

        Raises:
            UnknownWord: for the first token that is not in the vocabulary.
        """
        try:
            return [self.ids[word] for word in tokens]
        except KeyError as error:
            word = error.args[0]
            raise UnknownWord(word, self.nearest(word)) from None

    def encode(self, text):
        """The numbers of the tokens of a text.

        Raises:
            UnknownWord: for the first unknown word, as it was typed.
        """
        for word in as_typed(text):
            if word.lower() not in self.ids:
                raise UnknownWord(word, self.nearest(word.lower()))
        return self.ids_of(split(text))

    def decode(self, token_ids):
        """The words of some numbers, with spaces between."""
        return " ".join(self.vocabulary[number] for number in token_ids)


def padded(rows, length=None, dtype=np.int32):
    """Rows of different lengths as one array, zeros on the right.

    Args:
        rows: lists of numbers, such as token ids.
        length: of the longest row, or more; that of the longest if None.
        dtype: that of the array; whole numbers cut off fractions.

    Returns:
        (len(rows), length)
    """
    length = length or max(map(len, rows))
    array = np.zeros((len(rows), length), dtype)
    for line, row in zip(array, rows, strict=True):
        line[: len(row)] = row
    return array
