/** Commands find the account's folder by one rule, and say when there is nothing in it. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const project = join(home, "project");
const service = useEmulator();

beforeEach(() => {
  rmSync(project, { recursive: true, force: true });
  save(project, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "index.ts": "" });
});

const within = (cwd: string, ...args: string[]) =>
  esign(args, { home, cwd, env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account } });
const here = (...args: string[]) => within(project, ...args);
const templateIn = (folder: string) => ({
  [join(folder, "emails/email-send/body.html")]: "<p>{contrct title}: {contract url}</p>",
});
const usageError = (message: string) => ({ code: 2, stdout: "", stderr: expect.stringContaining(message) });

test.each([
  ["the current folder, as the README's example and an export have it", ".", "emails/email-send/body.html"],
  ["./account", "account", "account/emails/email-send/body.html"],
  ["the only one in the project", "config/esign", "config/esign/emails/email-send/body.html"],
])("without a name it is %s", async (_, folder, file) => {
  save(project, templateIn(folder));
  const linted = await here("lint");
  expect([linted.code, linted.stdout]).toEqual([1, expect.stringContaining(`${file}:1:4  error  variable-typo`)]);
  const rendered = await here("emails", "render", "--no-logo");
  expect([rendered.code, rendered.stderr]).toEqual([
    0,
    expect.stringContaining("emails.html: 1 email template, 1 error"),
  ]);
  // A pull request that has the page attached is not in the folder.
  const name = folder === "." ? basename(project) : folder;
  expect(readFileSync(join(project, "emails.html"), "utf8")).toContain(`<title>Emails of ${name}</title>`);
});

test("./account comes first; of several in the project, one must be named", async () => {
  save(project, { ...templateIn("a"), ...templateIn("b/c") });
  expect(await here("lint")).toEqual(usageError("several account folders: name one of a, b/c"));
  save(project, { "account/account.yaml": "" });
  expect((await here("lint")).code).toBe(0);
});

test("nothing found is an error that says what was looked for", async () => {
  mkdirSync(join(home, "empty"), { recursive: true });
  const parts = "an account.yaml, email templates (emails/<type>/) or subaccounts (companies/<name>/company.yaml)";
  const looked = (places: string) => `error: no account folder was found in ${places}: it has ${parts}.\n`;
  for (const args of [["lint"], ["emails", "render"], ["emails", "serve", "--port", "0"]])
    for (const [cwd, places] of [
      [project, "this folder, ./account, the project"],
      [join(home, "empty"), "this folder, ./account"],
    ] as const)
      expect(await within(cwd, ...args)).toEqual(usageError(looked(places)));
  // Texts that only the program names.
  save(project, { "emails/invitation.html": "<p>" });
  for (const args of [
    ["lint", "."],
    ["emails", "render", "."],
    ["diff", ".", "account"],
    ["diff", "account", "."],
    ["promote", "account", "."],
  ]) {
    const outcome = await here(...args);
    expect(outcome).toEqual(usageError(`error: "." is not an account folder: it does not have ${parts}`));
    expect(outcome.stderr).toContain('emails/invitation.html: "invitation.html" is not read');
  }
  expect(existsSync(join(project, "emails.html"))).toBe(false);
});

test("a page without a template is not written", async () => {
  save(project, { "account/account.yaml": "" });
  const message = "account has no email template: a directory emails/<type>/";
  expect(await here("emails", "render")).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  expect(existsSync(join(project, "emails.html"))).toBe(false);
});
