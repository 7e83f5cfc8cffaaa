/** `esign fleet` of a program in YAML: all stacks in one process, and nothing of one customer with another. */
import { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { testFleet } from "./fleet-kill";
import { esign } from "./in-process";

testFleet({ count: 6, engine: "embedded", runtime: "yaml" });

/** Customers who each have an account of their own, with its key, and a project that puts what is theirs into it. */
async function customers(count: number) {
  const service = await emulatorForTest();
  const partner = connect({ baseUrl: service.url, apiKey: service.keys.partner! });
  const records: { id: string; "esign:apiKey": string; mark: string }[] = [];
  for (let i = 0; i < count; i++) {
    const id = `c${i}`;
    const { company_id } = await partner.companies.create({
      company_name: `Company ${id}`,
      user_name: "Ann",
      user_email: `${id}@example.com`,
    });
    const account = service.data().accounts.find(({ id: number }) => String(number) === String(company_id))!;
    records.push({ id, "esign:apiKey": account.key, mark: `mark-of-${id}` });
  }
  const home = temporaryFolder();
  save(home, {
    "Pulumi.yaml": `name: shop
runtime: yaml
stackConfigDir: stacks
backend: { url: "file://${home}/states" }
config:
  mark: { type: string }
resources:
  all:
    type: esign:Webhook
    properties: { type: all, url: "https://h.example.com/\${mark}" }
`,
  });
  const write = () => writeFileSync(join(home, "customers.json"), JSON.stringify(records));
  write();
  const env = {
    ESIGN_BASE_URL: service.url,
    PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    PULUMI_HOME: join(home, "pulumi-home"),
    TMPDIR: temporaryFolder(),
  };
  const spawn = vi.spyOn(ChildProcess.prototype as unknown as { spawn(): never }, "spawn").mockImplementation(() => {
    throw new Error("a process is started");
  });
  onTestFinished(() => spawn.mockRestore());
  const fleet = async (verb: string, ...more: string[]) => {
    const args = ["fleet", verb, "customers.json", "--engine", "embedded", "--json", ...more];
    const { code, stdout, stderr } = await esign(args, { home, env });
    return { code, stderr, report: JSON.parse(stdout) as Report, text: stdout + stderr };
  };
  /** All files with a name like this, by their path. */
  const files = (pattern: RegExp) =>
    readdirSync(home, { recursive: true, withFileTypes: true, encoding: "utf8" })
      .filter((entry) => entry.isFile() && entry.name !== "customers.json")
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => pattern.test(path))
      .map((path) => [path, readFileSync(path, "utf8")] as const);
  const webhooks = () =>
    Object.fromEntries(
      service
        .data()
        .accounts.flatMap(({ name, webhooks: all }) =>
          name.startsWith("Company c") ? [[name.slice("Company ".length), all.map(({ url }) => url)]] : [],
        ),
    );
  return { service, records, write, fleet, files, webhooks, home, env };
}

interface Report {
  outcomes: { stack: string; ids: string[]; status: string; reason?: string; changes: Record<string, number> }[];
}

describe("customers with accounts of their own, in one process", () => {
  it("have each what is theirs; one that fails, fails alone, and no key is anywhere but encrypted", async () => {
    const { records, write, fleet, files, webhooks } = await customers(8);
    const right = records[3]!["esign:apiKey"];
    records[3]!["esign:apiKey"] = "this-key-has-no-account-12345678";
    write();
    const { code, report, text } = await fleet("up", "--yes", "--max-failures", "8", "--parallel", "8");
    expect(code).toBe(1);
    const byId = new Map(report.outcomes.map((outcome) => [outcome.ids[0]!, outcome]));
    expect([...byId.values()].filter(({ status }) => status !== "done").map(({ ids }) => ids)).toEqual([["c3"]]);
    expect(byId.get("c3")?.reason).toMatch(/401.*|key.*rejected/);
    const urls = (id: string) => (id === "c3" ? [] : [`https://h.example.com/mark-of-${id}`]);
    expect(webhooks()).toEqual(Object.fromEntries(records.map(({ id }) => [id, urls(id)])));
    for (const { "esign:apiKey": key } of [...records, { "esign:apiKey": right }]) {
      expect(text).not.toContain(key);
      expect(files(/./).filter(([, content]) => content.includes(key))).toEqual([]);
    }
    // A state and its history know their own customer only.
    for (const { id } of records)
      for (const [path, content] of files(new RegExp(`customer-${id}[./]`)))
        for (const other of records)
          if (other.id !== id) expect([path, content.includes(other.mark)]).toEqual([path, false]);
    // One passphrase, one salt: the key is made once.
    const salts = files(/stacks.Pulumi/).map(([, content]) => /encryptionsalt: (\S+)/.exec(content)?.[1]);
    expect([salts.length, new Set(salts).size]).toEqual([8, 1]);

    records[3]!["esign:apiKey"] = right;
    write();
    const resumed = await fleet("up", "--yes", "--resume");
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("finished before")]);
    expect(resumed.report.outcomes.filter(({ status }) => status === "done").map(({ ids }) => ids)).toEqual([["c3"]]);
    expect(Object.values(webhooks()).every(({ length }) => length === 1)).toBe(true);
  });

  it("of one that fails in the middle, it is reported what was written before", async () => {
    const { records, home, write, fleet, webhooks } = await customers(2);
    const program = readFileSync(join(home, "Pulumi.yaml"), "utf8");
    save(home, {
      "Pulumi.yaml": `${program}  brand:
    type: esign:Branding
    properties: { colour: "\${colour}" }
    options: { dependsOn: ["\${all}"] }
`.replace("config:\n", "config:\n  colour: { type: string }\n"),
    });
    for (const [i, colour] of ["#0B7285", "blue"].entries()) Object.assign(records[i]!, { colour });
    write();
    const page = join(home, "report.html");
    const { code, report, stderr } = await fleet("up", "--yes", "--html", page);
    expect([code, Object.values(webhooks()).map(({ length }) => length)]).toEqual([1, [1, 1]]);
    const failed = report.outcomes.find(({ status }) => status === "failed");
    expect(failed).toMatchObject({ ids: ["c1"], changes: { create: 1 }, account: { writes: 1 } });
    for (const text of [stderr, readFileSync(page, "utf8")])
      expect(text).toContain("failed, after 1 create; Account writes: 1");
    // A plan that failed has done nothing.
    records[1]!.mark = "new";
    write();
    const preview = await fleet("preview", "--only", "c1");
    expect(preview.report.outcomes[0]).toMatchObject({ status: "failed", changes: {} });
    expect(preview.stderr).toMatch(/c1 {2}failed \(/);
  });

  it("what belongs to a customer whose id has changed is not removed with the former stack", async () => {
    const { records, home, env, write, fleet, webhooks, service } = await customers(2);
    expect((await fleet("up", "--yes")).code).toBe(0);
    const before = webhooks();
    records[1]!.id = "renamed";
    write();
    expect((await fleet("up", "--yes")).report.outcomes.map(({ changes }) => changes)).toEqual([
      { same: 1 },
      { adopt: 1 },
    ]);
    service.clearLog();
    const refused = await fleet("destroy", "--removed", "--yes");
    expect([refused.code, webhooks(), service.requests()]).toEqual([1, before, []]);
    const { reason } = refused.report.outcomes[0]!;
    expect(reason).toMatch(/^Nothing was deleted: Webhook "all" \(id \d+\) belongs to customer-renamed, too\.$/m);
    const [, remedy = ""] = /: esign (stack rm .*)$/.exec(reason!) ?? [];
    const removed = await esign([...remedy.split(" "), "--yes", "--engine", "embedded"], { home, env });
    expect([removed.code, webhooks()], removed.stderr).toEqual([0, before]);
    expect((await fleet("destroy", "--removed", "--yes")).report.outcomes).toEqual([]);

    records[1]!.id = "again";
    write();
    const rename = ["stack", "rename", "customer-again", "--stack", "customer-renamed", "--engine", "embedded"];
    expect((await esign(rename, { home, env })).code).toBe(0);
    expect((await fleet("up", "--yes")).report.outcomes.map(({ changes }) => changes)).toEqual([
      { same: 1 },
      { same: 1 },
    ]);
  });

  it("a customer without a value that the program asks for: the file of customers is where it is added", async () => {
    const { records, write, fleet } = await customers(2);
    records[1]!.mark = "";
    write();
    const { code, report } = await fleet("preview", "--only", "c1");
    expect(code).toBe(1);
    expect(report.outcomes[0]!.reason).toBe(
      'stack customer-c1 lacks the configuration "mark", which Pulumi.yaml asks for.\nAdd the value to the customer in the file of customers.',
    );
  });

  it("drift, refresh and destroy as one stack does, and leave nothing among temporary files", async () => {
    const { service, records, fleet, files, webhooks, env } = await customers(3);
    expect(await fleet("preview", "--expect-no-changes")).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/^No changes were expected, but there are some\.$/m),
    });
    expect((await fleet("up", "--yes")).code).toBe(0);
    // Once the state has what was created, nothing else is to remember it.
    expect(files(/pending-creates/)).toEqual([]);
    expect((await fleet("preview", "--expect-no-changes")).code).toBe(0);
    const own = connect({ baseUrl: service.url, apiKey: records[1]!["esign:apiKey"] });
    const [webhook] = await own.webhooks.list().all();
    await own.webhooks.delete({ webhook_id: webhook!.webhook_id });
    const drift = await fleet("drift", "--exit-code");
    const changed = ({ report }: typeof drift) =>
      report.outcomes
        .filter(({ changes }) => Object.keys(changes).some((op) => op !== "same"))
        .map(({ ids }) => ids[0]);
    expect([drift.code, changed(drift)]).toEqual([1, ["c1"]]);
    expect(changed(await fleet("refresh", "--yes"))).toEqual(["c1"]);
    expect(changed(await fleet("up", "--yes"))).toEqual(["c1"]);
    expect((await fleet("destroy", "--yes")).code).toBe(0);
    expect(webhooks()).toEqual({ c0: [], c1: [], c2: [] });
    const left = readdirSync(env.TMPDIR, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => /esign-e|runs./.test(name))).toEqual([]);
    expect(files(/locks.*json$/)).toEqual([]);
  });
});

it("account folders are deployed in it, too: each subaccount gets the folder with its own values", async () => {
  const service = await emulatorForTest();
  const home = temporaryFolder();
  save(home, {
    "Pulumi.yaml": `name: shop
runtime: yaml
stackConfigDir: stacks
backend: { url: "file://${home}" }
config: { name: { type: string }, email: { type: string }, values: { type: object } }
resources:
  customer:
    type: esign:SubAccount
    properties: { folder: account, name: "\${name}", userName: Ann, userEmail: "\${email}", values: "\${values}" }
`,
    "account/account.yaml": 'branding: { colour: "${colour}" }\n',
    "customers.csv": "id,name,email,values.colour\na,Acme,a@example.com,#010203\nb,Bond,b@example.com,#040506\n",
  });
  const env = {
    ...{ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner!, PULUMI_CONFIG_PASSPHRASE: "correct-horse" },
    PULUMI_HOME: join(home, "pulumi-home"),
  };
  const { code, stderr } = await esign(["fleet", "up", "customers.csv", "--yes", "--engine", "embedded"], {
    home,
    env,
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining("Account writes")]);
  const colours = service.data().accounts.flatMap(({ name, branding }) =>
    /^(Acme|Bond)$/.test(name)
      ? [
          [
            name,
            JSON.stringify(branding)
              .match(/#?0[14]0[25]0[36]/i)?.[0]
              .replace("#", ""),
          ],
        ]
      : [],
  );
  expect(colours.sort()).toEqual([
    ["Acme", "010203"],
    ["Bond", "040506"],
  ]);
});
