import { test } from "vitest";
import { temporaryFolder } from "../files";
import { makeHome, runGuide } from "./guide";

const home = temporaryFolder();

test("docs/tutorials/first-project.md", { timeout: 180_000 }, async () => {
  await runGuide("tutorials/first-project", home, makeHome(home));
});
