/**
 * The same account kept by `esign`, by a script, and by Terraform with a generic REST provider: requests, and what becomes of the
 * account. For docs/explanation/comparison.md. The last one is measured where it is found: see `_terraform.ts`.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Emulator, start } from "../../emulator";
import {
  terraform,
  terraformConfiguration,
  terraformEnvironment,
  terraformInit,
  terraformPlugins,
  terraformWebhook,
} from "./_terraform";

const root = path.join(__dirname, "../..");
const dir = mkdtempSync(path.join(tmpdir(), "bench-comparison-"));
const WEBHOOKS = 10;

/** What the account should be. */
interface Desired {
  branding: { branding_colour: string };
  emails: Record<string, { branding_email_subject: string }>;
  webhooks: { webhook_type: string; webhook_url: string }[];
}
interface Contender {
  /** Writes the program or the configuration. */
  declare(folder: string, desired: Desired): void;
  run(folder: string, env: NodeJS.ProcessEnv): Promise<number | null>;
}

const json = JSON.stringify;
const execute = (folder: string, env: NodeJS.ProcessEnv, command: string, ...args: string[]) =>
  new Promise<number | null>((done, fail) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: dir, PULUMI_HOME: `${dir}/.pulumi`, ...env },
      stdio: "pipe",
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    child.once("error", fail).once("close", (code) => {
      if (process.env.DETAILS !== undefined) console.log(output);
      done(code);
    });
  });

const esign: Contender = {
  declare(folder, { branding, emails, webhooks }) {
    mkdirSync(path.join(folder, "node_modules"), { recursive: true });
    for (const [name, target] of [
      ["pulumi-esign", root],
      ["@pulumi", path.join(root, "node_modules/@pulumi")],
    ] as const) {
      rmSync(path.join(folder, "node_modules", name), { force: true });
      symlinkSync(target, path.join(folder, "node_modules", name));
    }
    writeFileSync(path.join(folder, "Pulumi.yaml"), "name: bench\nruntime: nodejs\nbackend:\n  url: file://.\n");
    writeFileSync(
      path.join(folder, "index.js"),
      `const esign = require("pulumi-esign");
       new esign.Branding("branding", { colour: ${json(branding.branding_colour)} });
       for (const [type, { branding_email_subject: subject }] of Object.entries(${json(emails)}))
         new esign.BrandingEmail(type, { type, subject });
       for (const { webhook_type: type, webhook_url: url } of ${json(webhooks)}) new esign.Webhook(url, { type, url });`,
    );
  },
  async run(folder, env) {
    const run = (...args: string[]) =>
      execute(
        folder,
        { ...env, PULUMI_CONFIG_PASSPHRASE: "bench" },
        process.execPath,
        path.join(root, "dist/cli/main.js"),
        ...args,
      );
    if (!existsSync(path.join(folder, ".pulumi"))) await run("stack", "init", "bench");
    return run("up", "--yes", "--engine", "embedded");
  },
};

const script: Contender = {
  declare: (folder, desired) => writeFileSync(path.join(folder, "desired.json"), json(desired)),
  run: (folder, env) => execute(folder, env, process.execPath, path.join(__dirname, "comparison-script.mjs")),
};

const restProvider: Contender = {
  declare(folder, { branding, emails, webhooks }) {
    const singleton = (at: string, data: object) => ({
      path: at,
      object_id: at,
      data: json(data),
      create_method: "PUT",
      destroy_method: "GET",
      ...Object.fromEntries(["create", "read", "update", "destroy"].map((verb) => [`${verb}_path`, at])),
    });
    // An email is read from the list of all.
    const email = (type: string, data: object) => ({
      ...singleton(`/v1/branding/emails/${type}`, data),
      object_id: type,
      id_attribute: "branding_email_type",
      read_path: "/v1/branding/emails",
      read_search: { search_key: "branding_email_type", search_value: type, results_key: "branding_emails" },
    });
    const objects = {
      branding: singleton("/v1/branding", branding),
      ...Object.fromEntries(Object.entries(emails).map(([type, data]) => [type, email(type, data)])),
      ...Object.fromEntries(
        webhooks.map(({ webhook_type, webhook_url }, i) => [
          `webhook-${i}`,
          terraformWebhook(webhook_type, webhook_url),
        ]),
      ),
    };
    writeFileSync(path.join(folder, "main.tf.json"), terraformConfiguration(objects));
  },
  async run(folder, { ESIGN_BASE_URL, ESIGN_API_KEY }) {
    const env = terraformEnvironment(ESIGN_BASE_URL!, ESIGN_API_KEY!);
    await execute(folder, env, terraform, ...terraformInit);
    return execute(folder, env, terraform, "apply", "-auto-approve", "-input=false");
  },
};

const desired = (): Desired => ({
  branding: { branding_colour: "#0B7285" },
  emails: { "email-send": { branding_email_subject: "Please sign: {contract title}" } },
  webhooks: Array.from({ length: WEBHOOKS }, (_, i) => ({
    webhook_type: "signed-envelope-complete",
    webhook_url: `https://hooks.example.com/${i}`,
  })),
});

/** An account that was made by hand, and is as desired. */
const makeAccount = () => {
  const { branding, emails, webhooks } = desired();
  return start({
    edition: "current",
    seed: {
      account: {
        branding: { colour: branding.branding_colour },
        emails: { "email-send": { subject: emails["email-send"]!.branding_email_subject } },
        webhooks: webhooks.map(({ webhook_type, webhook_url }) => ({ type: webhook_type as "all", url: webhook_url })),
      },
    },
  });
};

/** Runs a contender; what it sent, and how many webhooks the account has too many. */
async function measure(contender: Contender, folder: string, service: Emulator, wanted: Desired): Promise<string> {
  contender.declare(folder, wanted);
  const before = service.requests().length;
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account, ESIGN_EDITION: "current" };
  const since = performance.now();
  const code = await contender.run(folder, env);
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  const requests = service.requests().slice(before);
  const writes = requests.filter(({ method }) => method !== "GET").length;
  const { webhooks } = await ask(service, "webhooks?limit=50");
  const extra = (webhooks as unknown[]).length - wanted.webhooks.length;
  return `${seconds.padStart(4)} s, ${requests.length} requests, ${writes} writes${code === 0 ? "" : `, exit code ${code}`}${extra ? `, ${extra} duplicates` : ""}`;
}

async function ask(service: Emulator, at: string, method = "GET", body?: object): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${service.keys.account}:x`).toString("base64")}`,
    "content-type": "application/json",
  };
  const response = await fetch(`${service.url}/v1/${at}`, { method, headers, ...(body && { body: json(body) }) });
  return (await response.json()) as Record<string, unknown>;
}

/** The life of one account. */
async function live(name: string, contender: Contender): Promise<Record<string, string>> {
  const folder = path.join(dir, name);
  mkdirSync(folder);
  const service = await makeAccount();
  const wanted = desired();
  const step = () => measure(contender, folder, service, wanted);
  try {
    const rows: Record<string, string> = { "first run": await step(), "nothing changed": await step() };
    wanted.emails["email-send"]!.branding_email_subject = "Sign here: {contract title}";
    rows["one subject changed"] = await step();
    await ask(service, "branding", "PUT", { branding_colour: "#AA0000" });
    wanted.branding.branding_colour = "#00AA00";
    rows["the colour changed here and in the web app"] = await step();
    const { branding_colour: colour } = await ask(service, "branding");
    rows["… the colour of the web app is"] = colour === "#AA0000" ? "kept" : "overwritten";
    if (colour === "#AA0000") wanted.branding.branding_colour = "#0B7285";
    service.configure({ faults: [{ kind: "cut-after", operation: "webhooks.create", nth: 1 }] });
    wanted.webhooks.push({ webhook_type: "all", webhook_url: "https://hooks.example.com/new" });
    rows["a response is lost"] = await step();
    rows["… and again"] = await step();
    return rows;
  } finally {
    await service.close();
  }
}

async function main(): Promise<void> {
  const contenders: Record<string, Contender> = { esign, script };
  if (terraformPlugins !== undefined) contenders.terraform = restProvider;
  for (const [name, contender] of Object.entries(contenders)) {
    const rows = await live(name, contender);
    console.log(name);
    for (const [step, result] of Object.entries(rows)) console.log(`  ${step.padEnd(44)} ${result}`);
    const isAsPromised = rows["first run"]?.includes("0 writes") && !json(rows).includes("duplicates");
    if (name === "esign" && !isAsPromised) process.exitCode = 1;
  }
}

void main().finally(() => rmSync(dir, { recursive: true, force: true }));
