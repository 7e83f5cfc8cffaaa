/** Stacks that each released version deployed carry on with this build: see test/fixtures/state-0.1.0/README.md. */
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, start } from "../../emulator";
import { linkPackages, root } from "../cli/esign";
import { esign } from "../cli/in-process";
import { save, temporaryFolder } from "../files";
import { generatedSdk, pluginPackage } from "./program-forms";

type Data = ReturnType<Emulator["data"]>;
type Account = Data["accounts"][number];

const fixtures = join(root, "test/fixtures");
const released = readdirSync(fixtures).filter((name) => name.startsWith("state-"));
const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

/** A service with the data of a fixture, and copies of the project that was deployed to it. */
class Scene {
  readonly #proxy: http.Server;
  /** What the service had before version 0.1.0 deployed anything. */
  readonly before: Data;

  private constructor(
    readonly fixture: string,
    readonly folder: string,
    readonly service: Emulator,
  ) {
    this.before = readJson(join(fixture, "before.json"));
    // The state names https://sign.invalid. This proxy is the way there, whatever port the service has.
    this.#proxy = http.createServer().on("connect", (_, socket, head) => {
      const upstream = net.connect(service.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [socket, upstream]) end.on("error", () => undefined);
    });
  }

  static async open(name: string): Promise<Scene> {
    const folder = temporaryFolder();
    const fixture = join(fixtures, name);
    const file = join(folder, "service.json");
    cpSync(join(fixture, "service.json"), file);
    // The states were written with a service that trims texts.
    const scene = new Scene(
      fixture,
      folder,
      await start({ file, port: 0, tls: true, textStyle: "trimmed", allowHosts: ["sign.invalid"] }),
    );
    scene.#proxy.listen(0, "127.0.0.1");
    await once(scene.#proxy, "listening");
    return scene;
  }

  async close(): Promise<void> {
    this.#proxy.close();
    await this.service.close();
  }

  /** The project with its state and journal, as version 0.1.0 left them. */
  copyProject(): string {
    const project = join(this.folder, "shop");
    cpSync(join(this.fixture, "shop"), project, { recursive: true });
    linkPackages(project);
    return project;
  }

  /** Runs a command that must succeed, and returns what it printed. */
  async esign(project: string, ...args: string[]): Promise<string> {
    const address = `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await esign([...args, "--yes", "--stack", "dev", "--engine", "embedded"], {
      home: this.folder,
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
    expect(code, stdout + stderr).toBe(0);
    return stdout + stderr;
  }
}

interface Resource {
  urn: string;
  id?: string;
  [field: string]: unknown;
}

/** Resources of a state by URN, without when they were last looked at, which line of which program declared them, and their URN as an argument. */
function resources(project: string): Resource[] {
  const { latest } = readJson(join(project, ".pulumi/stacks/shop/dev.json")).checkpoint;
  return (latest.resources as Resource[])
    .map(({ modified: _, sourcePosition: __, stackTrace: ___, propertyDependencies = {}, inputs, ...resource }) => ({
      ...(resource as Resource),
      ...(inputs !== undefined && { inputs: withoutUrn(inputs as Record<string, unknown>) }),
      // A refresh leaves out the arguments that depend on nothing.
      propertyDependencies: Object.entries(propertyDependencies as object).filter(([, urns]) => urns.length > 0),
    }))
    .sort((a, b) => (a.urn < b.urn ? -1 : 1));
}

/** Absent in states of 0.1.0. */
const withoutUrn = ({ __resource: _, ...inputs }: Record<string, unknown>) => inputs;

/** What an account has of what can be deployed. When an email was last changed cannot be restored. */
const contents = ({ branding, emails, webhooks }: Account) => ({
  branding,
  emails: Object.fromEntries(Object.entries(emails).map(([type, { updated: _, ...texts }]) => [type, texts])),
  webhooks: webhooks.map(({ type, url }) => `${type} ${url}`).sort(),
});
const named = (data: Data, name: string) => contents(data.accounts.find((account) => account.name === name)!);

describe.each(released)("a stack that was deployed by the version of %s", (version) => {
  let scene: Scene;
  let project: string;
  beforeAll(async () => {
    scene = await Scene.open(`${version}/deployed`);
    project = scene.copyProject();
  });
  afterAll(() => scene?.close());
  const original = () => resources(join(scene.fixture, "shop"));
  const ours = () => original().filter(({ type }) => String(type).startsWith("pulumi-nodejs:dynamic/esign:"));

  it("has nothing to preview or update, and then nothing to refresh", async () => {
    const [read, all] = [ours().filter(({ external }) => external === true).length, ours().length];
    scene.service.clearLog();
    expect(await scene.esign(project, "up", "--expect-no-changes")).toContain(
      `${read} read, ${all - read} unchanged. Account writes: 0.`,
    );
    expect(resources(project)).toEqual(original());
    expect(await scene.esign(project, "refresh", "--expect-no-changes")).toContain(
      `No changes. ${all} resources up to date. Account writes: 0.`,
    );
    expect(scene.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    // A refresh fills in the arguments of what is only read.
    const isManaged = ({ external }: Resource) => external !== true;
    expect(resources(project).filter(isManaged)).toEqual(original().filter(isManaged));
  });

  it("moves to the plugin without a write, and has nothing to update then", async () => {
    const moved = join(scene.folder, "moved");
    cpSync(project, moved, { recursive: true });
    const read = (name: string) => readFileSync(join(moved, name), "utf8");
    save(moved, {
      "sdk.js": `${generatedSdk}\nmodule.exports = esign;\n`,
      // The outputs of components and of functions have other names.
      "index.js": read("index.js")
        .replace('require("pulumi-esign")', 'require("./sdk")')
        .replace(/^exports.*$/gm, ""),
      "Pulumi.yaml": `${read("Pulumi.yaml")}\n${pluginPackage}`,
    });
    scene.service.clearLog();
    await scene.esign(moved, "up");
    expect(await scene.esign(moved, "up", "--expect-no-changes")).toContain("Account writes: 0.");
    expect(scene.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    const ids = (of: Resource[]) =>
      of.flatMap(({ type, id }) => (/^pulumi:/.test(String(type)) ? [] : (id ?? []))).sort();
    expect(ids(resources(moved))).toEqual(ids(resources(project)));
  });

  // Of the first fixture, whose objects are listed here.
  it.runIf(version === "state-0.1.0")(
    "is destroyed: the original values are restored, and what it created is deleted",
    async () => {
      const { before, service } = scene;
      // Originals come back as they were, not as a service that trims would keep them.
      service.configure({ textStyle: "exact" });
      await scene.esign(project, "destroy", "--exclude-protected");
      expect(resources(project).filter(({ id }) => id !== undefined)).toMatchObject([
        { type: "pulumi-nodejs:dynamic/esign:Company", protect: true },
        { type: "pulumi:providers:pulumi-nodejs" },
      ]);

      const after = service.data();
      expect(after.accounts.map(({ name }) => name).sort()).toEqual(["Orchard Insurance", "Other", "Shop"]);
      const { branding, emails } = named(before, "Shop");
      expect(branding.colour).toBe("#1F6FEB");
      expect(emails["email-send"]!.subject).toBe("Before: {contract title}");
      expect(named(after, "Shop")).toEqual({
        branding,
        // `onDelete: "keep"`.
        emails: {
          ...emails,
          "email-widget-verify": { ...emails["email-widget-verify"], subject: "Confirm your address" },
        },
        // The adopted one is deleted like a created one. The one with `retainOnDelete` and the one that is only read stay.
        webhooks: ["add-user https://hooks.example.com/users", "opened-envelope https://hooks.example.com/read"],
      });
      expect(named(after, "Orchard Insurance")).toEqual({ ...named(before, "Orchard Insurance"), webhooks: [] });
      expect(named(after, "Other")).toEqual(named(before, "Other"));
    },
  );
});

describe("a stack whose update by version 0.1.0 was killed before any response to a write", () => {
  let scene: Scene;
  let project: string;
  beforeAll(async () => {
    scene = await Scene.open("state-0.1.0/interrupted");
    project = scene.copyProject();
  });
  afterAll(() => scene?.close());

  it("is finished by the next update, which creates nothing twice", async () => {
    const { service } = scene;
    const ids = () => service.data().accounts.map(({ id, webhooks }) => [id, webhooks.map((webhook) => webhook.id)]);
    const before = ids();
    service.clearLog();
    await scene.esign(project, "up");
    const writes = service.requests().filter(({ method }) => method !== "GET");
    expect(writes.map(({ operation, fields }) => [operation, fields]).sort()).toEqual([
      // Under which address the service keeps the logo was in the response that never came.
      ["branding.update", ["branding_logo_url"]],
      // It takes a request of its own after the creation, which the killed run never reached.
      ["companies.update", ["company_email"]],
    ]);
    expect(ids()).toEqual(before);
    await scene.esign(project, "up", "--expect-no-changes");
  });

  it("is destroyed: the original values are restored from the journal, and what it created is deleted", async () => {
    const { before, service } = scene;
    service.configure({ textStyle: "exact" });
    await scene.esign(project, "destroy");
    const after = service.data();
    expect(after.accounts.map(({ name }) => name).sort()).toEqual(["Orchard Insurance", "Other", "Shop"]);
    expect(named(after, "Shop")).toEqual(named(before, "Shop"));
  });
});
