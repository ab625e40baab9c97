"""Fresh servers, quickly: import once what a server needs, then fork one for each port.

Reads a port from each line of its input, and answers with the number of the process
that serves there. Each is as fresh as one of its own: what a first visit decides is
decided in the fork, and nobody has visited the process that it comes from.
"""

import os
import signal
import sys

import altair  # noqa: F401
import h5py  # noqa: F401
import pandas  # noqa: F401
import uvicorn  # noqa: F401
from streamlit.web import bootstrap
from streamlit.web.server.starlette import starlette_server  # noqa: F401

from tests.browser.harness import ENTRY, OPTIONS


def serve(port):
    """Run the course on this port until the process is ended."""
    bootstrap.load_config_options(OPTIONS | {"server_port": port})
    bootstrap.run(str(ENTRY), False, [], {})


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    for line in sys.stdin:
        if fork := os.fork():
            print(fork, flush=True)
        else:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            serve(int(line))
            # A server that was told to end comes back here: it must not go on with the
            # loop and take the next port from the process that forks.
            os._exit(0)
