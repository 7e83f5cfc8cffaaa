/** With `unlistedValues` the service knows what newer versions know beyond the specification; a client lets that through with allowUnknownValues. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, connect } from "../../sdk";
import { ask, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ processingTime: 0, unlistedValues: true });
let client: Client;
beforeAll(async () => {
  client = connect({ baseUrl: service.url, apiKey: service.keys.partner, allowUnknownValues: true });
});
beforeEach(() => service.reset());

const password = "email-send-password";
const hook = { webhook_type: "bounced-envelope" as "all", webhook_url: "https://receiver.example/" };
const types = async () => (await client.branding.emails()).branding_emails.map((one) => one.branding_email_type);

test("an email type of newer versions is there, keeps its variables, and is in the data only when it was changed", async () => {
  expect(await types()).toContain(password);
  const path = `/v1/branding/emails/${password}`;
  const lacking = await ask(service)("PUT", path, { branding_email_content_plain: "{contract password}" });
  expect(lacking.body.code).toBe(10558);
  const changed = await ask(service)("PUT", path, { branding_email_subject: "Please sign" });
  expect(changed.body).toMatchObject({ branding_email_type: password, branding_email_subject: "Please sign" });
  expect(Object.keys(service.data().accounts[0]!.emails)).toEqual([password]);
});

test("an envelope that asks for a password goes out with that email, and one that is declined is rejected", async () => {
  const { envelope_fingerprint } = await client.envelopes.createFromFiles(
    envelopeForm({ envelope_password_protect: true }),
  );
  await client.envelopes.get({ envelope_fingerprint });
  expect(service.sentEmails()).toMatchObject([{ type: password, plain: expect.stringMatching(/password: \d{6}/) }]);
  await service.performAction(envelope_fingerprint, "reject");
  const { envelope_status } = await client.envelopes.get({ envelope_fingerprint });
  expect(envelope_status).toBe("rejected");
});

test("a webhook type of newer versions is taken; any other, and one in the wrong place, is not", async () => {
  const { webhook_id } = await client.webhooks.create(hook);
  expect(await client.webhooks.get({ webhook_id })).toMatchObject(hook);
  for (const webhook_type of ["returned-envelope", password]) {
    const refused = await ask(service)("POST", "/v1/webhooks", { ...hook, webhook_type });
    expect(refused.body.code).toBe(10302);
  }
});

test("without the setting the service keeps to the specification", async () => {
  service.configure({ unlistedValues: false });
  expect(await types()).not.toContain(password);
  expect((await ask(service)("POST", "/v1/webhooks", { ...hook })).body.code).toBe(10302);
  const path = `/v1/branding/emails/${password}`;
  const refused = (await ask(service)("PUT", path, { branding_email_subject: "x" })).body;
  expect(refused.code).toBe(10556);
  // Neither listed nor suggested.
  expect(refused.message).not.toContain(password);
});
