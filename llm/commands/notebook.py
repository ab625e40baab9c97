"""`python -m llm notebook`: the calculation of a lesson as a notebook."""

import sys

from llm.glassbox.sampling import UnsoundSetting
from llm.models.tiny_llm import TinyLLM
from llm.models.tokenizer import split
from llm.notebooks import as_text, make_notebook


def command(args):
    """Write the notebook of a lesson.

    Args:
        args: with `lesson`, `out` and `sentence`.
    """
    llm = TinyLLM.load()
    words = split(args.sentence) if args.sentence else None
    llm.tokenizer.ids_of(words or ())
    if words:
        words = [word for word in words if word not in ("<start>", "<end>")]
        words = words[-(llm.config.context_length - 1):]
    text = as_text(make_notebook(args.lesson, llm, words))
    try:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UnsoundSetting(
            f"{args.out} cannot be written: {error.strerror}."
        ) from error
    print(f"Wrote {args.out}.", file=sys.stderr)
