"""`python -m llm evaluate`: how right is the model?"""

import json

from llm.studies.exam import NUM_FRESH, evaluation


def command(args):
    """Run `python -m llm evaluate [--json]`."""
    from llm.models.tiny_llm import ASSETS, TinyLLM

    llm = TinyLLM.load()
    record = json.loads((ASSETS / "tiny_llm.json").read_text(encoding="utf-8"))
    result = evaluation(llm, record)
    print(json.dumps(result) if args.json else report(result))
    return 0


def report(result):
    """The evaluation as a text that fits on a screen."""
    lines = [
        f"On {NUM_FRESH:,} fresh stories, {result['num_tokens']:,} tokens; "
        "nats per token:",
        *(
            f"  {name:16}{loss:8.4f}"
            for name, loss in result["ladder"].items()
        ),
        f"  {'excess':16}{result['excess']:8.4f}   "
        "(tiny LLM minus exact floor)",
        *floor_of_the_world(result["world_floor"]),
        "",
        "Does it memorise or generalise?",
        f"  {result['seen_share']:.0%} of these stories were also in the "
        "training.",
        f"  Excess on those: {result['memorise']['excess_on_seen']:.4f}, "
        f"on the others: {result['memorise']['excess_on_unseen']:.4f}.",
        "",
        f"  {'skill':14}{'right':>8}{'probability':>13}{'count':>7}"
        f"{'right on pairs that never met':>31}",
    ]
    for skill, found in result["skills"].items():
        right = (
            f"{found['accuracy']:8.1%}" if found["accuracy"] is not None
            else f"{found['divergence']:8.4f}"
        )
        apart = result["held_out"].get(skill)
        lines.append(
            f"  {skill:14}{right}{found['probability']:13.3f}"
            f"{found['count']:7,}"
            + (
                f"{apart['accuracy']:22.1%} of {apart['count']:,}"
                if apart
                else ""
            )
        )
    lines.append(
        "  (frequency: divergence from the truth in nats, not accuracy)"
    )
    return "\n".join(lines)


def floor_of_the_world(floor):
    """The floor of many more stories, if the record has it; else nothing."""
    if floor is None:
        return []
    return [
        "The floor is that of these stories. "
        f"Of {floor['stories']:,} stories it is "
        f"{floor['nats']:.4f} (± {floor['spread']:.4f})."
    ]
