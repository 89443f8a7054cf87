"""Settings of the documentation site: `make docs` builds it."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from docs import reference  # noqa: E402

reference.write(HERE / "reference")

project = "Affray"
html_title = "Affray"
html_theme = "furo"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 3
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
GENERATED = "- [Operations, command line, and each rulebook](reference/index.md)\n"


def add_toctrees(app: Sphinx, name: str, content: list[str]) -> None:
    """Make the sidebar from the links of an index page; the pages stay plain Markdown."""
    if not name.endswith("index"):
        return
    head, found, rest = content[0].partition("## Reference: complete and dry\n\n")
    text = head + found + (GENERATED if found else "") + rest
    trees = []
    for section in re.split(r"^## ", text, flags=re.M)[1:] or [text]:
        caption, _, body = section.partition("\n")
        pages = re.findall(r"\]\(([^):#]+)\.md", body)
        title = f":caption: {caption.partition(':')[0]}\n" if section is not text else ""
        listed = "\n".join(dict.fromkeys(pages))
        trees.append(f"```{{toctree}}\n:hidden:\n{title}\n{listed}\n```\n")
    content[0] = "\n".join([text, *trees])


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_toctrees)
