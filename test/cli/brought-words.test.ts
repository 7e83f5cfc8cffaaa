/** Words that people bring from other tools, and names that are nearly right. */
import { describe, expect, test } from "vitest";
import { remedyForUnsupported } from "../../cli/commands/help/other-tools";
import { withSafeSuggestions } from "../../cli/commands/help/suggestions";
import { groupOf, groups } from "../../cli/commands/index";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();

test.each([
  ["deploy", "esign up"],
  ["apply", "esign up"],
  ["plan", "esign preview"],
  ["validate", "esign lint"],
  ["import", "esign export"],
  ["diff", "esign preview --diff"],
  ["remove", "esign preview"],
  ["status", "esign drift"],
  ["outputs", "esign stack output"],
  ["workspace", "esign stack select"],
  ["force-unlock", "esign cancel"],
  ["state pull", "esign stack export"],
  ["state mv", "pulumi state move"],
  ["up -auto-approve", "--yes"],
  ["up --auto-approve", "--yes"],
  ["up -var colour=red", "-c <key>=<value>"],
  ["preview -out plan", "--save-plan"],
  ["preview -detailed-exitcode", "--expect-no-changes"],
])("%s: %s", async (word, command) => {
  const { code, stderr } = await esign(word.split(" "), { home });
  expect([code, stderr]).toEqual([2, expect.stringContaining(command)]);
  expect(stderr).not.toMatch(/destroy|\brm\b/);
});

test.each([
  ["diff", "--help"],
  ["help", "diff"],
  ["--help", "diff"],
])("%s %s is help all the same", async (...args) => {
  const { code, stdout } = await esign(args, { home });
  expect([code, stdout]).toEqual([0, expect.stringContaining("Usage: esign diff")]);
});

test("no word of other tools is a command here, and each message names commands that exist", () => {
  const names = groups.flatMap(({ commands }) => Object.keys(commands));
  for (const word of ["deploy", "plan", "pull", "serve", "show", "taint", "trigger", "undo", "validate", "version"]) {
    expect(groupOf(word), word).toBeUndefined();
    for (const [, command] of remedyForUnsupported([word])!.matchAll(/\besign ([a-z]+)/g))
      if (command !== "has") expect(names).toContain(command);
  }
});

test.each([
  ["stack", "stack rm", "delet"],
  ["", "destroy", "destory"],
  ["webhooks", "webhooks delete", "delte"],
])("%s: nothing that deletes is suggested, such as %s for %s", async (group, _, word) => {
  const { code, stderr } = await esign([...group.split(" ").filter(Boolean), word], { home });
  expect([code, stderr]).toEqual([2, expect.not.stringMatching(/Did you mean.*(rm|delete|destroy)/)]);
  expect(withSafeSuggestions("x\n(Did you mean one of rm, rename?)\ny")).toBe("x\n(Did you mean rename?)\ny");
});

describe("an account whose name is nearly right", () => {
  const env = { ESIGN_STAGING_API_KEY: "key_1", ESIGN_STAGING_BASE_URL: "http://127.0.0.1:9" };

  test.each([
    [["diff", "account:stagin", "account:staging"], 'no account "stagin", did you mean account:staging?'],
    [["export", "account:Stagng", "--out", "x"], "did you mean account:staging?"],
    [["promote", "account:produktion", "account@production"], "did you mean account:production?"],
    [["diff", "account:nowhere", "account:staging"], "There are: account:staging, account:production"],
    [["diff", "acount:staging", "account"], 'Did you mean "account:staging"?'],
  ])("%j", async (args, message) => {
    save(home, {
      "Pulumi.yaml": "name: shop\nruntime: nodejs\nbackend:\n  url: file://.\n",
      "Pulumi.production.yaml": "config:\n  esign:baseUrl: http://127.0.0.1:9\n",
      "account/account.yaml": "branding: {}\n",
    });
    const { code, stderr } = await esign(args, { home, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain("stack init");
  });
});
