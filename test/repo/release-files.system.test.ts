/** What a release has besides the npm package. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPulumi } from "../../cli/engine/choose-engine";
import { temporaryFolder } from "../files";
import { spawnPlugin } from "../plugin/spawn-plugin";

const root = join(__dirname, "../..");

test("has the plugin as an archive for each platform, which starts, and the SDKs that the Pulumi CLI generates", async () => {
  const out = temporaryFolder();
  execFileSync(process.execPath, [join(root, "scripts/release/files.mjs"), out], { stdio: "pipe" });
  const files = readdirSync(out);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const platforms = ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64"];
  const archives = platforms.map((platform) => `pulumi-resource-esign-v${version}-${platform}.tar.gz`);
  expect(files).toEqual(expect.arrayContaining(archives));
  if (findPulumi() !== undefined) expect(files.join(" ")).toMatch(/sdk-nodejs-/);
  if (files.some((name) => name.includes("sdk-python"))) expect(files.join(" ")).toMatch(/pulumi_esign-.*\.whl/);

  const folder = join(temporaryFolder(), "plugin");
  mkdirSync(folder);
  execFileSync("tar", ["-xzf", join(out, archives[2]!), "-C", folder]);
  expect(readdirSync(folder).sort()).toEqual([
    "construct.js",
    "index.js",
    "pulumi-resource-esign",
    "pulumi-resource-esign.cmd",
  ]);
  const engine = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  onTestFinished(() => void engine.close());
  await once(engine, "listening");
  const { port } = engine.address() as import("node:net").AddressInfo;
  const plugin = await spawnPlugin(join(folder, "index.js"), `127.0.0.1:${port}`);
  expect(plugin.port).toBeGreaterThan(0);
});
