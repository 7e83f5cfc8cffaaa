/** What the client sends by edition. */
import { expect, test } from "vitest";
import { connect, InputError } from "../../sdk";
import { serve, webhook } from "./server";

const envelope = {
  envelope_title: "Lease",
  user_id: 7,
  envelope_password_protect: true,
  envelope_meta: { order: 5 },
  envelope_documents: [
    {
      document_title: "Lease",
      document_template_fingerprint: "f",
      document_merge_fields: [{ field_id: 1, field_value: "a" }],
    },
  ],
  envelope_parties: [{ party_name: "Ann", party_email: "ann@a.example", party_id: 1 }],
};
const created = { http: 202, envelope_fingerprint: "f" };

test("bodies are forms, and structured members JSON text, by the specification", async () => {
  const service = await serve(() => ({ body: created }));
  await service.client().envelopes.createFromTemplate(envelope);
  const [{ headers, body }] = service.seen as [(typeof service.seen)[0]];
  expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
  const form = Object.fromEntries(new URLSearchParams(body));
  expect(JSON.parse(form.envelope_documents!)).toEqual(envelope.envelope_documents);
  expect(form).toMatchObject({ user_id: "7", envelope_password_protect: "true", envelope_meta: '{"order":5}' });
});

test("bodies are JSON in today's edition, with lists as lists, numbers as numbers and metadata as text", async () => {
  const service = await serve(() => ({ body: created }));
  await service.client({ edition: "current" }).envelopes.createFromTemplate(envelope);
  const [{ headers, body }] = service.seen as [(typeof service.seen)[0]];
  expect(headers["content-type"]).toBe("application/json");
  expect(JSON.parse(body)).toEqual({ ...envelope, envelope_meta: '{"order":5}' });
});

test("a request without fields has no body in today's edition", async () => {
  const service = await serve(() => ({ body: { http: 200, ...webhook } }));
  const client = service.client({ edition: "current" });
  await client.envelopes.remind({ envelope_fingerprint: "f" });
  await client.webhooks.get({ webhook_id: "7" });
  await client.webhooks.delete({ webhook_id: "7" });
  expect(service.seen.every(({ headers }) => headers["content-type"] === undefined)).toBe(true);
  expect(service.seen.map(({ body }) => body)).toEqual(["", "", ""]);
});

test("an unknown edition is refused", () => {
  const options = { baseUrl: "https://a.example", apiKey: "k", edition: "next" as "current" };
  expect(() => connect(options)).toThrow(InputError);
  expect(() => connect(options)).toThrow("edition must be specification or current");
});
