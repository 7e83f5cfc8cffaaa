/** The guides of the emulator, command by command. Those of accounts that exist, and long ones: guides.nightly.test.ts. */
import { test } from "vitest";
import { temporaryFolder } from "../files";
import { makeHome, runGuide } from "./guide";

test.each(["first-project", "first-project-in-yaml"])("docs/tutorials/%s.md", async (name) => {
  const home = temporaryFolder();
  await runGuide(`tutorials/${name}`, home, makeHome(home));
});
