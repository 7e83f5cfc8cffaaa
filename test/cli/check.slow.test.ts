import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { save, temporaryFolder } from "../files";
import { root } from "./esign";
import { esign } from "./in-process";

const fixture = join(root, "test/fixtures/account");
let home: string;
const run = (...args: string[]) => esign(args, { home });
const at = (...path: string[]) => join(home, ...path);
const write = (path: string, text: string) => save(home, { [path]: text });
const stack = (text: string, project = "") =>
  save(home, { "Pulumi.yaml": `name: shop\nruntime: nodejs\n${project}`, "Pulumi.dev.yaml": text });
const usageError = { code: 2, stdout: "", stderr: expect.stringMatching(/^error: /) };

beforeEach(() => {
  home = temporaryFolder();
  cpSync(fixture, at("account"), { recursive: true });
});

describe("esign lint", () => {
  it("finds nothing in a good folder, whatever its values", async () => {
    expect(await run("lint")).toEqual({ code: 0, stdout: "✔ no findings\n", stderr: "" });
  });

  it("says file, line and column, and fails on errors", async () => {
    write("account/emails/email-cancelled/body.html", "<p>\n  {contrct title}</p>\n");
    const { code, stdout } = await run("lint", "./account");
    expect(code).toBe(1);
    expect(stdout).toContain("account/emails/email-cancelled/body.html:2:3  error  variable-typo");
    expect(stdout).toContain("fix: did you mean {contract title}?");
    expect(stdout).toContain("✖ 1 error\n");
  });

  it("fails on warnings with --strict only", async () => {
    write("account/emails/email-cancelled/body.html", '<img src="https://x.example/a.png">');
    expect((await run("lint")).code).toBe(0);
    expect((await run("lint", "--strict")).code).toBe(1);
  });

  it("answers 2 when nothing could be checked", async () => {
    for (const args of [
      ["lint", "nowhere"],
      ["lint", "--value", "x"],
      ["lint", "--baseline", "nowhere"],
      ["lint", "--json", "--format", "sarif"],
      ["check", "nowhere"],
    ])
      expect(await run(...args)).toEqual(usageError);
    const dead = { ESIGN_BASE_URL: "http://127.0.0.1:9", ESIGN_API_KEY: "some-key" };
    const unanswered = await esign(["lint", "--baseline", "account"], { home, env: dead });
    expect(unanswered).toEqual({ ...usageError, stderr: expect.stringContaining("connection was refused") });
    expect((await run("lint", "--values-file", "account")).stderr).toContain("error: account cannot be read: EISDIR");
  });

  it("writes JSON and SARIF", async () => {
    write("account/emails/email-cancelled/subject.txt", "\n");
    const json = await run("lint", "--json");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ errors: 1, findings: [{ rule: "empty-subject", line: 1 }] });
    const sarif = await run("lint", "--format", "sarif", "--out", "out.sarif");
    expect(sarif.stdout).toContain("empty-subject");
    const written = JSON.parse(readFileSync(at("out.sarif"), "utf8"));
    expect(written.runs[0].results[0]).toMatchObject({ ruleId: "empty-subject", level: "error" });
    expect(written.runs[0].tool.driver.semanticVersion).toMatch(/^\d+\.\d+\.\d+/);
    expect(JSON.parse((await run("lint", "--format", "sarif")).stdout)).toEqual(written);
  });

  it("compares values with the folder: present, missing, unused", async () => {
    expect((await run("lint", "--value", "stage=dev")).code).toBe(0);
    const missing = await run("lint", "--value", "stag=dev");
    expect(missing.code).toBe(1);
    expect(missing.stdout).toContain("account/account.yaml:3:39  error  missing-value");
    expect(missing.stdout).toContain('unused value "stag"');
    write("values.yaml", "stage: dev\n\nother: x\n");
    const unused = await run("lint", "--values-file", "values.yaml");
    expect(unused.code).toBe(1);
    expect(unused.stdout).toContain("values.yaml:3:1  error  unused-value");
  });

  it("takes values from a stack's configuration, and names their place there", async () => {
    stack("config:\n  shop:values:\n    stage: dev\n    other: 1\n");
    const { code, stdout } = await run("lint", "--values-from", "dev");
    expect(code).toBe(1);
    expect(stdout).toContain("Pulumi.dev.yaml:4:5  error  unused-value");
  });

  it.each([
    ["text in JSON", 'config:\n  shop:values: \'{"stage":"dev"}\'\n', ""],
    ["encrypted as a whole", "config:\n  shop:values:\n    secure: v1:abc\n", ""],
    ["merged", "x: &x { stage: dev }\nconfig:\n  shop:values:\n    <<: *x\n", ""],
    ["named elsewhere", "config:\n  shop:stage: &x dev\n  shop:values:\n    stage: *x\n", ""],
    ["the project's for all stacks", "config: {}\n", "config:\n  values:\n    default: { stage: dev }\n"],
  ])("takes a stack's values as a deployment does: %s", async (_, text, project) => {
    stack(text, project);
    const { code, stdout } = await run("lint", "--values-from", "dev");
    expect([code, stdout]).toEqual([0, expect.stringContaining("no findings")]);
  });

  it("refuses values that a deployment would refuse", async () => {
    for (const [values, words] of [
      ["text", "holds no values by their names"],
      ["{ stage: [dev] }", "what is given for ${stage} is not a text"],
    ]) {
      stack(`config:\n  shop:values: ${values}\n`);
      for (const args of [
        ["lint", "--values-from", "dev"],
        ["diff", "--exit-code", "./account@dev", "./account"],
      ]) {
        const { code, stderr } = await run(...args);
        expect([code, stderr]).toEqual([2, expect.stringContaining(words!)]);
      }
    }
  });

  it("names the file in which a YAML alias is undefined", async () => {
    write("broken.yaml", "client name: *Anna*\n");
    stack("config:\n  shop:link: *home\n");
    for (const args of [
      ["lint", "--values-file", "broken.yaml"],
      ["emails", "render", "--sample", "broken.yaml"],
      ["stack", "init", "dev", "--engine", "embedded"],
    ]) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/(broken|dev)\.yaml/)]);
    }
  });

  it("refuses to lose a variable that another folder's text has", async () => {
    cpSync(fixture, at("before"), { recursive: true });
    write("account/emails/email-signed/body.html", "<p>{contract title}</p>");
    const { code, stdout } = await run("lint", "--baseline", "./before");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "the HTML body of email-signed is missing {contract url}, which the account's current text contains",
    );
  });

  it("lists the errors of reading beside those of the rules", async () => {
    save(home, { "account/emails/email-sent/body.html": "", "account/account.yaml": "branding:\n  color: x\n" });
    const { stdout } = await run("lint");
    expect(stdout).toContain('unknown email template type "email-sent", did you mean "email-send"?');
    expect(stdout).toContain(
      'account/account.yaml:2:3  error  settings\n  unknown setting "branding.color", did you mean "colour"?',
    );
  });
});

describe("esign emails render", () => {
  const render = (...args: string[]) => run("emails", "render", "--out", "page.html", "--no-logo", ...args);
  const page = () => readFileSync(at("page.html"), "utf8");

  it("writes one page", async () => {
    const { code, stderr } = await render("--value", "stage=dev");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "✔ page.html: 7 email templates, no findings\n" });
    expect(page().match(/<article/g)).toHaveLength(8);
    expect(page()).not.toContain("Changes</h3>");
  });

  it("shows before and after, and sample data of one's own", async () => {
    cpSync(fixture, at("before"), { recursive: true });
    write("account/emails/email-send/subject.txt", "Now: {contract title}, {client name}\n");
    write("sample.yaml", "client name: Bóris\n");
    expect((await render("--baseline", "before", "--sample", "sample.yaml")).code).toBe(0);
    expect(page().match(/Changes<\/h3>/g)).toHaveLength(1);
    expect(page()).toContain("Now: Tenancy agreement, 12 Quay Street, Bóris");
  });

  it("shows a subaccount with its own values and shared parts, and mentions that there are some", async () => {
    save(home, {
      "account/companies/acme/company.yaml":
        "name: Acme Ltd\nuserName: Ann\nuserEmail: ann@acme.example\nvalues:\n  customer: Acme\n",
      "account/partials/greeting.html": "<p>Hello ${customer}, {contrct title}</p>",
      "account/companies/acme/emails/email-rejected/body.html": "${include greeting}",
      "before/emails/email-rejected/body.html": "<p>Hello {client name}</p>",
    });
    const whole = await render("--value", "stage=dev");
    expect(whole.stderr).toMatch(/^! page.html: 7 email templates, .*; without its subaccount \(--company acme\)/);
    for (const name of ["acme", "Acme Ltd"]) {
      const { code, stderr } = await render("--value", "stage=dev", "--company", name, "--baseline", "./before");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "! page.html: 1 email template, 2 errors\n" });
      expect(page()).toContain("Hello Acme, ");
      expect(page()).toContain("variable-typo");
    }
    const none = await render("--value", "stage=dev", "--company", "acne");
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('"acne" in the folder; it has acme') });
  });

  it("answers 2 for what cannot be read", async () => {
    for (const args of [["nowhere"], ["--sample", "nowhere.yaml"], ["--baseline", "nowhere"]])
      expect((await render(...args)).code).toBe(2);
  });
});
