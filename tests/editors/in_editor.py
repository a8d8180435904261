"""What every editor is tried with; `does` takes steps, and returns what each has shown."""

from collections.abc import Callable
from typing import Any

from service import Service

WORKFLOW = "order.workflow.json"

Does = Callable[..., list[Any]]


def findings_while_typing(does: Does, service: Service, encoding: str) -> None:
    service.copy("broken")
    service.add_emoji(WORKFLOW)
    before = service.reported(WORKFLOW, encoding)
    found, typed, hover = does(
        {"action": "findings"},
        {"action": "type", "over": '"Requester"', "text": '"R\N{GRINNING FACE}questor"'},
        {"action": "hover", "at": '"boundTo": "Urgency"', "inside": 13},
    )
    assert sorted(map(tuple, found)) == before
    assert sorted(map(tuple, typed)) == service.reported(WORKFLOW, encoding)
    assert typed != found
    assert "Urgency" in hover


def rename_behind_emoji(does: Does, service: Service) -> None:
    """The cursor is in a script, whose line has emoji before it."""
    service.copy("sign-json")
    service.write(WORKFLOW, service.read(WORKFLOW).replace("// The case", "// \N{GRINNING FACE}\N{GRINNING FACE} The case"))
    scenarios = service.name_in_scenarios()
    before, ran = service.places(), service.runs()
    does({"action": "rename", "at": "Name: DocumentName", "inside": 8, "to": "Title"})
    assert "Name: Title," in service.read(WORKFLOW)
    assert '"boundTo": "Title"' in service.read("order.form.json")
    assert all("variables: { Title: Lease }" in service.read(name) for name in scenarios)
    assert service.runs() == ran
    assert service.places() == before
