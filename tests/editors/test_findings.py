"""An editor shows exactly what the command line reports."""

import pytest
from client import Client
from lsprotocol import types
from pytest_lsp import client_capabilities
from service import Service

DOCUMENTS = ["order.workflow.json", "order.form.json"]

# What these editors say of themselves, and what the server makes of it.
EDITORS = {
    "visual-studio-code": ("utf-16", False),
    "neovim@0.7": ("utf-16", False),
    "neovim@0.11": ("utf-8", False),
    "emacs": ("utf-8", False),
    "pulling": ("utf-16", True),
}


def capabilities_of(editor: str) -> types.ClientCapabilities:
    if editor != "pulling":
        return client_capabilities(editor)
    # As Visual Studio Code does today.
    return types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            diagnostic=types.DiagnosticClientCapabilities(related_information=True)
        ),
        workspace=types.WorkspaceClientCapabilities(
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        ),
    )


@pytest.mark.parametrize("editor", EDITORS)
async def test_open_documents(client: Client, service: Service, editor: str) -> None:
    encoding, pulls = EDITORS[editor]
    service.copy("broken")
    service.add_emoji(DOCUMENTS[0])
    can = await client.start_with(capabilities_of(editor), service)
    assert client.encoding == encoding
    assert (can.diagnostic_provider is not None) == pulls
    for name in DOCUMENTS:
        uri = client.open(service, name)
        shown = await (client.pulled(uri) if pulls else client.published(uri, 1))
        assert shown == service.reported(name, encoding)
        assert shown


async def test_unsaved_text_counts_for_the_whole_service(client: Client, service: Service) -> None:
    service.copy("approval")
    workflow, form = DOCUMENTS
    await client.start("neovim@0.11", service)
    uris = [client.open(service, name) for name in DOCUMENTS]
    assert await client.published(uris[1], 1) == service.reported(form, "utf-8")
    renamed = service.read(workflow).replace('"ApproverGroup"', '"Approvers"')
    client.change(uris[0], 2, renamed)
    await client.published(uris[0], 2)
    client.change(uris[1], 2, service.read(form))
    shown = await client.published(uris[1], 2)
    service.write(workflow, renamed)
    assert shown == service.reported(form, "utf-8")
    assert shown


async def test_folders_with_different_configurations(client: Client, service: Service) -> None:
    folders = [Service(service.folder / name).copy("broken") for name in ("all", "some", "none")]
    codes = {finding["code"] for finding in folders[0].report()}
    ignored = min(codes)
    folders[1].write("wflint.toml", f"ignore = ['{ignored}']\n")
    folders[2].write("wflint.toml", f"ignore = {sorted(codes)}\n")
    await client.start("neovim@0.11", *folders)
    shown = []
    for folder in folders:
        found = []
        for name in DOCUMENTS:
            uri = client.open(folder, name)
            found += await client.published(uri, 1)
            assert await client.published(uri, 1) == folder.reported(name, "utf-8")
        shown.append({code for *_, code, _, _ in found})
    assert shown == [codes, codes - {ignored}, set()]


async def test_invalid_json_does_not_stop_the_others(client: Client, service: Service) -> None:
    service.copy("broken")
    workflow, form = DOCUMENTS
    await client.start("visual-studio-code", service)
    uri = client.open(service, workflow)
    cut = service.read(workflow)[:200]
    client.change(uri, 2, cut)
    shown = await client.published(uri, 2)
    service.write(workflow, cut)
    assert [code for *_, code, _, _ in shown] == ["WF001"]
    assert shown == service.reported(workflow, "utf-16")
    assert await client.published(client.open(service, form), 1) == service.reported(form, "utf-16")
