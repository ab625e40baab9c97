"""The stories of the toy world, one family for each skill.

Each function builds one family as a grammar; the place where its skill decides
the next word is wrapped in `Decide`. Openers, adjectives, fillers and several
phrasings move the deciding words about, so that position alone never gives an
answer.
"""

from functools import partial

from llm.world import words
from llm.world.grammar import (
    Decide,
    Depending,
    It,
    Pick,
    Say,
    Word,
    choice,
    maybe,
    sequence,
)

SHARES = {
    "frequency": 0.08,
    "word order": 0.09,
    "agreement": 0.07,
    "reference": 0.10,
    "binding": 0.42,
    "repetition": 0.10,
    "order": 0.06,
    "category": 0.08,
}

OPENER = choice(
    (0.50, ""),
    (0.14, "one day ,"),
    (0.10, "today ,"),
    (0.10, "in the morning ,"),
    (0.08, "at night ,"),
    (0.08, "once upon a time ,"),
)


def build(held_out=frozenset(), shares=SHARES):
    """The grammar of the whole world: `<start>`, a story of some family,
    `<end>`.

    Args:
        held_out: pairs of words that meet in no story.
        shares: a dictionary from each skill to the share of its family.
    """
    pick = partial(Pick, held_out=held_out)
    families = {
        "frequency": frequency,
        "word order": word_order,
        "agreement": agreement,
        "reference": reference,
        "binding": binding,
        "repetition": repetition,
        "order": order,
        "category": category,
    }
    grammar = choice(
        *((share, families[name](pick)) for name, share in shares.items())
    )
    return sequence(grammar, "<end>")


def frequency(pick):
    """The cat sat on the mat: nothing to know but how often each word comes.
    """
    rest = {}
    for who in dict.fromkeys(who for who, _ in words.PLACES):
        scenes = [
            (
                1,
                sequence(
                    deed, "the", Decide("frequency", pick("place", table))
                ),
            )
            for (other, deed), table in words.PLACES.items()
            if other == who
        ]
        rest[who] = choice(*scenes)
    return sequence(
        OPENER, "the", maybe(0.4, pick("look", words.LOOKS)),
        pick("who", dict.fromkeys(rest, 1.0)), Depending("who", rest),
        choice((0.6, "."), (0.2, "all day ."), (0.2, "again .")),
    )


def word_order(pick):
    """Dog bites man: the same words in another order mean another thing."""
    past = {deed: forms[0] for deed, forms in words.DEEDS.items()}
    done = {deed: forms[1] for deed, forms in words.DEEDS.items()}
    look = maybe(0.3, pick("look", words.LOOKS))
    doer = pick("doer", words.MEETERS)
    done_to = pick("done to", words.MEETERS, unlike=["doer"], beside=["doer"])
    # The passive names the other one first.
    done_to_first = pick("done to", words.MEETERS)
    doer_last = pick(
        "doer", words.MEETERS, unlike=["done to"], beside=["done to"]
    )
    # The deed is picked in its plain form; the past forms are picked as such.
    deed = pick("deed", dict.fromkeys(words.DEEDS, 1.0))
    by_past = {past[d]: done[d] for d in words.DEEDS}
    past_deed = pick("past", dict.fromkeys(by_past, 1.0))
    done_deed = pick("done", dict.fromkeys(done.values(), 1.0))

    def ask(form, article):
        return choice(
            (0.65, sequence("who was", form, "?", article,
                            Decide("word order", Say("done to")), ".")),
            (0.35, sequence("who did it ?", article,
                            Decide("word order", Say("doer")), ".")),
        )

    return sequence(
        OPENER,
        choice(
            (
                0.30,
                sequence(doer, deed, done_to, ".", ask(Say("deed", done), "")),
            ),
            (
                0.45,
                sequence(
                    "the",
                    look,
                    doer,
                    past_deed,
                    "the",
                    look,
                    done_to,
                    ".",
                    ask(Say("past", by_past), "the"),
                ),
            ),
            (
                0.25,
                sequence(
                    "the",
                    look,
                    done_to_first,
                    "was",
                    done_deed,
                    "by the",
                    look,
                    doer_last,
                    ".",
                    ask(Say("done"), "the"),
                ),
            ),
        ),
    )


def agreement(pick):
    """The keys to the old cabinet are: the verb goes with the first noun."""
    verb = {
        **dict.fromkeys(words.PLURALS, "is"),
        **dict.fromkeys(words.PLURALS.values(), "are"),
    }
    nouns = dict.fromkeys(verb, 1.0)
    besides = {
        noun: pick(
            "besides",
            words.KEY_BESIDES if noun[:3] == "key" else words.BESIDES,
        )
        for noun in nouns
    }
    look = maybe(0.4, pick("look", words.OBJECT_LOOKS))
    other = pick("other", nouns, unlike=["subject"], beside=["subject"])
    other_too = pick("other too", nouns, unlike=["subject"],
                     beside=["subject", "other"])
    place = sequence(Depending("subject", besides), "the", look, other)
    place_too = sequence(
        pick("besides", words.BESIDES), "the", look, other_too
    )
    return sequence(
        OPENER, "the", look, pick("subject", nouns),
        choice((0.15, ""), (0.60, place), (0.25, sequence(place, place_too))),
        Decide("agreement", Say("subject", verb), ["is", "are"]),
        pick("state", words.STATES), ".",
    )


def reference(pick):
    """The animal did not cross the street because it was too tired: who is
    `it`?
    """
    mover_fault = pick("fault", words.MOVER_FAULTS, beside=["mover"])
    scenes = []
    for deed, obstacles in words.OBSTACLES.items():
        obstacle_fault = pick(
            "fault", words.OBSTACLE_FAULTS[deed], beside=["obstacle"]
        )
        reason = choice(
            (0.5, _because("mover", mover_fault, "animal")),
            (0.5, _because("obstacle", obstacle_fault, "street")),
        )
        scenes.append((1, sequence(
            deed, "the", maybe(0.3, pick("look", words.OBJECT_LOOKS)),
            pick("obstacle", obstacles), "because", reason,
        )))
    return sequence(
        OPENER, "the", maybe(0.4, pick("look", words.LOOKS)),
        pick("mover", words.MOVERS), "didn't", choice(*scenes),
    )


def _because(name, fault, kind):
    outcome = {
        "animal": choice((0.5, "went home ."), (0.3, "took a nap ."),
                         (0.2, "stayed there .")),
        "street": choice((0.5, "was left alone ."), (0.3, "stayed empty ."),
                         (0.2, "stayed there .")),
    }[kind]
    subject = choice((0.7, It(name)), (0.3, sequence("the", Say(name))))
    return sequence(
        subject, "was too", fault, ".", maybe(0.2, "what a pity ."),
        choice((0.7, "so the"), (0.3, "that is why the")),
        Decide("reference", Say(name)), outcome,
    )


def binding(pick):
    """Mia has a blue kite: one to four facts, then questions about them."""
    facts_to_questions = {1: (1, 2), 2: (2, 3), 3: (2, 3), 4: (2,)}
    stories = []
    for num_facts, counts in facts_to_questions.items():
        facts = [_fact(pick, number, num_facts) for number in range(num_facts)]
        question = choice(
            *((1, _question(number)) for number in range(num_facts))
        )
        for count in counts:
            stories.append((
                1 / len(counts), sequence(*facts, *[question] * count)
            ))
    return sequence(OPENER, choice(*stories))


def _fact(pick, number, num_facts):
    owner, colour, thing = (
        f"owner {number}",
        f"colour {number}",
        f"thing {number}",
    )
    earlier = range(number)
    pick_owner = pick(
        owner, words.PEOPLE, unlike=[f"owner {n}" for n in earlier]
    )
    other_things = [f"thing {n}" for n in earlier]
    pick_thing_first = pick(thing, words.THINGS, unlike=other_things)
    pick_thing = pick(
        thing, words.THINGS, unlike=other_things, beside=[colour]
    )
    pick_colour = pick(colour, words.COLOURS)
    pick_colour_last = pick(colour, words.COLOURS, beside=[thing])
    size = maybe(0.15, pick("size", words.SIZES))
    forms = [
        (
            0.60,
            sequence(pick_owner, "has a", size, pick_colour, pick_thing, "."),
        ),
        (
            0.30,
            sequence(
                pick_owner, "'s", pick_thing_first, "is", pick_colour_last, "."
            ),
        ),
    ]
    if num_facts < 3:
        forms.append(
            (
                0.10,
                sequence(
                    "there is a",
                    size,
                    pick_colour,
                    pick_thing,
                    ".",
                    It(thing),
                    "is for",
                    pick_owner,
                    ".",
                ),
            )
        )
    return choice(*forms)


def _question(number):
    owner, colour, thing = (
        Say(f"{name} {number}") for name in ("owner", "colour", "thing")
    )
    return choice(
        (
            0.60,
            sequence(
                owner,
                "'s",
                Decide("binding", thing),
                "is",
                Decide("binding", colour),
                ".",
            ),
        ),
        (
            0.40,
            sequence(
                "what does",
                owner,
                "have ? a",
                Decide("binding", colour),
                Decide("binding", thing),
                ".",
            ),
        ),
    )


def repetition(pick):
    """Mia says: cup hat fox. The parrot says: cup hat fox."""
    lists = []
    for length in (2, 3, 4, 5, 6):
        names = [f"word {number}" for number in range(length)]
        said = [
            pick(name, words.PARROT_WORDS, unlike=names[:number],
                 beside=names[number - 1:number])
            for number, name in enumerate(names)
        ]
        repeated = [Decide("repetition", Say(name)) for name in names]
        echo = sequence(
            choice((0.6, "the parrot says"), (0.2, "the echo says"),
                   (0.2, "then the parrot sings")), ":", *repeated, ".",
        )
        lists.append((1, sequence(
            *said, ".", maybe(0.25, "the parrot is listening ."), echo,
            maybe(0.35, echo) if length < 5 else "",
        )))
    speaker = choice((0.75, pick("speaker", words.PEOPLE)),
                     (0.25, sequence("the", pick("speaker", words.ANIMALS))))
    return sequence(OPENER, speaker, "says :", choice(*lists))


def order(pick):
    """Monday, tuesday, wednesday: what follows what."""
    return sequence(OPENER, choice(
        (0.35, _days(pick)), (0.45, _numbers(pick)), (0.20, _steps(pick)),
    ))


def _runs(pick, name, in_order, circle=False):
    """A word and two to five more, each told by the one before it.

    Args:
        name: the name under which the first word is remembered.
        in_order: the words in their order.
        circle: whether the first follows the last.
    """
    runs, line = [], 2 * in_order if circle else in_order
    for num_more in (2, 3, 4, 5):
        brings = {
            first: line[place + 1 : place + 1 + num_more]
            for place, first in enumerate(in_order)
            if place + num_more < len(line)
        }
        first = pick(name, dict.fromkeys(brings, 1.0), beside=["speaker"],
                     brings=brings)
        parts = [first]
        for number in range(num_more):
            form = {word: others[number] for word, others in brings.items()}
            parts += [",", Decide("order", Say(name, form))]
        runs.append((1, sequence(*parts)))
    return choice(*runs)


def _days(pick):
    runs = _runs(pick, "day", words.DAYS, circle=True)
    speaker = pick("speaker", words.PEOPLE)
    return sequence(speaker, "names the days :", runs, ".")


def _numbers(pick):
    ways = []
    for way, numbers in (("up", words.NUMBERS), ("down", words.NUMBERS[::-1])):
        runs = _runs(pick, "number", numbers)
        ways.append((1, sequence(way, ":", runs)))
    return sequence(
        pick("speaker", words.PEOPLE), "counts", choice(*ways), ".",
    )


def _steps(pick):
    recipes = {}
    for thing, steps in words.STEPS.items():
        first, *others = steps
        parts = [first]
        for step in others:
            parts += [", then", Decide("order", Word(step))]
        recipes[thing] = sequence(*parts)
    return sequence(
        choice((0.5, "to make a"), (0.5, sequence(
            pick("speaker", words.PEOPLE), "makes a"))),
        maybe(0.4, pick("look", words.OBJECT_LOOKS)),
        pick("recipe", dict.fromkeys(recipes, 1.0)), ": first",
        Depending("recipe", recipes), ".",
    )


def category(pick):
    """The dog barks, the sun shines, a robin can fly: what kind of thing it
    is.
    """
    return choice(
        (0.35, _sounds(pick)), (0.35, _tale(pick)), (0.30, _abilities(pick)),
    )


def _sounds(pick):
    makers = dict.fromkeys(words.SOUNDS, 1.0)
    return sequence(
        OPENER, "the", maybe(0.6, pick("look", words.LOOKS)),
        pick("maker", makers, beside=["look"]),
        Decide(
            "category", Say("maker", words.SOUNDS), set(words.SOUNDS.values())
        ),
        choice((0.5, "."), (0.25, "all day ."), (0.25, "again .")),
    )


def _tale(pick):
    food = choice(
        (0.85, Say("animal", words.FOODS)), (0.15, pick("food", words.evenly(
            "apples soup cake"))),
    )
    return sequence(
        choice((0.6, "once upon a time there was a"), (0.4, "there was a")),
        pick("look", words.LOOKS),
        pick("animal", words.ANIMALS, beside=["look"]),
        ".",
        It("animal"),
        "lived in a",
        pick("home", words.HOMES),
        ".",
        maybe(
            0.3, sequence("the", Say("look"), Say("animal"), "was hungry .")
        ),
        It("animal"),
        "ate some",
        Decide("category", food),
        ".",
        maybe(0.5, sequence("the", Say("animal"), "was happy .")),
    )


def _abilities(pick):
    questions = {}
    kinds = {
        name: kind for kind, names in words.KINDS.items() for name in names
    }
    verbs = words.evenly("fly sing swim run eat sleep")
    for name, kind in kinds.items():
        answer = {
            verb: "yes" if verb in words.ABILITIES[kind] else "no"
            for verb in verbs
        }
        questions[name] = sequence(
            pick("verb", verbs, beside=["name"]), "?",
            Decide("category", Say("verb", answer)), ".",
        )
    return sequence(
        maybe(0.3, "tell me :"),
        "can the",
        maybe(0.4, pick("look", words.LOOKS)),
        pick("name", dict.fromkeys(kinds, 1.0)),
        Depending("name", questions),
    )
