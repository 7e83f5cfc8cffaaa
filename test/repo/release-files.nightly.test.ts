/** What a release publishes, as far as it needs no Pulumi CLI: release.nightly.test.ts has the rest. */
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { version } from "../../package.json";
import { bareEnv, root } from "../cli/esign";
import { temporaryFolder } from "../files";
import { spawnPlugin } from "../plugin/spawn-plugin";

const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "tools/release/build.mjs"), ...args], {
    env: { ...process.env, PATH: bareEnv("").PATH },
    encoding: "utf8",
  });

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
  expect(readdirSync(folder).sort()).toEqual(readdirSync(join(root, "dist/plugin/bin")).sort());
  const engine = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  onTestFinished(() => void engine.close());
  await once(engine, "listening");
  const { port } = engine.address() as import("node:net").AddressInfo;
  const plugin = await spawnPlugin(join(folder, "index.js"), `127.0.0.1:${port}`);
  expect(plugin.port).toBeGreaterThan(0);
});
