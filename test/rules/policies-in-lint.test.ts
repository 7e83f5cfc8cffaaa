import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../../account-folder/finding";
import { esign } from "../cli/in-process";
import { save, temporaryFolder } from "../files";
import { config } from "./cases";

const home = temporaryFolder();
const write = (path: string, text: string) => save(home, { [path]: text });
const account = (policies: string, webhooks = "") => write("account/account.yaml", `${webhooks}lint:\n${policies}`);

/** Runs lint; the findings as `place severity rule`. */
async function lint(...args: string[]) {
  const { code, stdout, stderr } = await esign(["lint", "account", "--json", ...args], { home });
  const { findings = [] }: { findings?: Finding[] } = code === 2 ? {} : JSON.parse(stdout);
  const found = findings.map(({ file, line, severity, rule }) => `${file}:${line} ${severity} ${rule}`);
  return { code, found, stdout, stderr };
}

beforeEach(() => {
  rmSync(join(home, "account"), { recursive: true, force: true });
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  write("Pulumi.dev.yaml", "config:\n  shop:title: x\n");
});

const acme = "name: Acme\nuserName: A\nuserEmail: a@a.example\n";
const everything = "webhooks:\n  everything:\n    type: all\n    url: http://a.example/x\n";

describe("esign lint with policies", () => {
  it("enforces none without any", async () => {
    account("  off: {}\n", everything);
    expect((await lint()).found).toEqual([]);
  });

  it("reports violations where they are written", async () => {
    account("  policies: {}\n", everything);
    expect(await lint()).toMatchObject({
      code: 1,
      found: ["account/account.yaml:3 error no-all-webhook", "account/account.yaml:4 error https-only"],
    });
    const { stdout } = await esign(["lint", "account", "--format", "sarif"], { home });
    const { driver } = JSON.parse(stdout).runs[0].tool;
    expect(driver.rules.map(({ id }: { id: string }) => id)).toContain("https-only");
  });

  it("takes levels and settings from account.yaml, and from a file as a pack does", async () => {
    account("  policies:\n    all: disabled\n    https-only: advisory\n", everything);
    expect(await lint()).toMatchObject({ code: 0, found: ["account/account.yaml:4 warning https-only"] });
    write("policies.json", JSON.stringify({ "https-only": { except: ["every*"] }, "no-all-webhook": "advisory" }));
    expect(await lint("--policy-pack-config", "policies.json")).toMatchObject({
      code: 0,
      found: ["account/account.yaml:3 warning no-all-webhook"],
    });
  });

  it("knows the stack whose values it takes; without one, the files serve production, too", async () => {
    account("  policies: {}\n", everything.replace("http:", "https:"));
    expect((await lint("--values-from", "dev")).found).toEqual([]);
    expect((await lint()).found).toEqual(["account/account.yaml:3 error no-all-webhook"]);
  });

  it("checks the texts of emails once, at their places in the files", async () => {
    write("account/emails/email-send/body.html", '<p>Sign</p>\n<a href="http://a.example">here</a>\n');
    write("account/emails/email-send/subject.txt", "Please sign {contract title}\n");
    write("account/account.yaml", `lint:\n  policies: ${JSON.stringify(config)}\n`);
    const { found } = await lint();
    const body = "account/emails/email-send/body.html";
    expect(found.sort()).toEqual([
      `${body}:1 error approved-wording`,
      `${body}:1 error link-variable`,
      `${body}:1 error missing-variable`,
      `${body}:2 error insecure-link`,
    ]);
  });

  it("checks subaccounts, and the configuration of the project's stacks", async () => {
    write("account/account.yaml", "lint:\n  policies: {}\n");
    write("account/companies/acme/company.yaml", `${acme}deletionProtection: false\n`);
    write("Pulumi.dev.yaml", "config:\n  esign:apiKey: 0123456789\n");
    const { found, stdout } = await lint();
    expect(found).toEqual([
      "Pulumi.dev.yaml:2 error no-plaintext-key",
      "account/companies/acme/company.yaml:4 error protect-companies",
    ]);
    expect(stdout).not.toContain("0123456789");
    const text = await esign(["lint", "account"], { home });
    expect(text.stdout).not.toContain("0123456789");
  });

  it("shows the place of a setting, not of a comment or of a longer name", async () => {
    write("account/account.yaml", "lint:\n  policies: {}\n");
    const lines = [
      "# esign:apiKey is below",
      "config:",
      "  esign:apiKeyOld: {secure: v1:a}",
      '  "esign:config:apiKey": 01234567',
    ];
    write("Pulumi.dev.yaml", `${[...lines, "  shop:keys:", "    - token: 0123456789abcdef"].join("\n")}\n`);
    expect((await lint()).found).toEqual([
      "Pulumi.dev.yaml:4 error no-plaintext-key",
      "Pulumi.dev.yaml:6 error no-plaintext-key",
    ]);
  });

  it("checks Pulumi.yaml alone, too, and says what removes the value from there", async () => {
    write("account/account.yaml", "lint:\n  policies: {}\n");
    write(
      "Pulumi.yaml",
      "name: shop\nruntime: nodejs\nconfig:\n  shop:thing:\n    default:\n      apiKey: 0123456789abcdef\n",
    );
    rmSync(join(home, "Pulumi.dev.yaml"));
    const { found, stdout } = await lint();
    expect(found).toEqual(["Pulumi.yaml:6 error no-plaintext-key"]);
    expect(stdout).toContain(
      "remove it from Pulumi.yaml, run `esign config set --secret --path shop:thing.apiKey --stack <stack>`",
    );
    write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    write("Pulumi.dev.yaml", "config:\n  shop:apiKey: 0123456789abcdef\n");
    expect((await lint()).stdout).toContain("run `esign config set --secret shop:apiKey --stack dev`");
  });

  it("says what is wrong with the configuration, and where", async () => {
    account("  policies:\n    https-onyl: mandatory\n", everything);
    const { code, found, stdout } = await lint();
    expect({ code, found }).toEqual({ code: 1, found: ["account/account.yaml:7 error settings"] });
    expect(stdout).toContain('unknown policy \\"https-onyl\\"');
    write("policies.json", '{"https-only": "strict"}');
    const wrong = await lint("--policy-pack-config", "policies.json");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("https-only.enforcementLevel: must be advisory");
    write("account/account.yaml", "");
    write("account/companies/acme/company.yaml", acme);
    write("account/companies/acme/account.yaml", "lint:\n  policies: {}\n");
    expect((await lint()).found).toEqual(["account/companies/acme/account.yaml:2 error settings"]);
  });
});
