/** The built-in engine has a default for the location of states, and the Pulumi CLI has none: the project's file states it for both. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../test/files";
import { homeOf } from "../config/cli-workspace";
import { openProject } from "../index";

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = temporaryFolder();
  env = { HOME: folder, PULUMI_HOME: join(folder, "home"), PULUMI_CONFIG_PASSPHRASE: "correct-horse" };
});

const project = (text: string, name = "Pulumi.yaml") => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return {
    file,
    text: () => readFileSync(file, "utf8"),
    open: (more = {}) => openProject({ dir: folder, env, ...more }),
  };
};
const yaml = "# A comment.\nname: shop   # and one more\nruntime: nodejs";

it("is added to Pulumi.yaml, whose text stays, and means the same folder, also below it", async () => {
  const { text, open } = project(yaml);
  const first = await open();
  const { folder: states } = first.backend;
  await first.initStack("dev");
  await first.initStack("production");
  await first.selectStack("production");
  expect(await first.recordBackend()).toBe(true);
  expect(text().startsWith(`${yaml}\n`)).toBe(true);
  expect(parse(text())).toEqual({ name: "shop", runtime: "nodejs", backend: { url: "file://." } });
  expect(first.backend).toEqual({ url: "file://.", folder: states, source: "Pulumi.yaml" });
  mkdirSync(join(folder, "below"));
  for (const dir of [folder, join(folder, "below")]) {
    const later = await open({ dir });
    expect(later.backend.folder).toBe(states);
    expect((await later.listStacks()).map(({ name, current }) => [name, current])).toEqual([
      ["dev", false],
      ["production", true],
    ]);
    expect(await later.recordBackend()).toBe(false);
  }
});

it("is added to a file in JSON", async () => {
  const { text, open } = project('{"name": "shop", "runtime": "nodejs"}', "Pulumi.json");
  expect(await (await open()).recordBackend()).toBe(true);
  expect(JSON.parse(text())).toEqual({ name: "shop", runtime: "nodejs", backend: { url: "file://." } });
});

it.each([
  ["another backend is set in it", `${yaml}\nbackend:\n  url: file:///tmp\n`, {}],
  ["it has an empty one", `${yaml}\nbackend:\n`, {}],
  ["it is in a style that takes no more lines", "{name: shop, runtime: nodejs}", {}],
  ["the environment names a backend", yaml, { PULUMI_BACKEND_URL: "file:///tmp" }],
])("is not added where %s", async (_, before, more) => {
  Object.assign(env, more);
  const { text, open } = project(before);
  expect(await (await open()).recordBackend()).toBe(false);
  expect(text()).toBe(before);
});

it.each(["https://api.pulumi.com", "file:///tmp"])("is not added for who is logged in to %s", async (current) => {
  mkdirSync(env.PULUMI_HOME!);
  writeFileSync(join(env.PULUMI_HOME!, "credentials.json"), JSON.stringify({ current }));
  const { text, open } = project(yaml);
  expect(await (await open()).recordBackend()).toBe(false);
  expect(text()).toBe(yaml);
});

it("whose login that is depends on the system's accounts, not on HOME, which CI sets to another folder in containers", () => {
  vi.stubEnv("HOME", folder);
  expect(homeOf({ HOME: folder })).toBe(join(userInfo().homedir, ".pulumi"));
  expect(homeOf(env)).toBe(env.PULUMI_HOME);
});
