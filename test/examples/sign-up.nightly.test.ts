/** examples/sign-up under load: kills, faults, lost responses, and clients that repeat themselves. Nothing is doubled, nothing lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../sdk";
import { type Answer, SignUp, wanted } from "./sign-up";

const ids = Array.from({ length: 12 }, (_, i) => `customer-${String.fromCharCode(97 + i)}`);

let service: SignUp;
beforeAll(async () => {
  service = await SignUp.open(
    {
      faultSeed: 7,
      faults: [
        { kind: "status", status: 503, probability: 0.025 },
        { kind: "status", status: 429, retryAfter: 1, probability: 0.025 },
        { kind: "cut-before", probability: 0.01 },
        { kind: "cut-after", probability: 0.02 },
      ],
    },
    { CONCURRENCY: "3", ATTEMPT_SECONDS: "60", RETRY_SECONDS: "1" },
  );
});
afterAll(() => service?.close());

/** Asks until there is a response with one of these: the service may be away, or be killed before it responds. */
async function insist(statuses: number[], ...request: Parameters<SignUp["ask"]>): Promise<Answer> {
  for (;;) {
    const answer = await service.ask(...request).catch(() => undefined);
    if (answer !== undefined && statuses.includes(answer.status)) return answer;
    await sleep(500 + Math.random() * 1000);
  }
}

/** Signs up twice at the same time, waits, takes the key, and confirms to have it. */
async function signUp(id: string): Promise<string> {
  const [path, body] = [`/customers/${id}`, wanted(id)];
  await Promise.all([insist([200], "PUT", path, body), insist([200], "PUT", path, body)]);
  const key = await insist([200], "GET", `${path}/key`);
  await insist([204], "DELETE", `${path}/key`);
  return key.body.apiKey;
}

/** Ends the service again and again while it provisions; resolves to how many attempts that has interrupted. */
async function killAgainAndAgain(isDone: () => boolean): Promise<{ kills: number; interrupted: number }> {
  let [kills, interrupted] = [0, 0];
  while (kills < 7 && !isDone()) {
    const before = service.output.length;
    const count = (message: string) => service.output.slice(before).split(`"msg":"${message}"`).length - 1;
    const inProgress = () => count("provisioning") - count("provisioned") - count("not provisioned");
    await service.start();
    while (inProgress() === 0 && !isDone()) await sleep(50);
    // The first end surely interrupts what has begun.
    await sleep([0, 2500, 500, 4000, 1500, 3000, 1000][kills]);
    kills++;
    if (kills === 4) {
      // In peace: what is in progress is finished.
      expect(await service.stop("SIGTERM")).toBe(0);
      expect(inProgress()).toBe(0);
    } else {
      interrupted += inProgress();
      // Every other time with the engines, as when a container ends.
      await service.stop("SIGKILL", kills % 2 === 0);
    }
  }
  await service.start();
  return { kills, interrupted };
}

test("twelve customers and up to seven ends of the service: one account each, and every key arrives", {
  timeout: 1_500_000,
}, async () => {
  const { emulator } = service;
  let isDone = false;
  const signedUp = Promise.all(ids.map(signUp)).finally(() => {
    isDone = true;
  });
  const { kills, interrupted } = await killAgainAndAgain(() => isDone);
  const keys = await signedUp;
  // How many there are depends on the machine.
  expect(kills).toBeGreaterThan(0);
  expect(interrupted).toBeGreaterThan(0);
  emulator.configure({ faults: [] });

  const companies = await connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner }).companies.list().all();
  expect(companies.map(({ company_name }) => company_name).sort()).toEqual(ids.map((id) => wanted(id).name));
  const keyOf = new Map(companies.map((company) => [company.company_name, company.company_api_key!]));
  expect(keys).toEqual(ids.map((id) => keyOf.get(wanted(id).name)));
  for (const [i, id] of ids.entries()) {
    const client = connect({ baseUrl: emulator.url, apiKey: keys[i]! });
    expect((await client.branding.get()).branding_colour).toBe(wanted(id).colour);
    expect((await client.webhooks.list().all()).map(({ webhook_url }) => webhook_url).sort()).toEqual([
      `${wanted(id).hooks}/rejected`,
      `${wanted(id).hooks}/signed`,
    ]);
    const { branding_emails: emails } = await client.branding.emails();
    const invitation = emails.find((email) => email.branding_email_type === "email-send");
    expect(invitation?.branding_email_content).toContain(wanted(id).colour);
    expect((await service.ask("GET", `/customers/${id}/key`)).status).toBe(410);
  }

  const { rows } = await service.database.query("select status, error, key_confirmed is null as open from customers");
  expect(rows).toEqual(ids.map(() => ({ status: "ready", error: null, open: false })));
  const jobs = await service.database.query("select * from pgboss.job where name = 'provision'");
  expect(new Set(jobs.rows.map(({ state }) => state))).toEqual(new Set(["completed"]));
  expect(jobs.rows).toHaveLength(ids.length);
  for (const text of [service.output, JSON.stringify(jobs.rows)])
    for (const secret of [...keys, emulator.keys.partner]) expect(text).not.toContain(secret);
});
