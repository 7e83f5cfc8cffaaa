/** Stacks that each released version deployed carry on with this build: see test/fixtures/state-0.1.0/README.md. */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { esign } from "../cli/in-process";
import { save } from "../files";
import { generatedSdk, pluginPackage } from "./program-forms";
import { type Data, fixtures, readJson, Scene, stackOptions } from "./released-state";

type Account = Data["accounts"][number];

const released = readdirSync(fixtures).filter((name) => name.startsWith("state-"));

/** Runs a command that must succeed, and returns what it printed. */
async function run(scene: Scene, project: string, ...args: string[]): Promise<string> {
  const options = { home: scene.folder, cwd: project, env: scene.environment };
  const { code, stdout, stderr } = await esign([...args, ...stackOptions], options);
  expect(code, stdout + stderr).toBe(0);
  return stdout + stderr;
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

/** A refresh leaves it out. */
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
    expect(await run(scene, project, "up", "--expect-no-changes")).toContain(
      `${read} read, ${all - read} unchanged. Account writes: 0.`,
    );
    expect(resources(project)).toEqual(original());
    expect(await run(scene, project, "refresh", "--expect-no-changes")).toContain(
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
    await run(scene, moved, "up");
    expect(await run(scene, moved, "up", "--expect-no-changes")).toContain("Account writes: 0.");
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
      await run(scene, project, "destroy", "--exclude-protected");
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
    await run(scene, project, "up");
    const writes = service.requests().filter(({ method }) => method !== "GET");
    expect(writes.map(({ operation, fields }) => [operation, fields]).sort()).toEqual([
      // Under which address the service keeps the logo was in the response that never came.
      ["branding.update", ["branding_logo_url"]],
      // It takes a request of its own after the creation, which the killed run never reached.
      ["companies.update", ["company_email"]],
    ]);
    expect(ids()).toEqual(before);
    await run(scene, project, "up", "--expect-no-changes");
  });

  it("is destroyed: the original values are restored from the journal, and what it created is deleted", async () => {
    const { before, service } = scene;
    service.configure({ textStyle: "exact" });
    await run(scene, project, "destroy");
    const after = service.data();
    expect(after.accounts.map(({ name }) => name).sort()).toEqual(["Orchard Insurance", "Other", "Shop"]);
    expect(named(after, "Shop")).toEqual(named(before, "Shop"));
  });
});
