/** The kit as tests of programs use it: a real project, deployed by the real command. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { keyFingerprint } from "../../emulator";
import { TestRunError, testStack } from "../../testing";
import { linkPackages, sharedKeys } from "../cli/esign";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";

const home = temporaryFolder();
const project = join(home, "shop");

const program = (body: string) =>
  writeFileSync(
    join(project, "index.js"),
    `const pulumi = require("@pulumi/pulumi"), esign = require("pulumi-esign");\n${body}`,
  );

beforeAll(() => {
  vi.stubEnv("NODE_OPTIONS", sharedKeys);
  linkPackages(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ main: "index.js" }));
  writeFileSync(
    join(project, "Pulumi.yaml"),
    'name: shop\nruntime: { name: nodejs, options: { typescript: false } }\nbackend: { url: "file://." }\n',
  );
});

afterAll(() => void vi.unstubAllEnvs());

test("a project is previewed, deployed and destroyed, and neither state nor configuration is written beside its program", async () => {
  program(`const config = new pulumi.Config();
    const url = config.require("url");
    const webhook = new esign.Webhook("signed", { type: "signed-envelope-complete", url });
    new esign.Branding("branding", { colour: "#0B7285" });
    exports.webhookId = webhook.webhookId;
    exports.token = pulumi.secret("hush");
    for (const key of ["a", "b", "c", "d"]) exports[key] = config.require(key);`);
  // They look like options, a number, and nothing.
  const values = { a: "--secret", b: "-h", c: "-5", d: "" };
  const stack = await testStack(project, { config: { url: "https://hooks.example.com/signed", ...values } });
  try {
    const signed = { kind: "Webhook", name: "signed", effect: "create", fields: [] };
    const branding = { kind: "Branding", name: "branding", effect: "adopt-and-update", fields: ["colour"] };
    const preview = await stack.preview();
    expect(preview.effects).toEqual(expect.arrayContaining([signed, branding]));
    expect([preview.effects.length, preview.writes, preview.warnings]).toEqual([2, 2, []]);
    expect(preview.requests.filter(({ method }) => method !== "GET")).toEqual([]);

    const up = await stack.up();
    expect(up.effects).toEqual(expect.arrayContaining([signed, branding]));
    expect(up.requests.filter(({ method }) => method === "POST")).toMatchObject([{ path: "/v1/webhooks" }]);
    const [webhook] = stack.emulator.data().accounts.flatMap(({ webhooks }) => webhooks);
    expect(await stack.outputs()).toEqual({ webhookId: String(webhook!.id), token: "hush", ...values });

    expect(await stack.preview()).toMatchObject({ effects: [], writes: 0 });
    expect((await stack.destroy()).writes).toBe(2);
    expect(stack.emulator.data().accounts.flatMap(({ webhooks }) => webhooks)).toEqual([]);
  } finally {
    await stack.close();
  }
  // The crash journal, which Git ignores, lies beside the program.
  expect(readdirSync(project).sort()).toEqual([".esign", "Pulumi.yaml", "index.js", "node_modules", "package.json"]);
});

test("what is refused is an error with the reasons, and the emulator of the test stays its own", async () => {
  program(`new esign.Webhook("signed", { type: "signed-envelop", url: "https://hooks.example.com" });`);
  const emulator = await emulatorForTest();
  const stack = await testStack(project, { emulator });
  const error = await stack.preview().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TestRunError);
  expect((error as TestRunError).errors.join()).toContain(
    'type is not known, did you mean "signed-envelope"? One of: send-envelope,',
  );
  expect((error as TestRunError).message).toMatch(/^esign preview failed:\n/);
  expect((error as TestRunError).run.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  await stack.close();
  expect((await fetch(emulator.url)).status).toBeLessThan(500);
});

test("the configuration of a stack is used, but for the account that it or the project names", async () => {
  const real = await emulatorForTest();
  const account = { "esign:baseUrl": real.url, "esign:config:apiKey": real.keys.partner };
  const expectAccount = keyFingerprint(real.keys.partner);
  vi.stubEnv("ESIGN_EXPECT_ACCOUNT", expectAccount);
  const other = join(home, "other");
  linkPackages(other);
  const write = (name: string, content: object) => writeFileSync(join(other, name), JSON.stringify(content));
  write("package.json", { main: "index.js" });
  const runtime = { name: "nodejs", options: { typescript: false } };
  write("Pulumi.yml", {
    name: "other",
    runtime,
    config: { "esign:baseUrl": { default: real.url }, "other:kind": "all" },
  });
  write("Pulumi.production.yml", {
    config: { ...account, "esign:expectAccount": expectAccount, "other:url": "https://hooks.example.com/signed" },
  });
  writeFileSync(
    join(other, "index.js"),
    `const pulumi = require("@pulumi/pulumi"), esign = require("pulumi-esign");
    const config = new pulumi.Config();
    new esign.Webhook("signed", { type: config.require("kind"), url: config.require("url") });`,
  );
  const stack = await testStack(other, { stack: "production", emulator: { logSize: 2 } });
  try {
    for (let count = 0; count < 3; count++) await fetch(stack.emulator.url);
    const up = await stack.up();
    expect(up.writes).toBe(1);
    // Of a full log, what it still has of the run.
    expect(up.requests).not.toEqual([]);
    expect(stack.emulator.data().accounts[0]!.webhooks).toMatchObject([
      { type: "all", url: "https://hooks.example.com/signed" },
    ]);
    expect(real.requests()).toEqual([]);
  } finally {
    await stack.close();
  }
});

test.each(["esign:apiKey", "esign:config:baseUrl", "esign:expectAccount"])(
  "%s in a test's own configuration is refused: it would be another account",
  async (key) => {
    const refused = testStack(project, { config: { "other:kind": "all", [key]: "key_of-an-account" } });
    await expect(refused).rejects.toThrow(
      `testStack: config has ${key}, but a test deploys to its emulator. Leave it out of config.`,
    );
  },
);

test("a stack's values keep their form; an account from another part of the file is refused", async () => {
  const values = join(home, "values");
  linkPackages(values);
  const write = (name: string, text: string) => writeFileSync(join(values, name), text);
  write("Pulumi.yaml", 'name: values\nruntime: yaml\noutputs: {a: "${a}", b: "${b}", c: "${c}"}\n');
  const config = "  values:a: 12345678901234567891\n  values:b: 0777\n  values:c: 1.50\n";
  const outputs = async () => {
    const stack = await testStack(values, { stack: "production" });
    try {
      await stack.up();
      return await stack.outputs();
    } finally {
      await stack.close();
    }
  };
  write("Pulumi.production.yaml", `config:\n  esign:baseUrl: https://real.example.com\n${config}`);
  expect(await outputs()).toEqual({ a: Number("12345678901234567891"), b: 0o777, c: 1.5 });
  write(
    "Pulumi.production.yaml",
    `real: &real {esign:baseUrl: "https://real.example.com"}\nconfig:\n  <<: *real\n${config}`,
  );
  await expect(outputs()).rejects.toThrow(
    /Pulumi\.production\.yaml: esign:baseUrl comes from another part of the file/,
  );
});

test("a folder that is no project is refused", async () => {
  await expect(testStack(home)).rejects.toThrow(`there is no Pulumi.yaml in ${home}`);
  expect(existsSync(join(home, "Pulumi.yaml"))).toBe(false);
});
