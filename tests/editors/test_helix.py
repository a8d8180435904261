"""Helix in a terminal, with the settings of docs/editors.md."""

import re
from collections.abc import Iterator
from typing import Any

import in_editor
import pytest
from helix import ESCAPE, PROGRAM, Helix, column_of
from service import ROOT, WFLINT, Service


@pytest.fixture
def helix(service: Service) -> Iterator[Helix]:
    if PROGRAM is None:
        pytest.skip("Helix is not installed")
    editor = Helix(service)
    yield editor
    editor.end()


def test_health(helix: Helix) -> None:
    for language in ("json", "toml", "yaml"):
        assert f"✓ wflint: {WFLINT}" in helix.health(language)


def test_findings_while_typing(helix: Helix, service: Service) -> None:
    service.copy("broken")
    service.add_emoji(in_editor.WORKFLOW)
    helix.open(in_editor.WORKFLOW)
    helix.assert_findings()
    helix.replace("Requester", "R\N{GRINNING FACE}questor")
    helix.save()
    helix.assert_findings()
    assert "R\N{GRINNING FACE}questor" in service.read(in_editor.WORKFLOW)


def test_questions(helix: Helix, service: Service) -> None:
    service.copy("broken")
    helix.open(in_editor.WORKFLOW)
    helix.go('"boundTo": "Urgency"', 13)
    helix.shown.type(" k")
    helix.wait("Urgency: variable of type String", "field Urgency of form order")
    helix.close_popup("variable of type String")
    helix.shown.type("gd")
    text = service.read(in_editor.WORKFLOW)
    line, column = column_of(text, text.index('Urgency", "id"'))
    helix.shown.until("definition", lambda text: re.search(rf" {line}:{column} *$", text, re.MULTILINE) is not None)


def test_completion(helix: Helix, service: Service) -> None:
    """What the completion changes behind it in its line is at its place."""
    service.copy("broken")
    helix.open(in_editor.WORKFLOW)
    helix.begin("Urgency", "Appro")
    helix.wait(" INS ", "Approved  ")
    helix.shown.type("\x0e\r" + ESCAPE)
    helix.wait(" NOR ")
    helix.quit()
    before = (ROOT / "examples/broken" / in_editor.WORKFLOW).read_text(encoding="utf-8")
    changed = before.replace('"Urgency", "boundToId": 7002', '"Approved", "boundToId": 7009', 1)
    assert changed != before and service.read(in_editor.WORKFLOW) == changed


def test_rename_behind_emoji(helix: Helix, service: Service) -> None:
    def does(step: dict[str, Any]) -> list[Any]:
        helix.open(in_editor.WORKFLOW)
        helix.go(step["at"], step["inside"])
        helix.shown.type(" r")
        helix.wait("rename-to:")
        helix.shown.type(f"\x15{step['to']}\r")
        helix.wait(f"Name: {step['to']},")
        helix.quit()
        return [True]

    in_editor.rename_behind_emoji(does, service)


def test_code_action(helix: Helix, service: Service) -> None:
    service.copy("broken")
    before = service.places()
    helix.open(in_editor.WORKFLOW)
    helix.go("ESingId")
    helix.shown.type(" a")
    helix.wait("Suppress WF101 in wflint.toml")
    helix.shown.type("\r")
    helix.shown.until("fix", lambda text: "ESingId" not in text)
    helix.quit()
    assert service.places() == [it for it in before if it[0] != "WF101"]


def test_formatting(helix: Helix, service: Service) -> None:
    service.copy("broken")
    service.write(in_editor.WORKFLOW, service.read(in_editor.WORKFLOW).replace("  ", "\t"))
    helix.open(in_editor.WORKFLOW)
    helix.command("format")
    helix.wait("[+]")
    helix.quit()
    written = service.read(in_editor.WORKFLOW)
    assert service.run("fmt", in_editor.WORKFLOW).returncode == 0
    assert "\t" not in written and written == service.read(in_editor.WORKFLOW)


def test_configuration_and_scenarios(helix: Helix, service: Service) -> None:
    service.copy("sign-json")
    (name, *_) = service.name_in_scenarios()
    service.write("wflint.toml", 'selct = ["WF4"]\n')
    helix.open("wflint.toml")
    helix.assert_listed([("ERROR", "", "unknown key `selct`; did you mean `select`?")])
    helix.command(f"open {name}")
    helix.wait(f" NOR   {name}")
    helix.go("DocumentName: Lease }")
    helix.shown.type(" k")
    helix.wait("DocumentName: variable")
    helix.close_popup("DocumentName: variable")
    helix.replace("outcome:", "outcme:")
    helix.assert_listed([("ERROR", "scenario", "unknown key `outcme`")])
