import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { save, temporaryFolder } from "../files";
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

const settingsOf = async (url: string, controlToken = "") => {
  const reply = await fetch(`${url}/_control/settings`, { headers: { authorization: `Bearer ${controlToken}` } });
  // biome-ignore lint/suspicious/noExplicitAny: what the service sends
  return (await reply.json()) as any;
};
const lock = () => existsSync(join(folder, ".esign/service.json.lock"));

test("a machine reads the address, asks, sees its requests or stops reading, and ends it with one Ctrl-C", async () => {
  const service = launch("--json", "--log", "--show-keys", "--fault", "status,status=503,nth=2", "--page-cap", "7");
  const { event, url, file, keys } = JSON.parse(await service.line());
  expect(event).toBe("listening");
  expect(file).toBe(".esign/service.json");
  expect(JSON.parse(readFileSync(join(folder, file), "utf8")).accounts[0].key).toBe(keys.partner);
  expect((await get(url, "/v1/webhooks?limit=9", keys.partner)).status).toBe(200);
  expect((await get(url, "/v1/webhooks", keys.partner)).status).toBe(503);
  const request = { event: "request", path: "/v1/webhooks?limit=9", status: 200 };
  expect(JSON.parse(await service.line())).toMatchObject(request);
  expect(JSON.parse(await service.line())).toMatchObject({ status: 503, fault: "status" });
  expect(await settingsOf(url)).toMatchObject({ pageCap: { limit: 7 } });
  service.child.stdout!.destroy();
  for (let i = 0; i < 3; i++) expect((await get(url, "/v1/companies", keys.partner)).status).toBe(200);
  expect(lock()).toBe(true);
  service.child.kill("SIGINT");
  expect(await service.exit).toBe(0);
  expect(lock()).toBe(false);
});

test("beyond loopback, the start shows the token for the controls", async () => {
  const text = launch("--memory", "--host", "0.0.0.0");
  const address = /http:\S+/.exec(await text.line())![0];
  const link = /http:\S+/.exec(await text.line())![0];
  expect(link.startsWith(`${address}/?token=`)).toBe(true);
  expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
});

test("seed and settings come from files, options on top", async () => {
  const settings = { nextStyle: "null", idStyle: "integer", pageCap: { fallback: 3 }, listLag: { ms: 1 } };
  save(folder, {
    "seed.yaml": "partner:\n  key: my-own-key\n  webhooks:\n    - { type: all, url: https://a.example }\n",
    "settings.json": JSON.stringify(settings),
  });
  const files = ["--memory", "--json", "--seed", "seed.yaml", "--settings", "settings.json"];
  const options = ["--id-style", "string", "--page-cap", "7", "--lenient", "all"];
  const faults = ["status,status=503,account=17,times=1", "error,code=10004,message=17,account=0017"];
  const hosts = ["--host", "0.0.0.0", "--allow-host", "sign.test", "--allow-host", "two.test"];
  const service = launch(...files, ...options, ...hosts, ...faults.flatMap((fault) => ["--fault", fault]));
  const { url, file, keys, controlToken } = JSON.parse(await service.line());
  expect([file, keys]).toEqual([null, undefined]);
  const body = (await (await get(url, "/v1/webhooks", "my-own-key")).json()) as Record<string, unknown>;
  expect(body).toMatchObject({
    next: null,
    webhooks: [{ webhook_id: expect.any(String), webhook_url: "https://a.example" }],
  });
  expect(existsSync(join(folder, ".esign"))).toBe(false);
  expect((await fetch(`${url}/_control/counts`)).status).toBe(401);
  const { strictness, ...others } = await settingsOf(url, controlToken);
  expect(others).toMatchObject({
    pageCap: { limit: 7, fallback: 3 },
    listLag: { ms: 1, lists: 0 },
    faults: [
      { kind: "status", status: 503, account: "17", times: 1 },
      { kind: "error", code: 10004, message: "17", account: "0017" },
    ],
  });
  expect(Object.values(strictness)).not.toContain(true);
  expect(Object.keys(strictness).length).toBeGreaterThan(10);
});

test("today's edition, with the forms of notifications on request, and refusals by name over those of a file", async () => {
  save(folder, { "settings.yaml": "strictness: { partyTwice: true, bodyText: false }" });
  const forms = ["--minimal-notifications", "--signed-notifications", "--no-notifications"];
  const refusals = ["--settings", "settings.yaml", "--lenient", "partyTwice", "--strict", "webhookAnswers"];
  const service = launch("--memory", "--json", "--edition", "current", ...forms, ...refusals);
  const { url } = JSON.parse(await service.line());
  const settings = await settingsOf(url);
  expect(settings).toMatchObject({
    edition: "current",
    notifications: { enabled: false, minimal: true, signed: true },
  });
  expect(settings.strictness).toEqual({ partyTwice: false, bodyText: false, webhookAnswers: true });
});

test.each<[string[], string, string?]>([
  [["--settings", "settings.yaml"], "port", "port: 4010"],
  [["--settings", "settings.yaml"], "expected settings by name", "[latency]"],
  [["--settings", "settings.yaml"], "latency", "latency: soon"],
  [["--lenient", "partyTwise"], `--lenient: "partyTwise" is not known, did you mean "partyTwice"? One of: `],
  [["--strict", "all"], `--strict: "all" must be one of `],
  [["--fault", "cut-after,probability"], "member=value"],
  [["--fault", "nonsense"], `--fault: "nonsense" must be one of latency, status, `],
  [["--fault", "cut-afer,probability=1"], `did you mean "cut-after"?`],
  [["--fault", `{"kind":7}`], "faults[0].kind"],
  [["--latency", "soon"], "number"],
  [["--file", "x.json"], "exclude"],
  [["--tls-cert", "x.pem"], "--tls-key"],
  [["--seed", "none.yaml"], "none.yaml"],
  [["--id-style", "roman"], "mixed"],
  [["--edition", "next"], "current"],
  [["--signed-notifications"], "needs the edition `current`"],
  [["--port", "70000"], "70000"],
])("service %j is refused with exit code 2", async (args, words, settings = "") => {
  save(folder, { "settings.yaml": settings });
  expect(await refused("--memory", ...args)).toContain(words);
});

test("a file has one service; its keys are printed where asked for; a seed is not passed over in silence", async () => {
  const seed = join(folder, "seed.yaml");
  save(folder, { "seed.yaml": "partner: { key: first-key }\n" });
  const first = launch("--seed", seed);
  expect(await first.line()).toMatch(/http:\S+/);
  expect(await first.line()).toContain(join(".esign", "service.json"));
  expect(await first.line()).toContain("--show-keys");
  expect(await refused("--json")).toContain("in use");
  first.child.kill("SIGTERM");
  expect(await first.exit).toBe(0);
  expect(first.output()).not.toContain("first-key");
  const note = "The seed applies to new files";
  expect(first.output()).not.toContain(note);
  save(folder, { "seed.yaml": "partner: { key: other-key }\n" });
  const second = launch("--json", "--show-keys", "--seed", seed);
  expect(JSON.parse(await second.line()).keys.partner).toBe("first-key");
  await expect.poll(second.output).toContain(`service.json exists: its data is used. ${note}`);
  second.child.kill("SIGTERM");
  expect(await second.exit).toBe(0);
  save(folder, { "seed.yaml": "partners: {}\n" });
  expect(await refused("--json", "--seed", seed)).toContain("partners");
});
