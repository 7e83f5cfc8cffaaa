/**
 * What the specification and today's documentation promise, asked of a service over plain HTTP (so that the client cannot hide a fault) and through
 * the client (so that both are known to fit). The tables are the specification's own, see test/fixtures/specification.ts.
 */
import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError, type Client, connect, type Edition } from "../../sdk";
import * as specification from "../fixtures/specification";
import { failure } from "../sdk/server";

/** The service to ask. */
export interface Target {
  baseUrl: string;
  /** Key of the account to look at. */
  apiKey: string;
  /** Key of a partner; without it what needs one is left out. */
  partnerKey?: string | undefined;
}

/** What of the specification is otherwise today. */
const editions = {
  specification: {
    firstOffset: 1,
    type: "application/x-www-form-urlencoded",
    otherType: "application/json",
    least: 13,
    without: [],
  },
  current: {
    firstOffset: 0,
    type: "application/json",
    otherType: "application/x-www-form-urlencoded",
    least: 12,
    without: ["contact_created"],
  },
} as const;

type Body = Record<string, unknown>;
/** The specification names no status of errors (§7), but every body carries it. */
const refusal = { kind: "api", fromService: true };
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{4}$/;

/**
 * Asks all that may be asked of the target. `find` is called when the tests run, since a service may have to be started.
 * With `writes`, objects are created, changed and deleted; what is made is taken away again.
 */
export function contract(
  name: string,
  find: () => Promise<Target>,
  writes: boolean,
  partner: boolean,
  edition: Edition = "specification",
): void {
  const { firstOffset, type: bodyType, otherType, least, without } = editions[edition];
  describe(name, () => {
    let target: Target;
    let pool: Pool;
    let prefix: string;
    let client: Client;
    const undo: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      target = await find();
      const url = new URL(target.baseUrl);
      pool = new Pool(url.origin);
      prefix = url.pathname.replace(/\/$/, "");
      client = connect({ baseUrl: target.baseUrl, apiKey: target.apiKey });
    });
    afterAll(async () => {
      for (const step of undo.reverse()) await step().catch(() => {});
      await pool?.close();
    });

    /** One request as the specification describes it, and nothing of ours. */
    async function ask(
      method: string,
      path: string,
      form?: Record<string, string>,
      key = target.apiKey,
      type: string = bodyType,
    ) {
      const answer = await pool.request({
        method: method as "GET",
        path: prefix + path,
        headers: {
          ...(key === "" ? {} : { authorization: `Basic ${Buffer.from(`${key}:x`).toString("base64")}` }),
          ...(form === undefined ? {} : { "content-type": type }),
        },
        body: (form && (type === "application/json" ? toJson(form) : new URLSearchParams(form).toString())) ?? null,
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: JSON.parse(text) as Body };
    }
    const keyFor = (row: specification.EndpointRow) => (row.partner ? target.partnerKey! : target.apiKey);
    const reads = specification.endpoints.filter((row) => row.method === "GET" && (partner || !row.partner));

    function checkMembers(body: Body, members: string[]) {
      // The last page may have no `next` (§4.4); members whose value is not known yet may be missing or null.
      const optional: readonly string[] = ["next", "href", ...without];
      const missing = members.filter((member) => !(member in body) && !optional.includes(member));
      expect(missing).toEqual([]);
      for (const [member, value] of Object.entries(body)) {
        if (/_(created|updated|added|queued|sent|date)$/.test(member) && value !== null)
          expect(value, member).toMatch(timestamp);
        if (/_id$/.test(member) && value !== null) expect(String(value), member).toMatch(/^\d+$/);
        if (/^total_/.test(member)) expect(value, member).toMatch(/^\d+$/);
      }
    }

    describe.each(reads.filter((row) => row.list === undefined && row.params === undefined))("$method $path", (row) => {
      test("answers its members, with http equal to the status", async () => {
        const { status, body } = await ask("GET", row.path, undefined, keyFor(row));
        expect(status).toBe(200);
        expect(body.http).toBe(200);
        checkMembers(body, row.reply);
      });
    });

    describe.each(reads.filter((row) => row.list !== undefined))("$method $path", (row) => {
      test("answers a page, at most 10 when no limit is given, and its items' members", async () => {
        const { status, body } = await ask("GET", row.path, undefined, keyFor(row));
        const items = (body[row.list!.items] ?? []) as Body[];
        if (status !== 200) {
          // Some services answer an error for a list without items.
          expect(body.code).toBeTypeOf("number");
          return;
        }
        expect(body.http).toBe(200);
        checkMembers(body, row.reply);
        expect(items.length).toBeLessThanOrEqual(specification.limits.pageSize);
        for (const item of items) checkMembers(item, row.list!.item);
      });

      test("offset and limit cut the same list: two pages of one are the first two", async () => {
        const first = await ask("GET", `${row.path}?limit=2`, undefined, keyFor(row));
        const items = ((first.body[row.list!.items] ?? []) as Body[]).map((item) => JSON.stringify(item));
        for (const [i, item] of items.entries()) {
          const one = await ask("GET", `${row.path}?offset=${i + firstOffset}&limit=1`, undefined, keyFor(row));
          const [found] = one.body[row.list!.items] as Body[];
          expect(normal(found!)).toEqual(normal(JSON.parse(item)));
        }
      });
    });

    test("a wrong key and none at all are refused", async () => {
      for (const key of ["wrong-key-of-nobody", ""]) {
        const { status, body } = await ask("GET", "/v1/branding", undefined, key);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(body.http ?? status).toBe(status);
      }
      const stranger = connect({ baseUrl: target.baseUrl, apiKey: "wrong-key-of-nobody" });
      const error = await failure<ApiError>(stranger.branding.get());
      expect(error).toBeInstanceOf(ApiError);
      expect(error.mayHaveSucceeded).toBe(false);
    });

    test("objects that are not there are told by the service's own error", async () => {
      for (const call of [
        () => client.webhooks.get({ webhook_id: "999999999" }),
        () => client.envelopes.get({ envelope_fingerprint: "0".repeat(32) }),
      ]) {
        expect(await failure(call())).toMatchObject(refusal);
      }
    });

    test("the client reads what there is, every list to its end", async () => {
      expect(await client.branding.get()).toBeTypeOf("object");
      const { branding_emails } = await client.branding.emails();
      const types = branding_emails.map((email) => email.branding_email_type);
      for (const type of specification.brandingEmailTypes) expect(types).toContain(type);
      for (const list of [client.webhooks.list(), client.envelopes.list()] as {
        all(): Promise<unknown[]>;
        page(): Promise<Body>;
      }[]) {
        const page = await list.page();
        const total = page.total_webhooks ?? page.total_envelopes;
        expect(await list.all()).toHaveLength(total as number);
      }
      for await (const item of client.envelopes.list()) {
        const { envelope_fingerprint } = item;
        expect((await client.envelopes.get({ envelope_fingerprint })).envelope_fingerprint).toBe(envelope_fingerprint);
        break;
      }
    });

    test.runIf(partner)("a partner's lists fit the client", async () => {
      const its = connect({ baseUrl: target.baseUrl, apiKey: target.partnerKey! });
      const companies = await its.companies.list().all();
      const usage = await its.usage.list().all();
      expect(usage.map((u) => u.company_id).sort()).toEqual(companies.map((c) => c.company_id).sort());
      if (companies[0] !== undefined) {
        const { company_id } = companies[0];
        expect((await its.companies.get({ company_id })).company_id).toBe(company_id);
      }
    });

    describe.runIf(writes)("writes", () => {
      const row = (operation: string) =>
        specification.endpoints.find((one) => `${one.group}.${one.operation}` === operation)!;
      const url = "https://receiver.example/contract";

      test("a webhook's life", async () => {
        const created = await ask("POST", "/v1/webhooks", { webhook_type: "add-user", webhook_url: url });
        const id = String(created.body.webhook_id);
        undo.push(() => ask("DELETE", `/v1/webhooks/${id}`));
        expect(created).toMatchObject({ status: 200, body: { http: 200, webhook_type: "add-user", webhook_url: url } });
        checkMembers(created.body, row("webhooks.create").reply);
        checkMembers((await ask("GET", `/v1/webhooks/${id}`)).body, row("webhooks.get").reply);
        const updated = await ask("PUT", `/v1/webhooks/${id}`, { webhook_type: "all" });
        expect(updated.body).toMatchObject({ http: 200, webhook_type: "all", webhook_url: url });
        checkMembers(updated.body, row("webhooks.update").reply);
        const deleted = await ask("DELETE", `/v1/webhooks/${id}`);
        expect(String(deleted.body.webhook_id)).toBe(id);
        checkMembers(deleted.body, row("webhooks.delete").reply);
        expect((await ask("GET", `/v1/webhooks/${id}`)).status).toBeGreaterThanOrEqual(400);
      });

      test("a body of the other encoding is refused and changes nothing", async () => {
        const before = await client.webhooks.list().all();
        const form = { webhook_type: "all", webhook_url: url };
        const { status } = await ask("POST", "/v1/webhooks", form, target.apiKey, otherType);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(await client.webhooks.list().all()).toEqual(before);
      });

      test("an e-mail written as it is stays as it is, in every notation", async () => {
        const { branding_emails } = await client.branding.emails();
        const email = branding_emails.find((one) => one.branding_email_type === "email-send")!;
        const subject = email.branding_email_subject ?? "";
        undo.push(() =>
          client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: subject }),
        );
        const changed = `${subject} – Ünïcode 💚 & + = %`;
        const reply = await ask("PUT", "/v1/branding/emails/email-send", { branding_email_subject: changed });
        checkMembers(reply.body, row("branding.updateEmail").reply);
        expect(reply.body.branding_email_subject).toBe(changed);
        const again = (await client.branding.emails()).branding_emails.find(
          (one) => one.branding_email_type === "email-send",
        );
        expect(again?.branding_email_subject).toBe(changed);
        expect(again?.branding_email_content).toBe(email.branding_email_content);
      });

      test("an e-mail without its required variables is refused", async () => {
        const error = await failure<ApiError>(
          client.branding.updateEmail({ branding_email_type: "email-send", branding_email_content: "<p>Hello</p>" }),
        );
        expect(error).toMatchObject({ kind: "api" });
        expect(error.status).toBeLessThan(500);
      });

      // The specification's bad values, straight at the service: the client would not let them out.
      const forms = specification.endpoints.filter(
        (one) => one.form !== undefined && one.group !== "companies" && one.group !== "envelopes",
      );
      const cases = forms.flatMap((one) =>
        Object.entries(one.form!).flatMap(([field, { bad }]) =>
          bad
            .filter((value) => typeof value === "string" && value !== "")
            .map((value) => [one, field, value as string] as const),
        ),
      );
      test.each(cases.map(([one, field, value]) => [`${one.group}.${one.operation}`, field, value] as const))(
        "%s refuses %s = %j",
        async (operation, field, value) => {
          const one = row(operation);
          const others = Object.entries(one.form!).filter(([name, { required }]) => required && name !== field);
          const form = Object.fromEntries([
            ...others.map(([name, { good }]) => [name, String(good[0])]),
            [field, value],
          ]);
          const path = one.path.replace("{id}", "1").replace("{branding_email_type}", "email-send");
          const { status, body } = await ask(one.method, path, form);
          expect(Number(body.http ?? status)).toBeGreaterThanOrEqual(400);
          expect(Number(body.http ?? status)).toBeLessThan(500);
        },
      );

      test.runIf(partner)("a sub account's life, with its own key", async () => {
        const its = connect({ baseUrl: target.baseUrl, apiKey: target.partnerKey! });
        const user_email = `contract-${Date.now()}@example.com`;
        const reply = await ask(
          "POST",
          "/v1/companies",
          { company_name: "Contract", user_name: "Una", user_email },
          target.partnerKey,
        );
        expect(reply.status).toBe(200);
        const company_id = String(reply.body.company_id);
        undo.push(() => its.companies.delete({ company_id }));
        checkMembers(reply.body, row("companies.create").reply);
        expect((await its.as(company_id).branding.emails()).branding_emails.length).toBeGreaterThan(0);
        expect(await its.companies.update({ company_id, company_email: `main-${user_email}` })).toMatchObject({
          company_id,
        });
        checkMembers(
          (await ask("GET", `/v1/companies/${company_id}`, undefined, target.partnerKey)).body,
          row("companies.get").reply,
        );
        checkMembers(
          (await ask("DELETE", `/v1/companies/${company_id}`, undefined, target.partnerKey)).body,
          row("companies.delete").reply,
        );
        expect(await failure(its.companies.get({ company_id }))).toMatchObject(refusal);
      });

      test.runIf(partner)("an ordinary key may not see a partner's lists", async () => {
        const reply = await ask(
          "POST",
          "/v1/companies",
          { company_name: "Plain", user_name: "Pia", user_email: `plain-${Date.now()}@example.com` },
          target.partnerKey,
        );
        const its = connect({ baseUrl: target.baseUrl, apiKey: target.partnerKey! });
        undo.push(() => its.companies.delete({ company_id: String(reply.body.company_id) }));
        const { status } = await ask("GET", "/v1/companies", undefined, String(reply.body.api_key));
        expect(status).toBeGreaterThanOrEqual(400);
      });

      test("an envelope from a file: accepted with 202, read, listed, cancelled, deleted", async () => {
        const form = {
          envelope_title: `Contract ${Date.now()}`,
          envelope_meta: JSON.stringify({ suite: "contract", text: "Ünïcode 💚" }),
          envelope_documents: JSON.stringify([
            {
              document_title: "d",
              document_file_content: Buffer.from("%PDF-1.7\n%%EOF").toString("base64"),
              document_file_name: "d.pdf",
            },
          ]),
          envelope_parties: JSON.stringify([
            { party_name: "Ann", party_email: "ann@example.com", party_role: "signer1" },
          ]),
        };
        const created = await ask("POST", "/v1/envelopes", form);
        expect(created).toMatchObject({ status: 202, body: { http: 202 } });
        checkMembers(created.body, row("envelopes.createFromFiles").reply);
        const envelope_fingerprint = created.body.envelope_fingerprint as string;
        undo.push(() => client.envelopes.delete({ envelope_fingerprint }));
        const { body } = await ask("GET", `/v1/envelopes/${encodeURIComponent(envelope_fingerprint)}`);
        checkMembers(
          body,
          row("envelopes.get").reply.filter((member) => member !== "envelope_signed_pdf"),
        );
        expect(specification.envelopeStatuses).toContain(body.envelope_status);
        expect(body.envelope_meta).toEqual({ suite: "contract", text: "Ünïcode 💚" });
        const titles = (await client.envelopes.list().all()).map((item) => item.envelope_title);
        expect(titles).toContain(form.envelope_title);
        const cancelled = await client.envelopes.cancel({ envelope_fingerprint });
        checkMembers(cancelled, row("envelopes.cancel").reply);
        expect((await client.envelopes.get({ envelope_fingerprint })).envelope_status).toBe("cancelled");
        checkMembers(await client.envelopes.delete({ envelope_fingerprint }), row("envelopes.delete").reply);
        expect(await failure(client.envelopes.get({ envelope_fingerprint }))).toMatchObject(refusal);
      });

      const party = { party_name: "Ann", party_email: "ann@example.com" };
      test.each([
        ["hours that are too few", { envelope_auto_expire_hours: String(least - 1) }],
        ["metadata that is no JSON", { envelope_meta: "{" }],
        ["metadata that is too long", { envelope_meta: JSON.stringify({ a: "x".repeat(2000) }) }],
        ["a sender who does not exist", { user_id: "999999999" }],
        ["no title", { envelope_title: "" }],
        ["no parties", { envelope_parties: "[]" }],
        [
          "a party without an address",
          { envelope_parties: JSON.stringify([{ ...party, party_email: "nobody", party_role: "signer1" }]) },
        ],
        ["a role of the other form", { envelope_parties: JSON.stringify([{ ...party, party_role: "signer" }]) }],
        [
          "template and file documents together",
          {
            envelope_documents: JSON.stringify([
              { document_title: "d", document_url: "https://files.example/d.pdf" },
              { document_title: "t", document_template_fingerprint: "t" },
            ]),
          },
        ],
        [
          "a document of another type",
          {
            envelope_documents: JSON.stringify([
              { document_title: "d", document_file_content: "aGVsbG8=", document_file_name: "d.txt" },
            ]),
          },
        ],
      ])("an envelope with %s is refused", async (_, change) => {
        const form = {
          envelope_title: "Contract",
          envelope_documents: JSON.stringify([
            {
              document_title: "d",
              document_file_content: Buffer.from("%PDF-1.7").toString("base64"),
              document_file_name: "d.pdf",
            },
          ]),
          envelope_parties: JSON.stringify([{ ...party, party_role: "signer1" }]),
          ...change,
        };
        const { status, body } = await ask("POST", "/v1/envelopes", form);
        if (body.envelope_fingerprint !== undefined) {
          const envelope_fingerprint = String(body.envelope_fingerprint);
          undo.push(() => client.envelopes.cancel({ envelope_fingerprint }));
        }
        expect(Number(body.http ?? status)).toBeGreaterThanOrEqual(400);
        expect(Number(body.http ?? status)).toBeLessThan(500);
      });
    });
  });
}

/** Fields as JSON: structured ones, which forms have as JSON text, are lists. */
function toJson(form: Record<string, string>): string {
  const structured = ["envelope_documents", "envelope_parties"];
  const value = ([name, text]: [string, string]) => [name, structured.includes(name) ? JSON.parse(text) : text];
  return JSON.stringify(Object.fromEntries(Object.entries(form).map(value)));
}

/** The notation of ids changes from answer to answer (§1). */
function normal(item: Body): Body {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, name.endsWith("_id") ? String(value) : value]),
  );
}
