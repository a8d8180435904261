//! Starts `wflint lsp` in Zed. Where the settings name a program, Zed starts that one and does not ask.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    Command, Extension, LanguageServerId, Result, Worktree, register_extension, serde_json::Value,
};

struct Wflint;

impl Extension for Wflint {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let program = worktree.which("wflint");
        let command = program.ok_or("wflint is not on PATH: install it, or set `lsp.wflint.binary.path`")?;
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }

    fn language_server_workspace_configuration(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(server.as_ref(), worktree)?.settings)
    }
}

register_extension!(Wflint);
