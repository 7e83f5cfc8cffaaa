/** Requests made to take long or to exhaust memory: they get a response, or an error of the API. */
import { afterEach, expect, test } from "vitest";
import { FaultInjector } from "../../emulator/http/fault-injection";
import { ask, envelopeForm } from "./ask";
import { documents, list, longEnvelopes, parties } from "./long-envelopes";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ processingTime: 3600_000, notifications: { enabled: false } });
afterEach(() => service.reset());

const create = (form: object) => ask(service)("POST", "/v1/envelopes", envelopeForm(form));

test.each(longEnvelopes)("an envelope with many %s gets a response", async (_, size, form, status) => {
  expect((await create(form(8 * size))).status).toBe(status);
});

test.each([
  [
    "an envelope of too many documents and parties",
    { envelope_documents: documents(101), envelope_parties: parties(100) },
    10010,
  ],
  ["JSON that is nested 100,000 levels deep", { envelope_documents: "[".repeat(1e5) + "]".repeat(1e5) }, 10264],
  ["2,000 invalid documents", { envelope_documents: list(2000, () => ({})) }, 10263],
])("%s: an error of the API, of moderate length", async (_, form, code) => {
  const { status, body } = await create(form);
  expect([status, body.http, body.code]).toEqual([400, 400, code]);
  expect(body.message.length).toBeLessThan(3000);
  expect(service.data().accounts[0]!.envelopes).toEqual([]);
});

test("control endpoints take nested JSON", async () => {
  const patch = (body: string) => fetch(`${service.url}/_control/settings`, { method: "PATCH", body });
  for (const body of [`${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`, `{"faults":${"[".repeat(1e5)}${"]".repeat(1e5)}}`]) {
    expect((await patch(body)).status).toBe(400);
  }
});

test("a pattern with many asterisks does not try all combinations", () => {
  const target = { method: "GET", operation: undefined, account: undefined, form: {} };
  const matches = (pattern: string, path: string) =>
    new FaultInjector({ faults: [{ kind: "hang", path: pattern }], faultSeed: 1 }).next({ ...target, path }).fault !==
    undefined;
  expect(matches(`/${"*a".repeat(50)}*b`, `/${"a".repeat(5000)}`)).toBe(false);
  for (const [pattern, path, expected] of [
    ["/v1/*", "/v1/webhooks", true],
    ["/v1/*", "/v1", false],
    ["/v1/*/emails/*", "/v1/branding/emails/x", true],
    ["*", "", true],
    ["/a*a", "/a", false],
    ["/a*a", "/aa", true],
    ["/a", "/a", true],
    ["/a", "/ab", false],
    ["/a.b*", "/axb", false],
    ["*b*c", "abc", true],
    ["*b*bc", "abc", false],
  ] as const) {
    expect([pattern, path, matches(pattern, path)]).toEqual([pattern, path, expected]);
  }
});

test.each(["constructor", "__proto__", "toString"])("an email template named %s does not exist", async (type) => {
  for (const unlistedValues of [false, true]) {
    service.configure({ unlistedValues });
    const put = await ask(service)("PUT", `/v1/branding/emails/${type}`, { branding_email_subject: "x" });
    expect([put.status, put.body.code]).toEqual([400, 10556]);
    const { id } = service.data().accounts[0]!;
    expect((await fetch(`${service.url}/_control/accounts/${id}/emails/${type}`)).status).toBe(404);
  }
});
