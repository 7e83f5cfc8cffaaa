/** The provider runs in the process of the built-in engine, too: what a process has one of, such as its streams and its folder, is not its own. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const files = ["provider", "sdk", "definitions", "account-folder", "plugin"].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, room, name)),
);

/** Where each is used all the same, and why. */
const exceptions: Record<string, string> = {
  "provider/components/sdk-declarer.ts": "runs in a program",
  "provider/pulumi/resource-class.ts": "runs in a program",
  "provider/hooks.ts": "ends with the engine that has started the process",
  "provider/session/session.ts": "the default of who names no folder",
  "provider/reporting/reporting.ts": "the default of who names no log",
  "plugin/index.ts": "is a process",
  "plugin/node-version.ts": "is the first of that process",
  "plugin/engine-log.ts": "is in a process of its own, without an engine",
  "plugin/components/construct.ts": "is in a process of its own",
  "account-folder/sarif.ts": "is called by commands",
};

it.each([/\bconsole\./, /\bprocess\.(cwd|chdir|exit|on|stdout|stderr)\b/])(
  "%s is used by who owns the process",
  (pattern) => {
    expect(files.length).toBeGreaterThan(200);
    const using = files
      .filter((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .some((line) => pattern.test(line) && !/^\s*(\*|\/\/|\/\*\*)/.test(line)),
      )
      .map((file) => relative(root, file));
    expect(using.filter((file) => !(file in exceptions))).toEqual([]);
  },
);
