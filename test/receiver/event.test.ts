/** From payloads, as the service documents them, to typed events. */
import { describe, expect, expectTypeOf, test } from "vitest";
import { type NotificationEvent, ReceiverError, receive } from "../../receiver";
import { identity } from "../../receiver/idempotency-key";
import { fc } from "../chance";
import { actions, classic, formOf, minimal } from "../fixtures/notifications";

const read = (body: string | Uint8Array) => receive({}, body, { secrets: false });
/** The event, or the error. */
const outcomeOf = (body: string | Uint8Array) => {
  try {
    return read(body).event;
  } catch (error) {
    return error;
  }
};
describe("the classic form", () => {
  test.each(actions)("%s: every documented field is a member", (action) => {
    const fields: Record<string, string> = classic[action];
    const { event } = read(formOf(fields));
    const { action_date } = fields;
    const time = { action_date: new Date("2025-08-06T12:59:03Z"), action_date_text: action_date };
    expect(event).toMatchObject({ form: "classic", action, complete: true, ...time, raw: fields });
    const { action: _, action_date: __, ...rest } = fields;
    for (const [name, text] of Object.entries(rest)) {
      if (text === "") expect(event).not.toHaveProperty(name);
      else expect(event, name).toHaveProperty(name);
    }
  });

  test("JSON in fields is parsed, and IDs are texts", () => {
    expect(read(formOf(classic["signed-envelope"])).event).toMatchObject({
      ...{ contact_id: "7418454", company_id: "64034", user_id: "267199" },
      envelope_documents: [{ document_title: "Lease & annex" }],
      envelope_fields: [{ field_id: "460133805", field_value: "Tëst" }],
    });
    expect(read(formOf(classic["send-envelope"])).event).toMatchObject({ envelope_meta: { order: 17 } });
    expect(read(formOf(classic["add-template"])).event).toMatchObject({ template_page_total: 5, template_pages: [] });
  });

  test("a large ID is not rounded, and metadata is unchanged", () => {
    const fields =
      '[{"field_id":90071992547409931,"field_name":"a_id","field_type":"\\"b_id\\":1","field_value":null}]';
    const body = formOf({ ...classic["signed-envelope"], envelope_fields: fields, envelope_meta: '{"order_id":17}' });
    expect(read(body).event).toMatchObject({
      envelope_fields: [
        { field_id: "90071992547409931", field_name: "a_id", field_type: '"b_id":1', field_value: null },
      ],
      envelope_meta: { order_id: 17 },
    });
  });

  test("lists in brackets, as PHP writes them", () => {
    const { template_pages: _, template_thumbnails: __, ...rest } = classic["add-template"];
    const { event } = read(`${formOf(rest)}&template_thumbnails%5B0%5D=a&template_thumbnails[1]=b&template_pages[]=c`);
    expect(event).toMatchObject({ complete: true, template_thumbnails: ["a", "b"], template_pages: ["c"] });
  });

  const [document] = JSON.parse(classic["opened-envelope"].envelope_documents);
  const withDocuments = (documents: unknown) =>
    read(formOf({ ...classic["opened-envelope"], envelope_documents: JSON.stringify(documents) })).event;

  test.each([null, 7, true, "text", []])("an item of a list that is %j does not take the others with it", (odd) => {
    for (const documents of [[odd, document], [document, odd], { 0: odd, 2: document }]) {
      expect(withDocuments(documents)).toMatchObject({ complete: true, envelope_documents: [document] });
    }
  });

  test("an item has the members that can be read, however few", () => {
    const { document_title, document_fingerprint } = document;
    const few = { document_title, document_fingerprint };
    const odd = { ...document, document_title: 7, document_pdf: null, document_id: 9 };
    const { document_pdf: _, ...rest } = document;
    expect(withDocuments([few, odd, JSON.stringify(document)])).toMatchObject({
      complete: true,
      envelope_documents: [few, { ...rest, document_title: "7", document_id: "9" }, document],
    });
    expect(withDocuments(document)).toMatchObject({ envelope_documents: [document] });
    const fields = JSON.stringify([{ field_id: 1, field_value: true }, { field_value: 2.5 }, null]);
    const body = formOf({ ...classic["signed-envelope"], envelope_fields: fields });
    expect(read(body).event).toMatchObject({
      envelope_fields: [{ field_id: "1", field_value: "true" }, { field_value: "2.5" }],
    });
  });

  test("lists and objects in brackets, in any order of their indices", () => {
    const { envelope_documents: _, ...rest } = classic["opened-envelope"];
    const fields = (index: string | number, of: Record<string, string>) =>
      Object.entries(of).map(([name, value]) => [`envelope_documents[${index}][${name}]`, value]);
    const body = Object.fromEntries([...fields(900_000_000, { document_title: "B" }), ...fields(0, document)]);
    expect(read(formOf({ ...rest, ...body })).event).toMatchObject({
      complete: true,
      envelope_documents: [document, { document_title: "B" }],
    });
    expect(
      read(`${formOf(rest)}&a[1]=b&a[]=c&a[0]=a&d=1&d[e][][f]=2&__proto__[g]=3&h[=4&[i]=5`).event.raw,
    ).toMatchObject({
      ...{ a: ["a", "b", "c"], d: { e: [{ f: "2" }] }, "h[": "4", "[i]": "5" },
    });
    expect(Object.prototype).not.toHaveProperty("g");
  });

  test("fields that are not documented are preserved", () => {
    const documents = JSON.stringify([{ ...JSON.parse(classic["opened-envelope"].envelope_documents)[0], pages: 3 }]);
    const { event } = read(formOf({ ...classic["opened-envelope"], envelope_documents: documents, new_field: "x" }));
    expect(event.raw.new_field).toBe("x");
    expect(event).toMatchObject({ complete: true, envelope_documents: [{ pages: 3 }] });
    expect(event).not.toHaveProperty("new_field");
  });

  test.each([
    ["missing", undefined],
    ["not JSON", "[{"],
    ["of another shape", '"none"'],
    ["a list of nothing that can be read", "[1,null,[]]"],
  ])("a required field that is %s makes the event incomplete, not lost", (_, documents) => {
    const { envelope_documents: __, ...rest } = classic["opened-envelope"];
    const { event } = read(formOf(documents === undefined ? rest : { ...rest, envelope_documents: documents }));
    expect(event).toMatchObject({ action: "opened-envelope", complete: false, contact_name: "Ann Other" });
    expect(event).not.toHaveProperty("envelope_documents");
    expect(event.raw.envelope_documents).toBe(documents);
  });

  test("a time without the colon is read, too", () => {
    const { event } = read("action=add-contact&action_date=2026-01-02T03:04:05%2B0130");
    expect(event).toMatchObject({
      action_date: new Date("2026-01-02T01:34:05Z"),
      action_date_text: "2026-01-02T03:04:05+0130",
    });
  });
});

describe("the minimal form", () => {
  test.each(Object.entries(minimal))("%s", (action, members) => {
    const { event } = read(JSON.stringify(members));
    expect(event).toMatchObject({ form: "minimal", action, company_id: "196735", raw: members });
    for (const [name, value] of Object.entries(members)) {
      if (value === null) expect(event).not.toHaveProperty(name);
      else expect(event).toHaveProperty(name);
    }
  });

  test("IDs may be numbers, and members may be JSON or JSON as text", () => {
    const members = { ...minimal["add-user"], user_id: 836499, company_id: 196735 };
    expect(read(JSON.stringify(members)).event).toMatchObject({ user_id: "836499", company_id: "196735" });
    for (const envelope_meta of [{ a: 1 }, '{"a":1}']) {
      const body = JSON.stringify({ action: "send-envelope", action_date: "2026-03-18T12:00:00+00:00", envelope_meta });
      expect(read(body).event).toMatchObject({ complete: false, envelope_meta: { a: 1 } });
    }
  });
});

test("a large ID in JSON is not rounded, wherever it is; texts and fractions are unchanged", () => {
  const more =
    '"contact_id":17224073000000000001,"user_id":9007199254740991,"big":[{"x":-9007199254740993}],"rate":0.1234567890123456';
  const body = `{"action":"add-contact","action_date":"2026-03-18T12:00:00+00:00",${more},"text":"\\":9007199254740993,"}`;
  expect(read(body).event).toMatchObject({
    ...{ action: "add-contact", contact_id: "17224073000000000001", user_id: "9007199254740991" },
    raw: { big: [{ x: "-9007199254740993" }], rate: 0.1234567890123456, text: '":9007199254740993,' },
  });
  expect(
    read(formOf({ ...classic["send-envelope"], envelope_meta: '{"order":90071992547409931}' })).event,
  ).toMatchObject({
    envelope_meta: { order: "90071992547409931" },
  });
});

test("metadata nested too deep is left out, and the event is an event", () => {
  const envelope_meta = "[".repeat(101) + "]".repeat(101);
  const { event } = read(formOf({ ...classic["send-envelope"], envelope_meta }));
  expect(event).toMatchObject({ action: "send-envelope", complete: true, raw: { envelope_meta } });
  expect(event).not.toHaveProperty("envelope_meta");
});

test("what is as large as the limit takes no longer than it must", () => {
  const base = formOf(classic["add-user"]);
  const items = Array.from({ length: 9_900 }, (_, i) => `a[${i}]=1&`).join("");
  const names = Array.from({ length: 9_900 }, (_, i) => `a[${9_900 - i}][n]=1&`).join("");
  const json = (text: string) =>
    JSON.stringify({ ...classic["add-user"], text, id: 0 }).replace('"id":0', '"id":90071992547409931');
  for (const body of [items + base, names + base, json('\\"'.repeat(200_000)), json("1".repeat(900_000))]) {
    expect(read(body).event).toMatchObject({ action: "add-user", complete: true });
  }
  // Quadratic: minutes.
  for (const body of ["a[]=1&".repeat(150_000), `{"a":"${'\\"'.repeat(500_000)}`, `a${"[".repeat(1_000_000)}=1`]) {
    expect(outcomeOf(body)).toBeInstanceOf(ReceiverError);
  }
});

test.each([
  ["send-envelope", "envelope_signing_embed"],
  ["signed-envelope", "envelope_signing_embed"],
  ["qes-ready", "signing_page_link"],
] as const)("%s: %s may be there, empty, null or missing", (action, name) => {
  const { signing_page_link: _, ...members } = classic[action] as Record<string, string>;
  const link = "https://sign.example/1";
  expect(read(formOf({ ...members, [name]: link })).event).toMatchObject({ complete: true, [name]: link });
  for (const none of [{}, { [name]: "" }]) {
    const { event } = read(formOf({ ...members, ...none }));
    expect(event.complete).toBe(true);
    expect(event).not.toHaveProperty(name);
  }
  expect(read(JSON.stringify({ ...members, [name]: null })).event).not.toHaveProperty(name);
});

test("company and address are optional where the documentation has them in no event or in some", () => {
  for (const action of actions) {
    const { company_id: _, client_ip: __, ...members } = classic[action] as Record<string, string>;
    const { event } = read(formOf(members));
    expect(event).toMatchObject({ action, form: "classic" });
    expect([event.action !== "unknown" && event.company_id, "client_ip" in event]).toEqual([undefined, false]);
  }
});

test("an action of later versions is an event, too", () => {
  const { event } = read(formOf({ ...classic["cancelled-envelope"], action: "archived-envelope" }));
  expect(event).toMatchObject({ action: "unknown", unknown_action: "archived-envelope", company_id: "64034" });
  expect(event.raw.envelope_title).toBe("Lease & annex");
  for (const action of ["constructor", "__proto__", "unknown"]) {
    expect(read(formOf({ ...classic["add-user"], action })).event).toMatchObject({
      action: "unknown",
      unknown_action: action,
    });
  }
});

test.each([
  ["another form", "name=Ann&message=Hello", /no action/],
  ["an empty action", "action=&action_date=2026-03-18T12:00:00+00:00", /no action/],
  ["an action without a time", "action=add-user", /action_date/],
  ["an invalid time", formOf({ ...classic["add-user"], action_date: "yesterday" }), /action_date/],
  ["a day that does not exist", formOf({ ...classic["add-user"], action_date: "2025-13-01T00:00:00Z" }), /action_date/],
  ["half JSON", '{"action":"add-user"', /JSON/],
  ["JSON that is a list", '[{"action":"add-user"}]', /no action/],
  ["JSON whose action is an object", '{"action":{}}', /no action/],
  ["deep JSON that ends", `{"a":${"[".repeat(100_000)}`, /JSON/],
  ["deep JSON", `{"action":"x","a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /too deep/],
  ["a field with many brackets", `action=add-user&a${"[]".repeat(9)}=1`, /brackets/],
  ["a form of very many fields", "a&".repeat(10_001), /fields/],
  ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe, 0x61]), /UTF-8/],
])("%s is no event: a clear error, without what it contains", (_, body, words) => {
  const outcome = outcomeOf(body);
  expect(outcome).toBeInstanceOf(ReceiverError);
  expect(outcome).toMatchObject({ code: "not-an-event", status: 400, message: expect.stringMatching(words) });
  expect((outcome as Error).message).not.toMatch(/yesterday|Ann/);
});

/** A value as it is read from JSON: integers above 2^53 are texts. */
const exact = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member) =>
    typeof member === "number" && !Number.isSafeInteger(member) && /^-?\d+$/.test(String(member))
      ? String(member)
      : member,
  );

test("any values survive the way through a form", () => {
  const texts = fc.record({
    contact_name: fc.string({ unit: "grapheme" }),
    contact_email: fc.string(),
    envelope_download: fc.webUrl(),
    extra: fc.string({ unit: "grapheme" }),
  });
  fc.assert(
    fc.property(texts, fc.jsonValue(), fc.nat(), (fields, meta, id) => {
      const members = { ...fields, contact_id: String(id) };
      const all = { ...classic["opened-envelope"], ...members, envelope_meta: JSON.stringify(meta) };
      const { event } = read(Buffer.from(formOf(all)));
      const { extra, ...others } = members;
      expect(event).toMatchObject({ ...others, complete: true, raw: { extra } });
      expect((event as { envelope_meta?: unknown }).envelope_meta).toEqual(exact(meta));
    }),
  );
});

test("any bytes are an event or an error of ours", () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json(), fc.webQueryParameters()), (body) => {
      const outcome = outcomeOf(body);
      if (!(outcome instanceof ReceiverError)) expect(outcome).toMatchObject({ action: expect.any(String) });
    }),
  );
});

test("the type narrows on the action, and then on completeness", () => {
  const check = (event: NotificationEvent) => {
    if (event.action === "rejected-envelope") {
      expectTypeOf(event.contact_email).toEqualTypeOf<string | undefined>();
      expectTypeOf(event.company_id).toEqualTypeOf<string | undefined>();
      if (event.complete) {
        expectTypeOf(event.contact_email).toEqualTypeOf<string>();
        expectTypeOf(event.company_id).toEqualTypeOf<string | undefined>();
      }
      // @ts-expect-error Another event's.
      expect(event.envelope_bounce_email).toBeUndefined();
    }
    if (event.action === "qes-ready") {
      expectTypeOf(event.signing_page_link).toEqualTypeOf<string | undefined>();
      if (event.complete) expectTypeOf(event.verification_session_expires_at).toEqualTypeOf<string>();
    }
    if (event.action === "qes-signed") {
      expectTypeOf(event.envelope_documents?.[0]?.document_pdf).toEqualTypeOf<string | undefined>();
    }
    if (event.action === "expired-envelope" && event.complete) {
      expectTypeOf(event.envelope_title).toEqualTypeOf<string>();
      expectTypeOf(event.client_ip).toEqualTypeOf<string | undefined>();
    }
    if (event.action === "unknown") expectTypeOf(event.unknown_action).toEqualTypeOf<string>();
    expectTypeOf(event.action_date).toEqualTypeOf<Date>();
  };
  check(read(formOf(classic["rejected-envelope"])).event);
});

/** A value for a member that says which event it is, in the place of another one. */
const otherValue = "other@example.com";
const keyOf = (body: string) => read(body).idempotencyKey;

test.each(actions)(
  "%s: a second delivery has the same key, with other links and in another order of its fields",
  (action) => {
    const fields: Record<string, string> = classic[action];
    const renewed = Object.entries(fields).map(([name, value]) => [name, value.replace(/\?t=\d/g, "?t=9")] as const);
    expect(keyOf(formOf(fields))).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf(formOf(Object.fromEntries(renewed.toReversed())))).toBe(keyOf(formOf(fields)));
  },
);

test("other events have other keys", () => {
  const opened = classic["opened-envelope"];
  const others = [
    opened,
    { ...opened, action: "signed-envelope" },
    { ...opened, action_date: "2025-08-06T12:59:04+00:00" },
    { ...opened, company_id: "64035" },
    { ...opened, contact_id: "7418455" },
    { ...opened, envelope_fingerprint: "f".repeat(32) },
    classic["bounced-envelope"],
    { ...classic["bounced-envelope"], envelope_bounce_email: "bo@example.com" },
    classic["add-user"],
    { ...classic["add-user"], user_id: "840787" },
  ].map(formOf);
  const keys = [...others, ...Object.values(minimal).map((members) => JSON.stringify(members))].map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
});

const identifying = Object.entries(identity).flatMap(([name, [counts]]) => (counts ? [name] : []));

test("each ID, fingerprint and bounced address says which event it is; no link does", () => {
  const names = Object.keys(identity);
  expect(identifying.sort()).toEqual(
    names.filter((name) => /_(id|fingerprint)$/.test(name) || name === "envelope_bounce_email").sort(),
  );
});

test.each(actions)("%s: another value of a member that says which event it is makes another key", (action) => {
  const fields: Record<string, string> = classic[action];
  const names = Object.keys(fields).filter((name) => identifying.includes(name) && fields[name] !== "");
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(keyOf(formOf({ ...fields, [name]: otherValue }))).not.toBe(keyOf(formOf(fields)));
});

test("two documents of one envelope are two events", () => {
  const rejected = classic["rejected-envelope"];
  expect(keyOf(formOf({ ...rejected, document_id: "1735" }))).not.toBe(keyOf(formOf(rejected)));
});

test("of an unknown action, a link that changes with each delivery does not count, in a list as JSON either", () => {
  const fields = { ...classic["add-user"], action: "archived-envelope", reason: "a" };
  const withLinks = (n: number) => ({
    ...{ ...fields, archive_download: `https://files.example/a?X-Signature=${n}` },
    pages: `[{"url":"https:\\/\\/files.example\\/${n}"}]`,
    envelope_download: String(n),
  });
  expect(keyOf(formOf(withLinks(1)))).toBe(keyOf(formOf(withLinks(2))));
  expect(keyOf(JSON.stringify({ ...fields, pages: [{ url: "https://a.example/1" }] }))).toBe(
    keyOf(JSON.stringify({ ...fields, pages: [{ url: "https://a.example/2" }] })),
  );
});

test("of an unknown action every other field counts, in any order", () => {
  const fields = { ...classic["add-user"], action: "archived-envelope", reason: "a" };
  expect(keyOf(formOf({ ...fields, reason: "b" }))).not.toBe(keyOf(formOf(fields)));
  expect(keyOf(formOf(Object.fromEntries(Object.entries(fields).toReversed())))).toBe(keyOf(formOf(fields)));
});
