"""Completes the package's metadata when it is built: an index shows the README where relative links lead nowhere.

The code's home is SOURCE, as for the image, or else git's `origin`, if that is a public address. Without a home, the
README's links become plain text and its pictures their descriptions, and the package names no addresses.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hatchling.metadata.plugin.interface import MetadataHookInterface


def origin(root: str) -> str:
    """Return the address that git fetches this folder's own repository from, or an empty string."""
    command = ["git", "--git-dir", ".git", "remote", "get-url", "origin"]
    try:
        return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:
        return ""


def home_of(address: str) -> str:
    """Return the page of a repository that has an https or ssh address, without any credentials; otherwise nothing."""
    parts = urlsplit(re.sub(r"^[\w.-]+@([\w.-]+):", r"ssh://\1/", address))
    if parts.scheme not in ("https", "ssh") or not re.fullmatch(r".+\.[a-z]{2,}", parts.hostname or ""):
        return ""
    port = f":{parts.port}" if parts.port and parts.scheme == "https" else ""
    return f"https://{parts.hostname}{port}{parts.path.rstrip('/').removesuffix('.git')}"


def shown_elsewhere(readme: str, home: str, tag: str) -> str:
    """Return a README whose links and pictures don't depend on where it is shown."""
    if not home:
        readme = re.sub(r'<img src="(?!https:)[^>]*?alt="([^"]*)">', r"\1", readme)
        return re.sub(r"\[([^\]]*)\]\((?!https:|#)[^)]*\)", r"\1", readme)
    readme = re.sub(r'(?<= src=")(?!https:)', f"{home}/raw/{tag}/", readme)
    return re.sub(r"(?<=\]\()(?!https:|#)", f"{home}/blob/{tag}/", readme)


class Metadata(MetadataHookInterface):
    """The README and the addresses, both for the version's tag."""

    def update(self, metadata: dict[str, Any]) -> None:
        home, tag = home_of(os.environ.get("SOURCE") or origin(self.root)), f"v{metadata['version']}"
        urls = {
            "Homepage": home,
            "Documentation": f"{home}/blob/{tag}/README.md#read-on",
            "Source": f"{home}/tree/{tag}",
            "Changelog": f"{home}/blob/{tag}/CHANGELOG.md",
            "Issues": f"{home}/issues",
        }
        metadata["urls"] = urls if home else {}
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": shown_elsewhere(readme, home, tag)}
