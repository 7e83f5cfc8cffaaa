/**
 * What the specification and today's documentation promise, asked of a service over plain HTTP (so that the client cannot hide a fault) and through
 * the client (so that both are known to fit). The tables are the specification's own, see test/fixtures/specification.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError, type Client, connect, type Edition } from "../../sdk";
import { ask, type Body } from "../emulator/ask";
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

export interface Scope {
  /** Objects are created, changed and deleted; what is made is taken away again. */
  writes: boolean;
  partner: boolean;
  edition?: Edition;
}

/** What of the specification is otherwise today. */
const editions = {
  specification: { firstOffset: 1, otherEdition: "current", without: "", accepts: "" },
  current: { firstOffset: 0, otherEdition: "specification", without: "contact_created", accepts: "12" },
} as const;

/** The specification names no status of errors, but every body carries it. */
const refusal = { kind: "api", fromService: true };
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{4}$/;
const rowOf = (name: string) => specification.endpoints.find((row) => row.name === name)!;

/** Asks all that may be asked of the target. `find` is called when the tests run, since a service may have to be started. */
export function contract(title: string, find: () => Promise<Target>, scope: Scope): void {
  const { writes, partner, edition = "specification" } = scope;
  const { firstOffset, otherEdition, without, accepts } = editions[edition];
  describe(title, () => {
    let target: Target;
    let client: Client;
    let partnerClient: Client;
    const undo: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      target = await find();
      const { baseUrl, apiKey, partnerKey } = target;
      client = connect({ baseUrl, apiKey });
      if (partnerKey !== undefined) partnerClient = connect({ baseUrl, apiKey: partnerKey });
    });
    afterAll(async () => {
      for (const step of undo.reverse()) await step().catch(() => {});
    });

    /** One request as the specification describes it, and nothing of ours. */
    function send(method: string, path: string, form?: object, key = target.apiKey, as: Edition = edition) {
      const url = target.baseUrl.replace(/\/$/, "");
      return ask({ url, keys: { partner: key }, settings: { edition: as } })(method, path, form);
    }
    const keyFor = (row: specification.EndpointRow) => (row.partner ? target.partnerKey! : target.apiKey);

    /** What the specification has a row for succeeds, and its answer has the row's members. */
    async function does(name: string, form?: object, id = ""): Promise<Body> {
      const row = rowOf(name);
      const path = row.path.replace(/\{.*\}/, encodeURIComponent(id));
      const { status, body } = await send(row.method, path, form, keyFor(row));
      expect([status, body.http]).toEqual([row.status ?? 200, row.status ?? 200]);
      checkMembers(body, row.reply);
      return body;
    }

    function checkMembers(body: Body, members: string[]) {
      // The last page may have no `next`; members whose value does not exist yet may be missing or null.
      const optional = ["next", "href", "envelope_signed_pdf", without];
      expect(members.filter((member) => !(member in body) && !optional.includes(member))).toEqual([]);
      for (const [member, value] of Object.entries(body)) {
        if (value === null) continue;
        if (/_(created|updated|added|queued|sent|date)$/.test(member)) expect(value, member).toMatch(timestamp);
        if (/_id$|^total_/.test(member)) expect(String(value), member).toMatch(/^\d+$/);
      }
    }

    /** An error of the service, in whatever status. */
    function checkRefusal({ status, body }: { status: number; body: Body }) {
      expect(Number(body.http ?? status)).toBeGreaterThanOrEqual(400);
      expect(Number(body.http ?? status)).toBeLessThan(500);
    }

    const reads = specification.endpoints.filter((row) => row.method === "GET" && (partner || !row.partner));

    test.each(reads.filter((row) => row.list === undefined && row.params.length === 0))(
      "$method $path answers its members, with http equal to the status",
      ({ name }) => does(name),
    );

    describe.each(reads.filter((row) => row.list !== undefined))("$method $path", (row) => {
      const page = async (query: string) => {
        const { status, body } = await send("GET", row.path + query, undefined, keyFor(row));
        return { status, body, items: (body[row.list!.items] ?? []) as Body[] };
      };

      test("answers a page, at most 10 without a limit, and its items' members", async () => {
        const { status, body, items } = await page("");
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
        for (const [i, item] of (await page("?limit=2")).items.entries()) {
          const { items } = await page(`?offset=${i + firstOffset}&limit=1`);
          expect(normal(items[0]!)).toEqual(normal(item));
        }
      });
    });

    test("a wrong key and none at all are refused", async () => {
      for (const key of ["wrong-key", ""]) checkRefusal(await send("GET", "/v1/branding", undefined, key));
      const stranger = connect({ baseUrl: target.baseUrl, apiKey: "wrong-key" });
      const error = await failure<ApiError>(stranger.branding.get());
      expect(error).toBeInstanceOf(ApiError);
      expect(error.mayHaveSucceeded).toBe(false);
    });

    test("missing objects are reported with the service's own error", async () => {
      expect(await failure(client.webhooks.get({ webhook_id: "999999999" }))).toMatchObject(refusal);
      const envelope_fingerprint = "0".repeat(32);
      expect(await failure(client.envelopes.get({ envelope_fingerprint }))).toMatchObject(refusal);
    });

    test("the client reads what there is, every list to its end", async () => {
      expect(await client.branding.get()).toBeTypeOf("object");
      const { branding_emails } = await client.branding.emails();
      const types = branding_emails.map((email) => email.branding_email_type);
      expect(types).toEqual(expect.arrayContaining(specification.brandingEmailTypes));
      const webhooks = await client.webhooks.list().page();
      expect(await client.webhooks.list().all()).toHaveLength(webhooks.total_webhooks!);
      const { total_envelopes, envelopes } = await client.envelopes.list().page();
      expect(await client.envelopes.list().all()).toHaveLength(total_envelopes!);
      for (const { envelope_fingerprint } of envelopes.slice(0, 1))
        expect(await client.envelopes.get({ envelope_fingerprint })).toMatchObject({ envelope_fingerprint });
    });

    test.runIf(partner)("a partner's lists fit the client", async () => {
      const companies = await partnerClient.companies.list().all();
      const usage = await partnerClient.usage.list().all();
      expect(usage.map((one) => one.company_id).sort()).toEqual(companies.map((one) => one.company_id).sort());
      for (const { company_id } of companies.slice(0, 1))
        expect(await partnerClient.companies.get({ company_id })).toMatchObject({ company_id });
    });

    describe.runIf(writes)("writes", () => {
      const webhook_url = "https://receiver.example/contract";

      test("a webhook's life", async () => {
        const form = { webhook_type: "add-user", webhook_url };
        const created = await does("webhooks.create", form);
        const id = String(created.webhook_id);
        undo.push(() => send("DELETE", `/v1/webhooks/${id}`));
        expect(created).toMatchObject(form);
        await does("webhooks.get", undefined, id);
        expect(await does("webhooks.update", { webhook_type: "all" }, id)).toMatchObject({
          ...form,
          webhook_type: "all",
        });
        expect(String((await does("webhooks.delete", undefined, id)).webhook_id)).toBe(id);
        checkRefusal(await send("GET", `/v1/webhooks/${id}`));
      });

      test("a body of the other encoding is refused and changes nothing", async () => {
        const before = await client.webhooks.list().all();
        const form = { webhook_type: "all", webhook_url };
        checkRefusal(await send("POST", "/v1/webhooks", form, target.apiKey, otherEdition));
        expect(await client.webhooks.list().all()).toEqual(before);
      });

      test("an email that is written unchanged is unchanged, in every encoding", async () => {
        const branding_email_type = "email-send";
        const read = async () =>
          (await client.branding.emails()).branding_emails.find(
            (one) => one.branding_email_type === branding_email_type,
          )!;
        const email = await read();
        const subject = email.branding_email_subject ?? "";
        undo.push(() => client.branding.updateEmail({ branding_email_type, branding_email_subject: subject }));
        const changed = { branding_email_subject: `${subject} – Ünïcode 💚 & + = %` };
        expect(await does("branding.updateEmail", changed, branding_email_type)).toMatchObject(changed);
        const { branding_email_content } = email;
        expect(await read()).toMatchObject({ ...changed, branding_email_content });
      });

      test("an email without its required variables is refused", async () => {
        const error = await failure<ApiError>(
          client.branding.updateEmail({ branding_email_type: "email-send", branding_email_content: "<p>Hello</p>" }),
        );
        expect(error).toMatchObject({ kind: "api" });
        expect(error.status).toBeLessThan(500);
      });

      // The specification's bad values, straight at the service: the client would not let them out. An empty optional field counts as absent.
      const cases = ["branding.update", "webhooks.create", "webhooks.update", "envelopes.createFromFiles"].flatMap(
        (name) =>
          Object.entries(rowOf(name).form!).flatMap(([field, { bad, required }]) =>
            bad
              .filter((value) => (typeof value === "string" ? value !== accepts : Array.isArray(value)))
              .filter((value) => required || value !== "")
              .map((value) => [name, field, value] as const),
          ),
      );
      test.each([...cases, ["envelopes.createFromFiles", "user_id", "999999999"] as const])(
        "%s refuses %s = %j",
        async (name, field, value) => {
          const { method, path, form } = rowOf(name);
          const others = Object.entries(form!).filter(([, { required }]) => required);
          const good = Object.fromEntries(others.map(([other, values]) => [other, values.good[0]]));
          const answer = await send(method, path.replace("{id}", "1"), { ...good, [field]: value });
          const { envelope_fingerprint } = answer.body;
          if (envelope_fingerprint !== undefined) undo.push(() => client.envelopes.cancel({ envelope_fingerprint }));
          checkRefusal(answer);
        },
      );

      test.runIf(partner)("a subaccount's life, with its own key, which may not see a partner's lists", async () => {
        const user_email = `contract-${Date.now()}@example.com`;
        const created = await does("companies.create", { company_name: "Contract", user_name: "Una", user_email });
        const company_id = String(created.company_id);
        undo.push(() => partnerClient.companies.delete({ company_id }));
        checkRefusal(await send("GET", "/v1/companies", undefined, String(created.api_key)));
        expect((await partnerClient.as(company_id).branding.emails()).branding_emails.length).toBeGreaterThan(0);
        const change = { company_id, company_email: `main-${user_email}` };
        expect(await partnerClient.companies.update(change)).toMatchObject({ company_id });
        await does("companies.get", undefined, company_id);
        await does("companies.delete", undefined, company_id);
        expect(await failure(partnerClient.companies.get({ company_id }))).toMatchObject(refusal);
      });

      test("an envelope from a file: accepted with 202, read, listed, cancelled, deleted", async () => {
        const { envelope_documents, envelope_parties } = rowOf("envelopes.createFromFiles").form!;
        const envelope_title = `Contract ${Date.now()}`;
        const envelope_meta = { suite: "contract", text: "Ünïcode 💚" };
        const { envelope_fingerprint } = await does("envelopes.createFromFiles", {
          ...{ envelope_title, envelope_meta: JSON.stringify(envelope_meta) },
          envelope_documents: envelope_documents!.good[1],
          envelope_parties: envelope_parties!.good[0],
        });
        undo.push(() => client.envelopes.delete({ envelope_fingerprint }));
        const body = await does("envelopes.get", undefined, envelope_fingerprint);
        expect(specification.envelopeStatuses).toContain(body.envelope_status);
        expect(body.envelope_meta).toEqual(envelope_meta);
        const titles = (await client.envelopes.list().all()).map((item) => item.envelope_title);
        expect(titles).toContain(envelope_title);
        await does("envelopes.cancel", undefined, envelope_fingerprint);
        expect((await client.envelopes.get({ envelope_fingerprint })).envelope_status).toBe("cancelled");
        await does("envelopes.delete", undefined, envelope_fingerprint);
        expect(await failure(client.envelopes.get({ envelope_fingerprint }))).toMatchObject(refusal);
      });
    });
  });
}

/** Ids are numbers in some responses and texts in others. */
const normal = (item: Body) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, name.endsWith("_id") ? String(value) : value]));
