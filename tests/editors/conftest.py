"""Editors with the real process `wflint lsp`: a client of their own here, Neovim, Emacs and Helix in their files."""

import asyncio
from pathlib import Path

import pytest
import pytest_lsp
from client import Client, make_client
from service import WFLINT, Service

# Its assertions are those of tests.
pytest.register_assert_rewrite("in_editor")

PATIENCE = 60
"""Seconds that a test waits for its server."""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """An empty folder."""
    folder = tmp_path.resolve() / "service"
    folder.mkdir()
    return Service(folder)


@pytest_lsp.fixture(config=pytest_lsp.ClientServerConfig(server_command=[str(WFLINT), "lsp"], client_factory=make_client))
async def client(lsp_client: Client):
    """A client of a server that runs. The test initializes it."""
    yield
    await asyncio.wait_for(lsp_client.shutdown_session(), PATIENCE)
    assert lsp_client._server is not None and lsp_client._server.returncode == 0


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function):
    """A server that does not answer fails its test."""
    if asyncio.iscoroutinefunction(pyfuncitem.obj):
        test = pyfuncitem.obj
        pyfuncitem.obj = lambda **arguments: asyncio.wait_for(test(**arguments), PATIENCE)
    return (yield)
