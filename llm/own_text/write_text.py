"""Write text with your own small language model.

    python write_text.py "once upon" --length 200 --temperature 0.8 --seed 1

Needs Keras with TensorFlow, NumPy, and the two files `my_model.keras` and
`my_model.json` in the same folder. It uses nothing else of the course.
"""

import argparse
import json
import os
import re
import sys
import unicodedata
from pathlib import Path

import numpy as np

# Marks stand on the letter before them, and joiners bind letters and emoji:
# neither is a character of its own.
JOINERS = "\u200c\u200d"
MARKS = (
    "".join(
        chr(number)
        for number in (*range(0x300, 0x1F000), *range(0xE0020, 0xE01F0))
        if unicodedata.category(chr(number))[0] == "M"
        or number in range(0xE0020, 0xE0080)
    )
    + JOINERS
)
SKIN, FLAG = "\U0001f3fb-\U0001f3ff", "\U0001f1e6-\U0001f1ff"
PICTURE = "\u2190-\u2bff\U0001f000-\U0001faff"
# A character as a reader sees it: a family of emoji is one, and so is a flag.
CHARACTER = re.compile(
    rf"\n|[{FLAG}]{{2}}|.(?:\u200d[{PICTURE}]|[{MARKS}{SKIN}])*", re.DOTALL
)
# A word, which may hold apostrophes or hyphens; a new line; or any other
# character.
WORD = re.compile(
    rf"[\w{MARKS}]+(?:['’‑-][\w{MARKS}]+)*|\n|(?!\s)(?:{CHARACTER.pattern})",
    re.DOTALL,
)
# What stands close to the word before it, or to the word after it.
NO_SPACE_BEFORE = re.compile(r" +([.,!?;:)\]…’”\n])")
NO_SPACE_AFTER = re.compile(r"([(\[“‘\n]) +")
UNKNOWN = "�"


def pieces(text, unit):
    """Cut a text into tokens.

    Args:
        text: any text.
        unit: "characters", or "words", which are made lower case.
    """
    if unit == "characters":
        return CHARACTER.findall(text)
    return WORD.findall(text.lower())


def joined(tokens, unit):
    """Make a text of tokens again."""
    if unit == "characters":
        return "".join(tokens)
    close = NO_SPACE_BEFORE.sub(r"\1", " ".join(tokens))
    return NO_SPACE_AFTER.sub(r"\1", close)


def probabilities(logits, temperature):
    """Softmax at a temperature, (vocab_size,)."""
    scaled = logits / max(temperature, 1e-6)
    powers = np.exp(scaled - scaled.max())
    return powers / powers.sum()


def write(model, record, start, length, temperature, seed):
    """Write on after a start, one token at a time.

    Args:
        model: from token ids (1, num_tokens) to logits (1, num_tokens,
            vocab_size).
        record: the vocabulary, the unit and the context length.
        start: a text; what the model does not know in it is left out.

    Returns:
        The text, start included.
    """
    vocabulary, unit = record["vocabulary"], record["unit"]
    numbers = {token: number for number, token in enumerate(vocabulary)}
    unknown = numbers.get(
        UNKNOWN
    )  # stands for all that the model never learned
    rng = np.random.default_rng(seed)
    token_ids = [
        numbers[token] for token in pieces(start, unit) if token in numbers
    ]
    token_ids = token_ids or [numbers.get("\n", 0)]
    context_length = record["context_length"]
    window = token_ids[-context_length:]
    for _ in range(length):
        logits = np.asarray(model(np.array([window])))[0, -1].astype(float)
        if unknown is not None:
            logits[unknown] = -np.inf
        borders = probabilities(logits, temperature).cumsum()
        drawn = borders.searchsorted(rng.random() * borders[-1], side="right")
        token_ids.append(int(drawn))
        if len(window) == context_length:
            # The model sees no more at once: forget the older half.
            window = window[-(context_length // 2) :]
        window = [*window, int(drawn)]
    return joined([vocabulary[number] for number in token_ids], unit)


def main():
    """Read the command line and the two files, and write."""
    parser = argparse.ArgumentParser(description="Write with your own model.")
    parser.add_argument(
        "start", nargs="?", default="", help="how the text begins"
    )
    parser.add_argument(
        "--length", type=int, default=200, help="tokens to write"
    )
    parser.add_argument("--temperature", type=float, default=0.8)
    parser.add_argument("--seed", type=int, default=None)
    args = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import keras

    here = Path(__file__).parent
    model = keras.saving.load_model(here / "my_model.keras", compile=False)
    record = json.loads((here / "my_model.json").read_text(encoding="utf-8"))
    if hasattr(sys.stdout, "reconfigure"):
        # A Windows pipe may know few letters.
        sys.stdout.reconfigure(encoding="utf-8")
    print(
        write(
            model, record, args.start, args.length, args.temperature, args.seed
        )
    )


if __name__ == "__main__":
    main()
