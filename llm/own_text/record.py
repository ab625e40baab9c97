"""The training on the course's own little story, written down for the lesson.
"""

import sys
from dataclasses import asdict
from pathlib import Path

from llm.own_text.text import own_text
from llm.own_text.training import Plan, TextRun
from llm.training.records import write_json

STORY = Path(__file__).resolve().parents[2] / "assets" / "own_text.txt"


def story():
    """The text that the lesson begins with."""
    return STORY.read_text(encoding="utf-8")


def train_own_text(out, plan=None):
    """Train on the story as the lesson does; keep what it wrote on the way."""
    run = TextRun(own_text(story()), plan or Plan())
    for report in run.reports():
        if report.found:
            print(
                f"{report.step:,} steps, kept-back loss "
                f"{report.found['loss']:.3f}",
                file=sys.stderr,
            )
    write_json(out / "own_text.json", record_of(run))


def record_of(run):
    """What `assets/own_text.json` holds."""
    return {
        "plan": asdict(run.plan),
        "parameters": run.num_parameters,
        "losses": [[step, round(loss, 4)] for step, loss in run.losses],
        "samples": [
            [step, run.text.decode(sample)] for step, sample in run.samples
        ],
    }
