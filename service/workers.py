"""Workers: several processes that serve on one port.

Each is a whole service, as a replica on another machine would be; they share the listening socket
and nothing else. This process begins them, begins another one for one that died, and ends them
together; when it dies itself, they end.
"""

import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Final

from service.settings import BadSetting

log = logging.getLogger("affray")

AGAIN_S: Final = 1.0
"""Before another one is begun for one that died."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

Ready = Callable[[], None]
"""Says that a worker listens."""

Serve = Callable[[Ready, int], None]
"""Serves until it is told to stop, or until the other end of the pipe (its descriptor) is gone."""


class Workers:
    """`number` processes that run `serve`."""

    def __init__(self, number: int, serve: Serve) -> None:
        self.number, self.serve = number, serve
        self._running: set[int] = set()
        self._stopping = False
        self._alive = os.pipe()  # nobody writes: it ends with this process

    def run(self, ready: Ready) -> int:
        """Serve until a signal comes; `ready` is called when all listen. Returns the status."""
        for one in _SIGNALS:
            signal.signal(one, self._stop)
        for _ in range(self.number):  # the first one makes the tables, and tells what is wrong
            if self._stopping or not self._began():
                return self._ended(1)
        if not self._stopping:
            ready()
        while not self._stopping:
            self._replace_one()
        return self._ended(0)

    def _began(self) -> bool:
        """Begin a worker; whether it has come to listen."""
        listens, says = os.pipe()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # so that none falls between the two
        pid = os.fork()
        if pid == 0:
            os.close(listens)
            os.close(self._alive[1])
            os._exit(self._serve(says))
        os.close(says)
        self._running.add(pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        heard = os.read(listens, 1)
        os.close(listens)
        return bool(heard)

    def _serve(self, says: int) -> int:
        """What a worker does; its exit status."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all: we pass it on
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # until it serves
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

        def ready() -> None:
            os.write(says, b"1")
            os.close(says)

        try:
            self.serve(ready, self._alive[0])
        except BadSetting as error:
            print(f"affray: {error}", file=sys.stderr, flush=True)
            return 2
        except BaseException:
            traceback.print_exc()
            return 1
        return 0

    def _replace_one(self) -> None:
        """Wait until one has died, and begin another."""
        pid, status = os.wait()
        self._running.discard(pid)
        if self._stopping:
            return
        log.error("a worker died (status %s), another one begins", status)
        time.sleep(AGAIN_S)
        if not self._stopping:
            self._began()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        for pid in self._running:
            os.kill(pid, signal.SIGTERM)

    def _ended(self, status: int) -> int:
        """Wait for all; the status of the first that went wrong, or this."""
        stopped = self._stopping
        self._stop(signal.SIGTERM, None)
        found = []
        while self._running:
            pid, ended = os.wait()
            self._running.discard(pid)
            found.append(os.waitstatus_to_exitcode(ended))
        return 0 if stopped else next((one for one in found if one > 0), status)
