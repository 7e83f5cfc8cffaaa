import { expect, test } from "vitest";
import { cases, fc } from "../chance";
import { ask, type Body } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator();

const types = ["all", "add-user", "send-envelope"];
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("create" as const), n: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("update" as const), n: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), n: fc.nat(20) }) },
);

/** Reads a whole list with a page size, by position, and checks each page on the way. */
async function readAll(path: string, total: string, items: string, limit: number): Promise<Body[]> {
  const all: Body[] = [];
  for (;;) {
    const { body } = await ask(service)("GET", `${path}?offset=${all.length + 1}&limit=${limit}`);
    expect(body.offset).toBe(all.length + 1);
    all.push(...body[items]);
    const more = all.length < Number(body[total]);
    expect(body[items].length).toBe(more ? body.limit : Number(body[total]) - (body.offset - 1));
    expect("next" in body).toBe(more);
    if (!more) return all;
  }
}

test("after any operations the list, its total, its pages and the single answers agree with a model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 60 }), async (steps, limit) => {
      await service.reset();
      const call = ask(service);
      const model = new Map<string, { type: string; url: string }>();
      for (const { do: verb, n } of steps) {
        const id = [...model.keys()][n % Math.max(1, model.size)];
        const type = types[n % types.length]!;
        if (verb === "create") {
          const url = `https://example.com/${n}`;
          const { body } = await call("POST", "/v1/webhooks", { webhook_type: type, webhook_url: url });
          expect(model.has(String(body.webhook_id))).toBe(false);
          model.set(String(body.webhook_id), { type, url });
        } else if (id === undefined) continue;
        else if (verb === "update") {
          expect((await call("PUT", `/v1/webhooks/${id}`, { webhook_type: type })).status).toBe(200);
          model.get(id)!.type = type;
        } else {
          expect((await call("DELETE", `/v1/webhooks/${id}`)).status).toBe(200);
          model.delete(id);
        }
      }
      const listed = await readAll("/v1/webhooks", "total_webhooks", "webhooks", limit);
      expect(listed.map((w) => [String(w.webhook_id), { type: w.webhook_type, url: w.webhook_url }])).toEqual([
        ...model,
      ]);
      for (const id of model.keys()) expect((await call("GET", `/v1/webhooks/${id}`)).status).toBe(200);
    }),
    { numRuns: cases(15) },
  );
});

test("sub accounts never mix: each sees its own objects only, whatever is done in which order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), fc.nat(9)), { maxLength: 20 }), async (writes) => {
      await service.reset();
      const keys: string[] = [];
      for (const i of [0, 1, 2]) {
        const form = { company_name: `C${i}`, user_name: `U${i}`, user_email: `u${i}@c.example` };
        keys.push((await ask(service)("POST", "/v1/companies", form)).body.api_key);
      }
      const wanted: string[][] = [[], [], []];
      for (const [company, n] of writes) {
        const url = `https://c${company}.example/${n}`;
        await ask(service, keys[company])("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: url });
        wanted[company]!.push(url);
      }
      for (const [i, key] of keys.entries()) {
        const { body } = await ask(service, key)("GET", "/v1/webhooks?limit=50");
        expect(body.webhooks.map((w: Body) => w.webhook_url)).toEqual(wanted[i]);
      }
      expect((await readAll("/v1/companies", "total_companies", "companies", 2)).length).toBe(3);
    }),
    { numRuns: cases(15) },
  );
});

test("any text survives the form, in every field that takes any text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 1 }), async (text) => {
      const form = { branding_email_subject: text, branding_email_content: `${text}{contract url}` };
      const { status, body } = await ask(service)("PUT", "/v1/branding/emails/email-send", form);
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
        const { status, body: answer } = await ask(service)(method, target, undefined, init);
        expect(status).not.toBe(500);
        if (target.startsWith("/v1/") && status >= 400 && answer.http !== undefined) expect(answer.http).toBe(status);
      },
    ),
    { numRuns: cases(100) },
  );
});
