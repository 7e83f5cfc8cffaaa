/** What a release publishes, as far as it needs no Pulumi CLI: release.nightly.test.ts has the rest. */
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { temporaryFolder } from "../files";
import { spawnPlugin } from "../plugin/spawn-plugin";

const root = join(__dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const pulumi = findPulumi();
const path = process.env.PATH!.split(delimiter).filter((folder) => pulumi === undefined || folder !== dirname(pulumi));
const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "tools/release/build.mjs"), ...args], {
    env: { ...process.env, PATH: path.join(delimiter) },
    encoding: "utf8",
  });

/** The files that a bundle loads, itself included: the bundler decides what they share. */
function loadedFrom(folder: string, file: string, found: string[] = []): string[] {
  if (found.includes(file)) return found;
  found.push(file);
  const text = readFileSync(join(folder, file), "utf8");
  for (const [, name] of text.matchAll(/^(?!\s*\*).*\brequire\("\.\/([\w-]+\.js)"\)/gm))
    loadedFrom(folder, name!, found);
  return found;
}

test("has the npm package, and the plugin as an archive for each platform, which starts", async () => {
  const out = temporaryFolder();
  const { status, stderr } = release(out);
  expect([status, stderr]).toEqual([0, expect.stringContaining("No SDKs: the Pulumi CLI is not on PATH.")]);
  const systems = ["darwin", "linux", "windows"];
  const archives = systems
    .flatMap((system) => [`${system}-amd64`, `${system}-arm64`])
    .map((platform) => `pulumi-resource-esign-v${version}-${platform}.tar.gz`);
  expect(readdirSync(out)).toEqual(["SHA256SUMS", `pulumi-esign-${version}.tgz`, ...archives]);
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: out });

  const folder = join(temporaryFolder(), "plugin");
  mkdirSync(folder);
  execFileSync("tar", ["-xzf", join(out, archives[2]!), "-C", folder]);
  const bundles = loadedFrom(folder, "index.js");
  expect(bundles).toContain("construct.js");
  expect(readdirSync(folder).sort()).toEqual([...bundles, "pulumi-resource-esign", "pulumi-resource-esign.cmd"].sort());
  const engine = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  onTestFinished(() => void engine.close());
  await once(engine, "listening");
  const { port } = engine.address() as import("node:net").AddressInfo;
  const plugin = await spawnPlugin(join(folder, "index.js"), `127.0.0.1:${port}`);
  expect(plugin.port).toBeGreaterThan(0);
});

test("is refused before anything is written: with a tag of another version, without a folder, or into a folder with files", () => {
  const out = temporaryFolder();
  expect(release(out, "v9.9.9")).toMatchObject({ status: 1, stderr: expect.stringContaining("the tag is v9.9.9") });
  expect(readdirSync(out)).toEqual([]);
  expect(release()).toMatchObject({ status: 2, stderr: expect.stringContaining("Name a folder") });
  const used = temporaryFolder({ "of-another-release": "" });
  expect(release(used)).toMatchObject({ status: 2, stderr: expect.stringContaining("is not empty") });
});
