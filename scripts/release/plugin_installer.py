"""Installs the plugin that this package brings, for the Pulumi CLI: python -m pulumi_esign install"""

import json
import subprocess
import sys
from pathlib import Path

package = Path(__file__).parent


def main(arguments):
    if arguments != ["install"]:
        print("usage: python -m pulumi_esign install", file=sys.stderr)
        return 2
    version = json.loads((package / "pulumi-plugin.json").read_text())["version"]
    folder = package / "plugin"
    # An archive may have lost it.
    (folder / "pulumi-resource-esign").chmod(0o755)
    command = ["pulumi", "plugin", "install", "resource", "esign", version, "--file", str(folder), "--reinstall"]
    try:
        return subprocess.call(command)
    except FileNotFoundError:
        print("The Pulumi CLI is not installed: https://www.pulumi.com/docs/install", file=sys.stderr)
        return 1


sys.exit(main(sys.argv[1:]))
