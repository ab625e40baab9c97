"""Words that a student typed, made safe to stand in a sentence."""

MOST_SHOWN = 40


def plain(text):
    """A typed text as code in Markdown: nothing in it can act, and it stays short."""
    shown = "".join(sign if sign.isprintable() else "�" for sign in str(text))
    shown = shown.replace("`", "'").strip()
    if len(shown) > MOST_SHOWN:
        shown = "…" + shown[-MOST_SHOWN:]
    return f"`{shown or ' '}`"


def listed(words):
    """`mat`, `floor` and `sofa`."""
    words = [plain(word) for word in words]
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def escaped(word):
    """A word of the vocabulary inside Markdown, where some signs would act."""
    return "".join(sign if sign.isalnum() or sign in "' " else "\\" + sign
                   for sign in word)
