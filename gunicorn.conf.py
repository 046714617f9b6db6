"""How gunicorn serves the product: one request at a time in every process, silence left to the kernel.

Processes, not threads: many threads writing to SQLite at once wait for one another until some give up. But a
process must not wait on a connection that says nothing, and browsers open such connections ahead of need.
"""

import socket

limit_request_line = 8190
"""Bytes: the results page asks for the news of all tables in one line, thousands of them in a large event."""
worker_class = "guandan_site.serving.HallWorker"
SILENCE = 60
"""Seconds for which the kernel keeps a connection without a word to itself."""


def when_ready(server):
    """Hands a connection to a worker only once it has something to say, where the kernel can (Linux)."""
    option = getattr(socket, "TCP_DEFER_ACCEPT", None)
    for listener in server.LISTENERS:
        if option is not None and listener.sock.family in {socket.AF_INET, socket.AF_INET6}:
            listener.sock.setsockopt(socket.IPPROTO_TCP, option, SILENCE)
