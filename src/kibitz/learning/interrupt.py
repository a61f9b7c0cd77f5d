"""Ctrl-C between steps, never within one."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interrupt:
    """While entered, Ctrl-C only sets ``requested``; the loop that looks at it stops where it can go on from."""

    def __init__(self) -> None:
        self.requested = False
        self._mine = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Interrupt:
        if self._mine:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._mine:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.requested = True
