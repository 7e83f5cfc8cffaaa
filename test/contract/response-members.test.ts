/**
 * The table of response members and what the emulator sends are the same: no member without a source, none that is never sent, and each in
 * its types. Asked over plain HTTP, in both editions.
 */
import { beforeAll, describe, expect, test } from "vitest";
import {
  errorMembers,
  type Member,
  type MemberType,
  type OperationName,
  responseMembers,
  withPaths,
} from "../../emulator/response-members";
import { allEndpoints, editions } from "../../sdk";
import { ask, type Body, envelopeForm } from "../emulator/ask";
import { useEmulator } from "../emulator/use-emulator";
import * as current from "../fixtures/current-interface";
import * as specification from "../fixtures/specification";

type Seen = Map<string, Set<MemberType>>;

const typeOf = (value: unknown): MemberType => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "number" ? "integer" : (typeof value as MemberType);
};

/** What is in a body, and which members of the table are missing in it although each response has them. */
function walk(body: Body, members: ReadonlyMap<string, Member>, prefix: string, seen: Seen): string[] {
  const missing = [...members.values()].filter(({ name, isOptional }) => !isOptional && !(name in body));
  const inner = Object.entries(body).flatMap(([name, value]) => {
    const path = prefix + name;
    seen.set(path, (seen.get(path) ?? new Set()).add(typeOf(value)));
    const below = members.get(name)?.members ?? new Map();
    return Array.isArray(value) && below.size > 0 ? value.flatMap((item) => walk(item, below, `${path}[].`, seen)) : [];
  });
  return [...missing.map(({ name }) => prefix + name), ...inner];
}

describe.each(editions)("edition %s", (edition) => {
  const templates = [
    {
      fingerprint: "nda",
      title: "NDA",
      mergeFields: [{ id: 4, title: "Name" }],
      fields: [
        { id: 5, title: "Signed on", type: "date-signed" },
        { id: 6, title: "Card", type: "split", preset: "card_number", runs: [{ cells: 4, cellGap: 2, runGap: 4 }] },
      ],
    },
    { fingerprint: "lease", title: "Lease", qualified: true },
  ];
  const service = useEmulator({
    edition,
    processingTime: 0,
    embeddedSigning: true,
    companyExtras: true,
    ...(edition === "current" && { notifications: { signed: true } }),
    seed: { partner: { templates, settings: { setting_qes_enabled: true } } },
  });
  const seen = new Map<string, Seen>();
  const missing: string[] = [];

  /** One request; its response is compared with the table. */
  async function does(operation: OperationName, id = "", form?: object, key?: string): Promise<Body> {
    const [group, name] = operation.split(".");
    const { endpoint } = allEndpoints.find((one) => one.group === group && one.operation === name)!;
    const [path, more = ""] = id.split("?");
    const filled = path!.split("/").reduce((text, part) => text.replace(/\{\w+\}/, part), endpoint.path as string);
    const { status, body } = await ask(service, key)(endpoint.method, filled + (more && `?${more}`), form);
    expect([operation, status, body.message]).toEqual([operation, endpoint.success, body.message]);
    const ofOperation = seen.get(operation) ?? new Map();
    seen.set(operation, ofOperation);
    missing.push(...walk(body, responseMembers(operation, edition), `${operation} `, ofOperation));
    return body;
  }

  beforeAll(async () => {
    const { test: testKey } = service.keys;
    for (const one of ["branding.get", "branding.emails", "settings.get"] as const) await does(one);
    for (const one of [{ branding_colour: "#558caa" }]) await does("branding.update", "", one);
    await does("branding.updateEmail", "email-send", { branding_email_subject: "S" });
    if (edition === "current") await does("branding.email", "email-send");
    await does("settings.update", "", { setting_email_pdf_attach: false });
    const hook = { webhook_type: "all", webhook_url: "https://a.example/" };
    const { webhook_id: first } = await does("webhooks.create", "", hook);
    await does("webhooks.create", "", hook);
    for (const one of ["webhooks.get", "webhooks.delete"] as const) {
      if (one === "webhooks.delete") await does("webhooks.update", first, hook);
      if (one === "webhooks.delete") for (const page of ["?limit=1", "?offset=2"]) await does("webhooks.list", page);
      await does(one, first);
    }
    await partners();
    await people();
    await envelopes();
    // A test key's response to a write has the mark in both editions.
    for (const { group, operation, endpoint } of allEndpoints) {
      const name = `${group}.${operation}` as OperationName;
      if (endpoint.method !== "GET") seen.get(name)?.set(`${name} test`, new Set(["boolean"]));
    }
    await does("branding.update", "", { branding_colour: "#000000" }, testKey);
  });

  async function partners() {
    const company = (n: number) => ({ company_name: "C", user_name: "U", user_email: `u${n}@c.example` });
    const { company_id: id } = await does("companies.create", "", company(1));
    await does("companies.create", "", company(2));
    await does("companies.get", id);
    for (const page of ["?limit=1", "?offset=2"]) {
      await does("companies.list", page);
      await does("usage.list", page);
    }
    await does("companies.update", id, { company_name: "D" });
    await does("companies.delete", id);
  }

  async function people() {
    const { user_id } = await does("users.create", "", { user_name: "V", user_email: "v@b.example", role_id: "2" });
    await does("users.update", user_id, { user_name: "W" });
    await does("users.get", user_id);
    await does("users.list", "?offset=2");
    await does("users.list", "?limit=1");
    await does("users.delete", user_id);
    const contact = (n: number) => ({ contact_name: "Ann", contact_email: `ann${n}@c.example` });
    const { contact_id } = await does("contacts.create", "", contact(1));
    await does("contacts.create", "", contact(2));
    await does("contacts.get", contact_id);
    for (const page of ["?limit=1", "?offset=2"]) await does("contacts.list", page);
    await does("contacts.update", contact_id, { contact_name: "A" });
    await does("contacts.delete", contact_id);
    for (const page of ["?limit=1", "?offset=2"]) await does("templates.list", page);
    await does("templates.get", "nda");
    await does("templates.get", "lease");
  }

  async function envelopes() {
    const mobile = edition === "current" ? { party_mobile: "+447700900123" } : {};
    const party = { party_name: "Ann", party_email: "ann@b.example", party_id: 1, ...mobile };
    const documents = [{ document_title: "NDA", document_template_fingerprint: "nda" }];
    const fromTemplate = { envelope_title: "N", envelope_documents: documents, envelope_parties: [party] };
    const create = async (more: object = {}) =>
      (await does("envelopes.createFromFiles", "", envelopeForm({ envelope_meta: '{"a":1}', ...more })))
        .envelope_fingerprint;
    const signed = (await does("envelopes.createFromTemplate", "", fromTemplate)).envelope_fingerprint;
    const [other, draft] = [await create({ envelope_password_protect: true }), await create({ is_draft: true })];
    await service.advance(1000);
    const { envelope_parties, envelope_documents } = await does("envelopes.get", other);
    expect(envelope_documents).toHaveLength(1);
    for (const page of ["?limit=1", "?offset=2"]) await does("envelopes.list", page);
    await does("envelopes.remind", other);
    await does("envelopes.updateParty", `${other}/${envelope_parties[0].party_id}`, { party_title: "A" });
    if (edition === "specification") service.configure({ strictness: { sessionOfDraft: false } });
    await does("embedSessions.create", "", { envelope_fingerprint: draft });
    const deed = { ...fromTemplate, envelope_documents: [{ ...documents[0], document_template_fingerprint: "lease" }] };
    const qualified = (await does("envelopes.createFromTemplate", "", deed)).envelope_fingerprint;
    await does("envelopes.get", qualified);
    await service.performAction(signed, "sign");
    await does("envelopes.get", signed);
    await does("envelopes.list");
    const { contacts } = await does("contacts.list");
    const { contact_id } = contacts.find((one: Body) => one.contact_email === "ann@b.example");
    await does("contacts.envelopes", contact_id);
    for (const page of ["limit=1", "offset=2"]) await does("contacts.envelopes", `${contact_id}?${page}`);
    await does("envelopes.cancel", other);
    await does("envelopes.delete", other);
    await does("envelopes.expire", await create());
    await does("templates.delete", "nda");
  }

  const isServed = (name: string) =>
    current.endpoints.find((row) => row.name === name)?.edition !== "current" || edition === "current";
  const operations = allEndpoints.map((one) => `${one.group}.${one.operation}` as OperationName).filter(isServed);

  test("no response lacks a member that each response has", () => {
    expect(missing).toEqual([]);
  });

  test.each(operations)("%s: the members of the table, each in its types", (operation) => {
    const table = withPaths(responseMembers(operation, edition), `${operation} `);
    const sent = seen.get(operation);
    if (sent === undefined) throw new Error(`no request of this file calls ${operation}: add one with \`does\``);
    expect([...sent.keys()].filter((path) => !table.some((one) => one.path === path))).toEqual([]);
    const isTest = ({ path }: { path: string }) => path.endsWith(" test");
    expect(table.filter((one) => !sent.has(one.path) && !isTest(one)).map(({ path }) => path)).toEqual([]);
    const wrong = table.filter(
      ({ path, member: { types } }) =>
        !types.includes("any") && [...(sent.get(path) ?? [])].some((type) => !types.includes(type)),
    );
    expect(wrong.map(({ path }) => [path, ...sent.get(path)!])).toEqual([]);
  });

  const rows = edition === "specification" ? specification.endpoints : current.endpoints;
  test.each(rows.map(({ name, reply, list }) => ({ name, reply, list })))(
    "$name: what is documented is in the table",
    ({ name, reply, list }) => {
      const table = responseMembers(name as OperationName, edition);
      expect(reply.filter((member) => !table.has(member))).toEqual([]);
      const items = table.get(list?.items ?? "")?.members;
      expect(list?.item.filter((member) => !items!.has(member)) ?? []).toEqual([]);
    },
  );

  test("what is invented is left out on request, and nothing else", async () => {
    const [{ user_id: id }] = (await ask(service)("GET", "/v1/users")).body.users;
    const { role_id, ...rest } = (await ask(service)("GET", `/v1/users/${id}`)).body;
    expect(role_id).toBe("3");
    service.configure({ inventedMembers: false });
    expect((await ask(service)("GET", `/v1/users/${id}`)).body).toEqual(rest);
    expect((await ask(service)("GET", "/v1/users")).body.users[0]).toMatchObject({ role_id });
    service.configure({ inventedMembers: true });
  });

  test("errors", async () => {
    const table = errorMembers(edition);
    const bodies = [
      (await ask(service)("GET", "/v1/webhooks/1")).body,
      (await ask(service)("GET", "/v1/users/1")).body,
      (await ask(service)("GET", "/v1/nothing")).body,
      (await ask(service)("PUT", "/v1/branding", { branding_colour: "red" })).body,
    ];
    const all = new Map<string, Set<MemberType>>();
    expect(bodies.flatMap((body) => walk(body, table, "", all))).toEqual([]);
    expect([...all.keys()].sort()).toEqual([...table.keys()].sort());
    for (const [name, types] of all) expect(table.get(name)!.types).toEqual(expect.arrayContaining([...types]));
  });
});
