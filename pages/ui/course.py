"""The list of lessons, in order: menu, previous and next links and tests read it."""

from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).resolve().parent.parent
NAME = "The Transformer, seen from inside"



@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes:
        file: its name in `pages/`; the number in front gives the order.
        title: a word or two.
        question: what the lesson answers; its heading.
        minutes: how long its open part takes, from `minutes_for`; a test counts. None
            where a student stays as long as it pleases.
        counted: whether it is one of the numbered lessons, home aside.
    """

    file: str
    title: str
    question: str
    minutes: int | None = None
    counted: bool = True

    @property
    def path(self):
        return PAGES / self.file

    @property
    def number(self):
        return int(self.file.split("_")[0])

    @property
    def name(self):
        """What it is called wherever it is linked to: `3. Attention`."""
        counted = self.number and self.counted
        return f"{self.number}. {self.title}" if counted else self.title

    @property
    def stem(self):
        """The file name without number and ending: `attention`."""
        return self.path.stem.split("_", 1)[1]

    @property
    def address(self):
        """The part of the address after the host: `/attention`; home is `/`."""
        return "/" if self.number == 0 else f"/{self.stem}"


# To add a lesson, write its file and its line here.
COURSE = {
    "Start": [
        Lesson("00_home.py", "Home", "What is a language model thinking?"),
        Lesson(
            "16_machine.py", "The machine", "How does it write a word?", counted=False
        ),
    ],
    "Attention": [
        Lesson("01_why.py", "Why attention", "Why was a new design needed?", 6),
        Lesson("02_embeddings.py", "Embeddings", "How does a word become numbers?", 7),
        Lesson("03_attention.py", "Attention", "Which words matter to each other?", 7),
        Lesson(
            "04_queries_keys_values.py",
            "Queries, keys, values",
            "Where do attention weights come from?",
            8,
        ),
        Lesson("05_heads.py", "Heads", "Why several heads?", 9),
        Lesson("06_positions.py", "Positions", "How does it know the order?", 7),
    ],
    "The Transformer": [
        Lesson("07_block.py", "The block", "What is inside a Transformer?", 8),
        Lesson(
            "08_families.py",
            "Families",
            "From Transformers to ChatGPT and Claude",
            9,
        ),
        Lesson(
            "09_first_and_last.py",
            "First and last",
            "Can it connect the first word with the last?",
            8,
        ),
    ],
    "The tiny LLM": [
        Lesson(
            "10_next_token.py",
            "Next token",
            "What comes next, and how sure is it?",
            5,
        ),
        Lesson("11_sampling.py", "Sampling", "How does it choose a word?", 6),
        Lesson("12_training.py", "Training", "How did it learn all this?", 8),
        Lesson("13_look_inside.py", "Look inside", "Can it show its working?", 8),
        Lesson("14_your_text.py", "Your text", "Can it learn from your own text?", 4),
    ],
    "Check": [
        Lesson("15_check.py", "Check", "What do you know now?"),
        Lesson(
            "17_exercises.py", "Exercises", "Can you work it out yourself?",
            counted=False,
        ),
        Lesson(
            "18_teacher.py", "For teachers", "How can I teach with it?", counted=False
        ),
    ],
}

LESSONS = [lesson for lessons in COURSE.values() for lesson in lessons]


def section_of(lesson):
    """The name of the section that a lesson stands in."""
    return next(name for name, lessons in COURSE.items() if lesson in lessons)


def neighbours(lesson):
    """The lesson before and the lesson after; None at the ends."""
    at = LESSONS.index(lesson)
    before = LESSONS[at - 1] if at else None
    after = LESSONS[at + 1] if at + 1 < len(LESSONS) else None
    return before, after


def minutes_for(words, pictures, interactions):
    """How many minutes a page takes a student.

    A student of English as a second language reads about 150 words in a minute, looks
    at a picture for one, and tries a control for half of one.
    """
    return max(1, round(words / 150 + pictures + interactions / 2))
