"""Completes commands of wflint in an interactive shell: `press_tab.py SHELL FOLDER`, with the scripts in FOLDER.

The program is replaced by a function that prints its arguments, so what counts is what the shell would run."""

import os
import pty
import select
import sys
import time

# The function is written so that its text, which the terminal shows, is not taken for its output.
SETUP = {
    "bash": "PS1='ready> '; wflint() {{ echo \"[g\"\"ot] $*\"; }}; source '{0}/wflint.bash'",
    "zsh": "PS1='ready> '; wflint() {{ print -r -- \"[g\"\"ot] $*\" }}; fpath=('{0}' $fpath);"
    " autoload -Uz compinit; compinit -u -D; unsetopt automenu listambiguous",
    "fish": "function fish_prompt; echo -n 'ready> '; end; function fish_greeting; end;"
    " function wflint; echo \"[g\"\"ot] $argv\"; end; source '{0}/wflint.fish'",
}
START = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "--interactive"],
}
# What is typed, and the arguments that the command then has.
CASES = [
    ("wflint expla\t WF101", "explain WF101"),
    ("wflint --sele\t WF1", "--select WF1"),
    ("wflint --format conc\t", "--format concise"),
    ("wflint schema rep\t", "schema report"),
    ("wflint completions f\t", "completions fish"),
]
# Seconds; a shell answers within one on a machine with nothing else to do.
PATIENCE = 60


class Shell:
    def __init__(self, name, folder):
        self.seen = b""
        child, self.terminal = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm", HOME=folder, COLUMNS="200", XDG_DATA_HOME=folder)
            os.execvp(START[name][0], START[name])
        self.type(SETUP[name].format(folder) + "\r")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, wanted):
        """What the shell wrote, up to and with `wanted`; the rest is kept."""
        end = time.monotonic() + PATIENCE
        while wanted not in self.seen:
            if time.monotonic() > end or not select.select([self.terminal], [], [], PATIENCE)[0]:
                sys.exit(f"no {wanted!r} from the shell; it wrote {self.seen.decode(errors='replace')}")
            self.seen += os.read(self.terminal, 65536)
        before, _, self.seen = self.seen.partition(wanted)
        return before


def main():
    name, folder = sys.argv[1:]
    shell = Shell(name, folder)
    for typed, wanted in CASES:
        shell.type(typed)
        # The line is run once the shell has completed it, or never will.
        time.sleep(1)
        shell.type("\r")
        shell.read_until(b"[got] ")
        got = shell.read_until(b"\n").decode().strip()
        if got != wanted:
            sys.exit(f"{name}: {typed!r} became {got!r} instead of {wanted!r}")
    shell.type("exit\r")
    print(f"{name} completes {len(CASES)} command lines")


main()
