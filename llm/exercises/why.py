"""Exercises on why attention came: how far apart words are, and its price."""

from llm.exercises.exercise import Exercise, Kind, Mistake, Number
from llm.exercises.parts import (
    code,
    numbered,
    some_words,
)
from llm.studies.memory import work_of_attention, work_of_recurrence


def steps_between(models, rng, words):
    words = some_words(models, rng, words, least=6, most=14)
    early, late = sorted(rng.permutation(len(words))[:2].tolist())
    if late - early < 3:
        return None
    names = numbered(("<start>", *words))[1:]
    apart = work_of_recurrence(late - early + 1)["path"]
    direct = work_of_attention(late - early + 1)["path"]
    return Exercise(
        kind="steps_between",
        task=", ".join(map(code, names))
        + f"\n\nWhat stands at `{names[early]}` matters at `{names[late]}`. "
        "Through how many steps must it pass to get there, in a recurrent "
        "network and in one layer of attention?",
        fields={
            "recurrent": Number("steps in a recurrent network"),
            "attention": Number("steps with attention"),
        },
        answer={"recurrent": apart, "attention": direct},
        hints=(
            "A recurrent network hands its state on from each word to the "
            "next: count the steps, not the words.",
            "Attention looks straight at any word that it may see.",
        ),
        solution=f"From position {early + 1} to position {late + 1} the "
        f"state is handed on {late + 1} − {early + 1} = **{apart}** times. "
        f"Attention connects the two in **{direct}**.",
        mistakes=(
            Mistake(
                {"recurrent": apart + 1},
                "You have counted the words, both ends among them. There is "
                "one step fewer than there are words.",
            ),
            Mistake(
                {"recurrent": apart - 1},
                "You have counted the words between the two. There is one "
                "step more.",
            ),
            Mistake(
                {"attention": apart},
                "Attention does not walk past the words between.",
            ),
            Mistake(
                {"attention": 0},
                "Attention needs one look. Without any step nothing would "
                "arrive.",
            ),
        ),
        given={"early": early, "late": late},
        functions=(work_of_recurrence, work_of_attention),
        start=tuple(words),
    )


def pairs(models, rng, words):
    size = int(rng.integers(7, 30))
    times = int(rng.integers(2, 5))
    short = work_of_attention(size)
    long = work_of_attention(size * times)
    return Exercise(
        kind="pairs",
        task=f"A text has {size} tokens. How many pairs of a query and a key "
        f"does one head compare? And if the text becomes {times} times as "
        "long? (Count every pair, without a mask.)",
        fields={
            "short": Number(f"pairs for {size} tokens"),
            "long": Number(f"pairs for {size * times} tokens"),
        },
        answer={"short": short["pairs"], "long": long["pairs"]},
        hints=(
            "Every query meets every key, its own among them.",
            f"{size} queries, and for each of them {size} keys.",
        ),
        solution=f"{size}² = **{short['pairs']:,}** and {size * times}² = "
        f"**{long['pairs']:,}**: {times} times the length makes "
        f"{times}² = {times * times} times the pairs.",
        mistakes=(
            Mistake(
                {"short": short["seen"], "long": long["seen"]},
                "These are the pairs that a causal mask allows. Here all "
                "pairs are asked for.",
            ),
            Mistake(
                {"short": size * (size - 1)},
                "Each query meets its own key too.",
            ),
            Mistake(
                {"long": times * short["pairs"]},
                "There are more queries, and each meets more keys: the pairs "
                "grow with the square.",
            ),
            Mistake(
                {"short": size, "long": times * size},
                "That is the number of tokens, which is what a recurrent "
                "network needs.",
            ),
        ),
        given={"size": size, "times": times},
        functions=(work_of_attention,),
    )


WHY = {
    "steps_between": Kind("why", "How far is it?", steps_between, True),
    "pairs": Kind("why", "The price of attention", pairs),
}
