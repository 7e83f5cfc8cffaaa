/** Pages as clients of either counting read them: from the offset 0, as all clients in use do, or from 1, as the specification says. */
import { beforeEach, expect, test } from "vitest";
import { refusalNames } from "../../emulator/domain/strictness";
import { ask } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const service = useEmulator();
const call = ask(service);
const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, i) => String(first + i));
const lenient = { strictness: Object.fromEntries(refusalNames.map((name) => [name, false])) };

beforeEach(async () => {
  await service.reset();
  service.configure({ edition: "specification", strictness: {} });
  for (const n of numbers(23))
    await call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: `https://a.example/${n}` });
});

const page = async (query: string) => {
  const { status, body } = await call("GET", `/v1/webhooks${query}`);
  return {
    status,
    next: body.next,
    found: body.webhooks?.map((hook: { webhook_url: string }) => hook.webhook_url.slice(18)),
  };
};

/** As a client reads that counts from `base`: until a page has fewer than asked for, and one more to be sure. */
async function readAll(base: number, limit: number): Promise<string[]> {
  const all: string[] = [];
  for (let offset = base; ; offset += limit) {
    const { found } = await page(`?offset=${offset}&limit=${limit}`);
    all.push(...found);
    if (found.length === 0) return all;
  }
}

test.each([
  ["specification", 0, 1],
  ["specification", 1, 1],
  ["current", 0, 1],
  // Its first record has the offset 0.
  ["current", 1, 2],
] as const)("a lenient service, edition %s, read from %i on: each record once", async (edition, base, first) => {
  service.configure({ edition, ...lenient });
  for (const limit of [1, 7, 10, 23, 50])
    for (let times = 0; times < 2; times++) expect(await readAll(base, limit)).toEqual(numbers(24 - first, first));
});

test("a lenient service: callers that count from 0 and from 1 after each other", async () => {
  service.configure(lenient);
  for (const base of [0, 1, 1, 0, 0, 1]) expect(await readAll(base, 10)).toEqual(numbers(23));
  expect((await page("?offset=0")).found[9]).toBe("10");
  expect((await page("?limit=10")).found[9]).toBe("10");
  expect((await page("?offset=11")).found[0]).toBe("11");
});

test("by default, the specification's edition refuses the offset 0", async () => {
  expect((await page("?offset=0")).status).toBe(400);
  expect(await readAll(1, 10)).toEqual(numbers(23));
});

test.each(["webhooks", "companies", "users", "contacts", "templates", "envelopes"])(
  "today, a list of %s with more than a page has the address of the next one",
  async (area) => {
    const records = numbers(12).map((n) => ({ name: `N${n}`, email: `n${n}@a.example` }));
    const templates = numbers(12).map((n) => ({ fingerprint: `t${n}`, title: `T${n}` }));
    const own = await emulatorForTest({
      edition: "current",
      seed: { partner: { users: records, contacts: records, templates } },
    });
    const call = ask(own);
    for (const n of numbers(12)) {
      await call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: `https://a.example/${n}` });
      const company = { company_name: `C${n}`, user_name: "U", user_email: `u@c${n}.example` };
      await call("POST", "/v1/companies", company);
      const party = { party_name: "P", party_email: "p@a.example", party_role: "signer1" };
      const document = { document_title: "D", document_url: "https://a.example/d.pdf" };
      const envelope = { envelope_title: n, envelope_documents: [document], envelope_parties: [party] };
      await call("POST", "/v1/envelopes", envelope);
    }
    const { body } = await call("GET", `/v1/${area}`);
    expect(body.next).toBe(`${own.url}/v1/${area}?offset=10&limit=10`);
    const last = await fetch(body.next, { headers: { authorization: `Basic ${btoa(`${own.keys.partner}:x`)}` } });
    expect(await last.json()).not.toHaveProperty("next");
  },
);
