/** The types of webhooks and email templates that only the current edition has are accepted everywhere. */
import { expect, test } from "vitest";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { type Properties, unwrap } from "../../provider/core/pulumi-values";
import { createHandlers } from "../../provider/hooks";
import { Session } from "../../provider/session/session";
import { connect, unspecifiedEmailTypes, unspecifiedWebhookTypes } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";

const url = "https://receiver.example/";

/** Client and handlers of an account of today. */
async function current() {
  const service = await emulatorForTest({ edition: "current" });
  const environment = { ESIGN_API_KEY: service.keys.account, ESIGN_BASE_URL: service.url };
  return {
    client: connect({ baseUrl: service.url, apiKey: service.keys.account }),
    handlers: createHandlers(new Session({ environment, directory: temporaryFolder() })),
  };
}

test("webhooks: the client sends them, and today's service takes them; a program and an account's folder have them", async () => {
  const { client, handlers } = await current();
  for (const type of unspecifiedWebhookTypes) {
    await client.webhooks.create({ webhook_type: type, webhook_url: url });
    expect((await handlers.webhook.check({}, { type, url })).failures).toEqual([]);
    const folder = temporaryFolder({ "account.yaml": `webhooks:\n  hook: { type: ${type}, url: "${url}" }\n` });
    expect(loadFolder(folder, {}).findings).toEqual([]);
  }
  const listed = await client.webhooks.list().all();
  expect(listed.map(({ webhook_type }) => webhook_type)).toEqual([...unspecifiedWebhookTypes]);
  expect(listed[0]).toMatchObject({ webhook_updated: null, webhook_suspended: null });
});

test.each(unspecifiedEmailTypes)(
  "template %s: the client, a program and an account's folder write it",
  async (type) => {
    const { client, handlers } = await current();
    const original = { branding_email_type: type, branding_email_subject: "Your password" };
    const find = async () => {
      const { branding_emails } = await client.branding.emails();
      expect(branding_emails).toHaveLength(8);
      return branding_emails.find((one) => one.branding_email_type === type);
    };
    await client.branding.updateEmail(original);
    expect(await find()).toMatchObject(original);
    const inputs = { type, subject: "The password" };
    expect((await handlers.brandingEmail.check({}, inputs)).failures).toEqual([]);
    const { outs } = await handlers.brandingEmail.create(inputs);
    await handlers.brandingEmail.delete(type, unwrap(outs) as Properties);
    expect(await find()).toMatchObject(original);
    const folder = temporaryFolder({ [`emails/${type}/subject.txt`]: "The password\n" });
    expect(loadFolder(folder, {}).findings).toEqual([]);
  },
);
