// Writes what a release has besides the npm package, into a folder: node scripts/release/files.mjs <folder>
//
// - The plugin as an archive for each platform, by the names that the Pulumi CLI downloads (`pluginDownloadURL`), and takes (`--file`).
// - An archive of the SDK of each language, and Python's as a wheel that brings the plugin: where the Pulumi CLI is on PATH, with the
//   language hosts that it has. `--all` fails where one is missing.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, install, red, root, say } from "../house.mjs";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const plugin = join(root, "dist/plugin/bin");

/** The CLI's names; the plugin is the same for all of them: scripts, which Node runs. */
const platforms = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"];
const languages = ["nodejs", "python", "go", "dotnet", "java"];

const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
const archive = (folder, file) => run("tar", ["-czf", file, "-C", folder, "."]);

function writePlugin(out) {
  const [first, ...others] = platforms.map((name) => join(out, `pulumi-resource-esign-v${version}-${name}.tar.gz`));
  archive(plugin, first);
  for (const file of others) copyFileSync(first, file);
}

function hasCli() {
  try {
    run("pulumi", ["version"]);
    return true;
  } catch {
    return false;
  }
}

/** The generated SDK; undefined where the CLI has no host for the language. */
function generate(language, scratch) {
  try {
    run("pulumi", [
      "package",
      "gen-sdk",
      join(root, "schemas/provider.json"),
      "--language",
      language,
      "--out",
      scratch,
    ]);
    return join(scratch, language);
  } catch {
    return undefined;
  }
}

/** A wheel of the SDK, with the plugin and what installs it. */
function writeWheel(sdk, out) {
  const name = join(sdk, "pulumi_esign");
  cpSync(plugin, join(name, "plugin"), { recursive: true });
  copyFileSync(join(root, "scripts/release/plugin_installer.py"), join(name, "__main__.py"));
  copyFileSync(join(name, "README.md"), join(sdk, "README.md"));
  const project = join(sdk, "pyproject.toml");
  const data = '"pulumi-plugin.json"]';
  const text = readFileSync(project, "utf8");
  if (!text.includes(data)) throw new Error(`${project} does not name the data of the package any more`);
  writeFileSync(project, text.replace(data, `${data.slice(0, -1)}, "plugin/*"]`));
  run("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, "."], sdk);
}

function writeSdks(out) {
  const missing = [];
  for (const language of languages) {
    const scratch = mkdtempSync(join(tmpdir(), "esign-sdk-"));
    try {
      const sdk = generate(language, scratch);
      if (sdk === undefined) missing.push(language);
      else {
        archive(sdk, join(out, `pulumi-esign-sdk-${language}-${version}.tar.gz`));
        if (language === "python") writeWheel(sdk, out);
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  return missing;
}

const folder = process.argv[2];
if (folder === undefined || folder.startsWith("-")) {
  say(red("Name a folder: node scripts/release/files.mjs <folder>"));
  process.exit(2);
}
await install();
await build();
const out = resolve(folder);
mkdirSync(out, { recursive: true });
writePlugin(out);
const missing = hasCli() ? writeSdks(out) : languages;
if (missing.length > 0) say(`Without an SDK, since the Pulumi CLI has not generated it: ${missing.join(", ")}`);
for (const file of readdirSync(out)) say(`${file}  ${Math.ceil(statSync(join(out, file)).size / 1024)} kB`);
if (missing.length > 0 && process.argv.includes("--all")) process.exit(1);
