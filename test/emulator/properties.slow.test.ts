import { expect, test } from "vitest";
import { cases, fc } from "../chance";
import { ask, type Body } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator();

const types = ["all", "add-user", "send-envelope"];
const step = fc.record({
  verb: fc.constantFrom("create", "create", "create", "update", "delete"),
  account: fc.nat(2),
  n: fc.nat(20),
});
/** More than fit on a page of the largest size that is tried. */
const someSteps = fc.array(step, { minLength: 15, maxLength: 40 });
const call = ask(service);

/** Reads a whole list with a page size, by position, and checks each page on the way. */
async function readAll(key: string, limit: number): Promise<Body[]> {
  const all: Body[] = [];
  for (;;) {
    const { body } = await ask(service, key)("GET", `/v1/webhooks?offset=${all.length + 1}&limit=${limit}`);
    expect(body.offset).toBe(all.length + 1);
    all.push(...body.webhooks);
    const total = Number(body.total_webhooks);
    const more = all.length < total;
    expect(body.webhooks.length).toBe(more ? body.limit : total - (body.offset - 1));
    expect("next" in body).toBe(more);
    if (!more) return all;
  }
}

test("after any operations each account's list, its total, its pages and the single answers agree with a model", async () => {
  await fc.assert(
    fc.asyncProperty(someSteps, fc.integer({ min: 1, max: 6 }), async (steps, limit) => {
      await service.reset();
      const create = async (n: number): Promise<string> => {
        const form = { company_name: `C${n}`, user_name: `U${n}`, user_email: `u${n}@c.example` };
        return (await call("POST", "/v1/companies", form)).body.api_key;
      };
      const accounts = [service.keys.partner, await create(1), await create(2)].map((key) => ({
        key,
        model: new Map<string, { webhook_type: string; webhook_url: string }>(),
      }));
      for (const { verb, account, n } of steps) {
        const { key, model } = accounts[account]!;
        const its = ask(service, key);
        const id = [...model.keys()][n % Math.max(1, model.size)];
        const webhook_type = types[n % types.length]!;
        if (verb === "create") {
          const form = { webhook_type, webhook_url: `https://example.com/${n}` };
          const { webhook_id } = (await its("POST", "/v1/webhooks", form)).body;
          for (const other of accounts) expect(other.model.has(webhook_id)).toBe(false);
          model.set(webhook_id, form);
        } else if (id === undefined) continue;
        else if (verb === "update") {
          expect((await its("PUT", `/v1/webhooks/${id}`, { webhook_type })).status).toBe(200);
          model.get(id)!.webhook_type = webhook_type;
        } else {
          expect((await its("DELETE", `/v1/webhooks/${id}`)).status).toBe(200);
          model.delete(id);
        }
      }
      for (const { key, model } of accounts) {
        const expected = [...model].map(([webhook_id, form]) => ({ webhook_id, ...form }));
        expect(await readAll(key, limit)).toMatchObject(expected);
        for (const id of model.keys()) expect((await ask(service, key)("GET", `/v1/webhooks/${id}`)).status).toBe(200);
      }
    }),
    { numRuns: cases(12) },
  );
});

test("any text survives the form, in every field that takes any text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 1 }), async (text) => {
      const form = { branding_email_subject: text, branding_email_content: `${text}{contract url}` };
      const { status, body } = await call("PUT", "/v1/branding/emails/email-send", form);
      expect(status).toBe(200);
      expect(body.branding_email_subject).toBe(text);
      expect(body.branding_email_content).toBe(`${text}{contract url}`);
    }),
    { numRuns: cases(30) },
  );
});

test("no request takes the service down: any method, path, header and body gets an answer that is understood", async () => {
  const path = fc.oneof(
    fc.webPath(),
    fc.constantFrom("/v1/webhooks", "/v1/companies", "/v1/envelopes", "/v1/branding", "/v1/branding/emails/email-send"),
    fc.webPath().map((p) => `/v1/webhooks${p}`),
    fc.webQueryParameters().map((q) => `/v1/webhooks?${q}`),
  );
  await fc.assert(
    fc.asyncProperty(
      path,
      fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
      fc.oneof(fc.webQueryParameters(), fc.string({ unit: "binary" })),
      fc.constantFrom("application/x-www-form-urlencoded", "application/json", "text/plain"),
      async (target, method, body, type) => {
        const init = method === "GET" ? {} : { body, headers: { "content-type": type } };
        const { status, body: answer } = await call(method, target, undefined, init);
        expect(status).not.toBe(500);
        if (target.startsWith("/v1/") && status >= 400 && answer.http !== undefined) expect(answer.http).toBe(status);
      },
    ),
    { numRuns: cases(40) },
  );
});
