"""Where this course stands among the twelve modules of the students."""

import streamlit as st

MODULES = 12
HERE = 10
NAMED = {
    3: "softmax",
    8: "images",
    9: "recurrent networks",
    10: "Transformers: this course",
    11: "transfer learning",
    12: "a project of your own",
}


def roadmap():
    """Twelve boxes in a row, those that touch this course named under it."""
    boxes = "".join(
        f'<span class="{kind(module)}">{module}</span>'
        for module in range(1, MODULES + 1)
    )
    st.html(f'<div class="roadmap" role="img" aria-label="{in_words()}">{boxes}</div>')
    st.markdown(
        " · ".join(
            f"**{module}** {name}" if module == HERE else f"{module} {name}"
            for module, name in NAMED.items()
        )
    )


def kind(module):
    """How the box of a module looks."""
    if module == HERE:
        return "road-here"
    return "road-named" if module in NAMED else "road-other"


def in_words():
    """The boxes for those who cannot see them."""
    return f"Module {HERE} of {MODULES}; {MODULES - HERE} follow."
