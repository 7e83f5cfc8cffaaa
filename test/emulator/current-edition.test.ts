/** Today's edition, as clients written by others for it call it: plain requests, without anything of ours. */
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { ask, type Body, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator({ edition: "current", processingTime: 0 });
afterEach(() => service.reset());

const call = ask(service);
const hook = (n: number) => ({ webhook_type: "all", webhook_url: `https://hooks.example/${n}` });
/** A body as it is. */
const post = (body: string, type = "application/json") =>
  call("POST", "/v1/webhooks", undefined, { body, headers: { "content-type": type } });
const refused = (code: number) => ({ status: 400, body: { http: 400, code } });
const company = { company_name: "C", user_name: "U", user_email: "u@b.example" };
const template = (more: object = {}, party: object = {}) => ({
  envelope_title: "NDA",
  envelope_documents: [{ document_title: "NDA", document_template_fingerprint: "template-agreement" }],
  envelope_parties: [
    { party_name: "Ann", party_email: "ann@b.example", party_id: 1, party_role: "signer", ...party },
    { party_name: "Ben", party_email: "ben@b.example", party_id: 2 },
  ],
  ...more,
});

test.each(["specification", "current"] as const)("a user needs a role in edition current only: %s", async (edition) => {
  service.configure({ edition });
  onTestFinished(() => service.configure({ edition: "current" }));
  const { status, body } = await call("POST", "/v1/users", { user_name: "Eve", user_email: "eve@b.example" });
  if (edition === "current") return expect({ status, body }).toMatchObject(refused(10010));
  expect({ status, body }).toMatchObject({ status: 200, body: { user_email: "eve@b.example" } });
  const { users } = (await call("GET", "/v1/users")).body;
  expect(users).toContainEqual(expect.objectContaining({ user_email: "eve@b.example", role_id: "1" }));
});

describe("paging", () => {
  test.each([
    ["", 0, 10, 1],
    ["?offset=0&limit=50", 0, 50, 1],
    ["?limit=51", 0, 10, 1],
    ["?offset=1&limit=2", 1, 2, 2],
    ["?offset=10&limit=10", 10, 10, 11],
    ["?offset=13", 13, 10, 14],
  ])("%s", async (query, offset, limit, first) => {
    for (let n = 1; n <= 13; n++) await call("POST", "/v1/webhooks", hook(n));
    const { status, body } = await call("GET", `/v1/webhooks${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ http: 200, offset, limit, total_webhooks: "13" });
    const numbers = body.webhooks.map((one: Body) => Number(/\d+$/.exec(one.webhook_url)));
    const end = offset + limit;
    expect(numbers).toEqual(Array.from({ length: Math.min(end, 13) - offset }, (_, i) => first + i));
    expect(body.next).toBe(end < 13 ? `${service.url}/v1/webhooks?offset=${end}&limit=${limit}` : undefined);
  });

  test.each(["offset=-1", "offset=x", "offset=1.5", "limit=0", "limit=-5", "limit=x"])(
    "%s is refused",
    async (query) => {
      expect(await call("GET", `/v1/webhooks?${query}`)).toMatchObject(refused(10010));
    },
  );

  test("envelopes are filtered by status, under either name, and by a part of the title", async () => {
    await call("POST", "/v1/envelopes", envelopeForm({ envelope_title: "Lease, flat 3", is_draft: true }));
    await call("POST", "/v1/envelopes", envelopeForm({ envelope_title: "Lease, flat 4" }));
    await call("POST", "/v1/envelopes", envelopeForm());
    const titles = async (query: string) =>
      (await call("GET", `/v1/envelopes?${query}`)).body.envelopes.map((one: Body) => one.envelope_title);
    expect(await titles("q=LEASE")).toEqual(["Lease, flat 4", "Lease, flat 3"]);
    expect(await titles("status=draft")).toEqual(["Lease, flat 3"]);
    expect(await titles("envelope_status=sent&q=lease")).toEqual(["Lease, flat 4"]);
    expect((await call("GET", "/v1/envelopes?q=lease&limit=1")).body.total_envelopes).toBe("2");
  });
});

describe("bodies", () => {
  test("are JSON; a form is refused, unless that is asked for", async () => {
    const form = new URLSearchParams(hook(1)).toString();
    const sendForm = () => post(form, "application/x-www-form-urlencoded");
    expect(await sendForm()).toMatchObject(refused(10007));
    expect(service.data().accounts[0]!.webhooks).toEqual([]);
    service.configure({ bodyTypes: "any" });
    const json = JSON.stringify(hook(2));
    expect((await sendForm()).status).toBe(200);
    expect((await post(json)).status).toBe(200);
    expect((await post(json, "text/plain")).status).toBe(400);
    service.configure({ edition: "specification" });
    expect((await post(json)).status).toBe(200);
    service.configure({ bodyTypes: "edition" });
    expect(await post(json)).toMatchObject(refused(10007));
  });

  test.each(["[]", "null", '"text"', "{", '{"a":1', "\u00ff"])("%s is no body", async (body) => {
    expect(await post(body)).toMatchObject(refused(10010));
  });

  test.each([
    [{ webhook_url: "https://a.example" }, 10300],
    [{ webhook_type: null, webhook_url: "https://a.example" }, 10300],
    [{ webhook_type: 5, webhook_url: "https://a.example" }, 10302],
    [{ webhook_type: "all", webhook_url: ["https://a.example"] }, 10010],
  ])("%j has the field's code", async (body, code) => {
    expect(await call("POST", "/v1/webhooks", body)).toMatchObject(refused(code));
  });

  test("all types of webhooks, also by an update that sends both fields", async () => {
    const { body } = await call("POST", "/v1/webhooks", { ...hook(1), webhook_type: "bounced-envelope" });
    const updated = await call("PUT", `/v1/webhooks/${body.webhook_id}`, hook(2));
    expect(updated.body).toMatchObject({ webhook_type: "all", webhook_url: hook(2).webhook_url });
  });

  test("null removes the logo; the colour comes back in capitals", async () => {
    const set = await call("PUT", "/v1/branding", { branding_logo_url: null, branding_colour: "#558caa" });
    expect(set).toMatchObject({ status: 200, body: { branding_logo: null, branding_colour: "#558CAA" } });
    expect((await call("GET", "/v1/branding")).body.branding_logo).toBeNull();
    expect((await call("PUT", "/v1/branding", {})).body.code).toBe(10555);
    await call("PUT", "/v1/branding", { branding_logo_url: "https://a.example/logo.png" });
    expect((await call("GET", "/v1/branding")).body.branding_logo).toMatch(/\/logos\//);
  });
});

describe("envelopes", () => {
  test("members that the specification does not have", async () => {
    const more = { is_draft: false, envelope_all_at_once_enabled: true, envelope_auto_expire_hours: 12 };
    const member = { signature_in_person: false, party_mobile: "+447700900123", party_colour: "red" };
    const created = await call("POST", "/v1/envelopes", template(more, member));
    expect(created).toMatchObject({
      status: 202,
      body: {
        http: 202,
        envelope_redirect_url: "",
        envelope_password_protect: false,
        envelope_requires_otp: true,
        envelope_all_at_once_enabled: true,
        envelope_parties: [{ party_title: "Ann", party_mobile_last4: "0123", party_password: null }, {}],
      },
    });
    const { envelope_fingerprint: fingerprint, envelope_parties: parties } = created.body;
    expect(typeof parties[0].party_id).toBe("string");
    const { body } = await call("GET", `/v1/envelopes/${fingerprint}`);
    expect(body.envelope_status).toBe("sent");
    expect(body).not.toHaveProperty("envelope_signed_pdf");
    // Both sign at once.
    for (const one of body.envelope_parties) {
      expect(one).toMatchObject({ party_status: "in progress", party_role: "signer", party_signature_type: "remote" });
      expect(typeof one.contact_id).toBe("string");
    }
    await service.performAction(fingerprint, "sign", body.envelope_parties[1].party_id);
    await service.performAction(fingerprint, "sign", body.envelope_parties[0].party_id);
    const signed = (await call("GET", "/v1/envelopes")).body.envelopes[0];
    expect(signed).toMatchObject({ envelope_status: "signed", envelope_signed_pdf: expect.stringContaining(".pdf") });
    expect(signed.envelope_processed).toMatch(/\+0000$/);
  });

  test.each([
    [{ party_mobile: "07700 900123" }, 10010],
    [{ party_role: "copy", party_mobile: "+447700900123" }, 10010],
  ])("a party of %j is refused", async (party, code) => {
    expect(await call("POST", "/v1/envelopes", template({}, party))).toMatchObject(refused(code));
  });

  test("a draft stays one", async () => {
    const { body } = await call("POST", "/v1/envelopes", envelopeForm({ is_draft: true }));
    await service.advance(3600_000);
    const { envelope_fingerprint: fingerprint } = body;
    expect((await call("GET", `/v1/envelopes/${fingerprint}`)).body).toMatchObject({
      envelope_status: "draft",
      envelope_sent: null,
      envelope_parties: [{ party_status: "pending" }],
    });
    expect((await call("DELETE", `/v1/envelopes/${fingerprint}`)).body).toMatchObject({ envelope_status: "deleted" });
  });

  test("what actions return; a reminder goes to every party that has not signed", async () => {
    const { envelope_fingerprint: fingerprint } = (await call("POST", "/v1/envelopes", template())).body;
    const its = { http: 200, message: expect.any(String), envelope_fingerprint: fingerprint, envelope_title: "NDA" };
    const path = `/v1/envelopes/${fingerprint}`;
    expect((await call("PUT", `${path}/remind`)).body).toEqual({ ...its, envelope_all_at_once_enabled: false });
    const reminders = service.sentEmails().filter(({ type }) => type === "email-reminder");
    expect(reminders.map(({ to }) => to)).toEqual(["ann@b.example", "ben@b.example"]);
    expect((await call("PUT", `${path}/cancel`)).body).toEqual({
      ...its,
      envelope_status: "cancelled",
      envelope_processed: expect.stringMatching(/\+0000$/),
    });
  });
});

describe("responses", () => {
  test("IDs are strings or integers by the operation", async () => {
    const { webhook_id } = (await call("POST", "/v1/webhooks", hook(1))).body;
    expect(webhook_id).toBeTypeOf("string");
    expect((await call("GET", "/v1/webhooks")).body.webhooks).toMatchObject([{ webhook_id }]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { body } = await call(method, `/v1/webhooks/${webhook_id}`, method === "PUT" ? hook(2) : undefined);
      expect(body).toMatchObject({
        webhook_id: Number(webhook_id),
        webhook_url: hook(method === "GET" ? 1 : 2).webhook_url,
      });
    }
  });

  test("a company has its key and company_created; the href of its update is singular", async () => {
    const { company_id: id, api_key: key } = (await call("POST", "/v1/companies", company)).body;
    const { body } = await call("GET", `/v1/companies/${id}`);
    expect(body).toMatchObject({ company_id: id, company_api_key: key, company_created: expect.any(String) });
    expect(body).not.toHaveProperty("contact_created");
    const updated = (await call("PUT", `/v1/companies/${id}`, { company_name: "D" })).body;
    expect(updated).toMatchObject({ company_id: Number(id), href: `${service.url}/v1/company/${id}` });
  });

  test("errors have company, URL and detail", async () => {
    expect((await call("GET", "/v1/webhooks/1")).body).toEqual({
      http: 404,
      code: 10306,
      message: expect.any(String),
      company: service.data().accounts[0]!.id,
      url: "/v1/webhooks/1",
      detail: null,
    });
  });

  test("every response to a test key is marked as a test, and nothing changes", async () => {
    const test = ask(service, service.keys.test);
    for (const [method, path, form] of [
      ["GET", "/v1/webhooks"],
      ["POST", "/v1/webhooks", hook(1)],
      ["GET", "/v1/branding"],
    ] as const)
      expect((await test(method, path, form)).body.test).toBe(true);
    expect((await call("GET", "/v1/branding")).body).not.toHaveProperty("test");
    expect(service.data().accounts[0]!.webhooks).toEqual([]);
  });
});

test("responses have the recorded headers, and 0 and 1 are booleans", async () => {
  const { headers, body: created } = await call("POST", "/v1/webhooks", hook(1));
  expect(headers.get("location")).toBe(created.href);
  expect(headers.get("content-type")).toBe("application/json; charset=UTF-8");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  const { body } = await call("PUT", "/v1/settings", { setting_email_pdf_attach: 0 });
  expect(body).toMatchObject({ setting_email_pdf_attach: false });
});
