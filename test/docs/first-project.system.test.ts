import { afterAll, test } from "vitest";
import { temporaryFolder } from "../cli/esign";
import { makeHome, runGuide } from "./guide";

const { path: home, remove } = temporaryFolder();
afterAll(remove);

test("docs/tutorials/first-project.md", { timeout: 180_000 }, async () => {
  await runGuide("tutorials/first-project", home, makeHome(home));
});
