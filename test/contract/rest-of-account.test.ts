/** Users, contacts, templates and settings: the local service over plain HTTP and through the client, in both editions. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ApiError, type Client, connect, explain } from "../../sdk";
import { ask } from "../emulator/ask";
import { useEmulator } from "../emulator/use-emulator";
import { failure } from "../sdk/server";

const now = "2025-07-07T08:06:49+0000";
const refused = { status: 400, body: { http: 400, message: expect.any(String) } };
const digits = expect.stringMatching(/^\d+$/);

describe.each(["specification", "current"] as const)("edition %s", (edition) => {
  const service = useEmulator({
    edition,
    processingTime: 0,
    clock: () => Date.parse("2025-07-07T08:06:49Z"),
    seed: {
      account: {
        user: { name: "Ada Acme", email: "ada@acme.example" },
        users: [{ name: "Bo Acme", email: "bo@acme.example" }],
        contacts: [{ name: "Carla", email: "carla@client.example" }],
        settings: { setting_brand_new: 7, setting_email_pdf_attach: false },
        templates: [{ fingerprint: "nda", title: "NDA", mergeFields: [{ id: 4, title: "Name" }] }],
      },
    },
  });
  let client: Client;
  const call = (method: string, path: string, form?: object) => ask(service, service.keys.account)(method, path, form);

  beforeAll(() => {
    client = connect({ baseUrl: service.url, apiKey: service.keys.account, edition });
  });
  beforeEach(() => service.reset());

  test("the life of a user, with ids as string or number per operation", async () => {
    const form = { user_name: "Cy Acme", user_email: "cy@acme.example", role_id: "2" };
    const created = (await call("POST", "/v1/users", form)).body;
    expect(created).toMatchObject({ ...form, http: 200, user_id: digits, user_added: now });
    const { user_id: id } = created;
    const path = `/v1/users/${id}`;
    expect(created.href).toBe(service.url + path);
    const list = (await call("GET", "/v1/users")).body;
    expect(list).toMatchObject({ total_users: "3", limit: 10 });
    expect(list.users[2]).toEqual({ ...form, user_id: id, user_added: now, user_last_updated: null });
    expect((await call("PUT", path, { user_name: "Cy", role_id: "1" })).body).toMatchObject({
      user_id: Number(id),
      user_name: "Cy",
      user_email: form.user_email,
      role_id: "1",
    });
    expect((await call("GET", path)).body).toMatchObject({ user_id: Number(id), user_last_updated: now });
    await call("DELETE", path);
    const gone = await call("GET", path);
    // The code is not documented, so there is none.
    const context = edition === "current" ? { company: expect.any(String), url: expect.any(String), detail: null } : {};
    expect([gone.status, gone.body]).toEqual([404, { http: 404, message: expect.any(String), ...context }]);
  });

  test("a user's address is unique, and the last administrator stays one, unless both are switched off", async () => {
    const [ada, bo] = (await client.users.list().all()).map((user) => `/v1/users/${user.user_id}`);
    const attempts: [string, string, object?][] = [
      ["POST", "/v1/users", { user_name: "A", user_email: "ADA@acme.example", role_id: "1" }],
      ["PUT", bo!, { user_email: "ada@acme.example" }],
      ["PUT", ada!, { user_name: "Ada", role_id: "1" }],
      ["DELETE", ada!],
    ];
    for (const attempt of attempts) expect(await call(...attempt)).toMatchObject(refused);
    expect(await call("PUT", bo!, {})).toMatchObject(refused);
    expect(await client.users.list().all()).toHaveLength(2);
    service.configure({ strictness: { uniqueEmail: false, lastAdministrator: false } });
    for (const attempt of attempts) expect((await call(...attempt)).status).toBe(200);
  });

  test("the life of a contact and its envelopes", async () => {
    const form = { contact_name: "Dan", contact_email: "dan@client.example" };
    const created = (await call("POST", "/v1/contacts", form)).body;
    const { contact_id: id } = created;
    expect(created).toMatchObject({ ...form, contact_id: digits, contact_created: now });
    const path = `/v1/contacts/${id}`;
    const fresh = { contact_id: Number(id), contact_outstanding_documents: "0" };
    expect((await call("GET", path)).body).toMatchObject(fresh);
    // Documented: a list without items is an error here.
    expect(await call("GET", `${path}/envelopes`)).toMatchObject({ status: 404, body: { http: 404, code: 10060 } });
    expect(await client.contacts.envelopes({ contact_id: id }).all()).toEqual([]);
    await client.envelopes.createFromTemplate({
      envelope_title: "Ours",
      envelope_documents: [{ document_title: "NDA", document_template_fingerprint: "nda" }],
      envelope_parties: [{ party_id: 1, party_name: "Daniel", party_email: "DAN@client.example" }],
    });
    await service.advance(1000);
    const envelopes = await client.contacts.envelopes({ contact_id: id }).all();
    expect(envelopes).toMatchObject([{ envelope_title: "Ours", envelope_status: "sent" }]);
    expect(await client.contacts.get({ contact_id: id })).toMatchObject({ contact_outstanding_documents: 1 });
    expect(await client.contacts.list().all()).toHaveLength(2);
    const updated = (await call("PUT", path, { contact_email: "daniel@client.example" })).body;
    expect(updated).toMatchObject({ contact_id: Number(id), contact_name: "Dan", contact_updated: expect.any(String) });
    await call("DELETE", path);
    expect(await call("GET", path)).toMatchObject({ status: 404, body: { code: 10053 } });
    expect(await failure(client.contacts.get({ contact_id: id }))).toMatchObject({ isNotFound: true });
    expect(explain(10053)).toMatchObject({ field: "contact_id" });
  });

  test("templates are read and deleted", async () => {
    const [{ template_id } = { template_id: "" }] = await client.templates.list().all();
    const field = { field_id: "4", field_merge: "Name", field_type: "text" };
    expect((await call("GET", "/v1/templates/nda")).body).toMatchObject({
      template_id,
      template_title: "NDA",
      template_page_total: "1",
      template_in_progress: "0",
      template_parties: [{ party_id: "1", party_name: "Signer", party_merge_fields: [field] }],
    });
    const deleted = (await call("DELETE", "/v1/templates/nda")).body;
    expect(deleted).toMatchObject({ template_id, template_fingerprint: "nda" });
    expect(await client.templates.list().all()).toEqual([]);
    expect((await call("GET", "/v1/templates/nda")).status).toBe(404);
  });

  test("settings: a subset is written, unknown ones are kept, and what an account does not have is ignored", async () => {
    const before = (await call("GET", "/v1/settings")).body;
    expect(before).toMatchObject({ setting_brand_new: 7, setting_email_pdf_attach: false });
    expect("setting_signing_tooltips" in before).toBe(edition === "specification");
    const reply = await client.settings.update({
      setting_email_pdf_attach: true,
      setting_signature_format_accepted: "typed, drawn",
      setting_brand_new: 8,
      setting_unheard_of: true,
    });
    expect(reply).toMatchObject({
      message: expect.stringContaining("settings have been updated"),
      company_id: digits,
      setting_email_pdf_attach: true,
      setting_signature_format_accepted: "typed,drawn",
    });
    const after = await client.settings.get();
    expect(String(after.setting_brand_new)).toBe("8");
    expect(after).not.toHaveProperty("setting_unheard_of");
    expect(after.setting_email_main_email).toBe(true);
    for (const form of [{}, { setting_signature_format_default: "crayon" }])
      expect((await call("PUT", "/v1/settings", form)).status).toBe(400);
  });

  test("the client refuses what is no setting, and names the near one", async () => {
    const input = { setting_email_pdf_atach: true, email_pdf_attach: true } as never;
    const error = await failure(client.settings.update(input));
    expect(error.message).toContain("email_pdf_attach is not a field of this call");
    expect(error.message).not.toContain("atach is not");
  });

  test("creation notifies the webhooks that are registered for it", async () => {
    const webhook_url = "https://receiver.example/hook";
    for (const webhook_type of ["add-user", "add-contact"] as const)
      await client.webhooks.create({ webhook_type, webhook_url });
    await client.users.create({ user_name: "U", user_email: "u@acme.example", role_id: "1" });
    await client.contacts.create({ contact_name: "K", contact_email: "k@client.example" });
    const bodies = service.deliveries().map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(bodies).toMatchObject([
      { action: "add-user", user_name: "U", user_email: "u@acme.example", role: "user" },
      { action: "add-contact", contact_name: "K", contact_email: "k@client.example" },
    ]);
  });

  test("an id that is no number is no path of the service", async () => {
    const { status, body } = await call("GET", "/v1/contacts/first");
    expect(status).toBe(404);
    if (edition === "current") expect(body).toEqual({ message: "The route v1/contacts/first could not be found." });
    else expect(body).toMatchObject({ code: 10003 });
  });

  test("an interface without them is reported with an error that names what is missing and what to do", async () => {
    service.configure({ missing: ["users", "contacts", "templates", "settings"] });
    for (const [name, request] of [
      ["users", () => client.users.list().all()],
      ["contacts", () => client.contacts.create({ contact_name: "K", contact_email: "k@client.example" })],
      ["templates", () => client.templates.get({ template_fingerprint: "nda" })],
      ["settings", () => client.settings.get()],
    ] as const) {
      const error = await failure<ApiError>(request());
      expect(error).toMatchObject({ status: 404, missing: name, isNotFound: false });
      expect(error.message).toContain(`this account's interface has no ${name}`);
      expect(error.explain().fix).toContain(`Manage ${name} in the web app`);
    }
    expect(await client.webhooks.list().all()).toEqual([]);
  });
});
