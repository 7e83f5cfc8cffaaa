/** What people get wrong at first: names of files, options, folders. Each has a message with what to do. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const webhook = "webhooks:\n  one: { type: all, url: 'https://r.example' }\n";

async function lint(files: Record<string, string>) {
  const home = temporaryFolder();
  save(home, { "emails/email-send/subject.txt": "x", ...files });
  return esign(["lint", "."], { home });
}

describe("a settings file of another name, without which all that it declares would be deleted", () => {
  it.each(["account.yml", "Account.YAML", "accounts.yaml", "account.yaml.txt", "acount.yaml"])("%s", async (name) => {
    const { code, stdout } = await lint({ [name]: webhook });
    expect(code).toBe(1);
    expect(stdout).toContain(`error  missing-file\n  "${name}" is not read`);
    expect(stdout).toContain("rename it to account.yaml");
  });

  it("is a folder, or a subaccount's", async () => {
    expect((await lint({ "account.yaml/a.txt": "" })).stdout).toContain('"account.yaml" is not read');
    const { stdout } = await lint({ "account.yaml": webhook, "companies/acme/company.yml": "name: A\n" });
    expect(stdout).toContain('"companies/acme" has no company.yaml; "company.yml" is not read');
  });

  it("is one beside the right one, too, where it would silently not be deployed", async () => {
    const { code, stdout } = await lint({ "account.yaml": webhook, "account.yml": "x: 1" });
    expect([code, stdout]).toEqual([1, expect.stringContaining("account.yml:1:1  error  missing-file")]);
    expect(stdout).toContain("fix: move what is in it to account.yaml, and delete it; or give it another name");
  });

  it("is no mistake in a folder that needs none", async () => {
    const company = "name: A\nuserName: B\nuserEmail: b@a.example\n";
    expect((await lint({ "companies/acme/company.yaml": company, "compose.yaml": "" })).stdout).not.toContain(
      "missing-file",
    );
    for (const name of ["account.md", "account.ts", "account.yaml.bak"])
      expect((await lint({ [name]: "" })).stdout).not.toContain("missing-file");
  });
});

it.each([
  ["webhooks:\n  one: { type: ALL, url: 'https://r.example' }\n", 'did you mean "all"?'],
  ["webhooks:\n  one: { type: all, url: !env HOOK }\n", "a value of the stack is written ${name}"],
  ["branding: { colour: '#112233' }\n---\n{}\n", "a second document begins here"],
  ["webhooks:\n  one:\n", "fix: set a value, or remove the line"],
  ["branding:\n  colour: #112233\n", "fix: set a value; in YAML, # begins a comment"],
])("account.yaml %j", async (yaml, words) => {
  const { code, stdout } = await lint({ "account.yaml": yaml });
  expect(code).toBe(1);
  expect(stdout).toContain(words);
  expect(stdout).not.toContain("parseAllDocuments");
});

it("options and folders that cannot be used are named as such", async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "account.yaml"), webhook);
  const refused = async (env: Record<string, string>, ...args: string[]) => {
    const { code, stderr } = await esign(args, { home, env });
    return `${code} ${stderr}`;
  };
  for (const args of [
    ["emulator", "--memory"],
    ["emails", "serve"],
  ])
    for (const port of ["65536", "-1", "1e3", "4.5", ""])
      expect(await refused({}, ...args, `--port=${port}`)).toMatch(/^2 .*It must be a number from 0 to 65535/s);
  const account = { ESIGN_BASE_URL: "http://127.0.0.1:9", ESIGN_API_KEY: "k" };
  expect(await refused(account, "export", "--out", "account.yaml")).toMatch(/^2 error: account.yaml is a file/);
  save(home, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n---\nname: other\n" });
  expect(await refused({}, "stack", "ls")).toContain("line 3, column 1: a second document begins here");
});

describe("a name in a stack's configuration that is no setting", () => {
  const env = { PULUMI_CONFIG_PASSPHRASE: "p" };
  const inProject = async (name: string) => {
    const home = temporaryFolder();
    save(home, { "Pulumi.yaml": `name: ${name}\nruntime: nodejs\nbackend: { url: 'file://.' }\n` });
    expect((await esign(["stack", "init", "dev"], { home, env })).code).toBe(0);
    const file = join(home, "Pulumi.dev.yaml");
    const before = readFileSync(file, "utf8");
    return { home, stored: () => readFileSync(file, "utf8").replace(before, "") };
  };

  let shop: ReturnType<typeof inProject>;
  beforeAll(() => {
    shop = inProject("shop");
  });

  it.each([
    [
      ["set", "esign:retrys", "3"],
      "error: Nothing was set: esign:retrys is not a setting, did you mean esign:retries?\n",
    ],
    [["set", "esign:config:retrys", "3"], "did you mean esign:retries?"],
    // Nothing is read from a pipe or asked for before it.
    [["set", "--secret", "esign:apiKeys"], "did you mean esign:apiKey?"],
    [["set", "--path", "esign:onConflicts.all", "fail"], "did you mean esign:onConflict?"],
    [["set", "esign:colour", "red"], "esign:colour is not a setting (settings: "],
    [["set-all", "--plaintext", "esign:retries=3", "--plaintext", "esign:timeot=3"], "did you mean esign:timeout?"],
    [["set-all", "--json", '{"esign:timeot":{"value":"3"},"esign:retries":{"value":"3"}}'], "esign:timeout?"],
  ])("is refused before the next preview does: config %j", async (args, words) => {
    const { home, stored } = await shop;
    const { code, stderr } = await esign(["config", ...args], { home, env, input: "key" });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stored()).toBe("");
  });

  it.each(["privateKey", "shop:stripe-api-key", 'shop:values["token"]'])(
    "in plain text is refused for the name of a secret, the names of the policy: %s",
    async (key) => {
      const { home, stored } = await shop;
      for (const args of [
        ["config", "set", "--path", key, "x"],
        ["preview", "--config", `${key}=x`],
      ]) {
        const { code, stderr } = await esign(args, { home, env });
        expect([code, stderr]).toEqual([2, expect.stringContaining(`refusing to store "${key}" in plain text`)]);
      }
      expect(stored()).toBe("");
    },
  );

  it("is another one's in a project of that name, and goes where it is there already", async () => {
    const { home, stored } = await inProject("esign");
    const config = async (...args: string[]) => (await esign(["config", ...args], { home, env })).code;
    expect(await config("set", "colour", "red")).toBe(0);
    expect(await config("set", "retrys", "3")).toBe(2);
    expect(await config("set", "esign:retries", "3")).toBe(0);
    expect(await config("set", "other:retrys", "3")).toBe(0);
    expect(stored()).toMatch(/esign:colour: red.*esign:retries: "?3.*other:retrys/s);
    save(home, { "Pulumi.dev.yaml": "config:\n  esign:retrys: '3'\n" });
    expect(await config("rm", "esign:retrys")).toBe(0);
  });
});

it("a folder for temporary files that does not exist is named with its variable", async () => {
  const home = temporaryFolder();
  save(home, { "Pulumi.yaml": "name: shop\nruntime: nodejs\nbackend: { url: 'file://.' }\n", "index.js": "" });
  const env = { PULUMI_CONFIG_PASSPHRASE: "p", ESIGN_BASE_URL: "http://127.0.0.1:9", ESIGN_API_KEY: "k" };
  expect((await esign(["stack", "init", "dev"], { home, env })).code).toBe(0);
  const { code, stderr } = await esign(["preview"], { home, env: { ...env, TMPDIR: join(home, "none") } });
  expect(code).toBe(1);
  expect(stderr).toContain("Set TMPDIR to a folder that exists");
});

describe("a file of customers", () => {
  const project = { "Pulumi.yaml": "name: shop\nruntime: nodejs\nbackend: { url: 'file://.' }\n" };
  const key = "key_0123456789abcdef/+";
  const refused = async (name: string, content: string | Buffer) => {
    const home = temporaryFolder();
    save(home, project);
    writeFileSync(join(home, name), content);
    const env = { PULUMI_CONFIG_PASSPHRASE: "p", ESIGN_BASE_URL: "http://127.0.0.1:9", ESIGN_API_KEY: key };
    const { code, stderr } = await esign(["fleet", "preview", name], { home, env });
    expect(code).toBe(2);
    return stderr;
  };

  it.each<[string, string | Buffer, string]>([
    ["a.csv", Buffer.from("\ufeffid,name\nacme,A\n", "utf16le"), 'a.csv is not UTF-8: save it as "CSV UTF-8"'],
    ["a.csv", Buffer.from("id,name\nacme,Müller\n", "latin1"), 'a.csv is not UTF-8: save it as "CSV UTF-8"'],
    ["a.csv", "id,values.\nacme,1\n", "values. must be a name"],
    ["a.yaml", "- id: acme\n  name: !vault x\n", "line 2: tags such as !env or !secret have no meaning here"],
    ["a.yaml", "- id: acme\n---\n- id: b\n", "line 2: a second document begins here"],
  ])("%s %j", async (name, content, words) => {
    expect(await refused(name, content)).toContain(words);
  });

  it("that is a module may say the key, which is not printed", async () => {
    const said = `throw new Error("no customers for ${key}, ${encodeURIComponent(key)}")`;
    expect(await refused("a.mjs", said)).toContain("no customers for [redacted], [redacted]");
  });
});

it.each([
  ["the emulator's data", ["emulator", "--port", "0", "--file", "taken/data.json"], "cannot make the folder taken"],
  ["a plan", ["up", "--yes", "--plan", "taken/plan.json"], "cannot open taken/plan.json"],
])("%s in what is a file, not a folder: the refusal says what it is about, and what to do", async (_, args, words) => {
  const home = temporaryFolder();
  save(home, {
    taken: "",
    "Pulumi.yaml": "name: shop\nruntime: nodejs\nbackend: { url: 'file://.' }\n",
    "index.js": "",
  });
  const { code, stderr } = await esign(args, { home });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    new RegExp(`^error: ${words}: .*\\(\\w+\\)\n {4}Something else has this name: move it away\\.$`, "m"),
  );
  expect(stderr).not.toMatch(/ENOTDIR:|EEXIST:/);
});

it("settings and seeds of the emulator are read as strictly", async () => {
  const home = temporaryFolder();
  save(home, { "docs.yaml": "a: 1\n---\nb: 1\n", "tag.yaml": "partner: !x {}\n", "open.yaml": "partner: 'x\n" });
  const refused = async (option: string, file: string) => {
    const { code, stderr } = await esign(["emulator", "--memory", "--port", "0", option, file], { home });
    return `${code} ${stderr}`;
  };
  for (const option of ["--seed", "--settings"]) {
    expect(await refused(option, "docs.yaml")).toBe(
      "2 error: docs.yaml: line 2, column 1: a second document begins here: --- and ... divide a file\n",
    );
    expect(await refused(option, "tag.yaml")).toContain("tag.yaml: line 1, column 10: tags such as !env");
    expect(await refused(option, "open.yaml")).toContain("a quotation mark opens here and is not closed");
  }
});

describe("a file that is not there, or is a folder, is said by its name", () => {
  it.each([
    ["emulator", "--memory", "--seed"],
    ["emulator", "--memory", "--settings"],
    ["emulator", "--memory", "--tls-key", "key.pem", "--tls-cert"],
    ["emulator", "trigger", "all", "--to", "http://127.0.0.1:1/", "--secret-file"],
    ["stack", "import", "--file"],
    ["fleet", "preview"],
  ])("%s %s", async (...args) => {
    const home = temporaryFolder({ "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "folder.csv/x": "", "key.pem": "" });
    const said = async (name: string) => {
      const { code, stderr } = await esign([...args, name], { home });
      return [code, stderr.trim()];
    };
    expect(await said("none.csv")).toEqual([2, "error: there is no file none.csv"]);
    expect(await said("folder.csv")).toEqual([2, "error: folder.csv is a folder: name a file"]);
  });
});

describe("advice of the client names the settings as the command's users know them", () => {
  const inSettings = /esign:baseUrl \(ESIGN_BASE_URL\)/;
  it.each([["webhooks", "list"], ["doctor"], ["diff", ".", "account"]])(
    "%s %s: an address at which nothing listens",
    async (...args) => {
      const home = temporaryFolder();
      save(home, { "account.yaml": webhook });
      const env = { ESIGN_BASE_URL: "http://127.0.0.1:9", ESIGN_API_KEY: "0123456789abcdef" };
      const { code, stdout, stderr } = await esign(args, { home, env });
      expect(code).not.toBe(0);
      expect(stdout + stderr).toMatch(inSettings);
      expect(stdout + stderr).not.toMatch(/(?<!esign:)\bbaseUrl\b/);
    },
  );

  it("explain: a rejected key, too much at once", async () => {
    const { stdout } = await esign(["explain", "10002"], { home: temporaryFolder() });
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "Set esign:apiKey (ESIGN_API_KEY) to a current key of the account at esign:baseUrl (ESIGN_BASE_URL).",
    );
  });
});

it.each([
  [["branding", "update-email", "email-send"], "needs --subject, --content or --content-plain"],
  [["branding", "update"], "needs --logo-url or --colour"],
  [["webhooks", "update", "7"], "needs --type or --url"],
])("%j: what is missing is named as its options are", async (args, words) => {
  const { code, stderr } = await esign(args, { home: temporaryFolder() });
  expect([code, stderr]).toEqual([2, `error: invalid input (no request was sent)\n    ${words}\n`]);
});

it("a template of an unknown type, variables of an unknown type: the setting that allows them has its whole name", async () => {
  const folder = await lint({
    "emails/email-sned/subject.txt": "x",
    "account.yaml": "lint: { variables: { email-sned: [a] } }\n",
  });
  const named = folder.stdout.match(/\S*allowUnknownValues/g);
  expect(named?.length).toBeGreaterThanOrEqual(1);
  expect(new Set(named)).toEqual(new Set(["esign:allowUnknownValues"]));
});
