"""`python -m llm predict`: what comes next, for the model and in truth."""

import json
import sys

from llm.glassbox.sampling import UnsoundSetting
from llm.models.tiny_llm import TinyLLM
from llm.world import World, held_out_pairs


def command(args):
    """Print the likeliest next tokens of a prompt."""
    if args.top < 1:
        raise UnsoundSetting(
            f"The number of words must be at least 1, not {args.top}."
        )
    llm = TinyLLM.load(args.weights)
    tokens = prompt_tokens(llm, args.prompt)
    answers = predictions(llm, tokens, args.temperature, args.engine)[
        : args.top
    ]
    if args.json:
        dropped = llm.window(tokens).dropped
        print(json.dumps(
            {"prompt": args.prompt, "tokens": answers, "dropped": dropped}
        ))
    else:
        print(table(answers))


def prompt_tokens(llm, prompt):
    """The tokens of a prompt; says on standard error if not all of them fit.

    Raises:
        UnsoundSetting: if there is no word in the prompt.
    """
    tokens = llm.tokens(prompt)
    if len(tokens) == 1:
        raise UnsoundSetting("The prompt is empty; give at least one word.")
    say_dropped(llm, llm.window(tokens).dropped)
    return tokens


def say_dropped(llm, dropped):
    """Say on standard error how many tokens the model could not see."""
    if dropped:
        print(
            f"The model sees {llm.config.context_length} tokens at once: "
            f"the first {dropped} were left out.",
            file=sys.stderr,
        )


def predictions(llm, tokens, temperature=1.0, engine="glassbox"):
    """Every word of the vocabulary with its probability, likeliest first.

    Returns:
        A list of dictionaries: `token`, `probability` at this temperature, and
        `truth`, the exact probability at temperature 1; None for every word if
        the world never says the prompt.
    """
    truth = next_word_truth(tokens)
    return [
        {
            "token": token,
            "probability": probability,
            "truth": truth.get(token, 0.0) if truth else None,
        }
        for token, probability in llm.next_token(
            tokens, engine, temperature=temperature
        ).items()
    ]


def next_word_truth(tokens):
    """The exact distribution of the next word, in the world that was trained
    on.

    Returns:
        A dictionary from word to probability; empty if the world never says
        this.
    """
    world = World(held_out_pairs())
    # Asked word by word from the start, a prompt of any length is soon
    # refused.
    return (
        world.next_word_probabilities(tokens) if world.allows(tokens) else {}
    )


def table(answers):
    """Predictions as lines of text."""
    width = max(len("token"), *(len(answer["token"]) for answer in answers))
    lines = [f"{'token':{width}}  model  truth"]
    for answer in answers:
        truth = (
            "    –" if answer["truth"] is None else f"{answer['truth']:5.3f}"
        )
        model = f"{answer['probability']:5.3f}"
        lines.append(f"{answer['token']:{width}}  {model}  {truth}")
    others = 1 - sum(answer["probability"] for answer in answers)
    lines.append(f"All other words together: {max(others, 0.0):.3f}.")
    if answers[0]["truth"] is None:
        lines.append(
            "The toy world never says this, so there is no truth to compare."
        )
    return "\n".join(lines)
