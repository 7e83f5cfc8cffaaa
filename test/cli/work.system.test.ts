/**
 * The daily work, from end to end: an account that was made by hand is adopted, edited, promoted to a second account,
 * changed outside Pulumi, and restored. What is announced is compared with the requests that came.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ResourceChange } from "../../account-folder/diff/comparison";
import type { Emulator } from "../../emulator";
import { connect } from "../../sdk";
import { handMade } from "../account-folder/hand-made";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { linkPackages, type Outcome } from "./esign";
import { esign } from "./in-process";

const home = temporaryFolder();
const staging = useEmulator({ seed: { account: handMade } });
const production = useEmulator({
  seed: {
    account: {
      branding: { colour: "#224466" },
      emails: { "email-signed": { contentPlain: "" } },
      webhooks: [
        { type: "all", url: "https://audit.example.com/" },
        { type: "add-user", url: "https://old.example.com/" },
      ],
      envelopes: [
        { title: "one" },
        { title: "two" },
        { title: "done", status: "signed" },
        { title: "draft", status: "draft" },
      ],
    },
  },
});
let env: Record<string, string>;

beforeAll(async () => {
  env = {
    PULUMI_BACKEND_URL: `file://${home}/state`,
    PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    PULUMI_HOME: join(home, ".pulumi"),
    ESIGN_STAGING_BASE_URL: staging.url,
    ESIGN_STAGING_API_KEY: staging.keys.account,
    ESIGN_PRODUCTION_BASE_URL: production.url,
    ESIGN_PRODUCTION_API_KEY: production.keys.account,
  };
  mkdirSync(join(home, "state"));
});

async function run(args: string[], cwd = home): Promise<Outcome> {
  const outcome = await esign(args, { home, cwd, env });
  for (const key of [staging.keys.account, production.keys.account]) {
    expect(outcome.stdout + outcome.stderr).not.toContain(key);
  }
  return outcome;
}

async function ok(args: string[], cwd?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, cwd);
  expect({ code, stderr: code === 0 ? "" : stderr + stdout }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** All files of a folder, without those of the packages that it links to. */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );

/** The writes that a service got, one text each: method, what it is about, and the form's fields. */
function writes(service: Emulator): string[] {
  return service
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, fields = [] }) =>
      `${method} ${path.replace(/\d+$/, "<id>")} ${[...fields].sort().join(" ")}`.trim(),
    )
    .sort();
}

/** The writes that a plan announces. */
function announced(changes: readonly ResourceChange[]): string[] {
  const members: Record<string, Record<string, string>> = {
    Branding: { colour: "branding_colour", logoUrl: "branding_logo_url" },
    BrandingEmail: {
      subject: "branding_email_subject",
      content: "branding_email_content",
      contentPlain: "branding_email_content_plain",
    },
    Webhook: { type: "webhook_type", url: "webhook_url" },
  };
  return changes
    .map(({ kind, name, action, fields }) => {
      const form = fields
        .map(({ field }) => members[kind]![field]!)
        .sort()
        .join(" ");
      if (kind === "Branding") return `PUT /v1/branding ${form}`;
      if (kind === "BrandingEmail") return `PUT /v1/branding/emails/${name} ${form}`;
      if (action === "add") return `POST /v1/webhooks ${form}`;
      return action === "remove" ? "DELETE /v1/webhooks/<id>" : `PUT /v1/webhooks/<id> ${form}`;
    })
    .sort();
}

interface Entry {
  type: string;
  name?: string | undefined;
  id: string;
  parent?: string | undefined;
  inputs: Record<string, unknown>;
}
const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) => (a.name! < b.name! ? -1 : 1);
/** The name in a URN; the stack itself has none in the file. */
const nameOf = (urn = "") => (urn.includes("pulumi:pulumi:Stack::") ? undefined : urn.slice(urn.lastIndexOf("::") + 2));

const up = ["up", "--yes", "--skip-preview", "--engine", "embedded", "--stack"];
const project = (name: string) => join(home, name);
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, "utf8")));

describe("the daily work", () => {
  test("adopt: export, adopt without a single write, export again to the byte", async () => {
    await ok(["export", "account:staging", "--out", "staging", "--stack-name", "staging"]);
    const exported = filesOf(project("staging"));
    for (const [path, content] of Object.entries(exported)) expect(content, path).not.toContain(staging.keys.account);
    // The first BOM of a file is not part of its text.
    for (const [type, email] of Object.entries(handMade.emails))
      expect(exported[`emails/${type}/body.html`]).toBe(
        email.content.replace(/^\ufeff/, "$&$&").replaceAll("${", "$$${"),
      );
    linkPackages(project("staging"), "@types");
    await ok(["stack", "init", "staging", "--engine", "embedded"], project("staging"));
    staging.clearLog();
    await ok([...up, "staging"], project("staging"));
    expect(writes(staging)).toEqual([]);
    // What the Pulumi CLI would import is what adopting has put into the state.
    const state = await ok(["stack", "export", "--stack", "staging", "--engine", "embedded"], project("staging"));
    const deployed = (JSON.parse(state).deployment.resources as (Entry & { urn: string })[])
      .filter(({ type }) => type.includes("esign:"))
      .map(({ urn, type, id, parent, inputs }) => {
        const { __resource, ...declared } = inputs ?? {};
        if (id) expect(__resource).toBe(urn);
        return { type, name: nameOf(urn), id, parent: nameOf(parent), inputs: inputs && declared };
      });
    const { resources } = JSON.parse(exported["import.json"]!) as { resources: Entry[] };
    const imported = resources.map(({ type, name, id, parent, inputs }) => ({ type, name, id, parent, inputs }));
    expect(imported.sort(byName)).toEqual(deployed.sort(byName));
    expect(await ok(["drift", "--stack", "staging", "--exit-code"], project("staging"))).toBe("No drift.\n");
    await ok(["export", "account:staging", "--out", "staging", "--stack-name", "staging", "--force"]);
    // Of the machine, not of the export: what drift has seen.
    rmSync(join(project("staging"), ".esign"), { recursive: true });
    expect(filesOf(project("staging"))).toEqual(exported);
  });

  test("edit: the plan's text is what the requests then do", async () => {
    const folder = project("staging");
    edit(join(folder, "emails/email-send/subject.txt"), (text) => `${text}!`);
    edit(join(folder, "emails/email-cancelled/body.html"), (text) => text.replace("color: red", "color: blue"));
    edit(join(folder, "account.yaml"), (text) =>
      text.replace("#A1B2C3", "#123456").replace("https://audit.", "https://audit2."),
    );
    edit(join(folder, "account.yaml"), (text) =>
      text.replace("webhooks:\n", "webhooks:\n  new:\n    type: add-contact\n    url: https://new.example.com/\n"),
    );
    const { code, stdout } = await run(["diff", "--exit-code", "stack:staging", ".", "--json"], folder);
    expect(code).toBe(1);
    const { changes } = JSON.parse(stdout) as { changes: ResourceChange[] };
    expect(announced(changes)).toEqual([
      "POST /v1/webhooks webhook_type webhook_url",
      "PUT /v1/branding branding_colour",
      "PUT /v1/branding/emails/email-cancelled branding_email_content",
      "PUT /v1/branding/emails/email-send branding_email_subject",
      "PUT /v1/webhooks/<id> webhook_url",
    ]);
    staging.clearLog();
    await ok([...up, "staging"], folder);
    expect(writes(staging)).toEqual(announced(changes));
    expect((await run(["diff", "--exit-code", "./staging", "account:staging"])).code).toBe(0);
  });

  test("promote: edits of the target's files, envelopes in flight counted, and then the announced requests", async () => {
    await ok([
      "export",
      "account:production",
      "--out",
      "production",
      "--stack-name",
      "production",
      "--language",
      "yaml",
    ]);
    const folder = project("production");

    await ok(["stack", "init", "production", "--engine", "embedded"], folder);
    await ok([...up, "production"], folder);
    production.clearLog();
    const before = filesOf(folder);
    const args = ["promote", "account:staging", "./production@production", "--all"];
    const plan = await run([...args, "--dry-run"]);
    expect(plan.stdout).toContain(
      "2 open envelopes may still send it, with the new content (1 more when its draft is sent)",
    );
    expect(filesOf(folder)).toEqual(before);
    const { changes, remaining } = JSON.parse(await ok([...args, "--json"])) as {
      changes: ResourceChange[];
      remaining: unknown[];
    };
    expect(remaining).toEqual([]);
    expect(writes(production)).toEqual([]);
    await ok(
      ["config", "set", "--stack", "production", "--engine", "embedded", "esign:allowUnknownValues", "true"],
      folder,
    );
    await ok([...up, "production"], folder);
    expect(writes(production)).toEqual(announced(changes));
    const compared = await run(["diff", "--exit-code", "account:staging", "account:production"]);
    // A picture that a folder declares may be the one that an account has a copy of: it is not promoted, and said to be not compared.
    expect(plan.stdout).toContain("not compared: branding, logo");
    expect(compared.stdout).toMatch(/^~ branding\n {4}logo: .*\n1 resource differs\.$/m);
    expect(compared.code).toBe(1);
  });

  test("drift: reported in the output and by the exit code, and reverted by a refresh and an update", async () => {
    const folder = project("staging");
    const byHand = connect({ baseUrl: staging.url, apiKey: staging.keys.account });
    await byHand.branding.update({ branding_colour: "#ff0000" });
    await byHand.branding.updateEmail({
      branding_email_type: "email-reminder",
      branding_email_subject: "By hand {contract title}",
    });
    const [webhook] = await byHand.webhooks.list().all();
    await byHand.webhooks.delete({ webhook_id: webhook!.webhook_id });
    await byHand.webhooks.create({ webhook_type: "opened-envelope", webhook_url: "https://by-hand.example.com/" });
    staging.clearLog();
    const drift = await run(["drift", "--stack", "staging", "--exit-code"], folder);
    expect(drift.code).toBe(1);
    expect(drift.stdout.split("\n")).toEqual(
      expect.arrayContaining([
        "~ branding",
        '    colour: "#123456" → "#FF0000"',
        "~ email template email-reminder",
        `- webhook ${webhook!.webhook_type} ${webhook!.webhook_url}`,
        "3 resources drifted.",
      ]),
    );
    expect(writes(staging)).toEqual([]);
    const unmanaged = await ok(["drift", "unmanaged", "account:staging", "--managed-by", "stack:staging"], folder);
    expect(unmanaged).toContain("webhook opened-envelope https://by-hand.example.com/");
    expect(unmanaged).toContain("1 unmanaged resource in account:staging.");
    await ok(["drift", "unmanaged", "account:staging", "--managed-by", "stack:staging", "--out", "."], folder);
    staging.clearLog();
    await ok([...up, "staging", "--refresh"], folder);
    expect(writes(staging)).toEqual([
      "POST /v1/webhooks webhook_type webhook_url",
      "PUT /v1/branding branding_colour",
      "PUT /v1/branding/emails/email-reminder branding_email_subject",
    ]);
    const { stdout: resolved, code } = await run(["drift", "--stack", "staging", "--exit-code"], folder);
    expect(resolved).toMatch(/^(no longer drifted: .*\n){3}Since the last look, .*: 3 resolved\.\nNo drift\.\n$/);
    expect(code).toBe(0);
    expect(await ok(["drift", "unmanaged", "account:staging"], folder)).toContain(
      "none: code manages everything in account:staging",
    );
  });

  test("unmanaged: outside of a project nothing owns anything, and an account is no owner", async () => {
    // `home` is no project: the list is what could be adopted.
    const unmanaged = await ok(["drift", "unmanaged", "account:production"]);
    expect(unmanaged).toContain("Unmanaged (no project here):");
    expect(unmanaged).toContain("branding: colour, logoUrl");
    expect(unmanaged).toMatch(/unmanaged resources in account:production/);
    const left = JSON.parse(await ok(["drift", "unmanaged", "account:production", "--json"])) as { kind: string }[];
    expect(left.map(({ kind }) => kind)).toContain("Webhook");
    // Two look the same, since secrets are not shown: each has its id.
    const client = connect({ baseUrl: production.url, apiKey: production.keys.account });
    for (const token of ["one", "two"])
      await client.webhooks.create({ webhook_type: "all", webhook_url: `https://x.example/?token=${token}` });
    expect(
      (await ok(["drift", "unmanaged", "account:production"])).match(/ {2}webhook all .*token=… \(\d+\)\n/g),
    ).toHaveLength(2);
    // The option takes all names behind it: the account would own itself, and all be well.
    const swallowed = await run(["drift", "unmanaged", "--managed-by", "account:production"]);
    expect([swallowed.code, swallowed.stdout]).toEqual([2, ""]);
    expect(swallowed.stderr).toContain('"account:production" is an account');
  });

  test("what cannot be compared ends with 2, whatever it was", async () => {
    for (const args of [
      ["diff", "--exit-code", "./nowhere", "account:staging"],
      ["diff", "--exit-code", "account:unknown", "account:staging"],
      ["drift", "--stack", "unknown"],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/error:/);
    }
  });
});
