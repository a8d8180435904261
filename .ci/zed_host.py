"""Runs the extension as Zed does, with a made-up worktree: `zed_host.py EXTENSION.wasm`."""

import json
import sys
import tempfile
import tomllib
from pathlib import Path

from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker, ResourceHost, ResourceType, Variant

ROOT = Path(__file__).resolve().parents[1]
WORKTREE = 1
INTERFACES = ["common", "context-server", "dap", "lsp", "process", "slash-command"]


class Host:
    """Has one worktree; `programs` are those on its PATH, `settings` those of language servers."""

    def __init__(self, extension: str, folder: str, programs: dict[str, str], settings: dict[str, object]):
        self.programs, self.settings = programs, settings
        engine = Engine()
        self.store = Store(engine)
        wasi = WasiConfig()
        wasi.env = [("PWD", "/")]
        wasi.inherit_stderr()
        wasi.preopen_dir(folder, "/")
        self.store.set_wasi(wasi)
        linker = Linker(engine)
        linker.add_wasip2()
        with linker.root() as root:
            for kind, name in enumerate(["worktree", "project", "key-value-store"], WORKTREE):
                root.add_resource(name, ResourceType.host(kind), lambda store, resource: None)
            for name in INTERFACES:
                root.add_instance(f"zed:extension/{name}").close()
            root.add_func("get-settings", self.get_settings)
            root.add_func("[method]worktree.id", method(lambda: 7))
            root.add_func("[method]worktree.which", method(self.programs.get))
            root.add_func("[method]worktree.shell-env", method(lambda: [("LANG", "C")]))
        self.instance = linker.instantiate(self.store, Component.from_file(engine, extension))
        self.call("init-extension")

    def get_settings(self, _store: object, _location: object, category: str, key: str) -> Variant:
        assert category == "lsp"
        return Variant("ok", json.dumps(self.settings.get(key, {})))

    def call(self, name: str, *arguments: object) -> object:
        function = self.instance.get_func(self.store, name)
        assert function is not None, name
        return function(self.store, *arguments)

    def ask(self, name: str) -> object:
        """Asks about the language server of the extension."""
        return self.call(name, "wflint", ResourceHost.borrow(WORKTREE, WORKTREE))


def method(function):
    def called(store, worktree, *arguments):
        worktree.drop(store)
        return function(*arguments)

    return called


def check_manifest() -> None:
    """It has the version of its crate, and the one server."""
    manifest = tomllib.loads((ROOT / "editors/zed/extension.toml").read_text(encoding="utf-8"))
    crate = tomllib.loads((ROOT / "editors/zed/Cargo.toml").read_text(encoding="utf-8"))["package"]
    assert manifest["version"] == crate["version"] and manifest["schema_version"] == 1
    assert list(manifest["language_servers"]) == ["wflint"]


def main() -> None:
    check_manifest()
    with tempfile.TemporaryDirectory() as folder:
        settings = {"wflint": {"settings": {"runScripts": False}}}
        host = Host(sys.argv[1], folder, {"wflint": "/opt/wflint"}, settings)
        command = vars(host.ask("language-server-command"))
        assert command == {"command": "/opt/wflint", "args": ["lsp"], "env": [("LANG", "C")]}, command
        configuration = host.ask("language-server-workspace-configuration")
        assert json.loads(configuration.payload) == {"runScripts": False}, configuration
        host = Host(sys.argv[1], folder, {}, {})
        failure = host.ask("language-server-command")
        assert isinstance(failure, str) and "not on PATH" in failure, failure
        configuration = host.ask("language-server-workspace-configuration")
        assert configuration.payload is None, vars(configuration)
    print("the extension starts `wflint lsp` from PATH, and passes its settings on")


main()
