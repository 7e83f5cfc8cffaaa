import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { usesLocalEmulator } from "../../cli/project/local-emulator";
import { localPassphraseEnv, makeLocalPassphraseEnv, rejectLocalPassphrase } from "../../cli/project/local-passphrase";
import { configurationInClear, projectFolder } from "../../cli/project/project-files";
import { Crypter } from "../../engine/secrets/crypter";
import { oncePerPassphrase } from "../../engine/test/warm-processes";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esignProcess } from "./esign";
import { esign } from "./in-process";

let home: string;
beforeEach(() => {
  home = temporaryFolder({ "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
});

describe("the local service", () => {
  it("keeps its data and its address from one command to the next", async () => {
    const create = ["webhooks", "create", "--local", "--type", "all", "--url", "https://h.example.com"];
    expect((await esign(create, { home })).code).toBe(0);
    expect((await esign(["webhooks", "list", "--local"], { home })).stdout).toContain("https://h.example.com");
    const address = async () => (await esign(["doctor", "--local"], { home })).stdout.match(/http:\/\/127\S+/)?.[0];
    expect(await address()).toBe(await address());
  });

  it("is the account of --local, also where the environment expects another one", async () => {
    const resources = '{hook: {type: "esign:index:Webhook", properties: {type: all, url: "https://h.example.com"}}}';
    save(home, { "Pulumi.yaml": `name: shop\nruntime: yaml\nresources: ${resources}\n` });
    const env = { ESIGN_EXPECT_ACCOUNT: keyFingerprint("another-key") };
    const { code, stdout } = await esign(["up", "--local", "--yes", "--engine", "embedded"], { home, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 created")]);
  });

  it("is used as it runs when another process has it open", async () => {
    mkdirSync(join(home, ".esign"));
    const service = await emulatorForTest({ file: join(home, ".esign/service.json") });
    const { code, stderr } = await esignProcess(["doctor", "--local"], { home });
    expect(stderr).toContain(service.url);
    expect(code).toBe(0);
    expect(service.requests().length).toBeGreaterThan(0);
  });

  it("knows the values of newer versions where those are let through to it", async () => {
    const create = ["webhooks", "create", "--local", "--type", "bounced-envelope"];
    const args = [...create, "--url", "https://h.example.com"];
    // The emulator of the specification does not know it.
    expect((await esign(args, { home })).stderr).toContain("webhook_type is not valid");
    const { code, stdout } = await esign(args, { home, env: { ESIGN_ALLOW_UNKNOWN_VALUES: "true" } });
    expect(code).toBe(0);
    expect(stdout).toContain("bounced-envelope");
  });

  it("is read from a stack's own configuration, or from the project's default for it", () => {
    const allowed = (stack: string) => configurationInClear(home, stack).get("esign:allowUnknownValues");
    expect(allowed("dev")).toBe(undefined);
    save(home, {
      "Pulumi.dev.yaml": "config:\n  esign:config:allowUnknownValues: true\n",
      "Pulumi.prod.yaml": 'config:\n  esign:allowUnknownValues: "false"\n  esign:x: {secure: a}\n',
    });
    expect([allowed("dev"), allowed("prod")]).toEqual(["true", "false"]);
    writeFileSync(join(home, "Pulumi.yaml"), "name: shop\nconfig:\n  esign:allowUnknownValues: {default: true}\n");
    expect([allowed("prod"), allowed("other")]).toEqual(["false", "true"]);
    expect(configurationInClear(home, "prod").get("esign:x")).toBe(undefined);
  });

  const local = { local: true };
  const quickstart = { quickstart: true };
  const url = "https://s.example.com";
  const names = `config:\n  esign:baseUrl: ${url}\n`;
  const own = { "Pulumi.dev.yaml": names };
  const elsewhere = { "Pulumi.yaml": "name: shop\nruntime: nodejs\nstackConfigDir: stacks\n" };

  // Stack configuration comes first: --local would not reach the local service, and must not reach the account.
  it.each<[object, Record<string, string>, NodeJS.ProcessEnv, boolean | "refused", string?]>([
    [local, {}, { ESIGN_API_KEY: "k", ESIGN_BASE_URL: url }, true],
    [quickstart, {}, {}, true],
    [{}, {}, {}, false],
    [quickstart, {}, { ESIGN_API_KEY: "k" }, false],
    [quickstart, {}, { ESIGN_BASE_URL: url }, false],
    [quickstart, own, {}, false],
    [local, own, {}, "refused"],
    [local, own, {}, true, "other"],
    [local, own, {}, "refused", "organization/shop/dev"],
    // A configuration that is elsewhere, or called otherwise, in the ways to write it that an engine takes.
    [quickstart, { ...elsewhere, "stacks/Pulumi.dev.yaml": names }, {}, false],
    [local, { ...elsewhere, "stacks/Pulumi.dev.yaml": names }, {}, "refused"],
    [local, { "Pulumi.dev.yaml": "all: &all { esign:apiKey: k }\nconfig: { <<: *all }\n" }, {}, "refused"],
    [local, { "Pulumi.dev.yaml": "config: { esign:config:baseUrl: u }\n" }, {}, "refused"],
    [local, { "Pulumi.yml": "name: shop\nruntime: nodejs\n", "Pulumi.dev.yml": names }, {}, "refused"],
  ])(
    "is used when asked for, or by --quickstart where nothing names an account: %#",
    (options, files, env, used, stack = "dev") => {
      const folder = temporaryFolder({ ...("Pulumi.yml" in files ? {} : { "Pulumi.yaml": "name: shop\n" }), ...files });
      const uses = () => usesLocalEmulator(options, folder, stack, env);
      if (used === "refused") expect(uses).toThrow("configures an account");
      else expect(uses()).toBe(used);
    },
  );
});

describe("the throw-away passphrase", () => {
  const variable = "PULUMI_CONFIG_PASSPHRASE_FILE";
  const file = () => join(home, ".esign/passphrase");
  const create = oncePerPassphrase(Crypter.create);
  const salted = async (stack: string, passphrase: string) =>
    writeFileSync(join(home, `Pulumi.${stack}.yaml`), `encryptionsalt: ${(await create(passphrase)).salt}\n`);
  /** As an earlier command has made it: the same for all tests, whose keys take a third of a second each. */
  const made = () => {
    save(home, { ".esign/passphrase": "made words\n" });
    return "made words";
  };

  it("is made for its owner's eyes only, kept, and ignored by Git", async () => {
    expect(await localPassphraseEnv(home, "dev", {})).toEqual({});
    expect(existsSync(file())).toBe(false);
    expect(await makeLocalPassphraseEnv(home, "dev", {})).toEqual({ [variable]: file() });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, ".esign/.gitignore"), "utf8")).toBe("*\n");
    const text = readFileSync(file(), "utf8");
    expect(text.trim().length).toBeGreaterThan(20);
    expect(await makeLocalPassphraseEnv(home, "dev", {})).toEqual({ [variable]: file() });
    expect(readFileSync(file(), "utf8")).toBe(text);
  });

  it("gives way to what the environment says, and to a stack that has another passphrase", async () => {
    expect(await makeLocalPassphraseEnv(home, "dev", { PULUMI_CONFIG_PASSPHRASE: "" })).toEqual({});
    expect(await makeLocalPassphraseEnv(home, "dev", { [variable]: "x" })).toEqual({});
    // A variable of CI that is not set names no file.
    expect(await makeLocalPassphraseEnv(home, "other", { [variable]: "" })).toEqual({ [variable]: file() });
    await salted("dev", "another one");
    expect(await makeLocalPassphraseEnv(home, "dev", {})).toEqual({});
    expect(await localPassphraseEnv(home, "dev", {})).toEqual({});
    rmSync(join(home, ".esign"), { recursive: true });
    expect(await makeLocalPassphraseEnv(home, "dev", {})).toEqual({});
    expect(existsSync(join(home, ".esign"))).toBe(false);
  });

  it("opens the stacks that were made with it, also where the environment has the passphrase of another stack", async () => {
    const passphrase = made();
    await salted("dev", passphrase);
    await salted("production", "correct-horse");
    const set = { PULUMI_CONFIG_PASSPHRASE: "correct-horse" };
    for (const envFor of [localPassphraseEnv, makeLocalPassphraseEnv]) {
      expect(await envFor(home, "dev", set)).toEqual({ PULUMI_CONFIG_PASSPHRASE: passphrase });
      expect(await envFor(home, "dev", { [variable]: "/no/file" })).toEqual({ [variable]: file() });
      expect(await envFor(home, "production", set)).toEqual({});
    }
    const backend = { ...set, PULUMI_BACKEND_URL: `file://${home}` };
    for (const stack of ["dev", "production"]) {
      expect(await esign(["stack", "init", stack], { home, env: backend })).toMatchObject({ code: 0 });
      const secret = ["config", "set", "--stack", stack, "--secret", "word", stack];
      expect(await esign(secret, { home, env: backend })).toMatchObject({ code: 0, stderr: "" });
      const { stdout } = await esign(["config", "get", "--stack", stack, "word"], { home, env: backend });
      expect(stdout).toBe(`${stack}\n`);
    }
  });

  it("opens the stacks that were made with it, and makes no other one", async () => {
    await salted("dev", made());
    expect(await localPassphraseEnv(home, "dev", {})).toEqual({ [variable]: file() });
    expect(await localPassphraseEnv(home, "production", {})).toEqual({});
    const { code, stderr } = await esign(["stack", "init", "production"], { home });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/set PULUMI_CONFIG_PASSPHRASE/)]);
    expect(existsSync(join(home, "Pulumi.production.yaml"))).toBe(false);
  });

  it.each([
    [{ ESIGN_API_KEY: "k" }, ""],
    [{ ESIGN_BASE_URL: "https://s.example.com" }, ""],
    [{}, "esign:baseUrl: https://s.example.com"],
    [{}, "esign:apiKey: { secure: x }"],
  ])("is refused for an account (%j %s), with what to do", async (env, config) => {
    await salted("dev", made());
    appendFileSync(join(home, "Pulumi.dev.yaml"), `config: { ${config} }\n`);
    await expect(rejectLocalPassphrase(home, "dev", env)).rejects.toThrow(
      /stack dev encrypts its secrets with \.esign\/passphrase.*esign stack init.*change-secrets-provider/s,
    );
  });

  it("is refused for an account whatever passphrase the environment has, which another stack may have", async () => {
    await salted("dev", made());
    const set = { ESIGN_API_KEY: "k", PULUMI_CONFIG_PASSPHRASE: "another one" };
    await expect(rejectLocalPassphrase(home, "dev", set)).rejects.toThrow("must not protect the secrets of an account");
    await salted("dev", "another one");
    await rejectLocalPassphrase(home, "dev", { ESIGN_API_KEY: "k" });
  });

  it.each([{}, { ESIGN_BASE_URL: "http://127.0.0.1:4010", ESIGN_API_KEY: "k" }])(
    "is good for an account of this machine (%j)",
    async (env) => {
      await salted("dev", made());
      await rejectLocalPassphrase(home, "dev", env);
    },
  );

  it("encrypts no key of an account, which names no address yet", async () => {
    await salted("dev", made());
    const latest = { manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" } };
    save(join(home, ".pulumi"), {
      "meta.yaml": "version: 1\n",
      "stacks/shop/dev.json": JSON.stringify({ version: 3, checkpoint: { stack: "organization/shop/dev", latest } }),
    });
    const before = readFileSync(join(home, "Pulumi.dev.yaml"), "utf8");
    const { code, stderr } = await esign(["config", "set", "--stack", "dev", "--secret", "esign:apiKey", "real"], {
      home,
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/must not protect the secrets of an account/)]);
    expect(readFileSync(join(home, "Pulumi.dev.yaml"), "utf8")).toBe(before);
  });
});

it("a project is found from the folders in it", () => {
  mkdirSync(join(home, "a/b"), { recursive: true });
  expect(projectFolder(join(home, "a/b"))).toBe(home);
});
