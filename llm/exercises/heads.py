"""Exercises on heads: what one does, and how wide it is."""

from llm.exercises.exercise import Exercise, Kind, Mistake, Number, OneOf
from llm.exercises.parts import (
    head_name,
    pick,
    pick_several,
)
from llm.models.config import ModelConfig
from llm.models.parameters import count_parameters

CLEAR_FALL = 0.05  # of accuracy: how far the skill must fall below the next


def falling_skill(models, rng, words):
    record = models.record("heads")["skills"]
    whole, without = record["whole"], record["without"]
    layer = int(rng.integers(len(without)))
    head = int(rng.integers(len(without[layer])))
    falls = {
        skill: whole[skill] - accuracy
        for skill, accuracy in without[layer][head].items()
        if accuracy is not None and whole.get(skill) is not None
    }
    most, *others = sorted(falls, key=falls.get, reverse=True)
    if falls[most] - falls[others[0]] < CLEAR_FALL:
        return None
    options = tuple(pick_several(rng, [most, *others[:3]], 4))

    def told(skill):
        return f"{whole[skill]:.1%} → {without[layer][head][skill]:.1%}"

    name = head_name(layer, head)
    return Exercise(
        kind="falling_skill",
        task=f"Head {name} of the tiny LLM is cut out. Which of these skills "
        "falls most on fresh stories? Predict it, then check your prediction "
        "in the lesson on heads.",
        fields={"skill": OneOf("it falls most", options)},
        answer={"skill": most},
        hints=(
            "Look in the lesson on heads at what this head does: which role "
            "it follows more than the others.",
            f"The skill falls by {100 * falls[most]:.0f} percentage points.",
        ),
        solution=f"**{most}**, measured on "
        f"{models.record('heads')['num_stories']:,} fresh stories: "
        + "; ".join(f"{skill} {told(skill)}" for skill in options)
        + ".",
        mistakes=tuple(
            Mistake(
                {"skill": skill},
                f"Without head {name}, {skill} goes from {told(skill)}. "
                "Another skill falls further.",
            )
            for skill in options
            if skill != most
        ),
        given={"layer": layer, "head": head, "options": options},
    )


def head_sizes(models, rng, words):
    heads = int(pick(rng, (2, 3, 4, 6, 8)))
    width = heads * int(pick(rng, (4, 8, 16, 32)))
    config = ModelConfig(
        vocab_size=10, embed_dim=width, num_heads=heads, num_layers=1
    )
    layer = next(p for p in count_parameters(config) if p.name == "attention")
    head_dim, all_of_it = config.head_dim, layer.each
    square = width * width
    return Exercise(
        kind="head_sizes",
        task=f"A Transformer has vectors of {width} numbers and {heads} heads "
        "in each layer, which divide the width among them. How wide is one "
        "head, and how many parameters has the attention of one layer? "
        "Queries, keys, values and the output have a matrix and a bias each.",
        fields={
            "head_dim": Number("width of one head"),
            "parameters": Number("parameters of the attention of a layer"),
        },
        answer={"head_dim": head_dim, "parameters": all_of_it},
        hints=(
            f"{heads} heads side by side are as wide as the vector.",
            f"Each of the four matrices turns {width} numbers into "
            f"{heads} · {head_dim}, and each bias has one number for each "
            "that comes out.",
        ),
        solution=f"One head is {width} / {heads} = **{head_dim}** wide. Four "
        f"matrices of {width} × {width} = {square:,} and four biases of "
        f"{width}: 4 · ({square:,} + {width}) = **{all_of_it:,}**. The number "
        "of heads makes no difference to it.",
        mistakes=(
            Mistake(
                {"head_dim": width},
                "The heads divide the width; each gets a part of it.",
            ),
            Mistake(
                {"parameters": 4 * square},
                "The biases are missing: four of them, as wide as the vector.",
            ),
            Mistake(
                {"parameters": 3 * (square + width)},
                "That is queries, keys and values. The heads are joined by a "
                "fourth matrix, that of the output.",
            ),
            Mistake(
                {"parameters": heads * all_of_it},
                "Each head has its own part of the matrices, not matrices of "
                "the full size.",
            ),
        ),
        given={"width": width, "heads": heads},
        functions=(count_parameters,),
    )


HEADS = {
    "falling_skill": Kind("heads", "Cut out a head", falling_skill),
    "head_sizes": Kind("heads", "How wide is a head?", head_sizes),
}
