"""Helix in a terminal."""

import os
import re
import shutil
import subprocess
import time
import unicodedata

import pexpect
from pages import settings
from service import WFLINT, Service
from terminal import PATIENCE, Terminal

PROGRAM = os.environ.get("WFLINT_HELIX") or shutil.which("hx") or shutil.which("helix")
ESCAPE = "\x1b"
SEVERITIES = {"error": "ERROR", "warning": "WARN", "info": "INFO"}


class Helix:
    """An editor with the settings of the guide in a fresh home; the folder is a git repository, as Helix looks for one."""

    def __init__(self, service: Service):
        assert PROGRAM is not None
        self.program = PROGRAM
        self.service = service
        self.home = service.folder.parent / "helix"
        configuration = self.home / ".config/helix"
        configuration.mkdir(parents=True)
        (languages,) = settings("Helix", "toml")
        (configuration / "languages.toml").write_text(languages, encoding="utf-8")
        subprocess.run(["git", "init", "--quiet"], cwd=service.folder, check=True)
        self.environment = {"HOME": str(self.home), "PATH": f"{WFLINT.parent}{os.pathsep}/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        self.terminal: Terminal | None = None

    def health(self, language: str) -> str:
        command = [self.program, "--health", language]
        shown = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return re.sub(r"\x1b\[[0-9;]*m", "", shown.stdout)

    def open(self, name: str) -> None:
        self.terminal = Terminal([self.program, "-v", name], self.service.folder, self.environment)
        self.wait(f" NOR   {name}")

    @property
    def shown(self) -> Terminal:
        assert self.terminal is not None
        return self.terminal

    def wait(self, *wanted: str) -> str:
        """Waits for all of it on the screen."""
        return self.shown.until(" and ".join(wanted), lambda text: all(it in text for it in wanted))

    def command(self, command: str) -> None:
        """A typed command. When its line is gone, all keys before it are done."""
        self.shown.type(f":{command}")
        self.wait(f":{command}")
        self.shown.type("\r")
        self.shown.until(f"end of :{command}", lambda text: f":{command}" not in text)

    def save(self) -> None:
        """Writes all documents. Helix writes in the background; what is shown last is that nothing is left to write."""
        self.command("write-all")
        self.shown.until("saved", lambda text: "[+]" not in text)

    def quit(self) -> None:
        """Writes all documents, and waits for the end, before which Helix has written them."""
        self.shown.type(":write-quit-all\r")
        self.shown.child.expect(pexpect.EOF, timeout=PATIENCE)

    def close_popup(self, title: str) -> None:
        self.shown.type(ESCAPE)
        self.shown.until(f"end of {title}", lambda text: title not in text)

    def settled(self) -> str:
        """What is shown once all keys that were typed are done."""
        self.shown.type(":settled")
        text = self.wait(":settled")
        self.close_popup(":settled")
        return text

    def cursor(self) -> tuple[int, int]:
        """Line and column in the status line."""
        found = re.search(r" (\d+):(\d+) *$", self.settled(), re.MULTILINE)
        assert found is not None
        return int(found[1]), int(found[2])

    def go(self, wanted: str, inside: int = 0) -> None:
        """Puts the cursor so many characters after the start of the first match."""
        text = self.service.read(self.name())
        line, column = column_of(text, text.index(wanted) + inside)
        self.command(f"goto {line}")
        self.shown.type("gh" + (f"{column - 1}l" if column > 1 else ""))
        assert self.cursor() == (line, column)

    def begin(self, old: str, new: str) -> None:
        """Types over the first match, and stays. Letter by letter: Helix may send changes in another order than they came."""
        text = self.service.read(self.name())
        before = text[: text.index(old)].split("\n")[-1][-12:]
        self.go(old)
        self.shown.type(f"v{len(old) - 1}lc")
        self.shown.until("insertion", lambda text: " INS " in text and before + old not in text)
        for length, letter in enumerate(new, 1):
            self.shown.type(letter)
            self.wait((before + new[:length]).rstrip())

    def replace(self, old: str, new: str) -> None:
        """Types over the first match."""
        self.begin(old, new)
        self.shown.type(ESCAPE)
        self.wait(" NOR ")

    def name(self) -> str:
        """The document in the status line."""
        found = re.search(r" (?:NOR|INS|SEL)   (\S+)", self.shown.text())
        assert found is not None
        return found[1]

    def assert_listed(self, rows: list[tuple[str, str, str]]) -> None:
        """Waits until the list of findings has these: severity, code and message of each."""
        end = time.monotonic() + PATIENCE
        listed: list[tuple[str, str, str]] = []
        while listed != sorted(rows):
            assert time.monotonic() < end, f"{listed} instead of {sorted(rows)}"
            self.shown.type(" d")
            text = self.shown.until("list", lambda text: re.search(r" (\d+)/\1 .*\n.*\n.*severity", text) is not None)
            listed = sorted(re.findall(r"│ [> ] (ERROR|WARN|INFO|HINT) +(WF\d+|scenario)? +(.*?) *│", text))
            self.close_popup("severity")

    def starts(self, count: int) -> set[tuple[int, int]]:
        """Where the cursor goes from finding to finding; one key goes over all that start at one place."""
        self.shown.type("gg")
        found = set()
        for _ in range(count):
            self.shown.type("]d" + ESCAPE + ";")
            found.add(self.cursor())
        return found

    def assert_findings(self) -> None:
        """Those that the command line reports for the file."""
        name = self.name()
        text = self.service.read(name)
        reported = [it for it in self.service.report() if it["file"] == name]
        rows = [(SEVERITIES[it["severity"]], it["code"], unicodedata.normalize("NFC", it["message"])) for it in reported]
        self.assert_listed(rows)
        starts = {column_of(text, len(text.encode()[: it["range"]["start"]["offset"]].decode())) for it in reported}
        assert self.starts(len(starts)) == starts

    def end(self) -> None:
        """Ends it. Nothing was wrong but that Debian has no parsers of syntaxes for it, and that the server ended."""
        if self.terminal is None:
            return
        self.terminal.end()
        log = (self.home / ".cache/helix/helix.log").read_text(encoding="utf-8").splitlines()
        known = ("tree-sitter", "StreamClosed", "BrokenPipe", "failed to send a message to server")
        assert [line for line in log if "[ERROR]" in line and not any(it in line for it in known)] == []


def column_of(text: str, at: int) -> tuple[int, int]:
    """Line and column as Helix counts them: from 1, and a character with its combining marks is one."""
    lines = text[:at].split("\n")
    return len(lines), 1 + len([it for it in lines[-1] if not unicodedata.combining(it)])
