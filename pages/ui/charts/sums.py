"""The old place of what lives in `pages/ui/latex.py`."""

from pages.ui.latex import (  # noqa: F401
    dot_product,
    number,
    scaling,
    trimmed,
    weight,
    word,
)
