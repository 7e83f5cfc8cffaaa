/** The pages on folders and checks, held against the code. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { AccountFile } from "../../account-folder/folder/account-file";
import { type PlaceholderIssue, parsePlaceholders } from "../../account-folder/placeholders/placeholder-text";
import { SourceFile } from "../../account-folder/placeholders/source-map";
import { lintRules as rules } from "../../rules/registry";

const page = (name: string) => readFileSync(join(resolve(__dirname, "../../docs/reference"), name), "utf8");
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map((match) => match[1]!);

it("docs/reference/account-folder.md shows settings that are understood", () => {
  const [account, company, stack] = blocks(page("account-folder.md"), "yaml") as [string, string, string];
  const findings: unknown[] = [];
  const faults: PlaceholderIssue[] = [];
  const read = AccountFile.account(new SourceFile("account.yaml", account), findings as never, faults);
  expect(read.content?.webhooks).toMatchObject({ signed: { url: "${hooks}/signed" } });
  const off = Object.keys(read.content?.lint?.off ?? {});
  expect(rules.map(({ name }) => name)).toEqual(expect.arrayContaining(off));
  AccountFile.company(new SourceFile("company.yaml", company), findings as never, faults);
  expect([findings, faults]).toEqual([[], []]);
  expect(Object.keys(parse(stack).config["my-project:values"])).toEqual(["hooks"]);
});

it("docs/reference/account-folder.md tells the template syntax as it is", () => {
  const written = [...page("account-folder.md").matchAll(/^\| `(\$[^`]+)` \|/gm)].map((match) => match[1]!);
  expect(written).toEqual(["${portal}", "${include footer}", "$${"]);
  const faults: PlaceholderIssue[] = [];
  const { parts } = parsePlaceholders(
    new SourceFile("x.txt", written.join(" ")),
    () => new SourceFile("p.txt", "P"),
    faults,
  );
  expect(faults).toEqual([]);
  expect(parts.map((part) => (part.kind === "literal" ? part.text : part.name)).join("")).toBe("portal P ${");
});
