"""Settings of the documentation site: `make docs` builds it."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from docs import reference  # noqa: E402

reference.write(HERE / "reference")
for readme in (HERE.parent / "clients").glob("*/README.md"):
    text = readme.read_text().replace("](../../docs/", "](../")
    text = re.sub(r"\]\(\.\./(\w+)/README\.md", r"](client-\1.md", text)
    (HERE / "reference" / f"client-{readme.parent.name}.md").write_text(text)

project = "Affray"
html_title = "Affray"
html_theme = "furo"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 3
html_static_path = ["static"]
html_js_files = ["address.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
GENERATED = "- [Operations, command line, and each rulebook](reference/index.md)\n"


def add_toctrees(app: Sphinx, name: str, content: list[str]) -> None:
    """Make the sidebar from the links of an index page; the pages stay plain Markdown."""
    if not name.endswith("index"):
        return
    if name == "adr/index":
        content[0] += "\n```{toctree}\n:glob:\n\n0*\n```\n"
        return
    head, heading, rest = content[0].partition("## Reference: complete and dry\n\n")
    text = head + heading + (GENERATED if heading else "") + rest
    trees = []
    for section in re.split(r"^## ", text, flags=re.M)[1:] or [text]:
        caption, _, body = section.partition("\n")
        pages = re.findall(r"\]\(([^):#]+)\.md", body)
        title = f":caption: {caption.partition(':')[0]}\n" if section is not text else ""
        listed = "\n".join(dict.fromkeys(pages))
        trees.append(f"```{{toctree}}\n:hidden:\n{title}\n{listed}\n```\n")
    content[0] = "\n".join([text, *trees])


def lead_to_clients(app: Sphinx, name: str, content: list[str]) -> None:
    """Point links to the README of a client at its page, because the site has no README."""
    up = "../" * name.count("/")
    link = r"\]\((?:\.\./)+clients/(\w+)/README\.md"
    content[0] = re.sub(link, rf"]({up}reference/client-\1.md", content[0])


def setup(app: Sphinx) -> None:
    app.connect("source-read", lead_to_clients, priority=400)
    app.connect("source-read", add_toctrees)
