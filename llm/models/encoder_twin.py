"""The encoder twin: the same network without the causal mask, ready to be
asked.

A decoder cannot let `it` look at `tired`, which comes later. This twin reads
in both directions, and it answers two kinds of question about a story: which
word was hidden behind `[mask]` (Devlin et al. 2018), and which noun each `it`
stands for. How it was trained stands in `llm.training.encoder`.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from llm.glassbox.ablation import NO_ABLATION
from llm.glassbox.model import trace
from llm.glassbox.softmax import softmax
from llm.models.keras_file import WeightsError, config_of, read
from llm.models.tiny_llm import ASSETS, START, read_record
from llm.models.tokenizer import Tokenizer, split

DEFAULT_PATH = ASSETS / "encoder.keras"
MASK = "[mask]"
POINTING_HEAD = 0  # of the last layer
NUM_ASKED = 300  # fresh sentences of each kind, on which it was measured


def ask(weights, tokenizer, tokens):
    """Run the twin on some tokens; nothing is masked from anything.

    Returns:
        A `Trace`.
    """
    return trace(weights, tokenizer.ids_of(tokens), mask=None)


class EncoderTwin:
    """The trained twin with its words, ready to be asked.

    Args:
        weights: a `Weights`.
        vocabulary: the words, in the order of their numbers, `[mask]` among
            them.
        record: what the training wrote down; `record["scores"]` as in
            `scores`.
    """

    def __init__(self, weights, vocabulary, record=None):
        self.weights, self.record = weights, record or {}
        self.config = config_of(weights)
        self.tokenizer = Tokenizer(vocabulary)

    def tokens(self, sentence):
        """The tokens of a sentence, `<start>` in front, as many as the twin
        reads.

        Args:
            sentence: a text, or its tokens; `[mask]` is a blank to be filled.

        Raises:
            llm.models.tokenizer.UnknownWord: the first word that it does not
            know.
        """
        words = (
            split(sentence) if isinstance(sentence, str) else list(sentence)
        )
        words = words[1:] if words[:1] == [START] else words
        self.tokenizer.ids_of(words)
        return [START, *words[: self.config.context_length - 1]]

    def ask(self, sentence, ablation=NO_ABLATION):
        """Read a sentence in both directions, a `Trace` with its tokens.

        Args:
            sentence: a text, or its tokens; `[mask]` is a blank.
            ablation: what is taken out, to see what it did.
        """
        tokens = self.tokens(sentence)
        token_ids = self.tokenizer.ids_of(tokens)
        found = trace(self.weights, token_ids, mask=None, ablation=ablation)
        return replace(found, tokens=tuple(tokens))

    def answers(self, sentence, position):
        """What the twin says at one position: the hidden word, or the noun
        behind `it`.

        Args:
            sentence: a text, or its tokens; `[mask]` is a blank.
            position: the index of a token, `<start>` counted as 0.

        Returns:
            A dictionary from every word to its probability, likeliest first.
        """
        shares = softmax(
            self.ask(sentence).logits[position].astype(np.float64)
        )
        order = np.argsort(-shares, kind="stable")
        return {self.tokenizer.vocabulary[n]: float(shares[n]) for n in order}

    @property
    def flipping_head(self):
        """(layer, head) whose strongest link of `it` flips most surely,
        measured.
        """
        found = self.record["scores"]["flipping_head"]
        return found["layer"], found["head"]


def load_encoder(path=None):
    """Open the encoder twin without Keras.

    Args:
        path: the `.keras` file, its record beside it; None opens the shipped
            one.

    Returns:
        An `EncoderTwin`.

    Raises:
        llm.models.keras_file.WeightsError: with one sentence that says what is
        wrong.
    """
    path = Path(path or DEFAULT_PATH)
    weights = read(path)
    vocabulary, config = read_record(path.with_suffix(".json"))
    if config != config_of(weights):
        raise WeightsError(
            f"The file {path} is of another model than its record."
        )
    record = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return EncoderTwin(weights, vocabulary, record)
