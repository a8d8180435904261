"""Neovim without a screen, with the settings of docs/editors.md."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import in_editor
import pytest
from pages import settings
from service import WFLINT, Service

NEW = Path(sys.executable).parent / "nvim"
OLD = shutil.which("nvim", path="/usr/local/bin:/usr/bin:/bin")


def version(program: str | Path | None) -> tuple[int, int] | None:
    """Its first line is `NVIM v0.11.4`."""
    if program is None or not Path(program).exists():
        return None
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = shown.split("\n")[0].removeprefix("NVIM v").split(".")[:2]
    return int(major), int(minor)


def is_new(program: str | Path | None) -> bool:
    return (version(program) or (0, 0)) >= (0, 11)


@pytest.fixture(params=["0.11 and newer", "0.7 to 0.10"])
def neovim(request: pytest.FixtureRequest, service: Service) -> "Neovim":
    new = request.param == "0.11 and newer"
    program = NEW if new else OLD
    if not program or version(program) is None or is_new(program) != new:
        pytest.skip(f"Neovim {request.param} is not installed")
    (of_new, of_old) = settings("Neovim", "lua")
    return Neovim(str(program), of_new if new else of_old, service)


class Neovim:
    def __init__(self, program: str, init: str, service: Service):
        self.program, self.init, self.service = program, init, service

    def does(self, name: str, *steps: dict[str, Any]) -> list[Any]:
        """Opens a document and does the steps; returns what is seen."""
        home = self.service.folder.parent / "neovim"
        home.mkdir()
        (home / "init.lua").write_text(self.init, encoding="utf-8")
        seen = home / "seen.json"
        environment = {
            "HOME": str(home), "PATH": f"{WFLINT.parent}{os.pathsep}/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "STEPS": json.dumps(steps), "SEEN": str(seen),
        }
        driver = Path(__file__).with_name("drive.lua")
        command = [self.program, "--headless", "-u", home / "init.lua", "-i", "NONE", "-n", name, "-c", f"luafile {driver}"]
        done = subprocess.run(
            command, cwd=self.service.folder, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        result = json.loads(seen.read_text(encoding="utf-8")) if seen.exists() else {"error": "nothing seen"}
        assert isinstance(result, list), f"{result['error']}\n{done.stderr}"
        return result


def test_findings_while_typing(neovim: Neovim, service: Service) -> None:
    in_editor.findings_while_typing(lambda *steps: neovim.does(in_editor.WORKFLOW, *steps), service, "utf-8")


def test_rename_behind_emoji(neovim: Neovim, service: Service) -> None:
    in_editor.rename_behind_emoji(lambda *steps: neovim.does(in_editor.WORKFLOW, *steps), service)
