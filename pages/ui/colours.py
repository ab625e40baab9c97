"""One colour for each idea, the same on every page and in both themes.

Each has a contrast of at least 3 to 1 to the light and to the dark background, and the
pairs that meet in one picture stay apart for colour-blind readers (a test computes
both).
"""

MODEL = "#2f7fd0"  # what the network says: blue
TRUTH = "#d9650f"  # what is exactly so: orange
QUERIES = "#9558dc"  # violet
KEYS = "#998108"  # gold
VALUES = "#1f8f8a"  # teal
QUIET = "#7b8494"  # everything beside the point: grey
# Text inside a chart has the colour of the page's own text, in both themes.
WORDS = "currentColor"
DRAW = "#d4463c"  # the random number and what it hit: red

# Other models in one picture, in the order of the ladder.
OTHERS = ("#7b8494", "#9558dc", "#998108", "#1f8f8a")

# For heat-maps, one colour for each theme, more or less opaque: so nothing looks like
# the page behind it, and the most stands out, in the light and in the dark.
HEAT = "light-dark(#0d3a69, #62a6f2)"  # above zero: blue
HEAT_BELOW = "light-dark(#5f2900, #e08c4a)"  # below zero: orange
# Up to this share the text on a cell is that of the page, above it the opposite.
OPPOSITE_TEXT_FROM = 0.645
OPPOSITE_TEXT = "light-dark(#ffffff, #000000)"

# The two parts of a block, where they stand side by side.
ATTENTION = "#b5559a"  # looking around: magenta
FEED_FORWARD = "#5d8a1f"  # thinking: green
