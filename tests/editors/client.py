"""A client that remembers for which version of a document findings were published."""

from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features
from service import LINE_END, Finding, Service, length

PUBLISH = types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS


class Client(LanguageClient):
    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.versions: dict[str, int | None] = {}
        self.watched: list[str] = []
        self.encoding = "utf-16"

    async def start(self, editor: str, *folders: Service, **options: Any) -> types.ServerCapabilities:
        """Initializes the server as this editor does; the settings are `options`."""
        return await self.start_with(client_capabilities(editor), *folders, **options)

    async def start_with(
        self, capabilities: types.ClientCapabilities, *folders: Service, **options: Any
    ) -> types.ServerCapabilities:
        roots = [types.WorkspaceFolder(uri=it.folder.as_uri(), name=it.folder.name) for it in folders]
        parameters = types.InitializeParams(
            capabilities=capabilities, workspace_folders=roots, root_uri=roots[0].uri, initialization_options=options
        )
        result = await self.initialize_session(parameters)
        self.encoding = result.capabilities.position_encoding or "utf-16"
        return result.capabilities

    def open(self, service: Service, name: str) -> str:
        """Opens a document with version 1."""
        uri = service.uri(name)
        language = "json" if name.endswith(".json") else "yaml"
        item = types.TextDocumentItem(uri=uri, language_id=language, version=1, text=service.read(name))
        self.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        """Replaces the text of a document."""
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        whole = types.TextDocumentContentChangeWholeDocument(text=text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(text_document=document, content_changes=[whole]))

    async def published(self, uri: str, version: int) -> list[Finding]:
        while self.versions.get(uri) != version:
            await self.wait_for_notification(PUBLISH)
        return as_findings(self.diagnostics[uri])

    async def pulled(self, uri: str) -> list[Finding]:
        parameters = types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(uri=uri))
        report = await self.text_document_diagnostic_async(parameters)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return as_findings(report.items)

    def place(self, service: Service, name: str, wanted: str, inside: int = 1) -> dict[str, Any]:
        """The parameters of a question about a place: so many characters after the start of the wanted one."""
        text = service.read(name)
        lines = LINE_END.split(text[: text.index(wanted) + inside])
        position = types.Position(line=len(lines) - 1, character=length(lines[-1], self.encoding))
        return {"text_document": types.TextDocumentIdentifier(uri=service.uri(name)), "position": position}

    def applied(self, service: Service, edit: types.WorkspaceEdit) -> list[str]:
        """Applies an edit to the files; returns their names."""
        changes = dict(edit.changes or {})
        for change in edit.document_changes or []:
            if isinstance(change, types.TextDocumentEdit):
                changes[change.text_document.uri] = change.edits
        names = {uri: uri.removeprefix(service.folder.as_uri() + "/") for uri in changes}
        for uri, edits in changes.items():
            path = service.path(names[uri])
            text = service.read(names[uri]) if path.exists() else ""
            service.write(names[uri], edited(text, list(edits), self.encoding))
        return sorted(names.values())


def make_client() -> Client:
    client = Client(converter_factory=default_converter)

    def publish(client: Client, parameters: types.PublishDiagnosticsParams) -> None:
        client.diagnostics[parameters.uri] = parameters.diagnostics
        client.versions[parameters.uri] = parameters.version

    def register(client: Client, parameters: types.RegistrationParams) -> None:
        client.watched += [it.method for it in parameters.registrations]

    def refresh(client: Client, parameters: None) -> None:
        """It asks when it wants to know."""

    refreshes = {types.WORKSPACE_INLAY_HINT_REFRESH: refresh, types.WORKSPACE_CODE_LENS_REFRESH: refresh}
    features = {**refreshes, **DEFAULT_CLIENT_FEATURES, PUBLISH: publish, types.CLIENT_REGISTER_CAPABILITY: register}
    register_lsp_features(client, features)
    return client


def as_findings(diagnostics: Any) -> list[Finding]:
    def finding(it: types.Diagnostic) -> Finding:
        assert it.source == "wflint" and it.severity is not None
        places = (it.range.start.line, it.range.start.character, it.range.end.line, it.range.end.character)
        return (*places, str(it.code), int(it.severity), it.message)

    return sorted(finding(it) for it in diagnostics)


def edited(text: str, edits: list[Any], units: str) -> str:
    """A text with edits applied."""
    starts = [0, *(end.end() for end in LINE_END.finditer(text))]

    def index(position: types.Position) -> int:
        at = starts[position.line] if position.line < len(starts) else len(text)
        start = at
        while at < len(text) and length(text[start:at], units) < position.character:
            at += 1
        return at

    places = [(index(edit.range.start), index(edit.range.end), edit.new_text) for edit in edits]
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text
