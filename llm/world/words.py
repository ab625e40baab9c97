"""The words of the toy world, by kind, and the pairs of words kept apart.

A table gives each word its weight. Every sentence they end up in is our own.
"""


def evenly(text):
    """A table in which every word of a text has the same weight."""
    return {word: 1.0 for word in text.split()}


PEOPLE = evenly("mia tom ben lily sam anna leo nora")
THINGS = evenly(
    "kite ball drum hat cup book boat lamp ring bell"
)
COLOURS = evenly("red blue green yellow pink white black brown")
ANIMALS = evenly("cat dog horse cow fox duck bear mouse rabbit lion wolf frog")
PARROT_WORDS = {**THINGS, **ANIMALS, **COLOURS}
LOOKS = evenly("little big old young clever funny")
OBJECT_LOOKS = evenly("old big little pretty dusty")
SIZES = evenly("tiny huge shiny")

# frequency: who, what they do there, and where; the cat's mat is the course's
# own.
PLACES = {
    ("cat", "sat on"): {
        "mat": 0.41,
        "floor": 0.22,
        "sofa": 0.12,
        "chair": 0.09,
        "bed": 0.07,
        "box": 0.05,
        "roof": 0.04,
    },
    ("cat", "hid under"): {
        "bed": 0.45,
        "sofa": 0.25,
        "table": 0.15,
        "chair": 0.10,
        "leaves": 0.05,
    },
    ("dog", "slept on"): {
        "floor": 0.35,
        "sofa": 0.30,
        "mat": 0.20,
        "bed": 0.10,
        "grass": 0.05,
    },
    ("dog", "dug in"): {
        "garden": 0.60,
        "sand": 0.20,
        "snow": 0.12,
        "grass": 0.08,
    },
    ("bird", "sang on"): {
        "roof": 0.40,
        "fence": 0.30,
        "branch": 0.22,
        "chair": 0.08,
    },
    ("bird", "flew over"): {
        "lake": 0.36,
        "forest": 0.28,
        "garden": 0.20,
        "roof": 0.10,
        "sea": 0.06,
    },
    ("child", "played in"): {
        "garden": 0.34,
        "sand": 0.26,
        "snow": 0.22,
        "leaves": 0.18,
    },
    ("child", "sat at"): {"table": 0.70, "lake": 0.16, "window": 0.14},
}

# word order: what one can do to another, as it is said in three ways.
DEEDS = {
    "bites": ("bit", "bitten"),
    "chases": ("chased", "chased"),
    "sees": ("saw", "seen"),
    "helps": ("helped", "helped"),
    "hugs": ("hugged", "hugged"),
    "finds": ("found", "found"),
}
MEETERS = evenly("dog man cat boy girl bear wolf king queen fox")

# agreement: one and many.
PLURALS = {
    "key": "keys", "door": "doors", "bell": "bells", "shoe": "shoes",
    "letter": "letters", "cabinet": "cabinets", "basket": "baskets",
    "tree": "trees", "lamp": "lamps", "wheel": "wheels",
}
BESIDES = evenly("near behind under beside")
KEY_BESIDES = {**BESIDES, "to": 3.0}
STATES = evenly("lost clean dirty new here")

# reference: who tries what, and why it did not work out.
MOVERS = evenly("animal dog cat horse fox duck bear rabbit")
MOVER_FAULTS = evenly("tired sleepy scared weak lazy")
OBSTACLES = {
    "cross": evenly("street river bridge field"),
    "climb": evenly("hill tree wall ladder"),
    "pull": evenly("cart wagon sledge"),
}
OBSTACLE_FAULTS = {
    "cross": evenly("wide long busy"),
    "climb": evenly("high steep slippery"),
    "pull": evenly("heavy broken"),
}

# order: what follows what.
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve".split()
)
STEPS = {
    "cake": "mix bake cool eat".split(),
    "flower": "dig plant water wait".split(),
    "picture": "draw paint dry frame".split(),
    "soup": "wash chop cook taste".split(),
}

# category: who does what.
SOUNDS = {
    "dog": "barks", "cat": "purrs", "cow": "moos", "duck": "quacks",
    "lion": "roars", "wolf": "howls", "frog": "croaks", "mouse": "squeaks",
    "sun": "shines", "moon": "shines", "star": "shines",
}
FOODS = {
    "cat": "fish", "dog": "bones", "horse": "hay", "cow": "grass",
    "fox": "eggs", "duck": "bread", "bear": "honey", "mouse": "cheese",
    "rabbit": "carrots", "lion": "meat", "wolf": "meat", "frog": "flies",
}
HOMES = evenly("forest barn cave house garden")
KINDS = {
    "bird": "robin eagle crow swan".split(),
    "fish": "shark trout salmon cod".split(),
    "beast": "tiger goat sheep pig".split(),
    "thing": "stone spoon chair box".split(),
}
ABILITIES = {
    "bird": "fly sing eat sleep".split(),
    "fish": "swim eat sleep".split(),
    "beast": "run eat sleep".split(),
    "thing": [],
}

# Pairs that never meet in the stories that the models are trained on, by the
# skill that needs them. Each word alone stays common. A colour and a thing
# meet if the thing has that colour, two words of a list if they stand side by
# side; all other pairs meet if one story says both words.
HELD_OUT = {
    "word order": "wolf-king girl-bear cat-boy",
    "agreement": "keys-door bell-trees letters-cabinet lamp-wheels",
    "reference": "horse-tired river-wide fox-sleepy hill-high",
    "binding": "blue-drum green-hat pink-boat white-kite",
    "repetition": "cup-frog red-lion bell-brown duck-ring fox-lamp cow-green",
    "order": "tom-wednesday anna-sunday mia-five leo-three",
    "category": "old-cow funny-frog robin-eat tiger-sleep",
}


def held_out_pairs(skills=HELD_OUT):
    """The pairs as a set of frozensets of two words."""
    return frozenset(
        frozenset(pair.split("-"))
        for skill in skills
        for pair in HELD_OUT[skill].split()
    )
