/** A stack that version 0.1.0 deployed carries on with this build: see test/fixtures/state-0.1.0/README.md. */
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, start } from "../../emulator";
import { type Outcome, root, esign as run, temporaryFolder } from "../cli/esign";

type Data = ReturnType<Service["data"]>;
type Account = Data["accounts"][number];

const fixture = join(root, "test/fixtures/state-0.1.0");
const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
/** What the service had before version 0.1.0 deployed anything. */
const before: Data = readJson(join(fixture, "before.json"));

const folder = temporaryFolder();
let service: Service;
let proxy: http.Server;
let copies = 0;

beforeAll(async () => {
  const file = join(folder.path, "service.json");
  cpSync(join(fixture, "service.json"), file);
  // The state was written with a service that trims texts.
  service = await start({ file, port: 0, tls: true, textStyle: "trimmed" });
  // The state names https://sign.invalid. This proxy is the way there, whatever port the service has.
  proxy = http.createServer().on("connect", (_, socket, head) => {
    const upstream = net.connect(service.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on("error", () => undefined);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
afterAll(async () => {
  proxy?.close();
  await service?.close();
  folder.remove();
});

/** The project with its state and journal, as version 0.1.0 left them. */
function copyProject(): string {
  const project = join(folder.path, `shop-${++copies}`);
  cpSync(join(fixture, "shop"), project, { recursive: true });
  mkdirSync(join(project, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(project, "node_modules/pulumi-esign"));
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(project, "node_modules/@pulumi/pulumi"));
  return project;
}

async function esign(project: string, ...args: string[]): Promise<Outcome> {
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const outcome = await run([...args, "--yes", "--stack", "dev", "--engine", "embedded"], {
    home: folder.path,
    cwd: project,
    env: {
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
      HTTPS_PROXY: address,
      https_proxy: address,
      NO_PROXY: "",
      no_proxy: "",
      // The certificate is for this machine's own names.
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    },
  });
  expect(outcome.code, outcome.stdout + outcome.stderr).toBe(0);
  return outcome;
}

interface Resource {
  urn: string;
  id?: string;
  [field: string]: unknown;
}

/** Resources of a state by URN, without when they were last looked at and which line of which program declared them. */
function resources(project: string): Resource[] {
  const { latest } = readJson(join(project, ".pulumi/stacks/shop/dev.json")).checkpoint;
  return (latest.resources as Resource[])
    .map(({ modified: _, sourcePosition: __, stackTrace: ___, propertyDependencies = {}, ...resource }) => ({
      ...(resource as Resource),
      // A refresh leaves out the arguments that depend on nothing.
      propertyDependencies: Object.entries(propertyDependencies as object).filter(([, urns]) => urns.length > 0),
    }))
    .sort((a, b) => (a.urn < b.urn ? -1 : 1));
}

const requests = () => {
  const counts: Record<string, number> = {};
  for (const { method } of service.requests()) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
};

/** What an account has of what can be deployed. When an e-mail was last changed cannot be restored. */
const contents = ({ branding, emails, webhooks }: Account) => ({
  branding,
  emails: Object.fromEntries(Object.entries(emails).map(([type, { updated: _, ...texts }]) => [type, texts])),
  webhooks: webhooks.map(({ type, url }) => `${type} ${url}`).sort(),
});
const named = (data: Data, name: string) => contents(data.accounts.find((account) => account.name === name)!);

describe("a stack of version 0.1.0", { timeout: 180_000 }, () => {
  it("has nothing to preview or update", async () => {
    const project = copyProject();
    service.clearLog();
    const { stdout, stderr } = await esign(project, "up", "--expect-no-changes");
    expect(stdout + stderr).toContain("34 unchanged");
    expect(requests()).toEqual({ GET: expect.any(Number) });
    expect(resources(project)).toEqual(resources(join(fixture, "shop")));
  });

  it("has nothing to refresh", async () => {
    const project = copyProject();
    service.clearLog();
    const { stdout, stderr } = await esign(project, "refresh", "--expect-no-changes");
    expect(stdout + stderr).toContain("Nothing changed: 35 unchanged");
    expect(requests()).toEqual({ GET: expect.any(Number) });
    // A refresh fills in the arguments of what is only read.
    const managed = (path: string) => resources(path).filter(({ external }) => external !== true);
    expect(managed(project)).toEqual(managed(join(fixture, "shop")));
  });

  it("is destroyed: what was there before is restored, and what it created is deleted", async () => {
    // Originals come back as they were, not as a service that trims would keep them.
    service.configure({ textStyle: "exact" });
    service.clearLog();
    const project = copyProject();
    await esign(project, "destroy", "--exclude-protected");
    expect(resources(project).filter(({ id }) => id !== undefined)).toMatchObject([
      { type: "pulumi-nodejs:dynamic/esign:Company", protect: true },
      { type: "pulumi:providers:pulumi-nodejs" },
    ]);

    const after = service.data();
    expect(after.accounts.map(({ name }) => name).sort()).toEqual(["Orchard Insurance", "Other", "Shop"]);
    const shop = named(before, "Shop");
    expect(named(after, "Shop")).toEqual({
      branding: shop.branding,
      // `onDelete: "keep"`.
      emails: {
        ...shop.emails,
        "email-widget-verify": { ...shop.emails["email-widget-verify"], subject: "Confirm your address" },
      },
      // The adopted one is deleted as if it had been created; the one with `retainOnDelete` and the one that is only read stay.
      webhooks: ["add-user https://hooks.example.com/users", "opened-envelope https://hooks.example.com/read"],
    });
    expect(named(after, "Orchard Insurance")).toEqual({ ...named(before, "Orchard Insurance"), webhooks: [] });
    expect(named(after, "Other")).toEqual(named(before, "Other"));
  });
});
