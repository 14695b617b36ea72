# SPDX-License-Identifier: Apache-2.0
"""Finds broken links and anchors in the pages of a site, and whatever they would load from the network."""

import html.parser
import pathlib
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, file: pathlib.Path):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[int, str]] = []   # line, address
        self.loaded: list[tuple[int, str]] = []  # scripts, styles and pictures
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list) -> None:
        values = dict(attrs)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        line = self.getpos()[0]
        if tag == "a" and values.get("href"):
            self.links.append((line, values["href"]))
        elif tag == "link" and values.get("href"):
            self.loaded.append((line, values["href"]))
        elif values.get("src"):
            self.loaded.append((line, values["src"]))


def faults(site: pathlib.Path) -> list[str]:
    """A sentence for each link that leads nowhere."""
    site = site.resolve()
    pages = {file: Page(file) for file in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        for line, address in page.links + page.loaded:
            name = f"{file.relative_to(site)}:{line}"
            parts = urllib.parse.urlsplit(address)
            if parts.scheme in ("http", "https") or parts.netloc:
                if (line, address) in page.loaded:
                    found.append(f"{name}: loads {address} from the network")
                continue
            if parts.scheme:  # mailto, javascript
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target /= "index.html"
            if not target.is_file() or not target.is_relative_to(site):
                found.append(f"{name}: link to {address}, which does not exist")
            elif parts.fragment and target in pages and \
                    urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{name}: link to {address}, but that page has no such anchor")
    return found
