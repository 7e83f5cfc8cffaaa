/** Where the Pulumi CLI finds this package's plugin. */
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { withOwnPlugin } from "../../cli/engine/own-plugin";
import { temporaryFolder } from "../files";

const own = join("dist", "plugin", "bin");

test.each([
  [
    "what a failed download leaves is no plugin",
    ["resource-esign-v1.2.3", "resource-esign-v1.2.3.lock", "resource-esign-v1.2.3.partial"],
    true,
  ],
  ["another package's plugin is not ours", ["resource-esignature-v1.2.3"], true],
  ["the plugin that the CLI has installed is used", ["resource-esign-v1.2.3", "resource-esign-v1.2.3.lock"], false],
])("%s", (_, installed, isAdded) => {
  const home = temporaryFolder(Object.fromEntries(installed.map((name) => [`plugins/${name}/file`, ""])));
  const folders = withOwnPlugin({ PULUMI_HOME: home, PATH: "first" }).PATH!.split(delimiter);
  expect(folders[0]).toBe("first");
  expect(folders.slice(1).map((folder) => folder.endsWith(own))).toEqual(isAdded ? [true] : []);
});

test("an environment without PATH has the plugin alone", () => {
  const { PATH } = withOwnPlugin({ PULUMI_HOME: temporaryFolder() });
  expect(PATH!.split(delimiter)).toEqual([expect.stringMatching(/bin$/)]);
});
