/** The folders of commands, on systems that name them `PATH` and `Path`. */
import { delimiter } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandFolders, withCommandFolder } from "../../fs/path-variable";

const system = (platform: NodeJS.Platform) => {
  const original = Object.getOwnPropertyDescriptor(process, "platform")!;
  Object.defineProperty(process, "platform", { ...original, value: platform });
  onTestFinished(() => void Object.defineProperty(process, "platform", original));
};

test.each<[NodeJS.Platform, string]>([
  ["linux", "PATH"],
  ["win32", "PATH"],
  ["win32", "Path"],
])("on %s in %s", (platform, name) => {
  system(platform);
  const env = { [name]: ["a", "", "b"].join(delimiter), HOME: "h" };
  expect(commandFolders(env)).toEqual(["a", "b"]);
  expect(withCommandFolder(env, "c")).toEqual({ [name]: ["a", "", "b", "c"].join(delimiter), HOME: "h" });
});

test("on Linux, where case matters, another name is another variable", () => {
  system("linux");
  expect(withCommandFolder({ Path: "a" }, "c")).toEqual({ Path: "a", PATH: "c" });
});
