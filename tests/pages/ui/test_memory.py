"""What thirty students at once need from Python: few rounds of the collector."""

import gc
import os
import subprocess
import sys
import tomllib

from pages.ui import memory
from pages.ui.course import PAGES

ROOT = PAGES.parent


def test_no_whole_round_follows_each_run():
    text = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["runner"]["postScriptGC"] is False


def test_rounds_become_rare_once_all_is_loaded():
    before = gc.get_threshold()
    memory.settle.clear()  # another test may have opened a lesson
    gc.set_threshold(700)
    try:
        memory.settle()
        assert gc.get_threshold()[0] == memory.BETWEEN_ROUNDS > 700
    finally:
        gc.set_threshold(*before)


def test_the_server_asks_numpy_for_one_thread_before_it_is_loaded():
    code = (
        "import os, streamlit_app\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    bare = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=bare, capture_output=True, text=True
    )
    assert run.stdout.split()[-1:] == ["1"], run.stderr[-500:]
    text = (ROOT / "streamlit_app.py").read_text(encoding="utf-8")
    assert text.index("OPENBLAS_NUM_THREADS") < text.index("from pages")
