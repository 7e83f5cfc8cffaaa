/** The types of webhooks and email templates that only the current edition has: known everywhere, and refused by the service of the specification. */
import { expect, test } from "vitest";
import { loadFolder } from "../../account-folder/folder/load";
import { type Properties, unwrap } from "../../provider/core/pulumi-values";
import { createHandlers } from "../../provider/hooks";
import { Session } from "../../provider/session/session";
import { ApiError, connect, unspecifiedEmailTypes, unspecifiedWebhookTypes } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";

const webhook_url = "https://receiver.example/";

test("the client sends them, and today's service takes them", async () => {
  const service = await emulatorForTest({ edition: "current" });
  const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
  for (const webhook_type of unspecifiedWebhookTypes) await client.webhooks.create({ webhook_type, webhook_url });
  const listed = await client.webhooks.list().all();
  expect(listed.map(({ webhook_type }) => webhook_type)).toEqual([...unspecifiedWebhookTypes]);
  expect(listed[0]).toMatchObject({ webhook_updated: null, webhook_suspended: null });
});

test("the specification's service refuses them", async () => {
  const service = await emulatorForTest();
  const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
  const error = await client.webhooks.create({ webhook_type: "bounced-envelope", webhook_url }).catch((e) => e);
  expect(error).toBeInstanceOf(ApiError);
  expect(error.code).toBe(10302);
});

test.each(unspecifiedWebhookTypes)("%s is valid in a program and in an account's folder", async (type) => {
  const { webhook } = createHandlers(
    new Session({ environment: { ESIGN_API_KEY: "k", ESIGN_BASE_URL: "https://s.example", ESIGN_OFFLINE: "1" } }),
  );
  expect((await webhook.check({}, { type, url: webhook_url })).failures).toEqual([]);
  const folder = temporaryFolder({
    "account.yaml": `webhooks:\n  hook: { type: ${type}, url: "${webhook_url}" }\n`,
  });
  const { findings } = loadFolder(folder, {});
  expect(findings).toEqual([]);
});

test.each(unspecifiedEmailTypes)(
  "the template %s is written by the client, a program and an account's folder",
  async (type) => {
    const service = await emulatorForTest({ edition: "current" });
    const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
    await client.branding.updateEmail({ branding_email_type: type, branding_email_subject: "Your password" });
    const { branding_emails } = await client.branding.emails();
    expect(branding_emails).toHaveLength(8);
    expect(branding_emails).toContainEqual(
      expect.objectContaining({ branding_email_type: type, branding_email_subject: "Your password" }),
    );
    const environment = { ESIGN_API_KEY: service.keys.account, ESIGN_BASE_URL: service.url };
    const { brandingEmail } = createHandlers(new Session({ environment, directory: temporaryFolder() }));
    const inputs = { type, subject: "The password" };
    expect((await brandingEmail.check({}, inputs)).failures).toEqual([]);
    const { outs } = await brandingEmail.create(inputs);
    await brandingEmail.delete(type, unwrap(outs) as Properties);
    const restored = (await client.branding.emails()).branding_emails.find((one) => one.branding_email_type === type);
    expect(restored?.branding_email_subject).toBe("Your password");
    const folder = temporaryFolder({ [`emails/${type}/subject.txt`]: "The password\n" });
    expect(loadFolder(folder, {}).findings).toEqual([]);
  },
);

test.each(unspecifiedEmailTypes)("the specification's service refuses the template %s", async (type) => {
  const service = await emulatorForTest();
  const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
  const update = client.branding.updateEmail({ branding_email_type: type, branding_email_subject: "x" });
  await expect(update).rejects.toMatchObject({ code: 10556 });
});
