"""The settings that docs/editors.md shows, so that they are what is tried."""

import re

from service import ROOT


def settings(section: str, language: str) -> list[str]:
    """The blocks of a language in a section of the page."""
    page = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
    body = page.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", body, re.DOTALL | re.MULTILINE)
