"""What editors change: renamed variables, code actions, formatting."""

import pytest
from client import Client, edited
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from service import Service

WORKFLOW, FORM = "order.workflow.json", "order.form.json"
WHOLE = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=100_000, character=0))


async def test_renamed_service_lints_and_simulates_as_before(client: Client, service: Service) -> None:
    """Over workflow, form, script and scenarios; the command line judges."""
    service.copy("sign-json")
    scenarios = service.name_in_scenarios()
    before, ran = service.places(), service.runs()
    assert len(ran) == 5 and all(passed for _, passed in ran)
    await client.start("visual-studio-code", service)
    client.open(service, WORKFLOW)
    place = client.place(service, WORKFLOW, '"boundTo": "DocumentName"', 13)
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**place))
    assert isinstance(prepared, types.PrepareRenamePlaceholder) and prepared.placeholder == "DocumentName"
    edit = await client.text_document_rename_async(types.RenameParams(**place, new_name="Title"))
    assert edit is not None
    assert client.applied(service, edit) == sorted([WORKFLOW, FORM, *scenarios])
    assert "Name: Title," in service.read(WORKFLOW)
    assert '"boundTo": "Title"' in service.read(FORM)
    assert all("variables: { Title: Lease }" in service.read(name) for name in scenarios)
    assert service.runs() == ran
    assert service.places() == before


async def test_rename_says_why_not(client: Client, service: Service) -> None:
    service.copy("sign-json")
    await client.start("neovim@0.11", service)
    client.open(service, WORKFLOW)
    place = client.place(service, WORKFLOW, '"boundTo": "PersonalId"', 13)
    for name in ("Email", "{not a name}"):
        with pytest.raises(JsonRpcException, match=name):
            await client.text_document_rename_async(types.RenameParams(**place, new_name=name))


async def test_code_actions(client: Client, service: Service) -> None:
    service.copy("broken")
    await client.start("visual-studio-code", service, unsafeFixes=True)
    uri = client.open(service, WORKFLOW)
    await client.published(uri, 1)
    document = types.TextDocumentIdentifier(uri=uri)
    context = types.CodeActionContext(diagnostics=[])
    parameters = types.CodeActionParams(text_document=document, range=WHOLE, context=context)
    offered = await client.text_document_code_action_async(parameters)
    actions = [it for it in offered or [] if isinstance(it, types.CodeAction)]
    fixes = [it for it in actions if it.edit is not None and not it.title.startswith("Suppress")]
    assert fixes and all(it.is_preferred != it.title.endswith("(unsafe)") for it in fixes)
    before = len(service.report())
    for fix in fixes:
        assert fix.edit is not None and fix.diagnostics
        tried = Service(service.folder.parent / f"fix{fixes.index(fix)}").copy("broken")
        edits = {uri.replace(service.folder.as_uri(), tried.folder.as_uri()): it for uri, it in changes(fix.edit).items()}
        client.applied(tried, types.WorkspaceEdit(changes=edits))
        assert len(tried.report()) < before, fix.title
    suppress = next(it for it in actions if it.title.startswith("Suppress WF"))
    assert suppress.edit is not None
    assert client.applied(service, suppress.edit) == ["wflint.toml"]
    assert len(service.report()) < before


def changes(edit: types.WorkspaceEdit) -> dict:
    if edit.changes:
        return dict(edit.changes)
    changed = [it for it in edit.document_changes or [] if isinstance(it, types.TextDocumentEdit)]
    return {it.text_document.uri: it.edits for it in changed}


async def test_formatting(client: Client, service: Service) -> None:
    service.copy("broken")
    service.write(WORKFLOW, service.read(WORKFLOW).replace("  ", " \t"))
    await client.start("neovim@0.11", service)
    uri = client.open(service, WORKFLOW)
    parameters = types.DocumentFormattingParams(
        text_document=types.TextDocumentIdentifier(uri=uri),
        options=types.FormattingOptions(tab_size=8, insert_spaces=False),
    )
    edits = await client.text_document_formatting_async(parameters)
    text = edited(service.read(WORKFLOW), list(edits or []), client.encoding)
    assert text != service.read(WORKFLOW)
    assert service.run("fmt", WORKFLOW).returncode == 0
    assert text == service.read(WORKFLOW)
