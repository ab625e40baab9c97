"""`python -m llm generate`: write on, one token at a time."""

import json

from llm.commands.predict import prompt_tokens, say_dropped
from llm.glassbox.sampling import UnsoundSetting
from llm.models.tiny_llm import TinyLLM


def command(args):
    """Print what the model writes after a prompt."""
    if args.seed < 0:
        raise UnsoundSetting(f"The seed must be 0 or more, not {args.seed}.")
    llm = TinyLLM.load(args.weights)
    tokens = prompt_tokens(llm, args.prompt)
    steps = llm.steps(
        tokens, args.tokens, seed=args.seed, engine=args.engine,
        temperature=args.temperature, top_k=args.top_k, top_p=args.top_p,
    )
    if args.json:
        print(json.dumps(record(llm, args, list(steps))))
    else:
        write(llm, tokens, steps)


def record(llm, args, steps):
    """What was written, as one object."""
    return {
        "prompt": args.prompt,
        "tokens": [step.token for step in steps],
        "text": llm.tokenizer.decode(step.token_id for step in steps),
        "seed": args.seed,
        "dropped": steps[-1].window.dropped,
    }


def write(llm, tokens, steps):
    """Print each token as soon as it is there."""
    print(*tokens[1:], end="", flush=True)
    for step in steps:
        print("", step.token, end="", flush=True)
    print()
    dropped_before = llm.window(tokens).dropped
    if step.window.dropped > dropped_before:
        say_dropped(llm, step.window.dropped)
