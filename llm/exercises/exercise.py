"""What an exercise is made of, and how an answer to it is marked."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple


class Models(NamedTuple):
    """What exercises and questions ask.

    Attributes:
        llm: a `TinyLLM`.
        world: the `World` that it was trained on.
        encoder: a function that returns the `EncoderTwin`.
        digits: a function that returns the `DigitWeights`.
        record: a function from the name of a training to its record.
    """

    llm: Any
    world: Any
    encoder: Any
    digits: Any
    record: Any


@dataclass(frozen=True)
class Number:
    """A number to be filled in.

    Attributes:
        label: said beside its box.
        tolerance: how far off still counts as right; 0 for a whole number.
    """

    label: str
    tolerance: float = 0.0

    def fits(self, given, wanted):
        """Whether an answer is near enough; a hair of rounding is free."""
        return abs(given - wanted) <= self.tolerance + 1e-9


@dataclass(frozen=True)
class OneOf:
    """One of several options.

    Attributes:
        label: said above the options.
        options: in the order in which they are shown.
        code: whether they are words or lines of code, and shown as such.
    """

    label: str
    options: tuple
    code: bool = False

    def fits(self, given, wanted):
        return given == wanted


@dataclass(frozen=True)
class Several:
    """Any number of several options.

    Attributes:
        label: said above the options.
        options: in the order in which they are shown.
        code: whether they are words or lines of code, and shown as such.
    """

    label: str
    options: tuple
    code: bool = False

    def fits(self, given, wanted):
        return set(given) == set(wanted)


@dataclass(frozen=True)
class Order:
    """Lines to be put in order.

    Attributes:
        label: said above the lines.
        options: the lines, shuffled.
        code: whether they are words or lines of code, and shown as such.
    """

    label: str
    options: tuple
    code: bool = False

    def fits(self, given, wanted):
        return tuple(given) == tuple(wanted)


@dataclass(frozen=True)
class Table:
    """A table of numbers to be changed.

    Attributes:
        label: said above it.
        rows, columns: their names.
        start: (num_rows, num_columns), the numbers that it holds at first.
    """

    label: str
    rows: tuple
    columns: tuple
    start: tuple


@dataclass(frozen=True)
class Words:
    """A start of a sentence to be written."""

    label: str


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that is well known.

    Attributes:
        given: a dictionary from the name of a field to what is filled in;
            fields that it leaves out may hold anything.
        said: what is said to a student who gives it.
    """

    given: dict
    said: str


class Mark(NamedTuple):
    """What is said of an answer.

    Attributes:
        right: whether all of it is right.
        said: a sentence or two, "" if right.
    """

    right: bool
    said: str


@dataclass(frozen=True)
class Exercise:
    """One exercise, with the numbers of one seed or sentence in it.

    Attributes:
        kind: its name in `KINDS`.
        task: what is to be done, in Markdown, with all numbers.
        fields: from name to a field, in the order in which they are asked.
        answer: from name to the right answer; with `judge`, one of many.
        hints: from a nudge to nearly all of it; none says the answer.
        solution: the way to the answer with these numbers, in Markdown.
        mistakes: wrong answers that get a sentence of their own.
        judge: a function from what is filled in to a `Mark`, where more than
            one answer is right.
        given: the bare numbers and words that it was made from.
        functions: what computed the answer.
        start: the words of the toy world that it is about, if any.
        on_paper: whether it can be done on a printed page; not if the
            running model must be asked again and again.
    """

    kind: str
    task: str
    fields: dict
    answer: dict
    hints: tuple
    solution: str
    mistakes: tuple = ()
    judge: Callable | None = None
    given: dict = field(default_factory=dict)
    functions: tuple = ()
    start: tuple = ()
    on_paper: bool = True

    def mark(self, given):
        """Mark an answer.

        Args:
            given: from the name of each field to what was filled in.

        Returns:
            A `Mark`.
        """
        if self.judge:
            return self.judge(given)
        wrong = [
            name
            for name, box in self.fields.items()
            if not box.fits(given[name], self.answer[name])
        ]
        if not wrong:
            return Mark(True, "")
        for mistake in self.mistakes:
            if all(
                self.fields[name].fits(given[name], value)
                for name, value in mistake.given.items()
            ):
                return Mark(False, mistake.said)
        return Mark(False, f"Look again at: {self._listed(wrong)}.")

    def _listed(self, names):
        return ", ".join(self.fields[name].label for name in names)

    def filled(self, mistake):
        """A whole answer with one known mistake in it, the rest right."""
        return {**self.answer, **mistake.given}

    @property
    def told_apart(self):
        """Whether each known mistake is wrong and gets its own sentence."""
        return all(
            self.mark(self.filled(mistake)) == Mark(False, mistake.said)
            for mistake in self.mistakes
        )

    def without_unclear(self):
        """This exercise without mistakes that would not be told apart."""
        clear = []
        for mistake in self.mistakes:
            if replace(self, mistakes=(*clear, mistake)).told_apart:
                clear.append(mistake)
        return replace(self, mistakes=tuple(clear))


class Kind(NamedTuple):
    """A kind of exercise.

    Attributes:
        lesson: the stem of the lesson that it belongs to.
        title: a few words, for a list.
        make: a function of `Models`, a random generator and words (or None)
            that returns an `Exercise`; None if these draws give no good one.
        from_sentence: whether its numbers can come from a student's sentence.
    """

    lesson: str
    title: str
    make: Callable
    from_sentence: bool = False


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")


def read_number(text, whole=False):
    """The number in what somebody typed; None if it is not one.

    A comma counts as a decimal point, as many are used to, a percent sign as a
    hundredth; in a whole number commas may stand between thousands.

    Args:
        whole: whether a whole number is expected.
    """
    text = str(text or "").replace("\u2212", "-").replace("\u202f", "")
    text = text.replace(" ", "")
    if whole and THOUSANDS.fullmatch(text):
        return float(text.replace(",", ""))
    percent = text.endswith("%")
    text = text.removesuffix("%").replace(",", ".")
    if not NUMBER.fullmatch(text) or len(text) > 30:
        return None
    return float(text) / 100 if percent else float(text)
