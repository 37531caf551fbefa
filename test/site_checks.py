# SPDX-License-Identifier: GPL-2.0-only
"""
Checks of a folder of HTML pages, as `python test/site_checks.py FOLDER` and from tests.

Static ones read the files: links, texts of pictures, sizes, requests to other hosts. Those of a browser, Debian's
Chromium, look at each page at two widths: no scrolling sideways, contrast of texts, no errors of scripts. At the larger
one, a table fits unless it has many columns.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

LARGEST = 2_000_000
"""Largest page [bytes]."""
WIDTHS = (1400, 400)
"""Widths of a desktop and a phone [pixels]."""
MOST_COLUMNS = 14
"""Number of columns up to which a table has to fit a desktop."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FOREIGN = ("cpp", "_static", "_downloads")
"""Folders of a site with pages of other programs, such as Doxygen."""
_REQUESTS = {"src", "srcset", "poster", "data"}
_LOCAL = re.compile(r"(?!\w+:|//)")

_CONTRAST = """() => {
  const luminance = (parts) => {
    const [red, green, blue] = parts.slice(0, 3).map((value) => value / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const numbers = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const isClear = (parts) => parts.length === 4 && parts[3] === 0;
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== "none") return null;
      const parts = numbers(style.backgroundColor);
      if (!isClear(parts)) return parts.length === 4 && parts[3] < 1 ? null : parts;
    }
    return [255, 255, 255];
  };
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getClientRects().length && !element.closest(".hidden, .skip, .visually-hidden, svg, :disabled");
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) continue;
    if (!isSeen(element)) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    if (!ground) continue;
    const [dark, light] = [luminance(numbers(style.color)), luminance(ground)].sort((a, b) => a - b);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < least) {
      found.add(`${element.tagName.toLowerCase()}.${element.className}: contrast ${ratio.toFixed(2)}`);
    }
  }
  return [...found];
}"""
"""Script that names the texts whose contrast is below that of the WCAG's level AA."""


_CUT = """(most) => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  const columns = (box) => box.querySelector("tr")?.children.length ?? 0;
  return [...document.querySelectorAll(".wide, .table-wrapper")]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 && columns(box) <= most)
    .map((box) => `${box.ariaLabel ?? "table"}: needs ${box.scrollWidth} of ${box.clientWidth} pixels`);
}"""
"""Script that opens what is folded, and names the tables of few columns that scroll in their boxes."""


class Page(HTMLParser):
    """Links, anchors, pictures and requests of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        self.requests += [given[name] for name in _REQUESTS & given.keys() if given[name]]
        if tag == "link" and given.get("href") and given.get("rel") in ("stylesheet", "icon"):
            self.requests.append(given["href"])
        if tag == "img" and not (given.get("alt") or given.get("role") == "presentation"):
            self.faults.append(f"picture {given.get('src', '')[:60]} has no text")


def _missing(folder: Path, place: Path, link: str, pages: dict[Path, Page]) -> bool:
    """Whether the target of a link of a page is missing."""
    path, _, anchor = link.partition("#")
    target = (place.parent / unquote(path.partition("?")[0])).resolve() if path else place
    if not target.exists():
        return True
    return bool(anchor) and target in pages and unquote(anchor) not in pages[target].ids


def find_pages(folder: Path) -> list[Path]:
    """The pages in a folder, without those of other programs."""
    paths = sorted(folder.resolve().rglob("*.html"))
    return [path for path in paths if path.relative_to(folder.resolve()).parts[0] not in FOREIGN]


def static_faults(folder: Path, largest: int = LARGEST) -> list[str]:
    """
    Faults of pages that their files show.

    Parameters
    ----------
    folder : pathlib.Path
        Folder with the pages.
    largest : int
        Largest page [bytes].
    """
    folder = folder.resolve()
    paths = find_pages(folder)
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder)
        found += [f"{name}: {fault}" for fault in page.faults]
        if path.stat().st_size > largest:
            found.append(f"{name}: {path.stat().st_size} bytes")
        local = [link for link in (*page.links, *page.requests) if _LOCAL.match(link)]
        found += [f"{name}: {link} is missing" for link in local if _missing(folder, path, link, pages)]
        outside = [one for one in page.requests if re.match(r"https?:|//", one)]
        found += [f"{name}: requests {one}" for one in outside]
    return found


def browser_path() -> str | None:
    """The program of an installed browser."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """A running browser."""
    from playwright.sync_api import sync_playwright  # only checks in a browser need it

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        try:
            yield running
        finally:
            running.close()


def open_page(running: Any, path: Path, width: int) -> tuple[Any, list[str]]:
    """Open a page at a width; return it with a list that receives errors of its scripts."""
    page = running.new_page(viewport={"width": width, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("requestfailed", lambda request: errors.append(f"no {request.url}"))
    page.goto(path.resolve().as_uri())
    return page, errors


def browser_faults(running: Any, folder: Path, paths: Iterable[Path], widths: Iterable[int] = WIDTHS) -> list[str]:
    """
    Faults of pages that a browser shows.

    Parameters
    ----------
    running : playwright.sync_api.Browser
        The browser.
    folder : pathlib.Path
        Folder with the pages.
    paths : iterable of pathlib.Path
        The pages.
    widths : iterable of int
        Widths of the window [pixels].
    """
    found = []
    for path in paths:
        for width in widths:
            page, errors = open_page(running, path, width)
            where = f"{path.relative_to(folder)} at {width} pixels"
            needed = page.evaluate("document.documentElement.scrollWidth")
            if needed > width:
                found.append(f"{where}: is {needed} pixels wide")
            found += [f"{where}: {fault}" for fault in page.evaluate(_CONTRAST)]
            if width == max(WIDTHS):
                found += [f"{where}: {fault}" for fault in page.evaluate(_CUT, MOST_COLUMNS)]
            found += [f"{where}: {error}" for error in errors]
            page.close()
    return found


def main(folder: Path) -> int:
    """Print the faults of a folder; return 1 if there are any."""
    found = static_faults(folder)
    if browser_path() is None or find_spec("playwright") is None:
        print(f"A browser ({', '.join(BROWSERS)}) or playwright is missing; only files were checked.")
    else:
        with browser() as running:
            found += browser_faults(running, folder.resolve(), find_pages(folder))
    print("\n".join(found) or f"{folder}: no faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
