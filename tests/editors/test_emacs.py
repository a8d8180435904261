"""Emacs without a screen, with the settings of docs/editors.md."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import in_editor
import pytest
from pages import settings
from service import WFLINT, Service


def missing() -> str | None:
    if shutil.which("emacs") is None:
        return "Emacs is not installed"
    probe = ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    has_eglot = subprocess.run(probe, capture_output=True, check=False).returncode == 0
    return None if has_eglot else "Emacs has no eglot"


@pytest.fixture(scope="module")
def emacs() -> str:
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    return "emacs"


def does(emacs: str, service: Service, *steps: dict[str, Any]) -> list[Any]:
    """Opens the workflow and does the steps; returns what is seen."""
    home = service.folder.parent / "emacs"
    home.mkdir()
    (init,) = settings("Emacs", "elisp")
    (home / "init.el").write_text(init, encoding="utf-8")
    seen = home / "seen.json"
    environment = {
        "HOME": str(home), "PATH": f"{WFLINT.parent}{os.pathsep}/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        "STEPS": json.dumps(steps), "SEEN": str(seen), "DOCUMENT": in_editor.WORKFLOW,
    }
    driver = Path(__file__).with_name("drive.el")
    command = [emacs, "--batch", "--eval", "(package-initialize)", "-l", home / "init.el", "-l", driver]
    done = subprocess.run(
        command, cwd=service.folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    result = json.loads(seen.read_text(encoding="utf-8")) if seen.exists() else {"error": "nothing seen"}
    assert isinstance(result, list), f"{result['error']}\n{done.stderr}"
    return result


def test_findings_while_typing(emacs: str, service: Service) -> None:
    in_editor.findings_while_typing(lambda *steps: does(emacs, service, *steps), service, "utf-32")


def test_rename_behind_emoji(emacs: str, service: Service) -> None:
    in_editor.rename_behind_emoji(lambda *steps: does(emacs, service, *steps), service)
