/** `esign drift` and `esign doctor` on webhooks that are suspended, or whose secret is lost. */
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { listen } from "../sdk/server";
import { esign } from "./in-process";

const home = temporaryFolder();
const state = join(home, "state.json");
const service = useEmulator({ edition: "current", notifications: { signed: true, retries: 0 } });
let client: Client;

beforeAll(async () => {
  client = connect({ baseUrl: service.url, apiKey: service.keys.account });
});
beforeEach(() => {
  service.reset();
  rmSync(join(home, ".esign"), { recursive: true, force: true });
});

const run = (...args: string[]) =>
  esign(args, { home, env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account } });
const drift = (...args: string[]) => run("drift", "--state", state, ...args);

/** Creates webhooks and writes a state of them; with the secrets of the first `withSecret`. */
async function deploy(urls: string[], withSecret: number): Promise<string[]> {
  const resources = [];
  for (const [i, url] of urls.entries()) {
    const { webhook_id: id, webhook_secret } = await client.webhooks.create({
      webhook_type: "add-user",
      webhook_url: url,
    });
    const plaintext = JSON.stringify(webhook_secret);
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext };
    const inputs = { type: "add-user", url };
    resources.push({
      urn: `urn:pulumi:dev::p::pulumi-nodejs:dynamic/esign:Webhook::hook${i}`,
      type: "pulumi-nodejs:dynamic/esign:Webhook",
      custom: true,
      id,
      inputs,
      outputs: { ...inputs, webhookId: id, ...(i < withSecret && { secret }) },
    });
  }
  writeFileSync(state, JSON.stringify({ version: 3, deployment: { resources } }));
  return resources.map(({ id }) => id);
}

test("a suspended webhook is drift, as long as it lasts, and a warning of doctor", async () => {
  const url = "http://127.0.0.1:9/hook";
  const [id] = await deploy([url, "https://r.example/"], 2);
  expect(await drift("--exit-code")).toMatchObject({ code: 0, stdout: "No drift.\n" });
  expect((await run("doctor")).stdout).toContain("✓ webhooks  2, none suspended");
  await service.notify(service.data().accounts.at(-1)!.id, "add-user");
  await service.waitForDeliveries();
  await service.advance(4 * 24 * 3600_000);
  const found = await drift("--exit-code");
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(
    /~ webhook add-user http:\/\/127.0.0.1:9\/hook\n +suspendedAt: set to "\d{4}-.*" \(new\)\n.*1 new\.\n1 resource drifted/,
  );
  expect(found.stderr).toMatch(new RegExp(`Webhook ${id}: suspended since .*, so it is not notified`));
  const doctor = await run("doctor");
  expect(doctor.code).toBe(0);
  expect(doctor.stdout).toMatch(
    new RegExp(
      `! webhooks  1 of 2 suspended\n +${id} since \\d{4}-\\S+: webhook add-user ${url}\n +They are not notified.*--call-webhooks`,
    ),
  );
  await client.webhooks.update({ webhook_id: id!, webhook_type: "add-user", webhook_url: "https://r.example/new" });
  expect((await drift()).stdout).toMatch(/URL: .*\(new\)\nno longer drifted: .*, suspendedAt /);
});

test("doctor --call-webhooks says what each URL answers to a form that is no event, and its likely cause", async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(`${request.method} ${request.headers["content-type"]} ${await text(request)}`);
    response.writeHead(Number(request.url!.slice(1))).end();
  });
  const { url } = await listen(server, () => server.closeAllConnections());
  await deploy([`${url}/403`, `${url}/401`, `${url}/404`, "http://127.0.0.1:9/"], 0);
  expect((await run("doctor")).stdout).not.toContain("answers an empty form");
  expect(bodies).toEqual([]);
  const { code, stdout } = await run("doctor", "--call-webhooks");
  expect(code).toBe(0);
  expect(bodies).toEqual(Array(3).fill("POST application/x-www-form-urlencoded "));
  expect(stdout).toMatch(/! URLs +webhook \S+\/403 answers an empty form with 403\n +Likely cause: an origin check/);
  expect(stdout).toMatch(/✓ URLs +webhook \S+\/401 answers an empty form with 401\n(?! +Likely)/);
  expect(stdout).toMatch(/! URLs +.*404\n +Likely cause: no route/);
  expect(stdout).toMatch(/! URLs +webhook http:\/\/127\.0\.0\.1:9\/ could not be called: /);
});

test("a webhook for an event that another one brings to the same URL is a warning of doctor", async () => {
  const url = "https://r.example/hook";
  const [first] = await deploy([url, "https://r.example/other"], 2);
  await client.webhooks.create({ webhook_type: "add-contact", webhook_url: url });
  expect((await run("doctor")).stdout).toContain("✓ webhooks  3, none suspended");
  const { webhook_id: second } = await client.webhooks.create({ webhook_type: "add-user", webhook_url: `${url}` });
  const { stdout } = await run("doctor");
  expect(stdout).toMatch(/! webhooks {2}2 of 4 doubled/);
  for (const id of [first, second]) expect(stdout).toContain(`${id}: webhook add-user ${url}`);
  await client.webhooks.create({ webhook_type: "all", webhook_url: "https://R.example/other" });
  expect((await run("doctor")).stdout).toMatch(/! webhooks {2}3 of 5 doubled/);
});

test("a secret that the state lacks is named where others have one", async () => {
  await deploy(["https://a.example/", "https://b.example/"], 1);
  const { stderr, stdout } = await drift();
  expect(stdout).toBe("No drift.\n");
  expect(stderr).toMatch(/note: hook1 has no secret: only a new object has one\. .*--replace <urn>/);
  expect(stderr).not.toContain("hook0");
  await deploy(["https://c.example/"], 0);
  expect((await drift()).stderr).not.toContain("secret");
});

test("a service that tells no suspension is not said to have none", async () => {
  service.configure({ edition: "specification", notifications: {} });
  await client.webhooks.create({ webhook_type: "all", webhook_url: "https://r.example/" });
  expect((await run("doctor")).stdout).toMatch(/✓ webhooks {2}1\n/);
});
