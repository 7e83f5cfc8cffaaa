/** Pulumi's Automation API on the built-in engine: the life of a stack, with a program of this process and with one in files. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  type EngineEvent,
  LocalWorkspace,
  type LocalWorkspaceOptions,
  type PulumiCommand,
  StackNotFoundError,
} from "@pulumi/pulumi/automation";
import { beforeAll, expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { linkPackages, root, sharedKeys } from "./esign";

const home = temporaryFolder();
const emulator = useEmulator();
let pulumiCommand: PulumiCommand;

const require = createRequire(join(root, "package.json"));
// Built: the provider's process loads the package by its name.
const esign = require("pulumi-esign") as typeof import("../../provider");

beforeAll(async () => {
  const { engineCommand } = require("pulumi-esign/automation") as typeof import("../../cli/automation");
  pulumiCommand = await engineCommand();
});

/** What a workspace has that keeps its states in the temporary folder. */
const options = (more: LocalWorkspaceOptions = {}): LocalWorkspaceOptions => ({
  pulumiCommand,
  pulumiHome: home,
  ...more,
  envVars: {
    PULUMI_BACKEND_URL: `file://${home}`,
    PULUMI_CONFIG_PASSPHRASE: "correct horse",
    NODE_OPTIONS: sharedKeys,
    ...more.envVars,
  },
});

const projectSettings = { name: "customers", runtime: "nodejs" as const, main: home };

test("an inline program, from the first stack to the last", async () => {
  linkPackages(home);
  const program = async () => {
    const url = new pulumi.Config().require("url");
    const hook = new esign.Webhook("signed", { type: "signed-envelope-complete", url });
    return { webhookId: hook.webhookId, token: new pulumi.Config().requireSecret("token") };
  };
  const stack = await LocalWorkspace.createOrSelectStack(
    { projectName: "customers", stackName: "acme", program },
    options({ projectSettings }),
  );
  const { workspace } = stack;
  const hooks = () => emulator.data().accounts.flatMap(({ webhooks }) => webhooks);

  await stack.setAllConfig({
    "esign:baseUrl": { value: emulator.url },
    "esign:apiKey": { value: emulator.keys.account, secret: true },
    url: { value: "https://hooks.example.com/acme" },
    token: { value: "-hush", secret: true },
  });
  expect(await stack.getConfig("token")).toEqual({ value: "-hush", secret: true });

  const events: EngineEvent[] = [];
  const preview = await stack.preview({ onEvent: (event) => events.push(event) });
  expect(preview.changeSummary).toEqual({ create: 2 });
  expect(hooks()).toEqual([]);
  const metadata = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  expect(metadata.map(({ op, type }) => [op, type])).toEqual([
    ["create", "pulumi:pulumi:Stack"],
    ["create", "pulumi-nodejs:dynamic/esign:Webhook"],
  ]);
  expect(metadata[1]!.new!.inputs).toMatchObject({ url: "https://hooks.example.com/acme" });
  expect(JSON.stringify(events)).not.toMatch(/-hush|__provider/);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i));
  expect(events.at(-1)).toHaveProperty("cancelEvent");

  const up = await stack.up({ message: "welcome", refresh: true, runProgram: true });
  expect(up.outputs).toEqual({
    webhookId: { value: String(hooks()[0]!.id), secret: false },
    token: { value: "-hush", secret: true },
  });
  expect(up.summary).toMatchObject({
    kind: "update",
    result: "succeeded",
    message: "welcome",
    resourceChanges: { create: 2 },
    environment: { "exec.kind": "auto.inline" },
  });
  expect(up.summary.config["customers:token"]).toEqual({ value: "-hush", secret: true });
  expect((await stack.previewRefresh()).changeSummary).toEqual({ same: 2 });

  const exported = await stack.exportStack();
  await stack.importStack(exported);
  expect((await stack.exportStack()).deployment.resources).toEqual(exported.deployment.resources);

  await stack.rename({ stackName: "acme-ltd" });
  expect(await workspace.listStacks()).toMatchObject([{ name: "acme-ltd", current: true, resourceCount: 3 }]);
  const destroyed = await stack.destroy({ remove: true });
  expect(destroyed.summary).toMatchObject({ kind: "destroy", result: "succeeded", resourceChanges: { delete: 2 } });
  expect(hooks()).toEqual([]);
  await expect(workspace.selectStack("acme-ltd")).rejects.toThrow(StackNotFoundError);
});

test("a program in files: its failure is reported, its state is kept where the Pulumi CLI finds it", async () => {
  const workDir = join(home, "shop");
  mkdirSync(workDir);
  writeFileSync(
    join(workDir, "Pulumi.yaml"),
    "name: shop\nruntime: { name: nodejs, options: { typescript: false } }\n",
  );
  writeFileSync(join(workDir, "package.json"), "{}");
  writeFileSync(
    join(workDir, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
     if (new pulumi.Config().getBoolean("fails")) throw new Error("out of stock");
     exports.stack = pulumi.getStack();`,
  );
  const stack = await LocalWorkspace.createStack({ stackName: "organization/shop/dev", workDir }, options());
  expect((await stack.up()).outputs).toEqual({ stack: { value: "dev", secret: false } });
  await stack.setConfig("fails", { value: "true" });
  await expect(stack.up()).rejects.toThrow("out of stock");
  expect(existsSync(join(home, ".pulumi/stacks/shop/dev.json"))).toBe(true);
  // Not by the SDK, whose own error an inline program would wait for: the command would never end.
  const program = async () => void new pulumi.ErrorHook("retry", () => true);
  await expect(stack.preview({ program })).rejects.toThrow("error hooks");
  await stack.workspace.removeStack("dev", { force: true });
  expect(readdirSync(workDir)).not.toContain("Pulumi.dev.yaml");
});

test("a user of a container who has no name is the number", async () => {
  const nameless = join(home, "nameless.cjs");
  writeFileSync(nameless, `require("node:os").userInfo = () => { throw new Error("no such user"); };\n`);
  const workspace = await LocalWorkspace.create(
    options({ workDir: temporaryFolder(), projectSettings, envVars: { NODE_OPTIONS: `--require ${nameless}` } }),
  );
  expect((await workspace.whoAmI()).user).toBe(String(process.getuid?.() ?? "unknown"));
});
