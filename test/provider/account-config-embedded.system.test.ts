/** A folder deployed to the local service by the built-in engine: what is written, what is said at preview, what changes. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Client, connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { Program } from "./programs";

const fixture = resolve(__dirname, "../fixtures/account");
const program = `
"use strict";
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const empty = pulumi.output(Promise.resolve(undefined));
const values = process.env.EMPTY ? { values: { stage: empty } } : {};
const config = new esign.AccountConfig("main", { folder: "account", ...values });
exports.emails = Object.keys(config.emails);
`;

describe("a folder", () => {
  const service = useEmulator();
  let client: Client;
  let run: Program;
  const write = (path: string, text: string) => {
    mkdirSync(join(run.folder, "account", path, ".."), { recursive: true });
    writeFileSync(join(run.folder, "account", path), text);
  };
  const read = (path: string) => readFileSync(join(run.folder, "account", path), "utf8");
  const email = async (type: string, of = client) =>
    (await of.branding.emails()).branding_emails.find((each) => each.branding_email_type === type)!;
  const writes = () => service.requests().flatMap(({ method, path }) => (method === "GET" ? [] : [path]));

  beforeAll(async () => {
    client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
    run = new Program("embedded", program);
    cpSync(fixture, join(run.folder, "account"), { recursive: true });
    await run.begin({ apiKey: service.keys.partner, baseUrl: service.url });
  });

  it("says at preview what is wrong, with file, line and column and without our stack", async () => {
    const { code, output } = await run.run("preview", "--stack", run.stack);
    expect(code).not.toBe(0);
    expect(output).toContain("account/account.yaml:3:39 missing value for ${stage}");
    expect(output).not.toMatch(/\n\s+at |node_modules|account-config/);
    run.launch.environment = { EMPTY: "1" };
    const empty = await run.run("preview", "--stack", run.stack);
    expect(empty.code).not.toBe(0);
    expect(empty.output).toMatch(/error: account folder: the value of \$\{stage\} is an output without a value/);
    run.launch.environment = {};
    await run.configure("--path", "values.stage", "dev");
    await run.configure("--path", "values.stag", "dev");
    const unused = await run.run("preview", "--stack", run.stack);
    expect(unused.code).not.toBe(0);
    expect(unused.output).toMatch(/Pulumi\.dev\.yaml:\d+:\d+ unused value "stag"/);
    await run.succeed("config", "rm", "--stack", run.stack, "--path", "values.stag");
    expect(writes()).toEqual([]);
  });

  it("is deployed byte for byte, and then nothing changes", async () => {
    const odd =
      '<style>\r\n  p { margin: 0 }\r\n</style>\r\n<p>שלום {client name} 🖋️ $${5.00} in cash</p>\r\n<a href="{contract url}">x</a>';
    write("emails/email-reminder/body.html", odd);
    write("emails/email-reminder/body.txt", "");
    const table = `<table>${"<tr><td>שורה</td><td>{contract title}</td></tr>\n".repeat(500)}</table><a href="{contract url}">x</a>`;
    write("emails/email-reminder-password/body.html", `${table}{contract password}`);
    const before = await email("email-reminder");
    await run.operate("up");
    const reminder = await email("email-reminder");
    expect(reminder.branding_email_content?.replace(/\r\n/g, "\n")).toBe(
      odd.replace("$${", "${").replace(/\r\n/g, "\n"),
    );
    expect(reminder.branding_email_content_plain).toBe(before.branding_email_content_plain);
    expect((await email("email-send")).branding_email_content_plain).toContain("Read and sign [{contract url}]");
    expect((await email("email-reminder-password")).branding_email_content).toContain(table);
    expect((await client.webhooks.list().all()).map(({ webhook_url }) => webhook_url)).toContain(
      "https://hooks.example.com/dev/signed",
    );
    service.clearLog();
    // With its preview.
    await run.succeed("up", "--yes", "--expect-no-changes", "--stack", run.stack);
    expect(writes()).toEqual([]);
  });

  it("changes what a partial is in, and nothing else; and holds a partner's subaccounts", async () => {
    write("partials/footer.html", read("partials/footer.html").replace("Questions?", "Any questions?"));
    write(
      "companies/acme/company.yaml",
      "name: Acme Ltd\nuserName: Ann\nuserEmail: ann@acme.example\ndeletionProtection: false\n",
    );
    write("companies/acme/account.yaml", 'branding:\n  colour: "#7A1F3D"\n');
    write(
      "companies/acme/emails/email-send/body.html",
      '${include header}<p><a href="{contract url}">Sign</a></p>${include footer}',
    );
    service.clearLog();
    await run.operate("up");
    expect(writes().sort()).toEqual([
      "/v1/branding",
      "/v1/branding/emails/email-cancelled",
      "/v1/branding/emails/email-send",
      "/v1/branding/emails/email-send",
      "/v1/branding/emails/email-signed",
      "/v1/companies",
    ]);
    expect((await email("email-send")).branding_email_content).toContain("Any questions?");
    const company = (await client.companies.list().all()).find((each) => each.company_name === "Acme Ltd")!;
    const acme = client.as(company.company_id);
    expect((await acme.branding.get()).branding_colour?.toUpperCase()).toBe("#7A1F3D");
    expect((await email("email-send", acme)).branding_email_content).toContain("Any questions?");
    await run.succeed("preview", "--expect-no-changes", "--stack", run.stack);
  });

  it("is destroyed, and the original values are restored", async () => {
    await run.operate("destroy");
    expect((await client.companies.list().all()).map((each) => each.company_name)).not.toContain("Acme Ltd");
    expect((await email("email-send")).branding_email_content).not.toContain("questions?");
  });
});
