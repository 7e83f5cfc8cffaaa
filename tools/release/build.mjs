// Everything that a release publishes, in a folder: node tools/release/build.mjs <folder> [tag]
//
// - The npm package, which says in which repository it was built.
// - The plugin as an archive for each platform, by the names that the Pulumi CLI downloads (`pluginDownloadURL`) and takes (`--file`).
// - An archive of the SDK of each language, Java's also compiled, and Python's as a wheel that brings the plugin.
// - SHA256SUMS of all of them.
//
// SDKs need the Pulumi CLI, and each of them the tools of its language: what this machine lacks is left out, in so many words. With a tag it
// is a release: it begins with the checks of check.mjs, and ends with 1 where anything was left out.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
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
import { build, install, red, root, say } from "../prepare.mjs";
import { missing } from "./check.mjs";
import { writeSdks } from "./sdks.mjs";

const schema = JSON.parse(readFileSync(join(root, "schemas/provider.json"), "utf8"));
const { version, repository } = schema;

/** The CLI's names; the plugin is the same for all of them: scripts, which Node runs. */
const platforms = ["linux", "darwin", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

const archive = (folder, file) => execFileSync("tar", ["-czf", file, "-C", folder, "."]);

/** As `npm publish` takes it. npm's provenance needs the repository in the manifest, which the source has in one place, the schema. */
function writePackage(out) {
  const scratch = mkdtempSync(join(tmpdir(), "esign-package-"));
  const pack = (folder, to) => {
    const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", to];
    return execFileSync("npm", args, { cwd: folder, encoding: "utf8" }).trim();
  };
  try {
    execFileSync("tar", ["-xzf", join(scratch, pack(root, scratch)), "-C", scratch]);
    const folder = join(scratch, "package");
    const path = join(folder, "package.json");
    const places = repository && {
      repository: { type: "git", url: `git+${repository}.git` },
      homepage: `${repository}#readme`,
      bugs: { url: `${repository}/issues` },
    };
    writeFileSync(path, `${JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...places }, undefined, 2)}\n`);
    pack(folder, out);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function writePlugin(out) {
  const [first, ...others] = platforms.map((name) => join(out, `pulumi-resource-esign-v${version}-${name}.tar.gz`));
  archive(join(root, "dist/plugin/bin"), first);
  for (const file of others) copyFileSync(first, file);
}

function writeSums(out) {
  const sums = readdirSync(out).map((name) => {
    const sum = createHash("sha256").update(readFileSync(join(out, name)));
    return `${sum.digest("hex")}  ${name}\n`;
  });
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
}

function stop(code, lines) {
  for (const line of lines) say(red(line));
  process.exit(code);
}

const [folder, tag] = process.argv.slice(2);
if (folder === undefined || folder.startsWith("-"))
  stop(2, ["Name a folder: node tools/release/build.mjs <folder> [tag]"]);
const out = resolve(folder);
mkdirSync(out, { recursive: true });
if (readdirSync(out).length > 0) stop(2, [`${out} is not empty.`]);
const unready = tag === undefined ? [] : missing(tag);
if (unready.length > 0) stop(1, unready);

await install();
await build();
writePackage(out);
writePlugin(out);
const absent = await writeSdks(schema, out, archive);
writeSums(out);
for (const file of readdirSync(out)) say(`${file}  ${Math.ceil(statSync(join(out, file)).size / 1024)} kB`);
for (const line of absent) say(tag === undefined ? line : red(line));
if (tag !== undefined && absent.length > 0) process.exitCode = 1;
