/** Projects in YAML: deployed in one process, without an SDK, node_modules or the Pulumi CLI. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { emulatorForTest, useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { comparable } from "./comparable-state";
import { esignProcess, root, run } from "./esign";
import { esign as command } from "./in-process";

const service = useEmulator();
const passphrase = "correct-horse";

function project(files: Record<string, string>, key = service.keys.partner) {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const env = {
    ...{ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: key, PULUMI_CONFIG_PASSPHRASE: passphrase },
    PULUMI_BACKEND_URL: `file://${home}`,
  };
  const esign = async (...args: string[]) => {
    const { code, stdout, stderr } = await command([...args, "--engine", "embedded"], { home, env });
    return { code, all: stdout + stderr };
  };
  return { home, env, esign };
}

const header = "name: shop\nruntime: yaml\n";
const webhooks = () => service.data().accounts.flatMap((account) => account.webhooks);
const writes = () => service.requests().filter(({ method }) => method !== "GET");
const everyFile = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

describe("a project in YAML", () => {
  const text = (path: string) => `${header}config:
  host: { type: string, default: hooks.example.com }
variables:
  all: { fn::invoke: { function: esign:getWebhooks, arguments: {}, return: items } }
resources:
  signed:
    type: esign:Webhook
    properties: { type: signed-envelope-complete, url: "https://\${host}/${path}" }
  brand:
    type: esign:Branding
    properties: { colour: "#0B7285" }
    options: { dependsOn: ["\${signed}"] }
outputs: { id: "\${signed.webhookId}" }
`;

  it("is planned, deployed, unchanged, updated, compared with the account, and destroyed", async () => {
    const { home, esign } = project({ "Pulumi.yaml": text("one") });
    expect((await esign("stack", "init", "dev")).code).toBe(0);
    service.clearLog();
    const plan = await esign("preview");
    expect([plan.code, plan.all]).toEqual([0, expect.stringMatching(/1 to create, 1 to adopt and update/)]);
    expect(writes()).toEqual([]);

    const up = await esign("up", "--yes", "--skip-preview");
    expect([up.code, up.all]).toEqual([0, expect.stringMatching(/Account writes: 2\./)]);
    const [hook] = webhooks().filter(({ url }) => url.endsWith("/one"));
    expect(up.all).toContain(`id: "${hook!.id}"`);
    expect((await esign("up", "--yes", "--expect-no-changes")).code).toBe(0);

    writeFileSync(join(home, "Pulumi.yaml"), text("two"));
    expect((await esign("preview")).all).toMatch(/one.* → .*two/);
    expect((await esign("up", "--yes", "--skip-preview")).code).toBe(0);
    expect(webhooks().find(({ id }) => id === hook!.id)?.url).toBe("https://hooks.example.com/two");

    expect((await esign("refresh", "--yes", "--expect-no-changes")).code).toBe(0);
    expect((await esign("destroy", "--yes")).code).toBe(0);
    expect(webhooks().filter(({ id }) => id === hook!.id)).toEqual([]);
    expect(everyFile(home)).not.toContain(service.keys.partner);
  });

  it("drift compares a state that comes from a pipe", async () => {
    const { home, env, esign } = project({ "Pulumi.yaml": text("piped") });
    await esign("stack", "init", "dev");
    expect((await esign("up", "--yes", "--skip-preview")).code).toBe(0);
    const { all: input } = await esign("stack", "export", "--show-secrets");
    const outcome = await esignProcess(["drift", "--state", "-"], { home, env, input });
    expect(outcome, outcome.stderr).toMatchObject({ code: 0, stdout: "No drift.\n" });
  });

  it("what is wrong with it is said with line and column, before a request is sent", async () => {
    const wrong = `${header}resources:\n  hook: { type: esign:Webhok }\n  b: { type: esign:Branding, properties: { color: "#fff" } }\n  s: { type: aws:s3:Bucket }\n`;
    const { esign } = project({ "Pulumi.yaml": wrong });
    await esign("stack", "init", "dev");
    service.clearLog();
    const { code, all } = await esign("up", "--yes", "--skip-preview");
    expect(code).not.toBe(0);
    expect(all).toContain(
      "Pulumi.yaml:4:17: esign:Webhok is not a resource of the package esign, did you mean esign:Webhook?",
    );
    expect(all).toContain("Pulumi.yaml:5:44: b (esign:Branding) has no property color, did you mean colour?");
    expect(all).toContain("Pulumi.yaml:6:14: the package aws is not supported by the built-in engine");
    expect(writes()).toEqual([]);
  });

  it("what the provider refuses names the resource and the field", async () => {
    const wrong = `${header}resources:\n  hook: { type: esign:Webhook, properties: { type: all, url: "nowhere" } }\n`;
    const { esign } = project({ "Pulumi.yaml": wrong });
    await esign("stack", "init", "dev");
    const { code, all } = await esign("preview");
    expect(code).not.toBe(0);
    expect(all).toMatch(/Webhook.*hook[\s\S]*url/);
  });
});

it("the secret of a webhook that was adopted comes as drift says, which up --replace does not bring here", async () => {
  const signing = await emulatorForTest({ edition: "current", notifications: { signed: true } });
  const hook = (name: string) =>
    `  ${name}: { type: esign:Webhook, properties: { type: all, url: "https://h.example/${name}" } }\n`;
  const files = { "Pulumi.yaml": `${header}resources:\n${hook("found")}${hook("made")}` };
  const { home, env: own } = project(files, signing.keys.account);
  const env = { ...own, ESIGN_BASE_URL: signing.url, ESIGN_EDITION: "current" };
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(args, { home, env });
    expect(code, stderr).toBe(0);
    return stdout + stderr;
  };
  const embedded = ["--engine", "embedded"];
  await done("webhooks", "create", "--type", "all", "--url", "https://h.example/found");
  await done("stack", "init", "dev", ...embedded);
  await done("up", "--yes", ...embedded);
  const lacks = "found has no secret: only a new object has one. ";
  expect(await done("drift")).toContain(
    `${lacks}Run \`up --replace <urn>\`; in YAML and with the plugin, \`destroy --target <urn>\` and \`up\``,
  );
  const target = "urn:pulumi:dev::shop::esign:index:Webhook::found";
  await done("up", "--yes", "--replace", target, ...embedded);
  expect(await done("drift")).toContain(lacks);
  await done("destroy", "--yes", "--target", target, ...embedded);
  await done("up", "--yes", ...embedded);
  expect(await done("drift")).not.toContain(lacks);
});

describe("an account's folder in YAML", () => {
  const files = {
    "Pulumi.yaml": `${header}resources:
  account:
    type: esign:AccountConfig
    properties:
      folder: account
      values: { portal: "https://portal.example.com", pin: { fn::secret: "4711-pin" } }
outputs: { ids: "\${account.companyIds}" }
`,
    "account/account.yaml": `branding: { colour: "#112233" }\nwebhooks:\n  done: { type: signed-envelope-complete, url: "\${portal}/done?pin=\${pin}" }\n`,
    "account/companies/acme/company.yaml":
      "name: Acme\nuserName: Ann\nuserEmail: ann@acme.example.com\ndeletionProtection: false\n",
    "account/companies/acme/account.yaml": 'webhooks:\n  all: { type: all, url: "${portal}/acme" }\n',
  };

  it("with a subaccount: one up creates the company and what is in it, and destroy removes both", async () => {
    const { home, esign } = project(files);
    await esign("stack", "init", "dev");
    const plan = await esign("preview");
    expect(plan.all).toMatch(/SubAccount +account-acme[\s\S]*Webhook +account-acme-all +create/);
    expect((await esign("up", "--yes", "--skip-preview")).code).toBe(0);
    const company = service.data().accounts.find(({ name }) => name === "Acme");
    expect(company).toBeDefined();
    expect((await esign("up", "--yes", "--expect-no-changes")).all).toMatch(/5 resources up to date|No changes/);
    // Neither a key nor a secret of the program is in a file.
    const texts = everyFile(home).replaceAll(files["Pulumi.yaml"], "");
    expect([texts.includes(company!.key!), texts.includes("4711-pin")]).toEqual([false, false]);
    const down = await esign("destroy", "--yes");
    expect([down.code, service.data().accounts.some(({ name }) => name === "Acme")]).toEqual([0, false]);
  });

  it("what one subaccount is refused for is all that is said, whatever else was being registered", async () => {
    const company = (name: string, user: string) =>
      `name: ${name}\nuserName: ${user}\nuserEmail: ann@${name}.example.com\n`;
    const birch = "account/companies/birch/company.yaml";
    // What it makes stays: other tests would adopt it.
    const other = await emulatorForTest();
    const companies = {
      [birch]: company("birch", "Ann"),
      "account/companies/cedar/company.yaml": company("cedar", "Ann"),
    };
    const { home, env: shared } = project({ ...files, ...companies }, other.keys.partner);
    const env = { ...shared, ESIGN_BASE_URL: other.url };
    const esign = (...args: string[]) => command([...args, "--engine", "embedded"], { home, env });
    await esign("stack", "init", "dev");
    expect((await esign("up", "--yes", "--skip-preview")).code).toBe(0);
    writeFileSync(join(home, birch), company("birch", "Bob"));
    // A process: Node warns of what nothing handles.
    const { code, stdout, stderr } = await esignProcess(["preview", "--engine", "embedded"], { home, env });
    const said = (stdout + stderr).match(/^error: .*|.*Warning: .*/gm);
    expect([code, said]).toEqual([1, [expect.stringMatching(/^error: Company "account-birch": userName is fixed/)]]);
  });

  it("an error in it stops the preview, with its file and line", async () => {
    const { esign } = project({ ...files, "account/account.yaml": 'branding: { color: "#112233" }\n' });
    await esign("stack", "init", "dev");
    const { code, all } = await esign("preview");
    expect(code).not.toBe(0);
    expect(all).toMatch(/account\/account\.yaml:1:\d+/);
  });

  it("a path in it begins at the program, wherever the command is run", async () => {
    const { esign } = project({
      ...files,
      "Pulumi.yaml": files["Pulumi.yaml"].replace("folder: account", "folder: ./nowhere"),
    });
    await esign("stack", "init", "dev");
    expect((await esign("preview")).all).toContain("nowhere");
  });
});

it("loads nothing of Pulumi's SDK, and starts no process", async () => {
  const { home, env, esign } = project({
    "Pulumi.yaml": `${header}resources:\n  account: { type: esign:AccountConfig, properties: { folder: a } }\n`,
    "a/account.yaml": 'branding: { colour: "#010203" }\n',
    "watch.cjs": `const { Module } = require("node:module");
      const load = Module._load;
      Module._load = (name, ...rest) => {
        if (/^@pulumi|^@grpc|^typescript$/.test(name)) process.stderr.write("LOADED " + name + "\\n");
        return load(name, ...rest);
      };
      require("node:child_process").ChildProcess.prototype.spawn = () => { throw new Error("a process is started"); };`,
  });
  await esign("stack", "init", "dev");
  const node = ["--require", join(home, "watch.cjs")];
  for (const command of [
    ["up", "--yes"],
    ["destroy", "--refresh", "--yes"],
  ]) {
    const { code, stdout, stderr } = await esignProcess([...command, "--engine", "embedded"], { home, env, node });
    expect([code, (stdout + stderr).match(/LOADED .*|a process is started/g)]).toEqual([0, null]);
  }
});

const pulumi = findPulumi();

/** Programs for both engines: what the state has of each must be the same. */
const programs: Record<string, string> = {
  values: `config:
  n: { type: integer, default: 1000000 }
  f: { type: string, default: "007" }
variables:
  list: [a, { k: "\${f}" }]
  number: 2500000
resources:
  a: { type: "esign:Webhook", properties: { type: signed-envelope, url: "https://h.example.com/\${n}/\${number}/\${list[1].k}/\${hush}" } }
  b:
    type: esign:index:Contact
    name: second
    properties: { name: { fn::join: [" ", [Ann, { fn::select: [0, [Bee, Cee]] }]] }, email: "ann@\${a.type}.example.com" }
outputs: { id: "\${a.id}", text: "\${n} \${number} $\${x}", json: { fn::toJSON: "\${list}" }, all: "\${list}", len: { fn::length: "\${list}" }, hush: "\${hush}", looks: ["\${n2}", "\${flag}", "\${zip}", "\${shop:n2}"] }`,
  options: `resources:
  p: { type: "pulumi:providers:esign", properties: { apiKey: KEY, baseUrl: URL } }
  a: { type: "esign:Webhook", properties: { type: all, url: "https://h.example.com/a" }, options: { provider: "\${p}", protect: false, retainOnDelete: true } }
  b: { type: "esign:Webhook", properties: { type: add-user, url: "https://h.example.com/b" }, options: { dependsOn: ["\${a}"], ignoreChanges: [url], parent: "\${a}", customTimeouts: { create: 5m } } }
  c: { type: "esign:Branding", properties: { colour: "#010203" }, options: { deletedWith: "\${a}", additionalSecretOutputs: [colour] } }
outputs: { urn: "\${b.urn}" }`,
  company: `resources:
  firm: { type: "esign:Company", properties: { name: Firm, userName: U, userEmail: u@firm.example.com, deletionProtection: false } }
  hook: { type: "esign:Webhook", properties: { account: "\${firm}", type: all, url: "https://h.example.com/\${firm.companyId}" } }
  by: { type: "esign:Webhook", properties: { account: "\${firm.companyId}", type: add-user, url: "https://h.example.com/x" }, options: { dependsOn: ["\${hook}"] } }
variables: { hooks: { fn::invoke: { function: "esign:getWebhooks", arguments: { account: "\${hook.account}" }, return: items } } }
outputs: { key: "\${firm.apiKey}", first: "\${hooks[0].type}" }`,
  folder: `resources:
  hook: { type: "esign:Webhook", properties: { type: rejected-envelope, url: "https://h.example.com/r" } }
  account: { type: "esign:AccountConfig", properties: { folder: account, values: { ref: "\${hook.webhookId}", pin: { fn::secret: "4711" } } } }
  sub: { type: "esign:SubAccount", properties: { name: "Sub \${pulumi.stack}", userName: U, userEmail: u@sub.example.com, deletionProtection: false } }
outputs: { ids: "\${account.companyIds}", id: "\${sub.companyId}" }`,
};
const accountFolder = {
  "account/account.yaml": `branding: { colour: "#112233" }\nwebhooks:\n  done: { type: signed-envelope-complete, url: "https://h.example.com/\${ref}" }\n`,
  "account/emails/email-send/subject.txt": "Sign with ${pin}: {contract title}\n",
  "account/companies/acme/company.yaml":
    "name: Acme\nuserName: Ann\nuserEmail: ann@acme.example.com\ndeletionProtection: false\n",
};

describe.runIf(pulumi !== undefined)("the Pulumi CLI and the built-in engine", () => {
  it("run a project of `init` as it is: where no plugin is installed, the CLI has that of the command", async () => {
    const home = temporaryFolder();
    const env = { PATH: `${dirname(pulumi!)}:${process.env.PATH}` };
    expect((await esignProcess(["init", "shop", "--language", "yaml"], { home, env })).code).toBe(0);
    for (const engine of ["pulumi", "embedded"]) {
      const { code, stdout, stderr } = await esignProcess(["up", "--local", "--yes", "--engine", engine], {
        home,
        env,
        cwd: join(home, "shop"),
      });
      const writes = engine === "pulumi" ? 3 : 0;
      expect([code, stdout + stderr]).toEqual([0, expect.stringContaining(`Account writes: ${writes}.`)]);
    }
  });

  it.each(Object.keys(programs))("have the same state of %s, and either goes on from the other", async (name) => {
    const text = programs[name]!.replace("KEY", service.keys.partner).replace("URL", service.url);
    const plugin = `plugins: { providers: [{ name: esign, path: "${join(root, "plugin")}" }] }\n`;
    const { home } = project({ ...accountFolder, "Pulumi.yaml": `${header}${plugin}${text}\n` });
    const env = {
      ...{ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: passphrase },
      ...{
        PULUMI_BACKEND_URL: `file://${home}`,
        PULUMI_HOME: join(home, "pulumi-home"),
        PATH: `${dirname(pulumi!)}:${process.env.PATH}`,
      },
    };
    const own = (...args: string[]) => command([...args, "--engine", "embedded"], { home, env });
    const cli = (...args: string[]) => run(pulumi!, [...args, "--non-interactive"], { home, env });
    const stateOf = async () =>
      JSON.parse((await own("stack", "export", "--show-secrets")).stdout).deployment.resources;
    expect((await own("stack", "init", "dev")).code).toBe(0);
    // Declared by no one: of the types that they look like.
    for (const [key, value] of Object.entries({ n2: "12", flag: "true", zip: "012" }))
      await own("config", "set", key, value);
    expect((await own("config", "set", "--secret", "hush", "quiet")).code).toBe(0);
    const up = await own("up", "--yes", "--skip-preview");
    expect([up.code, up.stdout + up.stderr]).toEqual([0, expect.anything()]);
    const mine = await stateOf();
    // It goes on: nothing changes, and it writes the state in its own way.
    const same = await cli("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect([same.code, same.stdout + same.stderr]).toEqual([0, expect.stringContaining("unchanged")]);
    expect(comparable(await stateOf())).toEqual(comparable(mine));
    expect((await cli("destroy", "--yes", "--skip-preview", "--run-program=false")).code).toBe(0);

    expect((await cli("up", "--yes", "--skip-preview")).code).toBe(0);
    const theirs = await stateOf();
    expect(comparable(theirs)).toEqual(comparable(mine));
    expect((await own("up", "--yes", "--skip-preview", "--expect-no-changes")).code).toBe(0);
    expect((await own("destroy", "--yes")).code).toBe(0);
  });
});
