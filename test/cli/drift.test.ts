/** `esign drift`: what it remembers of earlier runs, and its output formats. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { connect } from "../../sdk";
import { sarifErrors } from "../account-folder/sarif-schema";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const state = join(home, "state.json");
const record = join(home, ".esign/drift/shop.dev.json");
const hook = { type: "add-user", url: "https://h.example/?token=sesame" };
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const service = useEmulator();
const client = () => connect({ baseUrl: service.url, apiKey: service.keys.account });
let webhook_id: string;
const branding = ["Branding", "branding", "branding", { colour: "#0B7285" }] as const;

beforeEach(async () => {
  service.reset();
  rmSync(join(home, ".esign"), { recursive: true, force: true });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T09:12:30Z") });
  await colour("#0B7285");
  ({ webhook_id } = await client().webhooks.create({ webhook_type: "add-user", webhook_url: hook.url }));
  const url = { ...secretSignature, plaintext: JSON.stringify(hook.url) };
  writeState([branding, ["Webhook", "hook", webhook_id, { type: hook.type, url }]]);
});
afterAll(() => void vi.useRealTimers());

function writeState(resources: (readonly [kind: string, name: string, id: string, inputs: object])[]): void {
  const deployment = {
    resources: resources.map(([kind, name, id, inputs]) => ({
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/esign:${kind}::${name}`,
      type: `pulumi-nodejs:dynamic/esign:${kind}`,
      custom: true,
      id,
      inputs,
      outputs: inputs,
    })),
  };
  writeFileSync(state, JSON.stringify({ version: 3, deployment }));
}

const env = () => ({ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account });
const driftIn = (cwd: string, ...args: string[]) =>
  esign(["drift", "--state", state, ...args], { home, cwd, env: env() });
const drift = (...args: string[]) => driftIn(home, ...args);
const lines = async () => (await drift()).stdout.split("\n").filter(Boolean);
const notesIn = (stderr: string) => stderr.split("\n").filter((line) => line.startsWith("note: "));
const wait = (hours: number) => vi.setSystemTime(Date.now() + hours * 3600_000);
const colour = (value: string) => client().branding.update({ branding_colour: value });
const moveHook = (webhook_url: string) =>
  client().webhooks.update({ webhook_id, webhook_type: "add-user", webhook_url });
const deleteHook = () => client().webhooks.delete({ webhook_id });

test("says what was compared, and fails where nothing can be", async () => {
  expect((await drift()).stderr).toMatch(
    new RegExp(`2 resources of stack dev compared with ${service.url} {2}key [0-9a-f]{4}…[0-9a-f]{4}\\n$`),
  );
  const keyless = { ESIGN_BASE_URL: service.url };
  const run = (settings: Record<string, string>) =>
    esign(["drift", "--state", state], { home, cwd: home, env: settings });
  expect(await run(keyless)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("esign:apiKey") });
  writeState([]);
  for (const settings of [keyless, env()]) {
    const message = expect.stringMatching(
      /^error: the state has no resource of an account: there is nothing to compare/,
    );
    expect(await run(settings)).toMatchObject({ code: 2, stdout: "", stderr: message });
  }
});

test("says since when, what is new, what changed again and what no longer drifts", async () => {
  await colour("#FF0000");
  expect(await lines()).toEqual(["~ branding", '    colour: "#0B7285" → "#FF0000"', "1 resource drifted."]);
  wait(26);
  await deleteHook();
  expect(await lines()).toEqual([
    "~ branding",
    '    colour: "#0B7285" → "#FF0000" (since 2026-11-20 09:12Z, 1 day)',
    "- webhook add-user [secret] (new)",
    "Since the last look, 2026-11-20 09:12Z: 1 new.",
    "2 resources drifted.",
  ]);
  wait(1);
  await colour("#00FF00");
  expect(await lines()).toContain('    colour: "#0B7285" → "#00FF00" (since 2026-11-20 09:12Z, 1 day; changed again)');
  wait(48);
  expect(await lines()).toEqual([
    "~ branding",
    '    colour: "#0B7285" → "#00FF00" (since 2026-11-20 09:12Z, 3 days; last changed 2026-11-21 12:12Z)',
    "- webhook add-user [secret] (since 2026-11-21 11:12Z, 2 days)",
    "Since the last look, 2026-11-21 12:12Z: nothing new.",
    "2 resources drifted.",
  ]);
  await colour("#0B7285");
  expect((await lines()).slice(1)).toEqual([
    "no longer drifted: branding, colour (seen 2026-11-20 09:12Z to 2026-11-23 12:12Z)",
    "Since the last look, 2026-11-23 12:12Z: 1 resolved.",
    "1 resource drifted.",
  ]);
  // The webhook is removed from the program, and only its URN is left.
  writeState([branding]);
  expect(await lines()).toEqual([
    "no longer drifted: hook (seen 2026-11-21 11:12Z to 2026-11-23 12:12Z)",
    "Since the last look, 2026-11-23 12:12Z: 1 resolved.",
    "No drift.",
  ]);
  expect(await lines()).toEqual(["No drift."]);
});

test("what has drifted in an object that is missing now, has not ended", async () => {
  await moveHook("https://b.example/");
  await lines();
  wait(1);
  await deleteHook();
  expect(await lines()).toEqual([
    "- webhook add-user [secret] (new)",
    "Since the last look, 2026-11-20 09:12Z: 1 new.",
    "1 resource drifted.",
  ]);
});

test("the record has no values, and only its owner reads it", async () => {
  await colour("#FF0000");
  await moveHook("https://h.example/?token=open");
  await drift();
  const text = readFileSync(record, "utf8");
  const { drift: seen } = JSON.parse(text) as { drift: { field: string }[] };
  expect(seen.map(({ field }) => field)).toEqual(["colour", "url"]);
  expect(text).not.toMatch(/sesame|open|FF0000|h\.example/i);
  expect(statSync(record).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(home, ".esign/.gitignore"), "utf8")).toBe("*\n");
});

test("JSON has the dates of each difference", async () => {
  await colour("#FF0000");
  await deleteHook();
  const { code, stdout } = await drift("--json", "--exit-code");
  expect(code).toBe(1);
  const first = "2026-11-20T09:12:30.000Z";
  expect(JSON.parse(stdout)).toMatchObject({
    stack: "dev",
    lookedAt: first,
    changes: [
      { kind: "Branding", fields: [{ field: "colour", after: "#FF0000", firstSeen: first, lastChanged: first }] },
      { kind: "Webhook", name: "add-user [secret]", action: "remove", firstSeen: first, lastChanged: first },
    ],
    resolved: [],
  });
  expect(JSON.parse(stdout)).not.toHaveProperty("previousLook");
  wait(2);
  await colour("#0B7285");
  expect(JSON.parse((await drift("--format", "json")).stdout)).toMatchObject({
    lookedAt: "2026-11-20T11:12:30.000Z",
    previousLook: first,
    resolved: [{ kind: "Branding", resource: "branding", field: "colour", firstSeen: first, lastSeen: first }],
  });
});

test("SARIF goes to a file for code review, while people read text or Markdown", async () => {
  await drift();
  wait(1);
  await colour("#FF0000");
  await deleteHook();
  const out = join(home, "drift.sarif");
  const { stdout } = await drift("--markdown", "--format", "sarif", "--out", out);
  expect(stdout).toContain("### Drift of dev\n");
  expect(stdout).toContain('colour: "#0B7285" → "#FF0000" (new)');
  expect(stdout).toContain("Since the last look, 2026-11-20 09:12Z: 2 new.");
  const read = () => JSON.parse(readFileSync(out, "utf8"));
  const log = read();
  expect(sarifErrors(log)).toBeNull();
  expect(log.runs[0].results).toMatchObject([
    {
      ruleId: "drift-changed",
      message: { text: 'branding: colour: "#0B7285" → "#FF0000" (new)' },
      locations: [{ physicalLocation: { artifactLocation: { uri: "state.json" } } }],
    },
    {
      ruleId: "drift-deleted",
      message: { text: "webhook add-user [secret]: was deleted (new)" },
      baselineState: "new",
      provenance: { firstDetectionTimeUtc: "2026-11-20T10:12:30.000Z" },
    },
  ]);
  wait(1);
  await colour("#00FF00");
  expect((await drift("--format", "sarif", "--out", out)).stdout).toContain("2 resources drifted.");
  const results = (of: ReturnType<typeof read>) =>
    of.runs[0].results as { baselineState: string; partialFingerprints: object }[];
  expect(results(read()).map(({ baselineState }) => baselineState)).toEqual(["updated", "unchanged"]);
  const fingerprints = [...results(log), ...results(read())].map((each) => JSON.stringify(each.partialFingerprints));
  expect(fingerprints.slice(2)).toEqual(fingerprints.slice(0, 2));
  expect(new Set(fingerprints).size).toBe(2);
  // In a project, the finding is at its Pulumi.yaml.
  save(home, { "project/Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
  const inProject = await driftIn(join(home, "project"), "--format", "sarif");
  const printed = JSON.parse(inProject.stdout);
  expect(printed.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("Pulumi.yaml");
  expect(readdirSync(join(home, "project/.esign/drift"))).toEqual(["shop.dev.json"]);
});

test("two forms for one output, and a report that cannot be written, are errors of usage", async () => {
  const two = await drift("--markdown", "--format", "sarif");
  expect([two.code, two.stdout]).toEqual([2, ""]);
  expect(two.stderr).toContain("--markdown and --format sarif both print: write one of them to a file with --out");
  const nowhere = await drift("--format", "json", "--out", state.concat("/x"));
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain("cannot write the report");
});

test("a record that cannot be read or written is a note, and the comparison is the same", async () => {
  await colour("#FF0000");
  await drift();
  const later = "a later version of esign has written it";
  for (const [text, why] of [
    ["{", "damaged"],
    ['{"version":1,"drift":[]}', "damaged"],
    ['{"version":2,"drift":[]}', later],
    ["[]", "damaged"],
  ] as const) {
    writeFileSync(record, text);
    const { code, stdout, stderr } = await drift("--exit-code");
    expect([code, stdout]).toEqual([1, '~ branding\n    colour: "#0B7285" → "#FF0000"\n1 resource drifted.\n']);
    expect(notesIn(stderr)).toEqual([
      `note: cannot read ${record} (${why}): the dates of drift begin again with this look`,
    ]);
  }
  expect(notesIn((await drift()).stderr)).toEqual([]);
  rmSync(join(home, ".esign"), { recursive: true });
  writeFileSync(join(home, ".esign"), "");
  const { code, stderr } = await drift();
  rmSync(join(home, ".esign"));
  expect(code).toBe(0);
  expect(notesIn(stderr)).toEqual([
    expect.stringMatching(/^note: cannot write .*shop\.dev\.json \(.*\): the next look will not know this one$/),
  ]);
});

test("a look that fails leaves the record of the last one", async () => {
  await drift();
  const before = readFileSync(record, "utf8");
  wait(1);
  service.configure({ faults: [{ kind: "status", status: 401 }] });
  const { code, stderr } = await drift();
  expect([code, stderr]).toEqual([2, expect.stringContaining("Set esign:apiKey to a current key of the account")]);
  // It has the current configuration, and no option --run-program.
  expect(stderr).not.toContain("the last `up`");
  expect(readFileSync(record, "utf8")).toBe(before);
});

test("and `drift unmanaged` read the stack of a project in another language, managed by the plugin", async () => {
  const cwd = join(home, "yaml");
  const settings = { ...env(), PULUMI_CONFIG_PASSPHRASE: "a b c" };
  save(cwd, { "Pulumi.yaml": `name: shop\nruntime: yaml\nbackend:\n  url: file://${cwd}\n` });
  const urn = "urn:pulumi:dev::shop::esign:index:Webhook::hook";
  const hookState = { urn, type: "esign:index:Webhook", custom: true, id: webhook_id, inputs: hook, outputs: hook };
  save(cwd, {
    ".pulumi/meta.yaml": "version: 1\n",
    ".pulumi/stacks/shop/dev.json": JSON.stringify({
      version: 3,
      checkpoint: { stack: "organization/shop/dev", latest: { manifest: {}, resources: [hookState] } },
    }),
  });
  const run = (...args: string[]) => esign([...args, "--stack", "dev"], { home, cwd, env: settings });
  expect(await run("drift", "--exit-code")).toMatchObject({ code: 0, stdout: "No drift.\n" });
  expect((await run("drift", "unmanaged")).stdout).not.toContain("h.example");
  await moveHook("https://moved.example/");
  expect(await run("drift", "--exit-code")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("~ webhook add-user"),
  });
});
