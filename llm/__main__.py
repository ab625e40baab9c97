"""The command line: `python -m llm`, and the command to run."""

import argparse
import importlib
import os
import sys
from pathlib import Path

from llm.glassbox.sampling import UnsoundSetting
from llm.models.keras_file import WeightsError
from llm.models.tokenizer import UnknownWord

# What `train` can make; a test holds this list to
# `llm.commands.train.trainings`.
WHAT = [
    "tiny",
    "encoder",
    "twins",
    "lstm",
    "pairs",
    "heads",
    "distance",
    "sweep",
    "shortfall",
    "lengths",
    "first_and_last",
    "own_text",
    "all",
]

# Lessons with a notebook; a test holds this list to
# `llm.notebooks.NOTEBOOKS`.
LESSONS = [
    "why",
    "embeddings",
    "attention",
    "queries_keys_values",
    "heads",
    "positions",
    "block",
    "families",
    "first_and_last",
    "next_token",
    "sampling",
    "training",
    "look_inside",
    "your_text",
]


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that complains in one sentence."""

    def error(self, message):
        complain(message)
        self.exit(2)


def complain(message):
    """Print one sentence on standard error, whatever the user typed in it."""
    sentence = message[:1].upper() + message[1:].rstrip(".") + "."
    readable = (
        character
        if character.isprintable()
        else character.encode("unicode_escape").decode()
        for character in sentence
    )
    print("".join(readable), file=sys.stderr)


def write_every_letter():
    """Let output be UTF-8, because a pipe on Windows may know few letters."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def number(text):
    """A number such as 0.7."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def whole_number(text):
    """A whole number such as 7."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number"
        ) from None


def parser():
    """The parser of all commands."""
    main = Parser(
        prog="python -m llm", description="The tiny LLM of the course."
    )
    commands = main.add_subparsers(
        dest="command", required=True, metavar="command"
    )

    predict = commands.add_parser(
        "predict", help="what comes next, and how likely?"
    )
    predict.add_argument(
        "--top", type=whole_number, default=8, help="words to show"
    )
    generate = commands.add_parser("generate", help="write on")
    generate.add_argument(
        "--tokens", type=whole_number, default=30, help="at most"
    )
    generate.add_argument("--top-k", type=whole_number, metavar="K")
    generate.add_argument("--top-p", type=number, metavar="P")
    generate.add_argument("--seed", type=whole_number, default=0)
    for command in predict, generate:
        command.add_argument("prompt", help="the start of a text")
        command.add_argument("--temperature", type=number, default=1.0)
        command.add_argument(
            "--engine", choices=["glassbox", "keras"], default="glassbox"
        )
        command.add_argument(
            "--weights",
            metavar="FILE",
            help="a .keras file with its .json beside it",
        )
    evaluate = commands.add_parser("evaluate", help="how right is the model?")
    bench = commands.add_parser("bench", help="how fast and how exact is it?")
    for command in predict, generate, evaluate, bench:
        command.add_argument(
            "--json", action="store_true", help="one JSON object"
        )
    notebook = commands.add_parser(
        "notebook", help="the calculation of a lesson as a notebook"
    )
    notebook.add_argument("lesson", choices=LESSONS)
    notebook.add_argument("out", type=Path, help="the .ipynb file to write")
    notebook.add_argument(
        "--sentence", help="words of yours in place of the lesson's"
    )
    train = commands.add_parser("train", help="make every asset anew")
    train.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("assets")
    )
    train.add_argument(
        "--what",
        choices=WHAT,
        default="all",
    )
    return main


def main(arguments=None):
    """Run one command.

    Returns:
        0, or 2 after a mistake of the user.
    """
    write_every_letter()
    args = parser().parse_args(arguments)
    try:
        importlib.import_module(f"llm.commands.{args.command}").command(args)
        if sys.stdout:
            sys.stdout.flush()
    except (UnknownWord, UnsoundSetting, WeightsError) as mistake:
        complain(str(mistake))
        return 2
    except BrokenPipeError:
        # Whoever read our output has gone (as `head` does). Python would
        # complain about it once more while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
