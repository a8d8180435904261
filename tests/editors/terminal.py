"""A program in a terminal: what is typed into it, and what its screen shows."""

import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

LINES, COLUMNS = 50, 300
PATIENCE = 60
"""Seconds that a test waits for the screen."""


class Screen(pyte.Screen):
    """A screen that answers what the program asks of its terminal."""

    answer: Callable[[str], object]

    def write_process_input(self, data: str) -> None:
        self.answer(data)


class Terminal:
    def __init__(self, command: list[str | Path], folder: Path, environment: dict[str, str]):
        self.screen = Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)
        program, *arguments = map(str, command)
        self.child = pexpect.spawn(
            program, arguments, cwd=str(folder), env={"TERM": "xterm-256color", **environment}, dimensions=(LINES, COLUMNS)
        )
        self.screen.answer = self.child.send

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, keys: str) -> None:
        self.child.send(keys)

    def until(self, what: str, is_shown: Callable[[str], bool]) -> str:
        """Waits for the screen to show it; returns what the screen shows."""
        end = time.monotonic() + PATIENCE
        while not is_shown(self.text()):
            assert time.monotonic() < end, f"no {what}:\n{self.text()}"
            try:
                self.stream.feed(self.child.read_nonblocking(65536, timeout=0.1))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF as ended:
                raise AssertionError(f"no {what}, the program has ended:\n{self.text()}") from ended
        return self.text()

    def end(self) -> None:
        self.child.close(force=True)
