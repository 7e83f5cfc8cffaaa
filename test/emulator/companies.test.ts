import { beforeEach, expect, test } from "vitest";
import { ask, envelopeForm } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const day = 24 * 3600_000;
const service = useEmulator({ clock: () => Date.UTC(2025, 2, 20, 10), processingTime: 0 });
beforeEach(() => service.reset());

const call = ask(service);
const form = { company_name: "Café & Co", user_name: "Zoë", user_email: "zoe@cafe.example" };
const create = (more: object = {}) => call("POST", "/v1/companies", { ...form, ...more });

test("the life of a company", async () => {
  const { status, body } = await create();
  expect(status).toBe(200);
  const { company_id, api_key, href } = body;
  const path = `/v1/companies/${company_id}`;
  const made = "2025-03-20T10:00:00+0000";
  const answer = { http: 200, message: expect.any(String) };
  expect(body).toEqual({
    ...{ ...answer, ...form, href: service.url + path },
    company_id: expect.stringMatching(/^\d+$/),
    company_email: form.user_email,
    api_key: expect.any(String),
    user_id: expect.stringMatching(/^\d+$/),
    user_href: `${service.url}/v1/users/${body.user_id}`,
    company_added: made,
  });
  const change = { company_email: "office@cafe.example" };
  const company = { company_id: Number(company_id), company_name: form.company_name, ...change };
  const updated = (await call("PUT", path, change)).body;
  expect(updated).toEqual({ ...answer, href, ...company, company_updated: expect.any(String) });
  const company_usage = [{ month: "March", year: "2025", sent: "0" }];
  expect((await call("GET", path)).body).toEqual({ http: 200, ...company, contact_created: made, company_usage });
  expect((await call("GET", "/v1/companies")).body).toEqual({
    http: 200,
    offset: 1,
    limit: 10,
    total_companies: "1",
    companies: [{ ...company, company_id, company_api_key: api_key, company_created: made }],
  });
  expect((await call("DELETE", path)).body).toEqual({ ...answer, ...company });
  expect((await call("GET", path)).body).toMatchObject({ http: 404, code: 10355 });
  // Its key is refused, and its user's email address is free again.
  expect(await ask(service, api_key)("GET", "/v1/branding")).toMatchObject({ status: 401, body: { code: 10006 } });
  expect((await create()).status).toBe(200);
});

test("a new company's key works at once, for an account of its own", async () => {
  const { body } = await create();
  const sub = ask(service, body.api_key);
  const hook = await sub("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: "https://cafe.example/hook" });
  expect(hook.status).toBe(200);
  await sub("PUT", "/v1/branding", { branding_colour: "#123456" });
  await sub("PUT", "/v1/branding/emails/email-send", { branding_email_subject: "Ours" });
  expect((await sub("GET", "/v1/branding/emails")).body.branding_emails[4].branding_email_subject).toBe("Ours");
  expect((await call("GET", "/v1/webhooks")).body.total_webhooks).toBe("0");
  expect((await call("GET", "/v1/branding")).body.branding_colour).not.toBe("#123456");
  expect((await call("GET", "/v1/branding/emails")).body.branding_emails[4].branding_email_subject).not.toBe("Ours");
});

test.each([
  ["POST", "/v1/companies", { ...form, company_name: "" }, 400, 10350],
  ["POST", "/v1/companies", { company_name: "x", user_name: "y" }, 400, 10351],
  ["POST", "/v1/companies", { ...form, user_email: "zoe" }, 400, 10351],
  ["POST", "/v1/companies", { company_name: "x", user_email: "zoe@cafe.example" }, 400, 10352],
  ["PUT", "/v1/companies", form, 400, 10359],
  ["DELETE", "/v1/companies", undefined, 400, 10354],
  ["POST", "/v1/companies/12", form, 400, 10356],
  ["GET", "/v1/companies/12", undefined, 404, 10355],
  ["PUT", "/v1/companies/12", { company_name: "x" }, 404, 10355],
  ["DELETE", "/v1/companies/12", undefined, 404, 10355],
  ["GET", "/v1/companies/abc", undefined, 404, 10355],
  ["PUT", "/v1/companies/12", {}, 400, 10358],
  ["PUT", "/v1/companies/12", { company_email: "x" }, 400, 10010],
] as const)("%s %s %j is refused: %i %i", async (method, path, form, status, code) => {
  expect(await call(method, path, form)).toMatchObject({ status, body: { http: status, code } });
});

test("a user's email address is used once in the whole service; no account of the start is a company of the partner", async () => {
  for (const { id } of service.data().accounts)
    expect((await call("GET", `/v1/companies/${id}`)).body.code).toBe(10355);
  await create();
  const second = await create({ company_name: "Other", user_email: "ZOE@cafe.example" });
  expect(second).toMatchObject({ status: 400, body: { code: 10353 } });
});

test.each(["GET companies", "POST companies", "GET companies/1", "PUT companies/1", "DELETE companies/1", "GET usage"])(
  "%s needs a partner-enabled key",
  async (request) => {
    const [method, path] = request.split(" ") as [string, string];
    const { body } = await create();
    for (const key of [service.keys.account, body.api_key]) {
      const answer = await ask(service, key)(method, `/v1/${path}`);
      expect(answer).toMatchObject({ status: 403, body: { code: 10008 } });
    }
  },
);

test("usage counts what was sent in the billing periods and in the months", async () => {
  const { body } = await create();
  const sub = ask(service, body.api_key);
  const send = async () => (await sub("POST", "/v1/envelopes", envelopeForm())).body.envelope_fingerprint;
  await send();
  await service.advance(13 * day); // 2 April: another month, the same billing period (from the 15th)
  await send();
  await service.advance(20 * day); // 22 April: the next period
  const last = await send();
  expect((await call("GET", "/v1/usage")).body).toEqual({
    http: 200,
    offset: 1,
    limit: 10,
    total_companies: "1",
    current_start_date: "2025-04-15T00:00:00+0000",
    current_end_date: "2025-05-14T23:59:59+0000",
    previous_start_date: "2025-03-15T00:00:00+0000",
    previous_end_date: "2025-04-14T23:59:59+0000",
    companies: [
      {
        company_id: body.company_id,
        company_name: "Café & Co",
        current_usage: "1",
        previous_usage: "2",
        company_created: body.company_added,
      },
    ],
  });
  expect((await call("GET", `/v1/companies/${body.company_id}`)).body.company_usage).toEqual([
    { month: "April", year: "2025", sent: "2" },
    { month: "March", year: "2025", sent: "1" },
  ]);
  // What was sent was sent, also when it is deleted.
  await sub("PUT", `/v1/envelopes/${last}/cancel`);
  await sub("DELETE", `/v1/envelopes/${last}`);
  expect((await call("GET", "/v1/usage")).body.companies[0].current_usage).toBe("1");
});

test.each([
  // The account was made on the 15th: the days at both ends of both periods.
  ["2025-01-15", "2025-03-20", ["2025-03-15", "2025-04-14"], ["2025-02-15", "2025-03-14"], "2025-02-14"],
  // On the 31st: months without it are billed on their last day.
  ["2025-01-31", "2025-03-01", ["2025-02-28", "2025-03-30"], ["2025-01-31", "2025-02-27"], "2025-01-30"],
  // On the billing day itself a new period has begun.
  ["2024-05-10", "2025-03-10", ["2025-03-10", "2025-04-09"], ["2025-02-10", "2025-03-09"], "2025-02-09"],
])("made on %s, asked on %s: the periods and what counts in them", async (made, asked, current, previous, before) => {
  const envelopes = [...current, ...previous, ...previous, before].map((day) => ({
    title: day,
    created: `${day}T23:59:59+0000`,
  }));
  const own = await emulatorForTest({
    clock: () => Date.parse(`${asked}T00:00:00Z`),
    seed: { partner: { created: `${made}T12:00:00+0000` }, companies: [{ envelopes }] },
  });
  const { body } = await ask(own)("GET", "/v1/usage");
  expect(body).toMatchObject({
    current_start_date: `${current[0]}T00:00:00+0000`,
    current_end_date: `${current[1]}T23:59:59+0000`,
    previous_start_date: `${previous[0]}T00:00:00+0000`,
    previous_end_date: `${previous[1]}T23:59:59+0000`,
    companies: [{ current_usage: "2", previous_usage: "4" }],
  });
});
