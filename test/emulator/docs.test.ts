import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { codes } from "../../emulator";
import { fault, settings } from "../../emulator/domain/settings";
import { refusals } from "../../emulator/domain/strictness";
import { controls } from "../../emulator/pages/control-routes";

const read = (name: string) => readFileSync(resolve(__dirname, "../../docs/reference", name), "utf8");
const page = read("emulator.md");

test("every code is in the page's table, with its status and words, and no other", () => {
  const rows = read("error-codes.md").match(/^\| \d{5} \|.*$/gm) ?? [];
  expect(rows).toEqual(Object.entries(codes).map(([code, [status, words]]) => `| ${code} | ${status} | ${words} |`));
});

test.each(Object.keys(settings.shape))("the setting %s is described", (name) => {
  expect(page).toMatch(new RegExp(`^\\| .*\`${name}\``, "m"));
});

test.each(fault.options.map((option) => option.shape))(
  "the fault $kind.value and its members are described",
  (shape) => {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${shape.kind.value}\` |`));
    expect(row).toBeDefined();
    const common = ["kind", "method", "path", "operation", "form", "account", "probability", "nth", "from", "times"];
    for (const member of Object.keys(shape)) {
      if (common.includes(member)) expect(page).toContain(`\`${member}\``);
      else expect(row).toContain(`\`${member}\``);
    }
  },
);

test.each(controls.map(({ method, path }) => [method, path]))("the control %s %s is described", (method, path) => {
  const [, account] = /^\/accounts\/:id\/([a-z-]+)$/.exec(path) ?? [];
  const [, action] = /^\/envelopes\/:fingerprint\/([a-z]+)$/.exec(path) ?? [];
  if (account) expect(page).toMatch(new RegExp(`(…|:id)/${account}\``));
  else if (action && action !== "sign") expect(page).toContain(`\`${action}\``);
  else expect(page).toContain(`\`${method} /_control${path}\``);
});

test("every refusal that no document has is in the table, and no other", () => {
  const table = page.split("| name | code | refused |\n|---|---|---|\n")[1]!.split("\n\n")[0]!;
  const rows = Object.entries(refusals).map(([name, { code, what, ...rest }]) => {
    return `| \`${name}\` | ${code} | ${what}${"isDefault" in rest ? " (off by default)" : ""} |`;
  });
  expect(table.trimEnd().split("\n")).toEqual(rows);
});
