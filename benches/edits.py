"""A language server whose client changes values of a workflow of 1 MiB."""

import json
import re
import subprocess

# The keys of the values that are changed.
KEYS = ["boundTo", "description", "name", "value"]
PLACES_OF_EACH = 3
CHANGES = 2 * PLACES_OF_EACH * len(KEYS)


def changes(text):
    """The lines with a value that is changed, before and after, spread over a document."""
    lines = text.splitlines()
    for key in KEYS:
        value = re.compile(rf'^\s*"{key}": "[^"\\]{{4,}}(?=")')
        found = [number for number, line in enumerate(lines) if value.match(line)]
        for number in found[:: len(found) // PLACES_OF_EACH][:PLACES_OF_EACH]:
            end = value.match(lines[number]).end()
            yield number, lines[number], lines[number][: end - 1] + "_" + lines[number][end:]


class Server:
    """A server that is started by a command."""

    def __init__(self, command, folder):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen([str(word) for word in command], cwd=folder, **pipes)
        settings = {"runScripts": False}
        self.send("initialize", 1, capabilities={}, rootUri=folder.as_uri(), initializationOptions=settings)
        self.until(lambda message: message.get("id") == 1)
        self.send("initialized")

    def send(self, method, number=None, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if number is None else {**message, "id": number}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def until(self, is_wanted):
        """Reads messages up to one that is wanted."""
        message = {}
        while not is_wanted(message):
            length = 0
            while header := self.process.stdout.readline().strip():
                name, _, value = header.partition(b":")
                length = int(value) if name == b"Content-Length" else length
            if not length:
                raise EOFError("the server has ended")
            message = json.loads(self.process.stdout.read(length))

    def end(self):
        """Its exit code, and what it has written to standard error."""
        self.send("shutdown", 2)
        self.until(lambda message: message.get("id") == 2)
        self.send("exit")
        errors = self.process.communicate()[1].decode()
        return self.process.returncode, errors


def edited(command, path, is_changed):
    """Opens a document in a server. If it is wanted, changes values, each of which is then changed back. Waits for the
    findings of each version. Returns what `Server.end` does."""
    text, document = path.read_text("utf-8"), {"uri": path.as_uri(), "version": 1}
    server = Server(command, path.parent)

    def wait():
        def is_of_version(message):
            is_published = message.get("method") == "textDocument/publishDiagnostics"
            return is_published and message["params"].get("version") == document["version"]

        server.until(is_of_version)

    server.send("textDocument/didOpen", textDocument={**document, "languageId": "json", "text": text})
    wait()
    for number, before, after in changes(text) if is_changed else []:
        for old, new in [(before, after), (after, before)]:
            document["version"] += 1
            whole = {"start": {"line": number, "character": 0}, "end": {"line": number, "character": len(old)}}
            server.send("textDocument/didChange", textDocument=document, contentChanges=[{"range": whole, "text": new}])
            wait()
    return server.end()
