import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../files";
import { bareEnv, main } from "./esign";
import { esign } from "./in-process";

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Running {
  child: ChildProcess;
  /** The next line of the output. */
  line: () => Promise<string>;
  output: () => string;
  exit: Promise<number | null>;
}

function launch(...args: string[]): Running {
  const child = spawn(process.execPath, [main, "service", ...args], { cwd: folder, env: bareEnv(folder) });
  children.push(child);
  let all = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (all += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    line: async () => String((await lines.next()).value),
    output: () => all,
    exit: once(child, "exit").then(([code]) => code as number | null),
  };
}

/** A start that is refused, of which nothing is left: in this process. */
async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await esign(["service", ...args], { home: folder });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  return stderr;
}

const get = (url: string, path: string, key: string) =>
  fetch(url + path, {
    headers: { authorization: `Basic ${Buffer.from(`${key}:x`).toString("base64")}`, connection: "close" },
  });

test("a machine reads the address, asks, sees its requests, and ends it with one Ctrl-C", async () => {
  const service = launch("--json", "--log", "--show-keys", "--fault", "status,status=503,nth=2", "--page-cap", "7");
  const { event, url, file, keys } = JSON.parse(await service.line());
  expect(event).toBe("listening");
  expect(file).toBe(".esign/service.json");
  expect(JSON.parse(readFileSync(join(folder, file), "utf8")).accounts[0].key).toBe(keys.partner);
  expect((await get(url, "/v1/webhooks?limit=9", keys.partner)).status).toBe(200);
  expect((await get(url, "/v1/webhooks", keys.partner)).status).toBe(503);
  expect(JSON.parse(await service.line())).toMatchObject({
    event: "request",
    path: "/v1/webhooks?limit=9",
    status: 200,
  });
  expect(JSON.parse(await service.line())).toMatchObject({ status: 503, fault: "status" });
  expect((await (await fetch(`${url}/_control/settings`)).json()) as object).toMatchObject({ pageCap: { limit: 7 } });
  service.child.kill("SIGINT");
  expect(await service.exit).toBe(0);
  expect(existsSync(join(folder, ".esign/service.json.lock"))).toBe(false);
});

test("whoever reads no more of its lines does not end it", async () => {
  const service = launch("--json", "--log", "--show-keys");
  const { url, keys } = JSON.parse(await service.line());
  service.child.stdout!.destroy();
  for (let i = 0; i < 3; i++) expect((await get(url, "/v1/webhooks", keys.partner)).status).toBe(200);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
  expect(existsSync(join(folder, ".esign/service.json.lock"))).toBe(false);
});

test("keys are not printed to a file or pipe unless they are asked for", async () => {
  const service = launch();
  const first = await service.line();
  const url = /http:\S+/.exec(first)![0];
  expect(await service.line()).toContain(join(".esign", "service.json"));
  expect(await service.line()).toContain("--show-keys");
  const keys = (await (await fetch(`${url}/_control/keys`)).json()) as Record<string, string>;
  expect(service.output()).not.toContain(keys.partner);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
});

test("beyond loopback, the start shows the token for the controls", async () => {
  const service = launch(
    "--json",
    "--memory",
    "--host",
    "0.0.0.0",
    "--allow-host",
    "sign.test",
    "--allow-host",
    "two.test",
  );
  const { url, controlToken } = JSON.parse(await service.line());
  expect((await fetch(`${url}/_control/counts`)).status).toBe(401);
  const headers = { authorization: `Bearer ${controlToken}` };
  expect((await fetch(`${url}/_control/counts`, { headers })).status).toBe(200);
  const text = launch("--memory", "--host", "0.0.0.0");
  const address = /http:\S+/.exec(await text.line())![0];
  const link = /http:\S+/.exec(await text.line())![0];
  expect(link.startsWith(`${address}/?token=`)).toBe(true);
  expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
});

test("seed and settings come from files, options on top", async () => {
  writeFileSync(
    join(folder, "seed.yaml"),
    "partner:\n  key: my-own-key\n  webhooks:\n    - { type: all, url: https://a.example }\n",
  );
  const settings = { nextStyle: "null", idStyle: "integer", pageCap: { fallback: 3 }, listLag: { ms: 1 } };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  const service = launch(
    "--memory",
    "--json",
    "--seed",
    "seed.yaml",
    "--settings",
    "settings.json",
    "--id-style",
    "string",
    "--page-cap",
    "7",
    "--fault",
    "status,status=503,account=17,times=1",
    "--fault",
    "error,code=10004,message=17,account=0017",
  );
  const { url, file, keys } = JSON.parse(await service.line());
  expect([file, keys]).toEqual([null, undefined]);
  const body = (await (await get(url, "/v1/webhooks", "my-own-key")).json()) as Record<string, unknown>;
  expect(body).toMatchObject({
    next: null,
    webhooks: [{ webhook_id: expect.any(String), webhook_url: "https://a.example" }],
  });
  expect(existsSync(join(folder, ".esign"))).toBe(false);
  expect(await (await fetch(`${url}/_control/settings`)).json()).toMatchObject({
    pageCap: { limit: 7, fallback: 3 },
    listLag: { ms: 1, lists: 0 },
    faults: [
      { kind: "status", status: 503, account: "17", times: 1 },
      { kind: "error", code: 10004, message: "17", account: "0017" },
    ],
  });
});

test("refusals are switched by name, all at once, and over those of a file", async () => {
  writeFileSync(join(folder, "settings.yaml"), "strictness: { partyTwice: true, bodyText: false }");
  const options = ["--settings", "settings.yaml", "--lenient", "partyTwice", "--strict", "webhookAnswers"];
  const service = launch("--memory", "--json", ...options);
  const { url } = JSON.parse(await service.line());
  const strictness = async (address: string) =>
    ((await (await fetch(`${address}/_control/settings`)).json()) as { strictness: object }).strictness;
  expect(await strictness(url)).toEqual({ partyTwice: false, bodyText: false, webhookAnswers: true });
  const all = launch("--memory", "--json", "--lenient", "all");
  const { url: other } = JSON.parse(await all.line());
  const lenient = await strictness(other);
  expect(Object.values(lenient)).not.toContain(true);
  expect(Object.keys(lenient).length).toBeGreaterThan(10);
  expect(await refused("--memory", "--lenient", "partyTwise")).toContain("partyTwise");
});

test.each(["port: 4010", "[latency]", "latency: soon"])("a file of settings that holds %s is refused", async (text) => {
  writeFileSync(join(folder, "settings.yaml"), text);
  expect(await refused("--memory", "--settings", "settings.yaml")).toMatch(/port|expected settings by name|latency/);
});

test.each([
  [["--fault", "cut-after,probability"], "member=value"],
  [["--fault", "nonsense"], "faults"],
  [["--latency", "soon"], "number"],
  [["--memory", "--file", "x.json"], "exclude"],
  [["--tls-cert", "x.pem"], "--tls-key"],
  [["--seed", "none.yaml"], "none.yaml"],
  [["--id-style", "roman"], "mixed"],
  [["--edition", "next"], "current"],
  [["--memory", "--signed-notifications"], "needs the edition `current`"],
  [["--port", "70000"], "70000"],
])("service %j is refused with exit code 2", async (args, words) => {
  expect(await refused(...args)).toContain(words);
});

test("today's edition, with the forms of notifications that an account has on request", async () => {
  const forms = ["--minimal-notifications", "--signed-notifications"];
  const service = launch("--memory", "--json", "--edition", "current", ...forms, "--no-notifications");
  const { url } = JSON.parse(await service.line());
  expect(await (await fetch(`${url}/_control/settings`)).json()).toMatchObject({
    edition: "current",
    notifications: { enabled: false, minimal: true, signed: true },
  });
});

test("a seed for a file that is there already is not passed over in silence, and is checked", async () => {
  const seed = join(folder, "seed.yaml");
  writeFileSync(seed, "partner: { key: first-key }\n");
  const first = launch("--json", "--seed", seed);
  await first.line();
  first.child.kill("SIGTERM");
  expect(await first.exit).toBe(0);
  expect(first.output()).not.toContain("goes on");
  writeFileSync(seed, "partner: { key: other-key }\n");
  const second = launch("--json", "--show-keys", "--seed", seed);
  expect(JSON.parse(await second.line()).keys.partner).toBe("first-key");
  await expect.poll(second.output).toContain("service.json exists: its data is used. The seed applies to new files");
  second.child.kill("SIGTERM");
  expect(await second.exit).toBe(0);
  writeFileSync(seed, "partners: {}\n");
  expect(await refused("--json", "--seed", seed)).toContain("partners");
});

test("a second service on the same file is refused", async () => {
  const first = launch("--json");
  await first.line();
  expect(await refused("--json")).toContain("in use");
});
