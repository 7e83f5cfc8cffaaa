/** The work of each foreign client (test/fixtures/foreign-clients.ts) with both editions: read all, send, read, remind, cancel, delete. */
import { beforeEach, describe, expect, test } from "vitest";
import { type Edition, editions } from "../../sdk";
import { encode, type ForeignClient, foreignClients, type Sent } from "../fixtures/foreign-clients";
import { askWithNode, type Body, basic } from "./ask";
import { useEmulator } from "./use-emulator";

const titles = Array.from({ length: 12 }, (_, i) => `Rental ${i + 1}`);
const templates = [{ fingerprint: "lease", title: "Lease", mergeFields: [{ id: 4, title: "Name" }] }];
const service = useEmulator({
  processingTime: 0,
  seed: { partner: { templates, envelopes: titles.map((title) => ({ title })) } },
});
beforeEach(() => service.reset());

const native: Record<ForeignClient["encoding"], Edition> = { form: "specification", json: "current" };

function asClient(client: ForeignClient) {
  return async (method: string, address: string, { body, type }: Sent = {}) => {
    const headers = {
      ...client.headers,
      authorization: basic(service.keys.partner, client.password),
      ...(type !== undefined && { "content-type": type }),
      ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
    };
    return askWithNode(new URL(address, service.url).href, { method, headers }, body);
  };
}

/** All envelopes, read as the client pages. */
async function readAll(client: ForeignClient): Promise<Body[]> {
  const call = asClient(client);
  const { page } = client;
  const found: Body[] = [];
  let address = `/v1/envelopes${page === "next" ? "?offset=0&limit=5" : page(0)}`;
  for (;;) {
    const { status, body } = await call("GET", address);
    expect([status, body.message]).toEqual([200, undefined]);
    found.push(...body.envelopes);
    if (page === "next" ? (body.next ?? null) === null : body.envelopes.length < 5) return found;
    address = page === "next" ? body.next : `/v1/envelopes${page(found.length)}`;
  }
}

describe.each(editions)("edition %s", (edition) => {
  // What counts from 0 needs a lenient reading of the specification; the rest is of today.
  const strictness = edition === "specification" ? { pageNumbers: false, unknownMembers: false } : {};

  describe.each(foreignClients.map((client) => [client.client, client] as const))("%s", (_, client) => {
    const call = asClient(client);
    beforeEach(() => service.configure({ edition, bodyTypes: "any", strictness }));

    test("reads each envelope once", async () => {
      const found = await readAll(client);
      expect(found.map((one) => one.envelope_title).toSorted()).toEqual(titles.toSorted());
    });

    test("sends an envelope, reads it, reminds, cancels and deletes it", async () => {
      const created = await call("POST", "/v1/envelopes", encode(client, client.envelope));
      expect([created.status, created.body.code, created.body.detail ?? created.body.message]).toEqual([
        202,
        undefined,
        expect.any(String),
      ]);
      await service.advance(1000);
      const path = `/v1/envelopes/${created.body.envelope_fingerprint}`;
      const { body } = await call("GET", path);
      expect(body).toMatchObject({
        http: 200,
        envelope_title: client.envelope.envelope_title,
        envelope_status: "sent",
        envelope_documents: [{ document_title: "Lease", document_page_total: expect.stringMatching(/^\d+$/) }],
      });
      const [party] = body.envelope_parties;
      expect(party).toMatchObject({
        party_title: "Zoë Client",
        party_id: expect.any(String),
        contact_id: expect.any(String),
      });
      const { envelope_meta: meta } = client.envelope;
      expect(body.envelope_meta).toEqual(typeof meta === "string" ? JSON.parse(meta) : (meta ?? ""));
      const { PUT, DELETE } = client.empty;
      expect((await call("PUT", `${path}/remind`, PUT)).status).toBe(200);
      expect((await call("PUT", `${path}/cancel`, PUT)).body).toMatchObject({
        http: 200,
        envelope_status: "cancelled",
      });
      expect((await call("DELETE", path, DELETE)).body).toMatchObject({ http: 200, envelope_status: "deleted" });
      expect((await call("GET", path)).body.code).toBe(10253);
    });

    test("manages a webhook and a contact", async () => {
      const hook = { webhook_type: "all", webhook_url: "https://hooks.example/a?b=c&d=é" };
      const contact = { contact_name: "Zoë", contact_email: "zoe@other.example" };
      for (const [area, fields] of [
        ["webhooks", hook],
        ["contacts", contact],
      ] as const) {
        const { body } = await call("POST", `/v1/${area}`, encode(client, fields));
        expect(body).toMatchObject({ http: 200, ...fields });
        const path = `/v1/${area}/${body.webhook_id ?? body.contact_id}`;
        expect((await call("PUT", path, encode(client, fields))).body).toMatchObject({ http: 200, ...fields });
        expect((await call("DELETE", path, client.empty.DELETE)).status).toBe(200);
      }
    });

    test("an edition that takes its own bodies only says what it takes", async () => {
      service.configure({ bodyTypes: "edition" });
      const { status, body } = await call("POST", "/v1/envelopes", encode(client, client.envelope));
      const isNative = native[client.encoding] === edition;
      expect([status, body.code]).toEqual(isNative ? [202, undefined] : [400, 10007]);
    });
  });
});
