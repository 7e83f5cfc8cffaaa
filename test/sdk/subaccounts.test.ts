import { expect, test } from "vitest";
import { ApiError, InputError } from "../../sdk";
import { bad, failure, form, good, key, type Seen, serve } from "./server";

const keyOf = (seen: Seen) => Buffer.from(seen.headers.authorization!.slice(6), "base64").toString().replace(/:x$/, "");
const acme = { company_name: "n", user_name: "u", user_email: "u@n.example" };

/** A partner's service: its companies' keys are in the list; each request must come with a key that is valid now. */
const partner = (companies: Record<string, string>) =>
  serve((seen) => {
    if (![key, ...Object.values(companies)].includes(keyOf(seen))) return bad(401);
    if (seen.path !== "/v1/companies") return good;
    if (seen.method === "POST") {
      companies["99"] = "created-key-99";
      return { body: { http: 200, company_id: "99", company_name: "n", api_key: companies["99"] } };
    }
    const list = Object.entries(companies).map(([company_id, company_api_key]) => ({
      company_id: Number(company_id),
      company_name: `company ${company_id}`,
      company_api_key,
    }));
    return { body: { http: 200, total_companies: String(list.length), companies: list } };
  });

const listings = (seen: Seen[]) => seen.filter((s) => s.method === "GET" && s.path === "/v1/companies").length;

test("many calls of many subaccounts share one listing, and each has its own key", async () => {
  const companies = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [String(i + 1), `sub-key-${i + 1}`]));
  const service = await partner(companies);
  const client = service.client();
  await Promise.all(
    Object.keys(companies).flatMap((id) => [
      client.as(id).webhooks.get({ webhook_id: 7 }),
      client.as(Number(id)).webhooks.get({ webhook_id: 8 }),
    ]),
  );
  expect(listings(service.seen)).toBe(1);
  const used = service.seen.filter((s) => s.path.startsWith("/v1/webhooks")).map(keyOf);
  expect(new Set(used)).toEqual(new Set(Object.values(companies)));
  expect(await client.as("1").keyFingerprint()).not.toBe(await client.keyFingerprint());
});

test("a company that was created by this client needs no listing", async () => {
  const service = await partner({});
  const client = service.client();
  const { company_id } = await client.companies.create(acme);
  await client.as(company_id).webhooks.get({ webhook_id: 7 });
  expect(listings(service.seen)).toBe(0);
  expect(keyOf(service.seen.at(-1)!)).toBe("created-key-99");
});

test("a key that was rotated is looked up again, once for all calls that were rejected", async () => {
  const companies = { 5: "old-key-555" };
  const service = await partner(companies);
  const sub = service.client().as(5);
  await sub.webhooks.get({ webhook_id: 7 });
  companies[5] = "new-key-555";
  await Promise.all([1, 2, 3, 4].map((webhook_id) => sub.webhooks.get({ webhook_id })));
  expect(listings(service.seen)).toBe(2);
  // A create too: it was refused, so surely not applied.
  companies[5] = "newest-key-555";
  await sub.webhooks.create(form);
  expect(listings(service.seen)).toBe(3);
});

test("a call fails if the current key is rejected", async () => {
  const listed = { company_id: 5, company_name: "c", company_api_key: "dead-key-555" };
  const service = await serve(({ path }) =>
    path === "/v1/companies"
      ? { body: { http: 200, total_companies: "1", companies: [listed] } }
      : { status: 401, body: { http: 401, code: 10005, message: "removed" } },
  );
  const sub = service.client().as(5);
  const errors = await Promise.all([1, 2, 3].map((webhook_id) => failure(sub.webhooks.get({ webhook_id }), ApiError)));
  for (const error of errors) expect(error).toMatchObject({ status: 401, code: 10005 });
  expect(JSON.stringify(errors.map((e) => [e.message, e.stack]))).not.toContain("dead-key");
  expect(listings(service.seen)).toBeLessThanOrEqual(1 + errors.length);
});

test("a company that is not there is an error that names no key", async () => {
  const client = (await partner({ 5: "sub-key-5" })).client();
  const error = await failure(client.as(6).branding.get(), InputError);
  expect(error.message).toMatch(/^account: \d+ is not in this partner's list/);
  expect(() => client.as("six")).toThrow(InputError);
  expect(client.as(5)).toBe(client.as("5"));
});

test("a failed listing fails for all that wait for it, and the next call retries it", async () => {
  let hasFailed = false;
  const companies = [{ company_id: 5, company_name: "c", company_api_key: "sub-key-5" }];
  const service = await serve(({ path }) => {
    if (path !== "/v1/companies") return good;
    if (hasFailed) return { body: { http: 200, total_companies: "1", companies } };
    return { status: 403, body: { http: 403, code: 10008, message: "not a partner" } };
  });
  const sub = service.client().as(5);
  const errors = await Promise.all([1, 2].map((webhook_id) => failure(sub.webhooks.get({ webhook_id }), ApiError)));
  for (const error of errors) expect(error).toMatchObject({ code: 10008 });
  hasFailed = true;
  await sub.webhooks.get({ webhook_id: 7 });
  expect(keyOf(service.seen.at(-1)!)).toBe("sub-key-5");
});

test("companies that were listed need no listing; where they cannot be read, the next call tries again", async () => {
  const service = await partner({ "1": "sub-key-1", "2": "sub-key-2" });
  const companies = [{ company_id: "1", company_api_key: "sub-key-1" }];
  let reads = 0;
  const knownCompanies = async () => {
    if (++reads === 1) throw new Error("out of reach");
    return companies;
  };
  const client = service.client({ knownCompanies });
  const get = (companyId: number) => client.as(companyId).webhooks.get({ webhook_id: 7 });
  await expect(get(1)).rejects.toThrow("out of reach");
  await get(1);
  await get(1);
  expect([reads, listings(service.seen)]).toEqual([2, 0]);
  await get(2);
  expect([reads, listings(service.seen)]).toEqual([2, 1]);
});

test("a key that the list shows in part is not used, nor taken for the complete one", async () => {
  const companies: Record<string, string> = { "1": "sub-****-****" };
  const service = await partner(companies);
  const client = service.client();
  await expect(client.as("1").webhooks.get({ webhook_id: 7 })).rejects.toThrow(/the list contains no key for it/);
  const { company_id } = await client.companies.create(acme);
  companies[company_id] = "crea****99";
  await client.companies.list().all();
  companies[company_id] = "created-key-99";
  await client.as(company_id).webhooks.get({ webhook_id: 7 });
  expect(service.seen.map(keyOf)).not.toContain("crea****99");
});
