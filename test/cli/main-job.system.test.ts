/** The main job, as a new user does it: `npm run up` in the repository, again after an edit, and `npm run destroy`. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { start } from "../../emulator";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { type Outcome, root, run, sharedKeys } from "./esign";

// Real installs and deployments: a busy machine needs its time.
const folder = temporaryFolder();
const clone = join(folder, "clone");
const home = join(folder, "home");

/** A copy of the repository as it stands, built, with links to what is installed. */
beforeAll(() => {
  mkdirSync(home);
  cpSync(root, clone, {
    recursive: true,
    filter: (path) =>
      !/[\\/](\.git|\.pulumi|\.esign|node_modules|Pulumi\.dev\.yaml)$/.test(path) &&
      !["test", "engine/test", "tools/bench", "docs", "dist/.modules"].some((folder) => path === join(root, folder)),
  });
  writeFileSync(join(clone, "dist/.built"), "");
  const modules = join(clone, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    const ours = name === "pulumi-esign" || name.startsWith("esign-example-");
    const target = name === "pulumi-esign" ? clone : join(clone, "examples", name.replace("esign-example-", ""));
    if (!name.startsWith(".package-lock"))
      symlinkSync(ours ? target : join(root, "node_modules", name), join(modules, name));
  }
  // What says that everything is installed.
  writeFileSync(join(modules, ".package-lock.json"), "{}");
});

const outcomes: Outcome[] = [];
const keys = { NODE_OPTIONS: sharedKeys };

async function keep(outcome: Promise<Outcome>): Promise<Outcome & { all: string }> {
  const { stdout, stderr, code } = await outcome;
  outcomes.push({ stdout, stderr, code });
  return { stdout, stderr, code, all: stderr + stdout };
}

function npm(verb: string): ReturnType<typeof keep> {
  const path = process.env.npm_execpath;
  const [command, first] = path ? [process.execPath, [path]] : ["npm", []];
  return keep(run(command, [...first, "run", verb, "--", "--engine", "embedded"], { home, cwd: clone, env: keys }));
}

/** What `npm run` runs, without the time that npm itself takes. */
function script(verb: string, env: Record<string, string> = {}, ...args: string[]): ReturnType<typeof keep> {
  const [, file = ""] = /^node (\S+) /.exec(scripts[verb]!)!;
  const options = { home, cwd: clone, env: { ...keys, ...env } };
  return keep(run(process.execPath, [file, verb, ...args, "--engine", "embedded"], options));
}
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Everything that the interface answers about the account. */
async function account() {
  const service = await start({ file: join(clone, ".esign/service.json") });
  try {
    const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
    const { branding_emails: emails } = await client.branding.emails();
    return {
      branding: await client.branding.get(),
      emails,
      webhooks: await client.webhooks.list().all(),
      companies: await client.companies.list().all(),
      key: service.keys.partner,
    };
  } finally {
    await service.close();
  }
}

const data = () => readFileSync(join(clone, ".esign/service.json"), "utf8");

describe("npm run", () => {
  let before: Awaited<ReturnType<typeof account>>;
  let deployed: Awaited<ReturnType<typeof account>>;
  let bytes: string;

  it("up without an account sets up a local one, deploys the account example, and shows plan, progress, result and outputs", async () => {
    mkdirSync(join(clone, ".esign"), { recursive: true });
    before = await account();
    bytes = data();
    const { code, all } = await npm("up");
    expect(all).toMatch(/^Preview {2}\S+\/dev → http:\/\/127\.0\.0\.1:\d+ {2}key \S+ {2}built-in engine$/m);
    expect(all).toContain("2 to create, 8 to adopt and update. Account writes: 10.");
    expect(all).toMatch(/=~ {2}BrandingEmail {2}email-send +adopt and update/);
    expect(all).toMatch(/=~ BrandingEmail email-send +adopted, updated/);
    expect(all).toMatch(/webhookIds:\n +rejected: "\d+"\n +signed: "\d+"/);
    expect(all).toMatch(/2 created, 8 adopted and updated\. Account writes: 10\. \(\d/);
    expect(all).toContain("`npm run destroy` deletes or restores everything");
    expect(code).toBe(0);
    deployed = await account();
    expect(deployed.branding.branding_colour).toBe("#0B7285");
    expect(deployed.emails).toHaveLength(7);
    expect(
      deployed.emails.every((email, i) => email.branding_email_content !== before.emails[i]?.branding_email_content),
    ).toBe(true);
    expect(deployed.webhooks).toHaveLength(2);
  });

  it("up after an edit shows the property that changes, and changes only that", async () => {
    const file = join(clone, "examples/account/emails/email-send/body.html");
    writeFileSync(file, readFileSync(file, "utf8").replace("has sent you", "is waiting for you to sign"));
    // What its plan shows: display.test.ts.
    const { code, all } = await script("up", {}, "--skip-preview");
    expect(all).toContain("updated [~content]");
    expect(all).toContain("1 updated, 9 unchanged. Account writes: 1.");
    expect(code).toBe(0);
    const now = await account();
    const edited = now.emails.find((email) => email.branding_email_type === "email-send");
    expect(edited?.branding_email_content).toContain("is waiting for you to sign");
    const others = ({ emails, ...rest }: typeof now) => ({
      ...rest,
      emails: emails.filter((email) => email.branding_email_type !== "email-send"),
    });
    expect(others(now)).toEqual(others(deployed));
  });

  it("destroy restores the service as it was before, byte for byte", async () => {
    const { code, all } = await script("destroy");
    expect(all).toContain("2 deleted, 8 restored. Account writes: 10.");
    expect(code).toBe(0);
    expect(data()).toBe(bytes);
    expect(await account()).toEqual(before);
    const state = JSON.parse(readFileSync(join(clone, ".pulumi/stacks/esign-account/dev.json"), "utf8"));
    expect(state.checkpoint.latest.resources ?? []).toEqual([]);
  });

  it("preview with ESIGN_BASE_URL and ESIGN_API_KEY is of that account", async () => {
    const service = await emulatorForTest();
    const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account, PULUMI_CONFIG_PASSPHRASE: "pw" };
    const { code, all } = await script("preview", env, "--stack", "real");
    expect(all).toContain("2 to create, 8 to adopt and update. Account writes: 10.");
    expect(all).toContain(`/real → ${service.url} `);
    expect(all).not.toContain("the local emulator");
    expect(code).toBe(0);
    expect(Object.keys(service.counts().byMethod)).toEqual(["GET"]);
  });

  it("shows and keeps no key in clear", () => {
    const printed = outcomes.map(({ stdout, stderr }) => stdout + stderr).join("\n");
    expect(printed).not.toContain(before.key);
    const state = readdirSync(join(clone, ".pulumi"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(state.length).toBeGreaterThan(2);
    expect(state.join("\n")).not.toContain(before.key);
  });
});
