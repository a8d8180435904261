"""A folder with documents: what the command line reports about it, as an editor shows it."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WFLINT = Path(os.environ.get("WFLINT", ROOT / "target/debug/wflint")).resolve()
SEVERITIES = {"error": 1, "warning": 2, "info": 3}
LINE_END = re.compile("\r\n|\n|\r")

Finding = tuple[int, int, int, int, str, int, str]
"""Line and character of the start and of the end, counted from 0, code, severity, message."""


@dataclass(frozen=True)
class Service:
    folder: Path

    def copy(self, example: str, to: str = ".") -> "Service":
        shutil.copytree(ROOT / "examples" / example, self.folder / to, dirs_exist_ok=True)
        return self

    def path(self, name: str) -> Path:
        return self.folder / name

    def uri(self, name: str) -> str:
        return self.path(name).as_uri()

    def read(self, name: str) -> str:
        return self.path(name).read_bytes().decode()

    def write(self, name: str, text: str) -> None:
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def add_emoji(self, name: str) -> None:
        """Puts characters of several lengths before the places of findings, and ends lines with CRLF."""
        text = self.read(name)
        spread = re.sub(r"\{ (\"[^\n]*\{)", "{ \"\N{GRINNING FACE}e\N{COMBINING ACUTE ACCENT}\": 1, \\1", text)
        spread = spread.replace('"Find the manager"', '"Find \N{GRINNING FACE} e\N{COMBINING ACUTE ACCENT}"')
        assert "\N{GRINNING FACE}" in spread
        self.write(name, spread.replace("\n", "\r\n"))

    def name_in_scenarios(self) -> list[str]:
        """Names the variable `DocumentName` of `sign-json` in scenarios, which it returns."""
        names = ["rejected.scenario.yaml", "signed.scenario.yaml"]
        for name in names:
            self.write(name, self.read(name).replace("expect:\n", "expect:\n  variables: { DocumentName: Lease }\n"))
        return names

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs the command line in the folder."""
        return subprocess.run([WFLINT, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)

    def report(self) -> list[dict[str, Any]]:
        return json.loads(self.run("--format", "json", "--fail-on", "never", ".").stdout)["diagnostics"]

    def reported(self, name: str, units: str) -> list[Finding]:
        """The findings of a document; `units` is `utf-8`, `utf-16` or `utf-32`."""
        text = self.path(name).read_bytes()
        found = [finding for finding in self.report() if finding["file"] == name]
        return sorted(_shown(text, finding, units) for finding in found)

    def places(self) -> list[tuple[str, str, str]]:
        """Where the findings are, without their messages."""
        return [(it["code"], it["file"], it["pointer"]) for it in self.report()]

    def runs(self) -> list[tuple[str, bool]]:
        """What the scenarios give."""
        report = json.loads(self.run("simulate", "--format", "json", ".").stdout)
        return [(run["file"], run["passed"]) for run in report["scenarios"]]


def _shown(text: bytes, finding: dict[str, Any], units: str) -> Finding:
    start, end = (finding["range"][side]["offset"] for side in ("start", "end"))
    help_line = f"\n{finding['help']}" if finding.get("help") else ""
    places = (*position(text, start, units), *position(text, end, units))
    return (*places, finding["code"], SEVERITIES[finding["severity"]], finding["message"] + help_line)


def position(text: bytes, offset: int, units: str) -> tuple[int, int]:
    """The line and the character of an offset in bytes."""
    lines = LINE_END.split(text[:offset].decode())
    return len(lines) - 1, length(lines[-1], units)


def length(text: str, units: str) -> int:
    match units:
        case "utf-8":
            return len(text.encode())
        case "utf-16":
            return len(text.encode("utf-16-le")) // 2
        case _:
            return len(text)
