"""What the scripts that compare programs share: their inputs, programs and clock."""

import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
EXAMPLES = ["approval", "sign-upload", "sign-local-file", "sign-json", "sign-directory"]
KINDS = ["workflow", "form"]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], **{"check": True, **options})


def version(*words):
    return run(*words, capture_output=True, text=True).stdout.split()[-1]


def build(source=ROOT):
    """Builds the program that packages have, of the sources in a folder; other folders share its dependencies."""
    # Older revisions have no such profile.
    profile = ["--config", 'profile.dist.inherits="release"', "--config", 'profile.dist.lto="fat"']
    run("cargo", "build", "--profile", "dist", *profile, "--locked", cwd=source, env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)})
    return TARGET / "dist/wflint"


def build_yardstick():
    """The program that only reads files and parses them by `serde_json`."""
    return build(ROOT / "benches/yardstick").with_name("yardstick")


def write_corpus(folder, services):
    """Copies of the example services, as those of `benches/lint.rs`. Returns the paths by kind."""
    paths = {kind: [] for kind in KINDS}
    shutil.rmtree(folder, ignore_errors=True)
    for number in range(services):
        to = folder / str(number)
        to.mkdir(parents=True)
        for file in sorted((ROOT / "examples" / EXAMPLES[number % len(EXAMPLES)]).glob("*.json")):
            text = file.read_text("utf-8").replace("OrderState", f"OrderState{number}")
            (to / file.name).write_text(text, "utf-8")
            paths[file.name.split(".")[-2]].append(to / file.name)
    return paths


def write_large(folder):
    """A workflow of 1 MiB that does the same again and again, each time with a script of its own, and its form.
    Returns the path of the workflow."""
    example = ROOT / "examples/sign-directory"
    text = (example / "order.workflow.json").read_text("utf-8")
    workflow = json.loads(text)
    numbered = [text.replace('"script": "', f'"script": "// Case {time}.\\n') for time in range(18)]
    workflow["activities"] = [activity for time in numbered for activity in json.loads(time)["activities"]]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "order.form.json").write_bytes((example / "order.form.json").read_bytes())
    changed = folder / "order.workflow.json"
    changed.write_text(json.dumps(workflow, indent=2), "utf-8")
    return changed


def taken(processes, codes=(0,)):
    """The seconds of processes one after the other: by the clock, and of all processors. Other exit codes are errors."""
    start, before = time.perf_counter(), os.times()
    for words in processes:
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode not in codes:
            sys.exit(f"{words[0]} failed:\n{done.stdout.decode(errors='replace')[-2000:]}")
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, processor


def machine():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.processor() or platform.machine()
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}"


def publish(name, lines):
    """Records a result in `benches/results`, and in the documents that show it between comments with its name."""
    text = "\n".join(lines).strip() + "\n"
    results = ROOT / "benches/results"
    results.mkdir(exist_ok=True)
    (results / f"{name}.md").write_text(text, "utf-8")
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    for document in [ROOT / "docs/performance.md", ROOT / "docs/own-rules-limits.md"]:
        # Without the comments, the document does not show it.
        before, found, rest = document.read_text("utf-8").partition(start)
        if found:
            document.write_text(before + start + "\n" + text + "\n" + rest[rest.index(end):], "utf-8")


def made():
    """Where and when a result was made, and of what."""
    revision = run("git", "describe", "--always", "--dirty", capture_output=True, text=True, cwd=ROOT).stdout.strip()
    return f"{machine()}, revision {revision}, {datetime.date.today():%Y-%m-%d}"
