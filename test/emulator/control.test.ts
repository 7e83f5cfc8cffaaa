import { beforeEach, describe, expect, test } from "vitest";
import { keyFingerprint, start } from "../../emulator";
import { connect } from "../../sdk";
import { ask, askWithNode, basic, envelopeForm } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const service = useEmulator({ processingTime: 0 });
beforeEach(() => service.reset());

const call = ask(service);
/** A control, without a key. */
const control = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(method, `/_control${path}`, undefined, {
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    headers: { authorization: "", "content-type": "application/json", ...headers },
  });
const envelope = async (): Promise<string> => {
  const party = { party_name: "Ann <script>alert(1)</script>", party_email: "ann@b.example", party_role: "signer1" };
  return (await call("POST", "/v1/envelopes", envelopeForm({ envelope_parties: [party] }))).body.envelope_fingerprint;
};

test("the list of controls names every control", async () => {
  const { body } = await control("GET", "");
  const names = body.controls.map((c: { method: string; path: string }) => `${c.method} ${c.path}`);
  expect(names).toContain("POST /faults");
  expect(new Set(names).size).toBe(names.length);
  expect((await control("GET", "/nothing")).status).toBe(404);
  expect((await control("PUT", "/faults")).status).toBe(405);
});

test("faults and settings at run time", async () => {
  expect((await control("POST", "/faults", { kind: "status", status: 503, times: 1 })).status).toBe(200);
  expect((await control("POST", "/faults", [{ kind: "error", code: 10004, from: 3 }])).status).toBe(200);
  const seen = [];
  for (let i = 0; i < 3; i++) seen.push((await call("GET", "/v1/branding")).status);
  expect(seen).toEqual([503, 200, 403]);
  await control("DELETE", "/faults");
  expect((await call("GET", "/v1/branding")).status).toBe(200);
  const changed = await control("PATCH", "/settings", { pageCap: { limit: 5, fallback: 2 } });
  expect(changed.body.pageCap).toEqual({ limit: 5, fallback: 2 });
  expect((await control("GET", "/settings")).body).toEqual(changed.body);
  for (const [path, method, body] of [
    ["/settings", "PATCH", { pageCap: { limit: 0 } }],
    ["/settings", "PATCH", { colour: "red" }],
    ["/settings", "PATCH", "{"],
    ["/faults", "POST", { kind: "nonsense" }],
    ["/clock", "POST", { advance: -1 }],
    // Nanoseconds; more than a timer can wait; a time that has no date.
    ["/clock", "POST", { advance: 24 * 3600e9 }],
    ["/settings", "PATCH", { latency: 2 ** 31 }],
    ["/settings", "PATCH", { clockSkew: -1e18 }],
    ["/settings", "PATCH", { processingTime: Number.MAX_SAFE_INTEGER }],
  ] as const) {
    expect(await control(method, path, body)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  }
  expect((await call("GET", "/v1/branding")).status).toBe(200);
  for (const time of [Number.POSITIVE_INFINITY, Number.NaN, -1]) {
    await expect(service.advance(time)).rejects.toThrow(/at most a century/);
  }
});

test("log, counts, data, keys and state", async () => {
  await call("GET", "/v1/branding");
  expect((await control("GET", "/requests")).body.requests).toMatchObject([
    { n: 1, operation: "branding.get", key: keyFingerprint(service.keys.partner) },
  ]);
  // What the client and its tools call the same key.
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  expect(keyFingerprint(service.keys.partner)).toBe(await client.keyFingerprint());
  expect((await control("GET", "/counts")).body).toMatchObject({ total: 1 });
  await control("DELETE", "/requests");
  expect((await control("GET", "/counts")).body.total).toBe(0);
  expect((await control("GET", "/data")).body).toEqual(service.data());
  expect((await control("GET", "/keys")).body).toMatchObject(service.keys);
  const state = await control("GET", "/state");
  expect(state.body.accounts).toHaveLength(2);
  for (const key of Object.values(service.keys)) expect(JSON.stringify(state.body)).not.toContain(key);
});

test("clock, envelopes, accounts and reset", async () => {
  const fingerprint = await envelope();
  expect((await control("POST", `/envelopes/${fingerprint}/open`)).status).toBe(200);
  expect((await control("POST", `/envelopes/${fingerprint}/sign`)).body).toEqual({ envelope_status: "signed" });
  for (const [body, message] of [
    [{}, "Cannot sign the envelope: its status is signed; allowed: sent."],
    [{ party: 17 }, "The envelope has no party 17."],
  ] as const) {
    const answer = await control("POST", `/envelopes/${fingerprint}/sign`, body);
    expect(answer).toMatchObject({ status: 400, body: { message } });
  }
  expect((await control("POST", "/envelopes/none/sign")).status).toBe(404);
  const before = service.now.getTime();
  await control("POST", "/clock", { advance: 3600_000 });
  expect(service.now.getTime() - before).toBeGreaterThanOrEqual(3600_000);
  const { id } = service.data().accounts[0]!;
  const { key } = (await control("POST", `/accounts/${id}/rotate-key`)).body;
  expect((await ask(service, key)("GET", "/v1/companies")).status).toBe(200);
  await control("POST", `/accounts/${id}/suspend`);
  expect((await call("GET", "/v1/branding")).body.code).toBe(10004);
  await control("POST", `/accounts/${id}/resume`);
  await call("POST", "/v1/webhooks", { webhook_type: "add-user", webhook_url: "https://example.com/hook" });
  await control("POST", `/accounts/${id}/notify`, { action: "add-user" });
  expect((await control("GET", "/deliveries")).body.deliveries).toMatchObject([
    { type: "add-user", state: "skipped-external" },
  ]);
  expect((await control("POST", "/accounts/1/suspend")).status).toBe(404);
  await control("POST", "/reset");
  expect((await call("GET", "/v1/webhooks")).body.total_webhooks).toBe("0");
  expect((await control("GET", "/emails")).body.emails).toEqual([]);
});

test("emails as pages: no script of theirs runs, names are escaped", async () => {
  await envelope();
  const [letter] = (await control("GET", "/emails")).body.emails;
  expect(letter).toMatchObject({ type: "email-send", to: "ann@b.example" });
  const shown = await control("GET", `/emails/${letter.id}`);
  expect(shown.body).toContain("Ann &lt;script&gt;");
  expect(shown.headers.get("content-security-policy")).toMatch(/^sandbox .*default-src 'none'/);
  const { id } = service.data().accounts[0]!;
  const sample = await control("GET", `/accounts/${id}/emails/email-reminder`);
  expect(sample.body).toContain("Clara Client");
  expect((await control("GET", `/accounts/${id}/emails/email-none`)).status).toBe(404);
  for (const id of ["none", "%", "%E4"]) expect((await control("GET", `/emails/${id}`)).status).toBe(404);
});

test.each([
  ["POST", "/reset", { origin: "https://evil.example" }, 403],
  ["GET", "/keys", { origin: "https://evil.example" }, 403],
  ["POST", "/reset", { origin: "null" }, 403],
  ["POST", "/reset", { "sec-fetch-site": "cross-site" }, 403],
  // Another port of this machine.
  ["POST", "/reset", { "sec-fetch-site": "same-site" }, 403],
  ["POST", "/reset", { "sec-fetch-site": "same-origin" }, 200],
  ["POST", "/reset", {}, 200],
  // The emulator's own page.
  ["POST", "/reset", "own", 200],
])("a control from a page of another origin is refused: %s %s with %j", async (method, path, headers, status) => {
  const its = headers === "own" ? { origin: service.url } : headers;
  expect((await control(method, path, undefined, its as Record<string, string>)).status).toBe(status);
});

const requestAs = (port: number, path: string, headers: Record<string, string>) =>
  askWithNode(`http://127.0.0.1:${port}${path}`, { headers });

describe("a page that reaches the emulator under a name of its own (DNS rebinding)", () => {
  test.each([
    ["evil.example", {}, 403],
    ["evil.example:80", {}, 403],
    ["localhost.evil.example", {}, 403],
    ["127.0.0.1.evil.example", {}, 403],
    ["192.168.1.5", {}, 403],
    ["evil.example", { host: "0.0.0.0" }, 403],
    ["evil.example", { host: "::" }, 403],
    ["evil.example", { host: "0.0.0.0", allowHosts: ["emulator"] }, 403],
    // A name of this machine or an allowed one.
    ["localhost", {}, 200],
    ["sign.localhost:4010", {}, 200],
    ["[::1]", {}, 200],
    ["127.0.0.1", { host: "0.0.0.0" }, 200],
    // The address of another interface, or of the machine that forwards the port to a container.
    ["10.0.0.7:4010", { host: "0.0.0.0" }, 200],
    ["emulator:4010", { host: "0.0.0.0", allowHosts: ["Emulator"] }, 200],
    ["sign.test", { allowHosts: ["other.test", "sign.test"] }, 200],
  ])("Host %s, with %j: %i everywhere", async (host, options, expected) => {
    const emulator = await emulatorForTest(options);
    for (const path of ["/", "/_control/keys", "/v1/branding", "/logos/standard.png"]) {
      const authorization = path.startsWith("/v1") ? basic(emulator.keys.partner) : `Bearer ${emulator.controlToken}`;
      const { status, body } = await requestAs(emulator.port, path, { host, authorization });
      expect([path, status]).toEqual([path, expected]);
      if (expected === 403) expect(body.message).toContain("--allow-host");
    }
  });
});

test("beyond loopback, the status page and the controls need the token; the API and what its responses link to do not", async () => {
  expect(service.controlToken).toBeUndefined();
  const emulator = await emulatorForTest({ host: "0.0.0.0" });
  const token = emulator.controlToken!;
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await requestAs(emulator.port, path, { host: "10.0.0.7", ...headers })).status;
  for (const path of ["/", "/?main", "/_control", "/_control/keys", "/_control/data", "/_control/no", "/?token=x"]) {
    expect([path, await status(path)]).toEqual([path, 401]);
  }
  for (const authorization of ["Bearer", "Bearer x", `Bearer ${token}x`, basic(token), basic(emulator.keys.partner)]) {
    expect([authorization, await status("/_control/keys", { authorization })]).toEqual([authorization, 401]);
  }
  expect(await status("/_control/keys", { authorization: `Bearer ${token}` })).toBe(200);
  expect(await status("/v1/branding", { authorization: basic(emulator.keys.partner) })).toBe(200);
  expect(await status("/logos/standard.png")).toBe(200);

  // In a browser: the link that was printed, then its cookie.
  const opened = await requestAs(emulator.port, `/?token=${token}`, { host: "10.0.0.7" });
  expect([opened.status, opened.headers.location]).toEqual([303, "/"]);
  const [cookie] = opened.headers["set-cookie"]!;
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  expect(await status("/", { cookie: `a=b; ${cookie!.split(";")[0]}` })).toBe(200);
  expect(await status("/", { cookie: `${cookie!.split("=")[0]}=x` })).toBe(401);
  // Nothing that is read or logged contains the token.
  expect(JSON.stringify([emulator.requests(), emulator.data(), emulator.settings])).not.toContain(token);
});

test.each(["short", "with space in it", "semi;colon-and-more", "x".repeat(201)])(
  "a control token such as %s is refused at the start",
  async (controlToken) => {
    await expect(start({ controlToken })).rejects.toThrow(/control token must be 12 to 200 letters/);
  },
);
