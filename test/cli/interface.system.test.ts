import { beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { allEndpoints } from "../../sdk/api/index";
import { emulatorForTest, useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { serve } from "../sdk/server";
import { esignProcess, type Outcome } from "./esign";
import { esign } from "./in-process";

const home = temporaryFolder();
const service = useEmulator();

beforeEach(() => service.reset());

const ask = (args: string[], key: "partner" | "account" | "test" = "partner"): Promise<Outcome> =>
  esign(args, { home, env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys[key] } });

const writes = () => service.requests().filter(({ method }) => method !== "GET");

/** What is wrong, of a command that prints and changes nothing. */
async function refused(outcome: Promise<Outcome>, words: string | RegExp): Promise<void> {
  expect(await outcome).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(words) });
  expect(writes()).toEqual([]);
}

describe("every endpoint is a command", () => {
  it.each(allEndpoints.map(({ group, operation, endpoint }) => ({ group, operation, endpoint })))(
    "$group $operation",
    async ({ group, operation, endpoint }) => {
      const words = [group, operation].map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
      const { code, stdout } = await esign([...words, "--help"], { home });
      expect(code).toBe(0);
      // Help breaks its lines.
      expect(stdout.replace(/\s+/g, " ")).toContain(endpoint.summary);
      expect(stdout).toContain(`${endpoint.method} ${endpoint.path}`);
      for (const name of Object.keys((endpoint.form as { shape?: object }).shape ?? {})) {
        // Each field has its option, without the name of the resource, and the option its sentence.
        const singular = group.replace(/ies$/, "y").replace(/s$/, "");
        const prefix = new RegExp(`^${singular}_${group === "branding" ? "(email_)?" : ""}`);
        const short = name.replace(prefix, "").replaceAll("_", "-");
        expect(stdout).toMatch(new RegExp(`--${short} [<[][^ ]+\\s+[A-Z\`]`));
      }
    },
  );
});

it.each([
  ["http://sign.example.com", "k", /^error: esign:baseUrl must begin with https:/],
  ["", "", /^error: no account configured\.\n.*ESIGN_BASE_URL=… ESIGN_API_KEY=…/],
  [
    "https://sign.example.com",
    "",
    /^error: the account is not fully configured \(esign:apiKey is not set.*\n.*\n.*--stack <name>/,
  ],
])("says of the address %j and the key %j what is wrong", (ESIGN_BASE_URL, ESIGN_API_KEY, words) =>
  refused(esign(["webhooks", "list"], { home, env: { ESIGN_BASE_URL, ESIGN_API_KEY } }), words),
);

it("reads the account of the selected stack where none is named, and writes to none", async () => {
  const project = temporaryFolder({ "Pulumi.yaml": "name: selected\nruntime: nodejs\n" });
  const run = (args: string[], input = "") =>
    esign(args, { home: project, env: { PULUMI_CONFIG_PASSPHRASE: "words" }, input });
  await run(["stack", "init", "dev"]);
  const half =
    /the account of the selected stack dev is not fully configured .*\n.*\n +--stack <name> +a stack that has/;
  await refused(run(["webhooks", "list"]), half);
  await run(["config", "set", "esign:baseUrl", service.url]);
  await run(["config", "set", "--secret", "esign:apiKey"], service.keys.partner);
  expect(await run(["webhooks", "list", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
  expect((await run(["doctor"])).stderr).toContain(`${service.url} (from stack dev)`);
  expect((await run(["doctor", "--stack", "dev"])).stdout).toContain("config set --stack dev esign:expectAccount ");
  // What is said on the command line comes before what the configuration says.
  const elsewhere = await run(["webhooks", "list", "--stack", "dev", "--base-url", "http://127.0.0.1:9"]);
  expect(elsewhere).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("the connection was refused"),
  });
  service.clearLog();
  const write = ["webhooks", "create", "--type", "all", "--url", "https://hooks.example.com/"];
  const refusal = await run(write);
  // The meanings are in one column.
  const columns = refusal.stderr.split("\n").flatMap((line) => /^ {4}\S.*? {3,}(?=\S)/.exec(line)?.[0].length ?? []);
  expect(columns).toHaveLength(3);
  expect(new Set(columns).size).toBe(1);
  await refused(Promise.resolve(refusal), /no account configured\.\n.*\n +--stack dev +the selected stack/);
  expect(service.requests()).toEqual([]);
  expect((await run([...write, "--stack", "dev"])).code).toBe(0);
});

it("creates, shows, changes, lists and deletes", async () => {
  const url = "https://hooks.example.com/esign";
  // The API's own names of fields are options, too.
  const created = await ask(["webhooks", "create", "--webhook-type", "all", "--webhook-url", url, "--json"]);
  expect(created.code).toBe(0);
  const { webhook_id: id } = JSON.parse(created.stdout);
  const shown = JSON.parse((await ask(["webhooks", "get", id, "--json"])).stdout);
  expect(shown).toMatchObject({ webhook_type: "all", webhook_url: url });
  expect((await ask(["webhooks", "update", id, "--type", "add-user"])).code).toBe(0);
  const table = (await ask(["webhooks", "list"])).stdout.split("\n");
  expect(table[0]).toMatch(/^ID +TYPE +URL +CREATED$/);
  expect(table[1]).toMatch(new RegExp(`^${id} +add-user +${url} +\\d{4}-`));
  expect(JSON.parse((await ask(["webhooks", "list", "--json"])).stdout)).toEqual([
    expect.objectContaining({ webhook_id: id, webhook_type: "add-user" }),
  ]);
  service.clearLog();
  await refused(ask(["webhooks", "delete", id]), "add --yes");
  expect((await ask(["webhooks", "delete", id, "--yes"])).code).toBe(0);
  expect((await ask(["webhooks", "list"])).stderr).toContain("There are no webhooks.");
  expect((await ask(["webhooks", "list", "--json"])).stdout).toBe("[]\n");
});

it.each<[string[], RegExp]>([
  [["webhooks", "delete", "abc"], /<id> must be a positive integer/],
  [["companies", "delete", "0", "--company", "Firm"], /<id> must be a positive integer/],
  [
    ["webhooks", "create", "--type", "al", "--url", "nope", "--company", "Firm"],
    /did you mean "all"[\s\S]*--url must be an absolute URL/,
  ],
  [["envelopes", "cancel", ""], /<fingerprint> must/],
  [["webhooks", "list", "--limit", "0", "--company", "Firm"], /--limit must be a positive whole number/],
])("of %j all faults are shown before anything is asked of people or of the service", async (args, words) => {
  await refused(ask(args), words);
  expect((await ask(args)).stderr).not.toContain("--yes");
  expect(service.requests()).toEqual([]);
});

it("reads texts from files and from the standard input", async () => {
  save(home, {
    "body.html": "<p>{contract url}</p>\n",
    "latin.html": Buffer.from("Grüße {contract url}", "latin1"),
    "marked.txt": "\ufeff{contract title}",
  });
  const verb = ["branding", "update-email", "email-send", "--json"];
  await refused(ask([...verb, "--content", "@nowhere.html"]), /--content: cannot read nowhere.html \(ENOENT\)/);
  // Decoded as UTF-8 it would have replacement characters.
  await refused(ask([...verb, "--content", "@latin.html"]), "--content: latin.html is not UTF-8");
  await refused(ask([...verb, "--content", "@-", "--subject", "@-"]), "only one option can read stdin");
  const reply = await ask([...verb, "--content", "@body.html", "--subject", "@@home"]);
  expect(JSON.parse(reply.stdout)).toMatchObject({
    branding_email_content: "<p>{contract url}</p>\n",
    branding_email_subject: "@home",
  });
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner };
  const piped = await esignProcess([...verb, "--subject", "@-"], { home, input: "{contract title} piped", env });
  expect(JSON.parse(piped.stdout).branding_email_subject).toBe("{contract title} piped");
  const marked = await ask([...verb, "--subject", "@marked.txt"]);
  expect(JSON.parse(marked.stdout).branding_email_subject).toBe("{contract title}");
});

it("doctor --account-only names the account that other commands would use", async () => {
  const { keyFingerprint } = connect({ baseUrl: service.url, apiKey: service.keys.account });
  expect(JSON.parse((await ask(["doctor", "--account-only", "--json"], "account")).stdout)).toEqual({
    baseUrl: service.url,
    keyFingerprint: await keyFingerprint(),
    partner: false,
    source: "ESIGN_BASE_URL",
  });
  const { stdout } = await ask(["doctor", "--account-only"]);
  expect(stdout).toMatch(/^Account +http.*\nKey +fingerprint [0-9a-f]{16}\nPartner +yes\nFrom +ESIGN_BASE_URL\n$/);
  const named = await ask(["doctor", "--account-only", "--base-url", `${service.url}/`]);
  expect(named.stdout).toMatch(/^From +--base-url$/m);
});

it("shows what an account does not have as none", async () => {
  const bare = await serve(() => ({ body: { http: 200, branding_colour: "" } }));
  const env = { ESIGN_BASE_URL: bare.url, ESIGN_API_KEY: "k" };
  const { code, stdout } = await esign(["branding", "get"], { home, env });
  expect(code).toBe(0);
  for (const member of ["logo", "colour"]) expect(stdout).toMatch(new RegExp(`^branding_${member} +none$`, "m"));
});

it("says what the service's errors mean", async () => {
  const { code, stderr } = await ask(["companies", "list"], "account");
  expect(code).toBe(1);
  expect(stderr).toContain("10008");
  expect(stderr).toContain("Use a partner key");
});

it("lets no text of the service move the cursor, as words or as JSON", async () => {
  const subject = "Sign\u001b[2J \u009b1;1H\u001b]0;title\u0007 {contract title}";
  const text = "{contract title}\u001b[31m\r\nsecond line";
  const args = ["--subject", subject, "--content-plain", text];
  const update = await ask(["branding", "update-email", "email-signed", ...args]);
  expect(update.stdout).toBe("Updated email-signed: subject, content-plain\n");
  const company = ["companies", "create", "--name", subject, "--user-name", "A", "--user-email", "a@b.example"];
  const created = await ask(company);
  expect(created.stdout).toContain("Sign\\u001b[2J \\u009b1;1H\\u001b]0;title\\u0007 {contract title}\n");
  const list = await ask(["branding", "emails", "--json"]);
  const emails = (JSON.parse(list.stdout) as { branding_emails: Record<string, string>[] }).branding_emails;
  expect(emails.find((email) => email.branding_email_type === "email-signed")).toMatchObject({
    branding_email_subject: subject,
    branding_email_content_plain: text,
  });
  const account = {
    "account.yaml": "branding:\n  colour: '#112233'\n",
    "emails/email-signed/body.txt": "{contract title}\n",
  };
  const diff = ["diff", temporaryFolder(account), "account"];
  const outcomes = [update, created, list, await ask(diff), await ask([...diff, "--markdown"])];
  for (const { stdout, stderr } of outcomes) expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
});

it("writes with no key but those that esign:expectAccount names, and reads with any", async () => {
  const { keyFingerprint } = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  const at = (expected: string, ...args: string[]) =>
    esign(args, {
      home,
      env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, ESIGN_EXPECT_ACCOUNT: expected },
    });
  const [own, other] = [await keyFingerprint(), "0123456789abcdef"];
  const create = ["webhooks", "create", "--type", "all", "--url", "https://hooks.example.com/"];
  const words = /^error: this key \(fingerprint [0-9a-f]{16}\) is not allowed by esign:expectAccount/;
  for (const args of [create, ["companies", "delete", "4711", "--yes"], ["doctor", "--write"]])
    await refused(at(other, ...args), words);
  expect(service.requests()).toEqual([]);
  expect((await at(other, "webhooks", "list")).code).toBe(0);
  const doctor = await at(other, "doctor", "--json");
  expect([doctor.code, JSON.parse(doctor.stdout)]).toEqual([
    1,
    expect.arrayContaining([expect.objectContaining({ check: "account", state: "fail" })]),
  ]);
  expect(writes()).toEqual([]);
  expect((await at(`${other},${own}`, ...create)).code).toBe(0);
  expect((await at(own, "doctor")).code).toBe(0);
});

describe("subaccounts", () => {
  const create = ["companies", "create", "--name", "Harbour Lettings", "--user-name", "Hanna"];
  const key = () => service.data().accounts.find(({ name }) => name === "Harbour Lettings")!.key;

  it("keep their keys to themselves, unless asked", async () => {
    const created = await ask([...create, "--user-email", "hanna@example.com"]);
    const listed = await ask(["companies", "list", "--json"]);
    expect(created.stdout + created.stderr + listed.stdout).not.toContain(key());
    expect(created.stdout).toContain("[secret]");
    expect(created.stderr).toContain("use --show-secrets or --key-file <path>");
    expect((await ask(["companies", "list", "--show-secrets"])).stdout).toContain(key());
  });

  it("are reached by id or name", async () => {
    const { company_id: id } = JSON.parse((await ask([...create, "--user-email", "h@example.com", "--json"])).stdout);
    expect((await ask(["branding", "update", "--colour", "#0B7285", "--company", id])).code).toBe(0);
    const shown = await ask(["branding", "get", "--company", "harbour lettings", "--json"]);
    expect(JSON.parse(shown.stdout).branding_colour).toBe("#0B7285");
    expect(JSON.parse((await ask(["branding", "get", "--json"])).stdout).branding_colour).not.toBe("#0B7285");
    service.clearLog();
    const unknown = ask(["branding", "get", "--company", "Habour"]);
    await refused(unknown, "there is no company Habour; the partner has Harbour Lettings");
  });
});

it("streams long lists, and shows a page as it came", async () => {
  const urls = Array.from({ length: 120 }, (_, i) => `https://h.example.com/${i}`);
  const webhooks = urls.map((url) => ({ type: "all" as const, url }));
  const long = await emulatorForTest({ seed: { account: { webhooks } } });
  const list = (...args: string[]) =>
    esign(["webhooks", "list", ...args], {
      home,
      env: { ESIGN_BASE_URL: long.url, ESIGN_API_KEY: long.keys.account },
    });
  const all = JSON.parse((await list("--json")).stdout);
  expect(new Set(all.map(({ webhook_url }: { webhook_url: string }) => webhook_url))).toEqual(new Set(urls));
  const page = JSON.parse((await list("--page", "--offset", "101", "--limit", "5")).stdout);
  expect(page).toMatchObject({ offset: 101, limit: 5, total_webhooks: 120, webhooks: { length: 5 } });
});

describe("doctor", () => {
  it("looks at an account without changing it", async () => {
    service.clearLog();
    const { code, stdout, stderr } = await ask(["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ key +accepted, fingerprint [0-9a-f]{8,}/);
    expect(stdout).toContain("esign config set esign:expectAccount ");
    expect(stdout).toContain("✓ partner   yes, 0 subaccounts");
    expect(stdout).toContain("page size: 50");
    expect(stdout).toContain("✓ clock     in sync");
    expect(stdout).toMatch(/✓ latency +\d+ ms per request/);
    expect(writes()).toEqual([]);
    expect(stdout + stderr).not.toContain(service.keys.partner);
  });

  it("says that a large page is refused, which holds the client up nowhere", async () => {
    service.configure({ faults: [{ kind: "error", code: 10010, operation: "webhooks.list", times: 1 }] });
    const { code, stdout } = await ask(["doctor"]);
    service.configure({ faults: [] });
    expect(code).toBe(0);
    expect(stdout).toContain("✓ pages     page size: 10");
  });

  it.each([
    [-100_000, "behind"],
    [100_000, "ahead of"],
  ])("tells a clock that is off by %i ms", async (clockSkew, words) => {
    service.configure({ clockSkew });
    const { stdout } = await ask(["doctor"]);
    service.configure({ clockSkew: 0 });
    expect(stdout).toMatch(new RegExp(`! clock +the service's is (99|100|101) s ${words} this machine's`));
  });

  it("finds an ordinary key, a test key, a wrong key, and a dead address", async () => {
    expect((await ask(["doctor"], "account")).stdout).toContain("no (companies and usage not available)");
    const test = await ask(["doctor", "--write"], "test");
    expect(test).toMatchObject({ code: 1 });
    expect(test.stdout).toContain("✗ test key  yes: its writes change nothing");
    const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: "key_of_somebody_else" };
    const wrong = await esign(["doctor", "--json"], { home, env });
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout)).toContainEqual(expect.objectContaining({ check: "key", state: "fail" }));
    expect(wrong.stdout + wrong.stderr).not.toContain("key_of_somebody_else");
    for (const protocol of ["http", "https"]) {
      const dead = await esign(["doctor"], {
        home,
        env: { ...env, ESIGN_BASE_URL: `${protocol}://127.0.0.1:9`, ESIGN_RETRIES: "0" },
      });
      expect(dead.code).toBe(1);
      expect(dead.stdout).toMatch(/✗ address +https?:.*: the connection was refused/);
      expect(dead.stdout).not.toContain("✓");
    }
  });
});
