import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { codes } from "../../emulator";
import {
  ApiError,
  allEndpoints,
  EsignError,
  errorCodes,
  explain,
  explainStatus,
  InvalidResponseError,
} from "../../sdk";
import { api } from "../../sdk/api";
import type { Endpoint } from "../../sdk/api/endpoint";
import { parseResponse } from "../../sdk/http/parse-response";
import { Redactor } from "../../sdk/http/redact";
import { cases, fc } from "../chance";
import { failure, form, good, key, serve, webhook } from "./server";

const once = { retries: 0 } as const;

test.each([
  // At its default quality this alone takes seconds.
  ["br", (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ["gzip", gzipSync],
  ["deflate", deflateSync],
] as const)(
  "a response in %s that would become larger than any is too long, and damaged is something else",
  async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(80_000_000, " "));
    expect(bomb.length).toBeLessThan(200_000);
    let bytes = bomb;
    const service = await serve((_, __, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);
      return undefined;
    });
    const failed = async () =>
      String(
        await service
          .client(once)
          .branding.get()
          .catch((error) => error.message),
      );
    expect(await failed()).toMatch(/is longer than \d+ bytes when decompressed/);
    bytes = Buffer.from("{}");
    expect(await failed()).toContain("not compressed correctly");
  },
);

const body = Buffer.from('{"http":200,"branding_colour":"#558CAA"}');
test.each([
  ["X-GZip", gzipSync(body)],
  ["deflate", deflateRawSync(body)],
  ["deflate", deflateSync(body)],
  ["gzip, br", brotliCompressSync(gzipSync(body))],
  ["identity,gzip", gzipSync(body)],
  ["none of these", body],
  ["constructor", body],
])("a response of which a gateway says that it is %s is read", async (encoding, bytes) => {
  const service = await serve((_, __, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(bytes);
    return undefined;
  });
  expect(await service.client(once).branding.get()).toMatchObject({ branding_colour: "#558CAA" });
});

test("IDs are strings whether the service returns strings or numbers; totals are numbers; unknown members are kept", async () => {
  const webhooks = [
    { ...webhook, webhook_id: 41 },
    { ...webhook, webhook_id: "42", webhook_secret_sauce: [1] },
  ];
  const body = { http: 200, offset: "1", limit: 50, total_webhooks: "2", next: null, webhooks };
  const page = await (await serve(() => ({ body }))).client().webhooks.list().page();
  expect(page).toMatchObject({ total_webhooks: 2, offset: 1, limit: 50 });
  expect(page.webhooks).toMatchObject([{ webhook_id: "41" }, { webhook_id: "42", webhook_secret_sauce: [1] }]);
});

test("an id with more digits than a number holds is not rounded, and no other number becomes a text", async () => {
  const meta = { order_id: 1700000000000000, said: '{"x_id":12345678901234567890}', rate: 0.1234567890123456 };
  const service = await serve(({ path }) => ({
    body: path.includes("envelopes")
      ? `{"http":200,"envelope_fingerprint":"f","envelope_status":"sent","envelope_meta":{"order":175928847299117063,"an \\" order":[-175928847299117063],${JSON.stringify(meta).slice(1)}}`
      : `{"http":200,"webhook_type":"all","webhook_url":"https://r.example","webhook_id" : 12345678901234567890}`,
  }));
  const { envelopes, webhooks } = service.client();
  expect((await webhooks.get({ webhook_id: 1 })).webhook_id).toBe("12345678901234567890");
  expect((await envelopes.get({ envelope_fingerprint: "f" })).envelope_meta).toEqual({
    order: "175928847299117063",
    'an " order': ["-175928847299117063"],
    ...meta,
  });
});

test.each([[null], [undefined]])(
  "a count that is %j is omitted, and an invalid one is not understood",
  async (none) => {
    const month = { month: "May", year: "2026" };
    const service = await serve(({ path }) => ({
      body: path.endsWith("/usage")
        ? { http: 200, total_companies: "1", companies: [{ company_id: 7, current_usage: none, previous_usage: "3" }] }
        : { http: 200, company_id: 7, company_usage: [{ ...month, sent: path.endsWith("7") ? none : "many" }] },
    }));
    const { usage, companies } = service.client();
    expect(await usage.list().all()).toEqual([
      { company_id: "7", ...(none === null && { current_usage: undefined }), previous_usage: 3 },
    ]);
    expect(await companies.get({ company_id: 7 })).toEqual({
      http: 200,
      company_id: "7",
      company_usage: [{ ...month, ...(none === null && { sent: undefined }) }],
    });
    await failure(companies.get({ company_id: 8 }), InvalidResponseError);
  },
);

test.each([[null], [""], [false]])(
  "%j counts as missing where a member may be, and is an error where it must not",
  async (none) => {
    const party = { party_title: "Ann", party_id: none, contact_id: none };
    const field = { field_id: "4", party_id: none, field_title: none };
    const sent = { http: 200, envelope_fingerprint: "f", envelope_status: "sent", envelope_history: none };
    const envelope = { ...sent, envelope_parties: [party], envelope_documents: [{ document_fields: [field] }] };
    const bodies: Record<string, unknown> = {
      "/v1/envelopes/f": envelope,
      "/v1/users/1": { http: 200, user_id: 1, user_name: none, role_id: none },
      "/v1/users/2": { http: 200, user_id: none, user_name: "Ann", role_id: none },
      "/v1/templates/t": { http: 200, template_fingerprint: "t", template_page_total: none, template_parties: none },
      "/v1/contacts": {
        http: 200,
        total_contacts: none,
        contacts: [{ contact_id: 5, contact_outstanding_documents: none }],
      },
      "/v1/webhooks": { http: 200, total_webhooks: "1", webhooks: [none] },
    };
    const service = await serve(({ path }) => ({ body: bodies[path] }));
    const { envelopes, users, templates, contacts, webhooks } = service.client(once);
    const read = await envelopes.get({ envelope_fingerprint: "f" });
    expect(read).toMatchObject({ envelope_fingerprint: "f", envelope_parties: [{ party_title: "Ann" }] });
    const ids = [read.envelope_parties?.[0]?.party_id, read.envelope_documents?.[0]?.document_fields?.[0]?.party_id];
    expect([...ids, read.envelope_history].map((one) => one ?? null)).toEqual([null, null, null]);
    expect((await users.get({ user_id: 1 })).role_id ?? null).toBe(null);
    expect((await templates.get({ template_fingerprint: "t" })).template_page_total).toBeUndefined();
    expect(await contacts.list().page()).toMatchObject({ contacts: [{ contact_id: "5" }] });
    expect((await failure(users.get({ user_id: 2 }), InvalidResponseError)).message).toContain("user_id");
    expect((await failure(webhooks.list().all(), InvalidResponseError)).message).toContain("webhooks.0");
  },
);

test.each([
  ["336699", "#336699"],
  ["abc", "#abc"],
  ["#336699", "#336699"],
  ["", ""],
  [null, null],
])(
  "a colour that is answered as %j comes as %j: without the # no service accepts it",
  async (branding_colour, colour) => {
    const service = await serve(() => ({ body: { http: 200, branding_logo: null, branding_colour } }));
    expect(await service.client().branding.get()).toMatchObject({ branding_colour: colour });
  },
);

test.each([
  ["a page of HTML", "<!doctype html><html><head><title>Sign in</title></head></html>", "page of HTML", 1],
  ["nothing", "", "empty body", 3],
  ["half of its JSON", '{"http":200,"branding_colo', "truncated", 3],
  ["a list", "[1,2]", "not an object", 1],
  ["a word", '"ok"', "not an object", 1],
  ["null", "null", "not an object", 1],
  ["plain text", "service is resting", "text instead of JSON", 1],
  ["members of a wrong type", '{"http":200,"branding_colour":{"hex":"#123456"}}', "branding_colour", 1],
])("success with %s is an invalid response, retried where that may help", async (_, body, words, requests) => {
  const service = await serve(() => ({ body }));
  const { branding } = service.client({ retries: 2 });
  const read = await failure(branding.get(), InvalidResponseError);
  expect(read.message).toContain(words);
  expect(read).toMatchObject({ status: 200, mayHaveSucceeded: false, kind: "invalid-response" });
  expect(read.name).toBe("InvalidResponseError");
  expect(service.seen).toHaveLength(requests);
  const write = await failure(branding.update({ branding_colour: "#123456" }), InvalidResponseError);
  expect(write.mayHaveSucceeded).toBe(true);
});

test.each([
  [404, '{"http":404,"code":10306,"message":"No webhook found"}', true],
  [400, '{"http":400,"code":10306,"message":"No webhook found"}', true],
  [404, '{"http":404,"message":"gone"}', true],
  [200, '{"http":404,"message":"gone"}', true],
  [404, '{"message":"Not Found"}', false],
  [404, "<html><title>404</title></html>", false],
  [404, "", false],
  [404, '{"http":404,"code":10003,"message":"no such address"}', false],
  [401, '{"http":401,"code":10002}', false],
])("a response %i %s means that the object does not exist: %s", async (status, body, gone) => {
  const service = await serve(() => ({ status, body }));
  const error = await failure(service.client().webhooks.get({ webhook_id: 7 }), ApiError);
  expect(error.isNotFound).toBe(gone);
});

const missingCodes = Object.entries(api).flatMap(([group, { get, ...others }]: [string, Record<string, Endpoint>]) =>
  "delete" in others && get?.missingCode !== undefined ? [{ group, code: get.missingCode }] : [],
);
test.each(missingCodes)("so does the code $code of $group.get in any status (sdk/errors.ts)", async ({ code }) => {
  const service = await serve(() => ({ status: 400, body: JSON.stringify({ http: 400, code }) }));
  const error = await failure(service.client().webhooks.get({ webhook_id: 7 }), ApiError);
  expect(error.isNotFound).toBe(true);
});

test.each([
  [403, '{"http":403,"code":10008,"message":"no partner"}', true],
  [400, '{"http":400,"code":10008}', true],
  [200, '{"http":403,"code":10008}', true],
  [403, '{"http":403,"message":"no"}', false],
  [403, '{"http":403,"code":10004,"message":"suspended"}', false],
  [403, "<html><title>403 Forbidden</title></html>", false],
])("a response %i %s means that the key is no partner's: %s", async (status, body, noPartner) => {
  const service = await serve(() => ({ status, body }));
  const error = await failure(service.client({ retries: 0 }).companies.list().page(), ApiError);
  expect(error.isNotPartner).toBe(noPartner);
});

test.each([
  ["{}", 403, '{"http":403,"code":10002,"message":"A partner-enabled API key is required"}', true],
  ["{}", 403, '{"http":403,"message":"no"}', true],
  ["{}", 403, "<html><title>403 Forbidden</title></html>", false],
  ["{}", 401, '{"http":401,"code":10002}', false],
  ["{}", 500, '{"http":500,"code":10002}', false],
  ['{"http":403,"code":10002}', 403, '{"http":403,"code":10002}', false],
])(
  "after a call with the response %s, %i %s of a partner's call means that the key is no partner's: %s",
  async (...row) => {
    const [other, status, body, noPartner] = row;
    const service = await serve(({ path }) =>
      path === "/v1/branding" ? { status: 200, body: other } : { status, body },
    );
    const client = service.client({ retries: 0 });
    await client.branding.get().catch(() => undefined);
    const error = await failure(client.companies.list().page(), ApiError);
    expect(error.isNotPartner).toBe(noPartner);
    if (noPartner) expect(error.explain()).toEqual(explain(10008));
    // Another key has been accepted by nothing.
    const stranger = await failure(service.client({ retries: 0, apiKey: "other" }).companies.list().page(), ApiError);
    expect(stranger.isNotPartner).toBe(false);
  },
);

test("a partner whose list is refused later is still one", async () => {
  let isRefused = false;
  const list = { http: 200, companies: [], total_companies: 0 };
  const service = await serve(() => (isRefused ? { status: 403, body: { http: 403, code: 10002 } } : { body: list }));
  const client = service.client({ retries: 0 });
  await client.companies.list().page();
  isRefused = true;
  expect((await failure(client.companies.list().page(), ApiError)).isNotPartner).toBe(false);
});

test.each([
  [{ code: "10307" }, 10307],
  [{ error: { code: "10307", message: "None found" } }, 10307],
  [{ errors: [null, "None found", { code: 10307 }] }, 10307],
  [{ http: 404, error: { code: 404, message: "Resource not found" } }, undefined],
])("the code of an error is read beside its message, and a code of a gateway is ignored: %j", async (body, code) => {
  const service = await serve(() => ({ status: 404, body }));
  const { webhooks } = service.client(once);
  expect((await failure(webhooks.get({ webhook_id: 7 }), ApiError)).code).toBe(code);
  const list = webhooks.list().all();
  if (code === 10307) expect(await list).toEqual([]);
  else await expect(list).rejects.toThrow("404");
});

const field = "webhook_url";
const wrong = "is not valid";
test.each([
  [{ http: "400", code: "10560", detail: "colour" }, "colour"],
  [{ http: 400, errors: ["colour"] }, "colour"],
  [{ error: { message: "colour" } }, "colour"],
  [{ message: "colour", detail: null }, "colour"],
  [{ message: "colour", detail: "colour" }, "colour"],
  [{ message: "A field is not valid", detail: "colour" }, "A field is not valid (colour)"],
  [{ http: 400, errors: [{ field, message: wrong }] }, `${field}: ${wrong}`],
  [{ http: 422, message: "Validation failed", errors: { [field]: [wrong] } }, `Validation failed (${field}: ${wrong})`],
  [{ http: 400, message: { [field]: wrong, webhook_type: [] } }, `${field}: ${wrong}`],
  [{ http: 400, detail: [{ loc: ["body", field], msg: wrong }] }, `body.${field}: ${wrong}`],
  [{ http: 400, error: "invalid", error_description: `${field} ${wrong}` }, `invalid (${field} ${wrong})`],
  [
    { http: 400, error: { code: 7, message: "No", errors: [{ param: field, message: wrong }] } },
    `No (${field}: ${wrong})`,
  ],
  [{ http: 400, message: true, errors: [null, {}, 7, [[[[[["deep"]]]]]], { path: [{ toString: 1 }] }] }, undefined],
  [{ http: 400, message: "It is not valid.", field }, `${field}: It is not valid.`],
  [{ status: 400, error: "Bad Request", path: "/v1/webhooks" }, "Bad Request"],
])("the message of an error is read and names the field, whatever its format: %j", async (body, words) => {
  const service = await serve(() => ({ status: 400, body }));
  const error = await failure(service.client(once).webhooks.create(form), ApiError);
  expect(error.serviceMessage).toBe(words);
});

test("204 without a body is the success of a deletion, and of nothing else", async () => {
  const service = await serve(() => ({ status: 204, body: "" }));
  const { webhooks, branding, settings, contacts } = service.client(once);
  expect(await webhooks.delete({ webhook_id: 7 })).toEqual({});
  const calls = [
    branding.get(),
    branding.update({ branding_colour: "#123456" }),
    settings.get(),
    contacts.list().page(),
  ];
  for (const call of calls) {
    const error = await failure(call, InvalidResponseError);
    expect(error.message).toMatch(/returned 204 with an empty body/);
  }
});

test("every endpoint understands any bytes without a crash, and no error holds a key", () => {
  const redactor = new Redactor();
  redactor.add(key);
  const encodings = [
    key,
    encodeURIComponent(key),
    Buffer.from(key).toString("hex"),
    Buffer.from(`${key}:x`).toString("base64"),
    Buffer.from(`user:${key}`).toString("base64"),
    Buffer.from(`{"k":"${key}"}`).toString("base64"),
  ];
  const members = {
    http: fc.oneof(fc.integer({ min: -1, max: 700 }), fc.string()),
    code: fc.oneof(fc.integer(), fc.string()),
    message: fc.oneof(fc.constantFrom(...encodings), fc.string(), fc.jsonValue()),
    webhooks: fc.jsonValue(),
    next: fc.string(),
    api_key: fc.constant(key),
  };
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("utf8")),
    fc.constantFrom(...encodings),
    fc.json(),
    fc.record(members, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
  );
  const texts = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(""));
  const body = fc.oneof(text, texts);
  const header = fc.oneof(fc.string(), fc.constantFrom(...encodings, `https://${key}@other.example/${key}`));
  const status = fc.oneof(
    fc.constantFrom(200, 202, 204, 301, 400, 401, 404, 429, 500, 503),
    fc.integer({ min: 100, max: 999 }),
  );
  const endpoints = fc.constantFrom(...allEndpoints);
  fc.assert(
    fc.property(endpoints, status, body, header, ({ endpoint, group, operation }, status, text, value) => {
      const context = { operation: `${group}.${operation}`, method: endpoint.method, path: endpoint.path };
      const headers = { location: value, "retry-after": value, date: value };
      const result = parseResponse(endpoint, context, { status, headers, text }, redactor);
      if ("body" in result) return void expect(status).toBeLessThan(300);
      expect(result.error).toBeInstanceOf(EsignError);
      result.error.explain();
      const shown = [result.error.message, result.error.stack, JSON.stringify(result.error)].join("\n");
      // Inside other texts base64 begins at any place: none of the key's whole groups may be left.
      for (const encoded of encodings) expect(shown).not.toContain(encoded);
    }),
    { numRuns: cases(100) },
  );
});

test("every documented code has a cause and a fix, and only names fields of the API", () => {
  const names = new Set(
    allEndpoints.flatMap(({ endpoint }) => [
      ...Object.keys(endpoint.params.shape),
      ...Object.keys((endpoint.form as unknown as { shape: object }).shape),
    ]),
  );
  expect(errorCodes.length).toBeGreaterThan(45);
  for (const code of errorCodes) {
    const explanation = explain(code)!;
    expect(explanation.cause).toMatch(/\.$/);
    expect(explanation.fix).toMatch(/\.$/);
    if (explanation.field !== undefined) expect(names).toContain(explanation.field);
  }
  expect(explain(99999)).toBeUndefined();
});

test("a response of a proxy is explained as such", () => {
  expect(explainStatus(407).fix).toContain("proxy");
  expect(explainStatus(418).fix).not.toContain("proxy");
});

test("every code that the emulator returns is explained", () => {
  expect(Object.keys(codes).filter((code) => explain(Number(code)) === undefined)).toEqual([]);
});

test("a success without email templates, or without logo and colour, counts when it comes twice", async () => {
  const noEmails = { http: 200, branding_emails: [] };
  const emails = { http: 200, branding_emails: [{ branding_email_type: "email-send" }] };
  for (const [call, none, full] of [
    ["emails", noEmails, emails],
    ["get", { http: 200 }, { http: 200, branding_colour: "#123456" }],
  ] as const) {
    const once = await serve((_, index) => ({ body: index === 0 ? none : full }));
    expect(await once.client().branding[call]()).toEqual(full);
    const never = await serve(() => ({ body: none }));
    expect(await never.client().branding[call]()).toEqual(none);
    expect(never.seen).toHaveLength(2);
  }
});

test("a response to a test key is recognized", async () => {
  const values: [unknown, boolean | undefined][] = [
    ...[true, "true", 1, "1"].map((said): [unknown, boolean] => [said, true]),
    ...[false, null, 0, "", "false"].map((said): [unknown, boolean] => [said, false]),
    [undefined, undefined],
  ];
  for (const [said, isTest] of values) {
    const { client } = await serve(() => ({ body: { ...good.body, test: said } }));
    const { test }: { test?: boolean | undefined } = await client({ onTestKey: () => {} }).webhooks.create(form);
    expect(test).toBe(isTest);
  }
});

test("an unknown code, or one that is not about keys, never explains a rejected key", () => {
  const context = { operation: "branding.get", method: "GET", path: "/v1/branding" } as never;
  const adviceOf = (status: number, code: number | undefined) =>
    new ApiError("refused", context, status, code, undefined, undefined).advice();
  for (const code of [undefined, 10001, 10003, 99_999]) expect(adviceOf(401, code).fix).toMatch(/^Set apiKey/);
  expect(adviceOf(401, 10005).cause).toBe("The API key was removed.");
  expect(adviceOf(400, 99_999)).toEqual(adviceOf(400, undefined));
});
