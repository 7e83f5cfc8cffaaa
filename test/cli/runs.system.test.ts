/** A reviewed plan, and the way back to an earlier deployment, with a real program and the local service. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { esign as command } from "./in-process";

const home = temporaryFolder();
const service = useEmulator();
const other = useEmulator();

beforeAll(() => write("first"));

/** The program: an email template in a subaccount, and what `more` declares. */
function write(subject: string, more = ""): void {
  const program = `
  c:
    type: esign:Company
    properties: { name: Acme, userName: Ann, userEmail: ann@example.com, email: office@example.com, deletionProtection: false }
  m:
    type: esign:BrandingEmail
    properties: { account: "\${c.companyId}", type: email-send, subject: { fn::secret: ${subject} }, content: "<p>{contract url}</p>" }${more}
outputs: { company: "\${c.companyId}" }
`;
  writeProject(program);
}

const writeProject = (resources: string) =>
  writeFileSync(
    join(home, "Pulumi.yaml"),
    `name: shop\nruntime: yaml\nbackend: { url: "file://${home}" }\nresources:${resources}`,
  );

const esign = (...args: string[]) => esignAt(service, ...args);

async function esignAt({ url, keys }: Pick<typeof service, "url" | "keys">, ...args: string[]) {
  const env = {
    ESIGN_BASE_URL: url,
    ESIGN_API_KEY: keys.partner,
    PULUMI_CONFIG_PASSPHRASE: "correct-horse",
  };
  const { code, stdout, stderr } = await command(args, { home, env });
  return { code, all: stderr + stdout };
}

const webhook = `
  w:
    type: esign:Webhook
    properties: { account: "\${c.companyId}", type: all, url: "https://h.example.com" }`;
const writes = () => service.requests().filter(({ method }) => method !== "GET").length;

test("a version that the history lacks is named before the missing terminal is", async () => {
  await esign("stack", "init", "dev");
  expect(await esign("rollback", "99")).toMatchObject({
    code: 2,
    all: expect.stringContaining("version 99 of dev is not in the history"),
  });
});

test("a reviewed plan is done, and nothing else", async () => {
  expect(await esign("preview", "--save-plan", "plan.json")).toMatchObject({ code: 0 });
  expect(readFileSync(join(home, "plan.json"), "utf8")).not.toContain("first");
  write("second");
  const before = writes();
  const refused = await esign("up", "--plan", "plan.json", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.all).toContain('subject: planned "[secret]", now "[secret]"');
  expect(writes()).toBe(before);
  write("first");
  expect(await esign("up", "--plan", "plan.json", "--yes")).toMatchObject({ code: 0 });
  expect((await esign("up", "--plan", "plan.json", "--yes", "--skip-preview")).code).toBe(2);
});

test("a plan is refused with the key of another account, before any request", async () => {
  expect((await esign("preview", "--save-plan", "plan.json")).code).toBe(0);
  const plan = JSON.parse(readFileSync(join(home, "plan.json"), "utf8"));
  expect(plan.account).toMatch(/^[0-9a-f]{8,}$/);
  writeFileSync(join(home, "plan.json"), JSON.stringify({ ...plan, account: "0".repeat(plan.account.length) }));
  const before = writes();
  const refused = await esign("up", "--plan", "plan.json", "--yes");
  expect(refused.code).toBe(2);
  expect(refused.all).toContain(`was made with a key whose fingerprint is 000`);
  expect(refused.all).toContain(`the configured key has ${plan.account}`);
  expect(writes()).toBe(before);
});

test("a plan is refused when the account would be changed in another way", async () => {
  write("first", webhook);
  expect((await esign("preview", "--save-plan", "plan.json")).code).toBe(0);
  const plan = JSON.parse(readFileSync(join(home, "plan.json"), "utf8"));
  const added = plan.effects.find(({ op }: { op: string }) => op === "create");
  expect(added).toMatchObject({ effect: "create" });
  // As if the webhook had existed when the plan was made.
  Object.assign(added, { effect: "adopt", id: "7" });
  writeFileSync(join(home, "plan.json"), JSON.stringify(plan));
  const before = writes();
  const refused = await esign("up", "--plan", "plan.json", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.all).toContain('Webhook "w": planned adopt 7, now create');
  expect(writes()).toBe(before);
});

test("an earlier deployment is applied without its program", async () => {
  write("second", webhook);
  expect(await esign("up", "--yes")).toMatchObject({ code: 0 });
  writeProject(" { not: { type: to:be:run } }\n");
  const { code, all } = await esign("rollback", "--yes");
  expect({ code, all }).toMatchObject({ code: 0 });
  expect(all).toMatch(/Webhook +w +delete/);
  expect(all).toContain("Account writes: 2.");
  const history = JSON.parse((await esign("stack", "history", "--json")).all);
  expect(history[0]).toMatchObject({ message: "Rollback to version 1", version: 3 });
  write("first");
  expect(await esign("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("an earlier deployment of another account is refused: the message has the addresses and fingerprints of both", async () => {
  const [{ version }] = JSON.parse((await esign("stack", "history", "--json")).all);
  expect(await esign("destroy", "--yes")).toMatchObject({ code: 0 });
  write("elsewhere");
  expect(await esignAt(other, "up", "--yes")).toMatchObject({ code: 0 });
  const { code, all } = await esign("rollback", String(version), "--yes");
  expect(code).toBe(1);
  expect(all).toContain("wrong account?");
  expect(all).toContain(`this address (${service.url}) differs from the recorded one (${other.url})`);
  expect(all).not.toContain("[secret]");
});

test("after a key was rotated, an update refreshes with the program's key only if it is asked to", async () => {
  const run = (args: string[], input = "") =>
    command(args, { home, env: { ESIGN_BASE_URL: other.url, PULUMI_CONFIG_PASSPHRASE: "correct-horse" }, input });
  const setKey = (key: string) => run(["config", "set", "--secret", "esign:apiKey"], key);
  await setKey(other.keys.partner);
  expect(await run(["up", "--yes"])).toMatchObject({ code: 0 });
  await setKey(await other.rotateKey(other.data().accounts.find(({ key }) => key === other.keys.partner)!.id));
  const refused = await run(["up", "--yes", "--refresh"]);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/key/) });
  for (const args of [["preview"], ["up", "--yes"]])
    expect(await run([...args, "--refresh", "--run-program", "--expect-no-changes"])).toMatchObject({ code: 0 });
  expect(await run(["preview", "--refresh", "--expect-no-changes"])).toMatchObject({ code: 0 });
});
