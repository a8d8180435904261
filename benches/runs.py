"""Workflows whose runs are counted: a loop that polls, and lookups in the directory."""

import json

# Of the loop that polls. Each round changes variables, so that all are played.
ROUNDS = 10_000
STEPS = 5 + 5 * ROUNDS


def variables(*names):
    return [{"name": name, "id": at, "variableType": "String"} for at, name in enumerate(names, 1)]


def bound(name):
    return {"isBound": True, "boundTo": name}


def assign(name, body):
    return {"name": f"Write {name}", "type": "Assign", "result": bound(name), "body": body}


def call(method, **parameters):
    def given(value):
        return value if isinstance(value, dict) else {"state": "static", "value": value}

    listed = [{"name": name, "value": given(value)} for name, value in parameters.items()]
    return {"name": f"Call {method}", "type": "Provider", "method": method, "providerParameters": listed}


def write_polling(folder):
    """A scenario that looks a status up until the case expires; its path."""
    request = call(
        "Request-ZPESignDocumentSignature",
        DocumentName="Lease",
        PartyName="Anna",
        PartyEmail="anna@example.com",
        PartySSN="19900101-2385",
        ExpireAfterDays=ROUNDS,
        Prefix="E",
    )
    look = call("Get-ZPESignDocumentSignatureStatus", Id={"state": "bound", "boundTo": "EId"}, Prefix="E")
    swap = [assign("Text", "{One}"), assign("One", "{Other}"), assign("Other", "{Text}")]
    until = {"isBound": False, "value": "Expired"}
    wait = {
        "name": "Wait",
        "type": "While",
        "expression": {"type": "EqualityExpression", "operand": "notEqual", "left": bound("EStatus"), "right": until},
        "iterationDelaySeconds": {"isBound": False, "value": 86400},
        "activities": [look, *swap],
    }
    activities = [assign("One", "1"), assign("Other", "2"), request, wait]
    workflow = {"activities": activities, "variables": variables("Text", "One", "Other", "EId", "EStatus")}
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(workflow), "utf-8")
    limits = f"{{ steps: {STEPS}, virtual-time: {2 * ROUNDS}d }}"
    scenario = folder / "a.scenario.yaml"
    scenario.write_text(f"workflow: a.json\nlimits: {limits}\nexpect: {{ outcome: completed }}\n", "utf-8")
    return scenario


def write_lookups(folder, number):
    """A workflow with so many lookups in the directory, each of somebody else; its folder."""
    activities = [
        call("Get-ZPADUser", Identity=f"user{at}", Property="Mail", Prefix=f"User{at}") for at in range(number)
    ]
    workflow = {"activities": activities, "variables": variables(*(f"User{at}Mail" for at in range(number)))}
    folder.mkdir(parents=True)
    (folder / "order.workflow.json").write_text(json.dumps(workflow), "utf-8")
    return folder
