/** Where plugins are looked for. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/files";
import { readProject } from "../config/project-settings";
import { findPlugin } from "../plugin/find-plugin";

const EXE = process.platform === "win32" ? "pulumi-resource-toy.cmd" : "pulumi-resource-toy";

function places(files: Record<string, string>, pluginFolders: Record<string, string> = {}) {
  const dir = temporaryFolder(files);
  const at = (name: string) => path.join(dir, name);
  const env = { PULUMI_HOME: at("home"), PATH: [at("bin"), at("sbin")].join(path.delimiter) };
  const folders = new Map(Object.entries(pluginFolders).map(([name, folder]) => [name, at(folder)]));
  const find = (version = "") =>
    findPlugin({ name: "toy", version, downloadUrl: "" }, { pluginFolders: folders, env: env as NodeJS.ProcessEnv });
  return { at, find };
}

describe("the plugin of a package is", () => {
  it("in the folder that the project names, before all others", async () => {
    const { at, find } = places(
      { [`own/${EXE}`]: "", [`bin/${EXE}`]: "", [`home/plugins/resource-toy-v1.0.0/${EXE}`]: "" },
      { toy: "own" },
    );
    expect(await find("1.0.0")).toEqual({ command: at(`own/${EXE}`) });
  });

  it("on PATH", async () => {
    const { at, find } = places({ [`sbin/${EXE}`]: "", [`home/plugins/resource-toy-v1.0.0/${EXE}`]: "" });
    expect(await find("1.0.0")).toEqual({ command: at(`sbin/${EXE}`) });
  });

  it("where the CLI has installed it: the version that is asked for, or the newest", async () => {
    const { at, find } = places({
      [`home/plugins/resource-toy-v1.9.0/${EXE}`]: "",
      [`home/plugins/resource-toy-v1.10.0/${EXE}`]: "",
      [`home/plugins/resource-toy-v1.10.0-alpha.1/${EXE}`]: "",
      "home/plugins/resource-toy-v1.11.0.partial": "",
      [`home/plugins/resource-toy-v1.11.0/${EXE}`]: "",
    });
    expect(await find("1.9.0")).toEqual({ command: at(`home/plugins/resource-toy-v1.9.0/${EXE}`) });
    expect(await find()).toEqual({ command: at(`home/plugins/resource-toy-v1.10.0/${EXE}`) });
    await expect(find("2.0.0")).rejects.toThrow(
      /^the plugin of the package toy 2\.0\.0 is not installed \(installed: 1\.9\.0, 1\.10\.0-alpha\.1, 1\.10\.0\)\. Name its folder under "packages"/,
    );
  });

  it("a folder that Node runs", async () => {
    const { at, find } = places({ "own/PulumiPlugin.yaml": "runtime:\n  name: nodejs\n" }, { toy: "own" });
    expect(await find()).toEqual({ nodeFolder: at("own") });
  });

  it.each([
    [{ "own/PulumiPlugin.yaml": "runtime: python\n" }, /its runtime is "python"; .*Use the Pulumi CLI/],
    [{ "own/PulumiPlugin.yaml": "" }, /its runtime is null/],
    [{ "own/README.md": "" }, /neither pulumi-resource-toy nor PulumiPlugin\.yaml/],
    [{}, /neither pulumi-resource-toy nor PulumiPlugin\.yaml/],
    [{ "own/PulumiPlugin.yaml": "runtime: [" }, /own.PulumiPlugin\.yaml is not valid YAML: .*line 1/],
  ])("refused where it cannot be started (%j)", async (files, message) => {
    await expect(places(files, { toy: "own" }).find()).rejects.toThrow(message);
  });
});

it.each([
  ["packages:\n  toy: ./toy\n", { toy: "toy" }],
  ["packages:\n  toy: ../toy\n  far: github.com/a/b\n  terraform: terraform-provider@1.0\n", { toy: "../toy" }],
  ["packages:\n  toy:\n    source: ./toy\n    version: 1.0.0\n", { toy: "toy" }],
  ["plugins:\n  providers:\n    - name: toy\n      path: bin\n", { toy: "bin" }],
  ["packages:\nplugins:\n  providers:\n", {}],
  ["packages: 7\nplugins: [1]\n", {}],
])("a project names folders of plugins: %j", async (text, folders) => {
  const dir = temporaryFolder({ "Pulumi.yaml": `name: demo\nruntime: nodejs\n${text}` });
  const { pluginFolders } = await readProject(dir);
  const expected = Object.entries(folders).map(([name, folder]) => [name, path.resolve(dir, folder)]);
  expect([...pluginFolders]).toEqual(expected);
});
