/** Drafts, and the sessions in which people complete them: the session's URL is a secret. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { connect } from "../../sdk";
import { Redactor } from "../../sdk/http/redact";
import { esign } from "../cli/in-process";
import { temporaryFolder } from "../files";
import { failure, serve } from "../sdk/server";
import { ask, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ edition: "current", processingTime: 0, embeddedSigning: true });
const call = ask(service);
const open = (envelope_fingerprint: string) => call("POST", "/v1/embed-sessions", { envelope_fingerprint });
const template = {
  envelope_documents: [{ document_title: "NDA", document_template_fingerprint: "template-agreement" }],
  envelope_parties: [{ party_name: "Ann", party_email: "ann@b.example", party_id: 1 }],
};
let fingerprint: string;

beforeEach(async () => {
  await service.reset();
  ({ envelope_fingerprint: fingerprint } = (
    await call("POST", "/v1/envelopes", envelopeForm({ is_draft: true }))
  ).body);
});

test.each([{}, template])("a draft is accepted as one, sends no notification, and can be opened: %j", async (more) => {
  await call("POST", "/v1/webhooks", { webhook_type: "send-envelope", webhook_url: "https://hooks.example/a" });
  const { status, body } = await call("POST", "/v1/envelopes", envelopeForm({ ...more, is_draft: true }));
  expect([status, body.message]).toEqual([202, expect.stringContaining("draft")]);
  await service.advance(3600_000);
  expect([service.sentEmails(), service.deliveries()]).toEqual([[], []]);
  const [first, second] = [await open(body.envelope_fingerprint), await open(body.envelope_fingerprint)];
  expect(first).toMatchObject({
    status: 200,
    body: { http: 200, session_url: expect.stringMatching(/^http.*\/embed\/\w+$/) },
  });
  expect(second.body.session_url).not.toBe(first.body.session_url);
  expect(JSON.stringify([service.data(), service.requests()])).not.toContain(first.body.session_url.slice(-32));
});

test("an envelope that was sent has none, nor one that does not exist, nor an interface without sessions", async () => {
  const sent = (await call("POST", "/v1/envelopes", envelopeForm(template))).body;
  expect((await open(sent.envelope_fingerprint)).body.code).toBe(10010);
  expect((await open("nope")).body.code).toBe(10253);
  service.configure({ missing: ["embed sessions"] });
  expect((await open(fingerprint)).body).toEqual({ message: expect.stringContaining("not be found") });
});

test("the client does not open a second one when the answer was lost", async () => {
  service.configure({ faults: [{ kind: "cut-after", operation: "embedSessions.create" }] });
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current" });
  const error = await failure(client.embedSessions.create({ envelope_fingerprint: fingerprint }), Error);
  expect(error).toMatchObject({ mayHaveSucceeded: true });
  expect(service.requests().filter(({ operation }) => operation === "embedSessions.create")).toHaveLength(1);
});

test("the command hides the URL in a pipe, or writes it into a file", async () => {
  const home = temporaryFolder();
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, ESIGN_LOG: "debug" };
  const run = (...args: string[]) =>
    esign(["embed-sessions", "create", "--envelope-fingerprint", fingerprint, ...args], { home, env });
  for (const args of [[], ["--json"]]) {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([0, expect.stringContaining("[secret]")]);
    expect(stdout + stderr).not.toContain("/embed/");
  }
  const file = join(home, "url.txt");
  const { stdout, stderr } = await run("--key-file", file);
  expect(readFileSync(file, "utf8")).toContain("/embed/");
  expect(stdout + stderr).not.toContain("/embed/");
  expect((await run("--show-secrets")).stdout).toContain("/embed/");
});

const secrets = ["session_url", "party_signing_url", "envelope_signing_embed", "signing_page_link", "webhook_secret"];

test.each(secrets)("%s in a text is redacted, and the client's errors do not have it", async (name) => {
  const link = "https://sign.example/s/4f1c";
  for (const text of [JSON.stringify({ a: 1, [name]: link, b: 2 }), `x=1&${name}=${link}&y=2`]) {
    const redacted = new Redactor().redact(text);
    expect(redacted).not.toContain("4f1c");
    expect(redacted).toContain("[redacted]");
    const { client } = await serve(() => ({ status: 400, body: { http: 400, message: `Refused: ${text}` } }));
    expect((await failure(client().branding.get())).message).not.toContain("4f1c");
  }
});

test("envelopes are printed without the links on which parties sign", async () => {
  const reply = {
    http: 200,
    envelope_fingerprint: "f",
    envelope_status: "sent",
    envelope_parties: [{ party_id: 1, party_signing_url: "https://s.example/1" }],
  };
  const { url } = await serve(() => ({ body: reply }));
  const env = { ESIGN_BASE_URL: url, ESIGN_API_KEY: "key-of-a-test" };
  for (const args of [[], ["--json"]]) {
    const { stdout, stderr } = await esign(["envelopes", "get", "f", ...args], { home: temporaryFolder(), env });
    expect(stdout, stderr).toContain("[secret]");
    expect(stdout + stderr).not.toContain("s.example");
  }
});
