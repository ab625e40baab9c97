"""The tiny LLM, ready to be asked: what comes next, and why?"""

import json
from dataclasses import replace
from functools import cached_property
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from llm.glassbox.ablation import NO_ABLATION
from llm.glassbox.attention import causal_mask
from llm.glassbox.cache import KeyValueCache, fast_network
from llm.glassbox.model import trace
from llm.glassbox.sampling import Sampling, UnsoundSetting, draw
from llm.glassbox.softmax import softmax_with_temperature
from llm.models.config import ModelConfig
from llm.models.keras_file import WeightsError, config_of, read
from llm.models.tokenizer import Tokenizer, split

START, END = "<start>", "<end>"
ASSETS = Path(__file__).parent.parent.parent / "assets"
DEFAULT_PATH = ASSETS / "tiny_llm.keras"
ENGINES = ("glassbox", "keras")


class Window(NamedTuple):
    """The tokens that the model sees: the last ones, as many as fit.

    Attributes:
        tokens: the words, `<start>` first unless it was dropped.
        token_ids: their numbers.
        dropped: how many tokens in front did not fit and were left out.
    """

    tokens: tuple[str, ...]
    token_ids: tuple[int, ...]
    dropped: int


class Step(NamedTuple):
    """One token that the model wrote, and how it came to it.

    Attributes:
        token: the word that was drawn.
        token_id: its number.
        probability: its probability at this temperature, before top-k and
            top-p cut anything.
        surprise: the negative logarithm of its probability at temperature 1,
            in nats: what this token adds to the loss.
        u: the uniform number that was drawn, in [0, 1).
        logits: (vocab_size,)
        probabilities_before_cut: (vocab_size,), after temperature and softmax.
        probabilities: (vocab_size,), after top-k and top-p: drawn from these.
        window: the `Window` that the model saw.
    """

    token: str
    token_id: int
    probability: float
    surprise: float
    u: float
    logits: np.ndarray
    probabilities_before_cut: np.ndarray
    probabilities: np.ndarray
    window: Window


class TinyLLM:
    """A trained model with its words.

    Args:
        weights: a `Weights`.
        vocabulary: the words, in the order of their numbers.
        path: the `.keras` file, which the Keras engine opens when asked for;
            a model without one has the glass box only.
    """

    def __init__(self, weights, vocabulary, path=None):
        self.weights, self.path = weights, path
        self.config = config_of(weights)
        self.tokenizer = Tokenizer(vocabulary)
        self._keras_engine = None

    @classmethod
    def load(cls, path=None):
        """Open a `.keras` file and the `.json` record beside it.

        Args:
            path: the `.keras` file; None opens the one that the course ships.

        Raises:
            WeightsError: with one sentence that says what is wrong.
        """
        path = Path(path or DEFAULT_PATH)
        weights = read(path)
        vocabulary, config = read_record(path.with_suffix(".json"))
        if config != config_of(weights):
            raise WeightsError(
                f"The file {path} is of another model than the record "
                "beside it."
            )
        return cls(weights, vocabulary, path)

    def tokens(self, prompt):
        """The tokens of a prompt, `<start>` in front.

        Args:
            prompt: a text, or its tokens.

        Raises:
            llm.models.tokenizer.UnknownWord: the first word that it does not
            know.
        """
        if isinstance(prompt, str):
            # Names an unknown word as it was typed.
            self.tokenizer.encode(prompt)
            prompt = split(prompt)
        tokens = list(prompt)
        tokens = tokens if tokens[:1] == [START] else [START, *tokens]
        self.tokenizer.ids_of(tokens)
        return tokens

    def window(self, prompt):
        """The part of a prompt that the model sees, a `Window`."""
        tokens = self.tokens(prompt)
        return self._last(tokens, self.tokenizer.ids_of(tokens))

    def _last(self, tokens, token_ids):
        dropped = max(0, len(tokens) - self.config.context_length)
        kept, kept_ids = tokens[dropped:], token_ids[dropped:]
        return Window(tuple(kept), tuple(kept_ids), dropped)

    def head_names(self):
        """What each head is called: "2.3" is the third head of layer 2."""
        return [
            f"{layer + 1}.{head + 1}"
            for layer in range(self.config.num_layers)
            for head in range(self.config.num_heads)
        ]

    def head_at(self, name):
        """The layer and the head, counted from 0, of a name like "2.3"."""
        return divmod(self.head_names().index(name), self.config.num_heads)

    def logits(self, token_ids, engine="glassbox"):
        """The logits of the next token after each token.

        Args:
            token_ids: (..., num_tokens), num_tokens at most context_length.

        Returns:
            (..., num_tokens, vocab_size)
        """
        if checked_engine(engine) == "keras":
            return self.keras_engine.logits(token_ids)
        return self._run(token_ids, NO_ABLATION).logits

    def next_logits(self, prompt, engine="glassbox"):
        """The logits of the token after a prompt, (vocab_size,)."""
        return self.logits(self.window(prompt).token_ids, engine)[-1]

    def probabilities(self, prompt, engine="glassbox", **settings):
        """The probability of each token of the vocabulary to come next.

        Args:
            prompt: a text, or its tokens.
            engine: "glassbox" or "keras".
            settings: temperature, top_k and top_p of a `Sampling`.

        Returns:
            (vocab_size,), sums to one, in the order of the vocabulary.
        """
        sampling = self._sampling(settings)
        logits = self.next_logits(prompt, engine)
        return sampling.after_cut(sampling.before_cut(logits))

    def next_token(self, prompt, engine="glassbox", **settings):
        """The probability of each token to come next, by name.

        Args:
            prompt: a text, or its tokens.
            engine: "glassbox" or "keras".
            settings: temperature, top_k and top_p of a `Sampling`.

        Returns:
            A dictionary from token to probability, likeliest first; the whole
            vocabulary.
        """
        probabilities = self.probabilities(prompt, engine, **settings)
        likeliest_first = np.argsort(-probabilities, kind="stable")
        return {
            self.tokenizer.vocabulary[number]: float(probabilities[number])
            for number in likeliest_first
        }

    def generate(self, prompt, num_tokens=30, **settings):
        """Write on, one token at a time.

        Args:
            prompt: a text, or its tokens.
            num_tokens: most tokens to write.
            settings: by name, what `steps` takes.

        Returns:
            An iterator of the tokens, `<end>` included.
        """
        steps = self.steps(prompt, num_tokens, **settings)
        return (step.token for step in steps)

    def steps(
        self,
        prompt,
        num_tokens=30,
        seed=0,
        stop_at_end=True,
        engine="glassbox",
        **settings,
    ):
        """Write on, one token at a time, and show each draw.

        Args:
            prompt: a text, or its tokens.
            num_tokens: most tokens to write.
            seed: one uniform number a token comes from `default_rng(seed)`.
            stop_at_end: stop after `<end>`.
            engine: "glassbox" or "keras"; both write the same.
            settings: temperature, top_k and top_p of a `Sampling`.

        Returns:
            An iterator of `Step`, one a token.
        """
        sampling = self._sampling(settings)
        if num_tokens < 1:
            raise UnsoundSetting(
                f"The number of tokens must be at least 1, not {num_tokens}."
            )
        tokens = self.tokens(prompt)
        next_logits, rng = self._writer(engine), np.random.default_rng(seed)

        def written():
            token_ids = self.tokenizer.ids_of(tokens)
            for _ in range(num_tokens):
                window = self._last(tokens, token_ids)
                logits, u = next_logits(window.token_ids), rng.random()
                step = self._step(window, logits, u, sampling)
                yield step
                tokens.append(step.token)
                token_ids.append(step.token_id)
                if stop_at_end and step.token == END:
                    return

        return written()

    def step(self, prompt, u, engine="glassbox", **settings):
        """The one token that follows if `u` is the number drawn, a `Step`.

        Args:
            prompt: a text, or its tokens.
            u: a number in [0, 1).
            engine: "glassbox" or "keras".
            settings: temperature, top_k and top_p of a `Sampling`.
        """
        window = self.window(prompt)
        logits = self.logits(window.token_ids, engine)[-1]
        return self._step(window, logits, u, self._sampling(settings))

    def _sampling(self, settings):
        sampling = Sampling(**settings)
        sampling.check(len(self.tokenizer))
        return sampling

    def _step(self, window, logits, u, sampling):
        before = sampling.before_cut(logits)
        probabilities = sampling.after_cut(before)
        token_id = int(draw(probabilities, u))
        plain = before
        if sampling.temperature != 1:
            plain = softmax_with_temperature(logits, 1.0)
        return Step(
            token=self.tokenizer.vocabulary[token_id],
            token_id=token_id,
            probability=float(before[token_id]),
            surprise=-log(plain[token_id]),
            u=u,
            logits=logits,
            probabilities_before_cut=before,
            probabilities=probabilities,
            window=window,
        )

    def trace(self, prompt, ablation=NO_ABLATION):
        """Every intermediate array on the way to the logits, a `Trace`.

        Args:
            prompt: a text, or its tokens.
            ablation: what is taken out, an `Ablation`.
        """
        window = self.window(prompt)
        found = self._run(window.token_ids, ablation)
        return replace(found, tokens=window.tokens, dropped=window.dropped)

    def _run(self, token_ids, ablation):
        """The `Trace` of some token ids, (..., num_tokens)."""
        mask = causal_mask(np.shape(token_ids)[-1])
        return trace(self.weights, token_ids, mask, ablation)

    @property
    def keras_engine(self):
        """This model run by Keras; loads TensorFlow the first time."""
        if self.path is None:
            raise ValueError("This model has no file that Keras could open.")
        from llm.models.keras_engine import KerasEngine
        from llm.models.keras_lock import KERAS_LOCK

        with KERAS_LOCK:
            if self._keras_engine is None:
                length = self.config.context_length
                self._keras_engine = KerasEngine(self.path, length)
            return self._keras_engine

    def _writer(self, engine):
        """A function from a window of token ids to the next token's logits."""
        if checked_engine(engine) == "keras":
            return self.keras_engine.next_logits
        return KeyValueCache(self._fast_network).next_logits

    @cached_property
    def _fast_network(self):
        return fast_network(self.weights)


def checked_engine(engine):
    """The name of an engine, or a `ValueError` if there is no such engine."""
    if engine not in ENGINES:
        raise ValueError(
            f"The engine must be one of {ENGINES}, not {engine!r}."
        )
    return engine


def read_record(path):
    """The words and the sizes of a model, from the record beside its weights.

    Returns:
        vocabulary: a list of words.
        config: a `ModelConfig`.
    """
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
        vocabulary = record["vocabulary"]
        config = ModelConfig(**record["config"])
    except FileNotFoundError:
        raise WeightsError(
            f"There is no record {path} beside the weights; "
            "`python -m llm train` makes it."
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"The record {path} is damaged.") from error
    if len(vocabulary) != config.vocab_size:
        raise WeightsError(
            f"The record {path} has {len(vocabulary)} words for a model of "
            f"{config.vocab_size}."
        )
    return vocabulary, config
