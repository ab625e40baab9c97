"""The router: checks that it can run, then draws the frame and the lesson in it."""

import os
import sys
from importlib.util import find_spec

# Before NumPy is loaded. The networks are small: beside other students or a training,
# several threads wait longer for each other than they compute.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

NEEDED = ("altair", "h5py", "numpy", "pandas", "streamlit")


def what_is_wrong(python=sys.version_info[:2]):
    """One sentence on why the course cannot start here, or None."""
    if not (3, 11) <= python < (3, 14):
        return (
            f"This is Python {python[0]}.{python[1]}, and the course needs 3.11, 3.12 "
            "or 3.13: make a new environment with one of these and start again."
        )
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        return (
            f"A package is missing ({', '.join(missing)}): run "
            "`pip install -r requirements.txt`, then start again."
        )
    return None


problem = what_is_wrong()
if problem and find_spec("streamlit") is None:
    sys.exit(problem)
elif problem:
    import streamlit

    streamlit.error(problem)
else:
    from pages.ui import frame, memory

    frame.run()
    memory.settle()
