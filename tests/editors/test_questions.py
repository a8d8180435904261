"""What editors ask about a place: hover, completion, definition, references."""

from typing import Any

from client import Client
from lsprotocol import types
from service import Service

WORKFLOW, FORM = "order.workflow.json", "order.form.json"


def hover_text(hover: types.Hover | None) -> str:
    assert hover is not None and isinstance(hover.contents, types.MarkupContent)
    return hover.contents.value


async def test_hover(client: Client, service: Service) -> None:
    service.copy("sign-json")
    await client.start("visual-studio-code", service)
    client.open(service, WORKFLOW)

    async def shown(wanted: str, inside: int = 1) -> str:
        place = client.place(service, WORKFLOW, wanted, inside)
        return hover_text(await client.text_document_hover_async(types.HoverParams(**place)))

    assert "`DocumentName`" in await shown('"DocumentName"')
    assert "Get-ZPESignDocumentSignatureStatus" in await shown('"Get-ZPESignDocumentSignatureStatus"')
    assert "PersonalId" in await shown("SocialSecurityNumber: PersonalId", 25)


async def test_hover_behind_emoji(client: Client, service: Service) -> None:
    service.copy("broken")
    line = '"value": { "state": "bound", "boundTo": "Requester"'
    assert line in service.read(WORKFLOW)
    service.write(WORKFLOW, service.read(WORKFLOW).replace(line, f'"\N{GRINNING FACE}": 1, {line}'))
    await client.start("visual-studio-code", service)
    client.open(service, WORKFLOW)
    place = client.place(service, WORKFLOW, '"boundTo": "Requester"', 13)
    hover = await client.text_document_hover_async(types.HoverParams(**place))
    assert "Requester" in hover_text(hover)
    assert hover is not None and hover.range is not None
    assert hover.range.start.character <= place["position"].character < hover.range.end.character


async def test_completion(client: Client, service: Service) -> None:
    service.copy("sign-json")
    await client.start("neovim@0.11", service)
    uri = client.open(service, WORKFLOW)

    async def labels(name: str, wanted: str, inside: int) -> set[str]:
        place = client.place(service, name, wanted, inside)
        found = await client.text_document_completion_async(types.CompletionParams(**place))
        items = found.items if isinstance(found, types.CompletionList) else found or []
        assert all(item.text_edit is not None for item in items)
        return {item.label for item in items}

    assert {"DocumentName", "ESignId"} <= await labels(WORKFLOW, '"boundTo": "DocumentName"', 12)
    assert "Get-ZPADManager" in await labels(WORKFLOW, '"method": "Get-ZPESignDocumentSignatureStatus"', 11)
    # Text that is no JSON yet.
    service.write(WORKFLOW, service.read(WORKFLOW).replace('"boundTo": "DocumentName"', '"boundTo": "', 1))
    client.change(uri, 2, service.read(WORKFLOW))
    assert "DocumentName" in await labels(WORKFLOW, '"boundTo": "\n', 12)


async def test_definition_and_references(client: Client, service: Service) -> None:
    service.copy("sign-json")
    scenarios = service.name_in_scenarios()
    await client.start("neovim@0.11", service)
    client.open(service, WORKFLOW)
    place = client.place(service, FORM, '"boundTo": "DocumentName"', 13)
    client.open(service, FORM)
    found = await client.text_document_definition_async(types.DefinitionParams(**place))
    assert found and isinstance(found, (list, tuple))
    assert [it.uri for it in found if isinstance(it, types.Location)] == [service.uri(WORKFLOW)]
    context = types.ReferenceContext(include_declaration=True)
    references = await client.text_document_references_async(types.ReferenceParams(**place, context=context))
    files = {it.uri for it in references or []}
    assert files == {service.uri(name) for name in (WORKFLOW, FORM, *scenarios)}


async def test_drawing(client: Client, service: Service) -> None:
    service.copy("sign-json")
    await client.start("visual-studio-code", service)
    uri = client.open(service, WORKFLOW)

    async def ask(question: str, **members: Any) -> Any:
        parameters = {"textDocument": {"uri": uri}} | members
        return await client.protocol.send_request_async(f"wflint/{question}", parameters)

    where = client.place(service, WORKFLOW, '"Get-ZPESignDocumentSignatureStatus"')["position"]
    picture = await ask("drawing", position={"line": where.line, "character": where.character})
    assert picture.version == 1 and picture.name == WORKFLOW and not picture.stale
    assert f'data-pointer="{picture.current}"' in picture.svg
    names = {activity.pointer: activity.name for activity in picture.activities}
    assert names[picture.current] == "Get signature status"
    client.change(uri, 2, service.read(WORKFLOW)[:-10])
    stale = await ask("drawing")
    assert stale.version == 2 and stale.stale and stale.svg == picture.svg
    plays = await ask("plays")
    run = await ask("run", end=plays.ends[0].id)
    assert [it.id for it in run.runs] == [plays.ends[0].id]
