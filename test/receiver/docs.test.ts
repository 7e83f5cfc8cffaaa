import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { members } from "../../receiver/members";

test("the reference has each event with its members", () => {
  const page = readFileSync(resolve(__dirname, "../../docs/reference/receiver.md"), "utf8");
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" ");
  for (const [action, [required, optional]] of Object.entries(members)) {
    expect(page).toContain(`| \`${action}\` | ${list(required)} | ${list(optional)} |\n`);
  }
});
