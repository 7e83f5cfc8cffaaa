import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import {
  AbortedError,
  type Client,
  EnvelopeEndedError,
  EsignError,
  fileFromPath,
  fileFromStream,
  findCreated,
  InputError,
  TimeoutError,
  waitFor,
  withCorrelationId,
} from "../../sdk";
import { encodeForm } from "../../sdk/api/endpoint";
import { formatTimestamp } from "../../sdk/api/scalars";
import { fc } from "../chance";
import { temporaryFolder } from "../files";
import { failure, serve } from "./server";

const parties = [{ party_name: "Ann", party_email: "ann@example.com", party_role: "signer1" }];
const file = { document_title: "d", document_url: "https://files.example/d.pdf" };
const lease = { envelope_title: "Lease", envelope_documents: [file], envelope_parties: parties };
const template = {
  document_title: "d",
  document_template_fingerprint: "t",
  document_merge_fields: [{ field_id: 3, field_value: "v" }],
};
const signer = { party_name: "Ann", party_email: "ann@example.com", party_id: 1 };
const created = {
  status: 202,
  body: {
    http: 202,
    message: "ok",
    href: "/v1/envelopes/f",
    envelope_title: "Lease",
    envelope_fingerprint: "f",
    envelope_queued: "2024-05-06T07:08:09+0000",
  },
};

test("both forms of create go out as form fields, structured ones as JSON text, and 202 is success", async () => {
  const service = await serve(() => created);
  const { envelopes } = service.client();
  const common = {
    envelope_title: "Lease & more",
    user_id: 7,
    envelope_password_protect: true,
    envelope_auto_expire_hours: 13,
  };
  const byFiles = { ...lease, ...common };
  const reply = await envelopes.createFromFiles({ ...byFiles, envelope_meta: { order: 5 } });
  expect(reply.envelope_fingerprint).toBe("f");
  const copy = { ...signer, party_role: "copy" as const, party_message: "hi" };
  const byTemplate = { ...common, envelope_documents: [template], envelope_parties: [copy] };
  await envelopes.createFromTemplate({ ...byTemplate, envelope_meta: '{"order": 5}' });
  for (const [i, { envelope_documents, envelope_parties }] of [byFiles, byTemplate].entries()) {
    const form = Object.fromEntries(service.seen[i]!.form);
    expect(form).toMatchObject({
      envelope_title: "Lease & more",
      user_id: "7",
      envelope_password_protect: "true",
      envelope_auto_expire_hours: "13",
    });
    const structured = [form.envelope_documents, form.envelope_parties, form.envelope_meta];
    expect(structured.map((text) => JSON.parse(text!))).toEqual([envelope_documents, envelope_parties, { order: 5 }]);
  }
  for (const envelope_meta of ['"a text"', 17, '{"order": 175928847299117063, "rate": 1.10}']) {
    await envelopes.createFromFiles({ ...lease, envelope_meta });
    expect(service.seen.at(-1)!.form.get("envelope_meta")).toBe(String(envelope_meta));
  }
});

test("the types tell the forms apart", () => {
  const check = (client: Client) => {
    void client.envelopes.createFromFiles(lease);
    void client.envelopes.createFromTemplate({
      envelope_title: "t",
      envelope_documents: [{ document_title: "d", document_template_fingerprint: "t" }],
      envelope_parties: [signer],
    });
    type Files = Parameters<typeof client.envelopes.createFromFiles>[0];
    type Templates = Parameters<typeof client.envelopes.createFromTemplate>[0];
    // @ts-expect-error a template document among files
    const mixed: Files["envelope_documents"] = [template];
    // @ts-expect-error a file among template documents
    const mixedToo: Templates["envelope_documents"] = [template, file];
    // @ts-expect-error a party of the other form
    const stranger: Templates["envelope_parties"] = parties;
    void [mixed, mixedToo, stranger];
    // @ts-expect-error a type is a text
    void client.webhooks.create({ webhook_type: 7, webhook_url: "https://a.example" });
    // @ts-expect-error the fields are needed
    void client.webhooks.create();
    void client.branding.get();
  };
  expect(check).toBeTypeOf("function");
});

test("form encoding brings any Unicode back", () => {
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("a\r\nb", "+ &=%", "\u0000", "💚‮"),
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: "grapheme-ascii", minLength: 1 }), value),
      fc.jsonValue(),
      (fields, json) => {
        const structured = typeof json === "object" ? json : { json };
        const back = new URLSearchParams(encodeForm({ ...fields, "structured ü": structured, absent: undefined }));
        const expected = { ...fields, "structured ü": JSON.stringify(structured) };
        expect(Object.fromEntries(back)).toEqual(Object.fromEntries(Object.entries(expected)));
      },
    ),
  );
});

test("all members of an envelope are typed, unknown statuses, members and field types tolerated", async () => {
  const field = { field_id: 9, field_type: "hologram", field_value: null, party_id: "3", field_merge: null };
  const service = await serve(() => ({
    body: {
      http: 200,
      envelope_fingerprint: "f",
      envelope_title: "Lease",
      envelope_status: "rejected",
      envelope_sent: null,
      envelope_documents: [{ document_page_total: "2", document_fields: [field] }],
      envelope_parties: [{ party_id: 3, party_title: "Ann", party_status: "pondering", contact_id: "8" }],
      envelope_history: [{ history_detail: "created", history_ip: "::1", history_date: "2024-05-06T07:08:09+0100" }],
      envelope_meta: { order: 5 },
      envelope_mood: "good",
    },
  }));
  const envelope = await service.client().envelopes.get({ envelope_fingerprint: "f" });
  const pages: number | null | undefined = envelope.envelope_documents?.[0]?.document_page_total;
  expect(pages).toBe(2);
  expect(envelope).toMatchObject({
    envelope_status: "rejected",
    envelope_sent: null,
    envelope_documents: [{ document_fields: [{ field_id: "9", party_id: "3", field_merge: null }] }],
    envelope_parties: [{ party_id: "3", contact_id: "8" }],
    envelope_mood: "good",
  });
});

test("documents come from disk and from streams, in base64, checked by name and first bytes", async () => {
  const folder = temporaryFolder();
  const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(300_000, 0xe5)]);
  await writeFile(join(folder, "Lease 5.pdf"), bytes);
  const document = await fileFromPath(join(folder, "Lease 5.pdf"));
  expect(document).toMatchObject({ document_title: "Lease 5", document_file_name: "Lease 5.pdf" });
  expect(Buffer.from(document.document_file_content, "base64").equals(bytes)).toBe(true);
  expect(await fileFromPath(join(folder, "Lease 5.pdf"), { title: "T", name: "x.PDF" })).toMatchObject({
    document_title: "T",
    document_file_name: "x.PDF",
  });

  const zip = Buffer.from("PK\x03\x04rest", "latin1");
  const chunks = [zip.subarray(0, 1), zip.subarray(1)];
  const word = await fileFromStream(Readable.from(chunks), { name: "a.docx", title: "A" });
  expect(Buffer.from(word.document_file_content, "base64").equals(zip)).toBe(true);
  const blob = await fileFromStream(new Blob([zip]).stream() as unknown as AsyncIterable<Uint8Array>, {
    name: "b.docx",
  });
  expect(blob.document_file_content).toBe(zip.toString("base64"));

  for (const [make, words] of [
    [() => fileFromPath(join(folder, "none.pdf")), "ENOENT"],
    [() => fileFromPath(join(folder, "none.txt")), "must end with the extension"],
    [() => fileFromPath(join(folder, "Lease 5.pdf"), { name: "a.docx" }), "is a PDF file by its first bytes"],
    [() => fileFromStream([zip], { name: "a.exe" }), "must end with the extension"],
    [() => fileFromStream([], { name: "a.pdf" }), "must not be empty"],
    [() => fileFromStream(Readable.from([zip]).setEncoding("utf8"), { name: "a.docx" }), "without an encoding"],
    [() => fileFromStream([Buffer.from("GIF89a")], { name: "a.xls" }), "neither a PDF nor"],
    // What programs without types pass.
    ...[Buffer.from("%PDF-1.7"), "lease.pdf", new Blob(["%PDF-1.7"]), undefined].map(
      (content) => [() => fileFromStream(content as never, { name: "a.pdf" }), "must be a stream of bytes"] as const,
    ),
    [() => fileFromStream(Readable.from([{ a: 1 }, 5]) as never, { name: "a.pdf" }), "cannot be read"],
    ...[undefined, "a.pdf", {}].map(
      (naming) => [() => fileFromStream([zip], naming as never), "document_file_name is required"] as const,
    ),
  ] as const) {
    const error = await failure(make(), InputError);
    expect(error.message).toContain(words);
  }

  const service = await serve(() => created);
  const big = await fileFromStream([Buffer.from("%PDF-1.7"), Buffer.alloc(20e6, 7)], { name: "big.pdf" });
  await service.client().envelopes.createFromFiles({ ...lease, envelope_documents: [big] });
  const [sent] = JSON.parse(service.seen[0]!.form.get("envelope_documents")!) as [{ document_file_content: string }];
  expect(sent.document_file_content.length).toBe(big.document_file_content.length);
});

test("an envelope that is not signed yet is read, however the service writes that there is nothing", async () => {
  const service = await serve(() => ({
    body: {
      http: null,
      envelope_fingerprint: "f",
      envelope_status: "processing",
      envelope_sent: false,
      envelope_signed_pdf: false,
      envelope_documents: [
        { document_title: "Lease", document_page_total: "", document_thumbnails: "", document_pages: false },
      ],
    },
  }));
  const envelope = await service.client().envelopes.get({ envelope_fingerprint: "f" });
  expect(envelope).toMatchObject({ envelope_status: "processing", envelope_documents: [{ document_title: "Lease" }] });
  expect(envelope.http ?? envelope.envelope_signed_pdf ?? envelope.envelope_sent).toBeUndefined();
});

const statuses = (...list: string[]) =>
  serve((_, index) => ({
    body: { http: 200, envelope_fingerprint: "f", envelope_status: list[Math.min(index, list.length - 1)] },
  }));

test("waitFor looks until the status is there, and tells of each look", async () => {
  const seen: string[] = [];
  const look = async (list: string[], options: Parameters<typeof waitFor>[2]) => {
    const { client } = await statuses(...list);
    const onProgress = ({ envelope }: { envelope: { envelope_status: string } }) => seen.push(envelope.envelope_status);
    return (await waitFor(client(), "f", { interval: 1, onProgress, ...options })).envelope_status;
  };
  expect(await look(["processing", "sent", "sent", "signed"], { until: "signed" })).toBe("signed");
  expect(seen).toEqual(["processing", "sent", "sent", "signed"]);
  expect(await look(["processing", "sent"], { until: (e) => e.envelope_status !== "processing" })).toBe("sent");
  expect(await look(["sent", "expired"], {})).toBe("expired");
  // A declined envelope, for which only newer services have a status.
  expect(await look(["sent", "rejected"], { timeout: 60_000 })).toBe("rejected");
  await failure(look(["sent", "rejected"], { until: "signed", timeout: 60_000 }), EnvelopeEndedError);
});

test("waitFor ends when the status cannot come any more, at its deadline, and by its signal", async () => {
  const cancelled = (await statuses("cancelled")).client();
  expect(await failure(waitFor(cancelled, "f", { until: ["sent", "signed"] }), EnvelopeEndedError)).toMatchObject({
    status: "cancelled",
    kind: "ended",
  });
  const sent = (await statuses("sent")).client();
  const late = await failure(waitFor(sent, "f", { until: "signed", interval: 5, timeout: 2000 }), TimeoutError);
  expect(late.message).toContain("the envelope is sent");
  const controller = new AbortController();
  const { signal } = controller;
  await failure(waitFor(sent, "f", { until: "signed", signal, onProgress: () => controller.abort() }), AbortedError);
  // A listener's failure, though it comes later.
  const onProgress = () => Promise.reject(new Error("listener"));
  expect((await failure(waitFor(sent, "f", { onProgress, timeout: 60_000 }))).message).toBe("listener");
});

test("waitFor bears failures that pass, and no others", async () => {
  const passing = [502, 408, 429];
  const service = await serve((_, index) =>
    index < passing.length
      ? { status: passing[index]!, body: "<html>" }
      : { body: { http: 200, envelope_fingerprint: "f", envelope_status: "signed" } },
  );
  expect((await waitFor(service.client({ retries: 0 }), "f", { interval: 1 })).envelope_status).toBe("signed");
});

test("waitFor bears that a new envelope cannot be read yet, and not that one is gone", async () => {
  const missing = { status: 404, body: { http: 404, code: 10253 } };
  const sent = { body: { http: 200, envelope_fingerprint: "f", envelope_status: "sent" } };
  const lagging = await serve((_, index) => (index < 2 ? missing : sent));
  expect((await waitFor(lagging.client(), "f", { until: "sent", interval: 1 })).envelope_status).toBe("sent");
  const deleted = await serve((_, index) => (index === 0 ? sent : missing));
  expect(await failure(waitFor(deleted.client(), "f", { interval: 1 }))).toMatchObject({ code: 10253 });
  expect(deleted.seen).toHaveLength(2);
  const start = performance.now();
  const unknown = await serve(() => missing);
  expect(await failure(waitFor(unknown.client(), "f", { maxInterval: 1000 }))).toMatchObject({ code: 10253 });
  expect(performance.now() - start).toBeGreaterThan(8_000);
});

test("waitFor keeps its deadline and obeys its signal though a look hangs", async () => {
  const silent = await serve(() => undefined);
  const late = await failure(waitFor(silent.client(), "f", { timeout: 100 }), TimeoutError);
  expect(late.message).toContain("after 100 ms the envelope has not been read; the last request has no response yet");
  const signal = AbortSignal.timeout(50);
  await failure(waitFor(silent.client(), "f", { signal }), AbortedError);
});

/** A service that keeps envelopes, loses the answers of creates, and shows them in its list only after two looks. */
async function forgetful() {
  const kept: object[] = [];
  let looks = 0;
  const service = await serve(({ method, path, form }, _, response) => {
    if (method === "POST") {
      kept.push({
        envelope_fingerprint: `f${kept.length}`,
        envelope_title: form.get("envelope_title"),
        envelope_status: "processing",
        envelope_created: formatTimestamp(new Date()),
        envelope_meta: JSON.parse(form.get("envelope_meta") ?? "{}"),
      });
      response.destroy();
      return undefined;
    }
    const [, index] = /^\/v1\/envelopes\/f(\d+)$/.exec(path) ?? [];
    if (index !== undefined) return { body: { http: 200, ...kept[Number(index)] } };
    const shown = looks++ < 2 ? [] : kept.map((one) => ({ ...one, envelope_meta: undefined }));
    return { body: { http: 200, total_envelopes: String(shown.length), envelopes: shown } };
  });
  return { ...service, kept };
}

test("a create whose response was lost is not retried, and found by its correlation ID", async () => {
  const service = await forgetful();
  const client = service.client();
  const since = new Date();
  // Another client creates one of the same title at the same time.
  await failure(client.envelopes.createFromFiles(lease));
  const form = withCorrelationId({ ...lease, envelope_meta: { order: 5 } });
  const error = await failure(client.envelopes.createFromFiles(form), EsignError);
  expect(error.mayHaveSucceeded).toBe(true);
  expect(service.kept).toHaveLength(2);
  const found = await findCreated(client, form, { since, delays: [0, 1, 1, 1] });
  expect(found.map((envelope) => envelope.envelope_fingerprint)).toEqual(["f1"]);
  expect(found[0]!.envelope_meta).toMatchObject({ order: 5 });
  // The service may have removed the space around the title.
  expect(await findCreated(client, { ...form, envelope_title: " Lease\n" }, { since, delays: [0] })).toHaveLength(1);
  // By title and time there are two, and the caller judges.
  expect(await findCreated(client, lease, { since, delays: [0] })).toHaveLength(2);
  expect(await findCreated(client, lease, { since: new Date(Date.now() + 3_600_000), delays: [0] })).toHaveLength(0);
});

const noEnvelopes = () => ({ body: { http: 200, total_envelopes: "0", envelopes: [] } });

test("a create that was not applied is not found", async () => {
  const { client } = await serve(noEnvelopes);
  const form = withCorrelationId({ envelope_title: "Lease" });
  expect(await findCreated(client(), form, { since: new Date(), delays: [0, 1] })).toEqual([]);
});

const calls = {
  waitFor: (client: Client, options: unknown) => waitFor(client, "f", options as never),
  findCreated: (client: Client, options: unknown) => findCreated(client, { envelope_title: "Lease" }, options as never),
};
const since = new Date();
test.each<[keyof typeof calls, unknown, begin: string, end?: string]>([
  [
    "waitFor",
    { until: "singed" },
    'until[0] is not known, did you mean "signed"? One of: draft,',
    "failed, rejected, verify, qes_in_progress",
  ],
  ["waitFor", { until: ["signed", "done"] }, "until[1] must be one of"],
  ["waitFor", { until: [] }, "until must name a status"],
  ["waitFor", { timeout: Number.NaN }, "timeout must be milliseconds, above 0"],
  ["waitFor", { interval: 0, deadline: 5 }, "interval must be", "; options.deadline is unknown"],
  ["findCreated", { since: new Date("yesterday") }, "since must be the Date"],
  ["findCreated", { since: Date.now() }, "since must be the Date"],
  ["findCreated", {}, "since is required and must be the Date"],
  ["findCreated", { since, clockTolerance: -1, singal: 1 }, "clockTolerance must be", "; options.singal is unknown"],
  ["findCreated", undefined, "", "findCreated: options is required and must be an object with since"],
])("%s rejects options such as %j before it sends anything", async (name, options, begin, end = "") => {
  const service = await serve(noEnvelopes);
  const { message } = await failure(calls[name](service.client(), options), InputError);
  expect([message.startsWith(begin && `${name}: options.${begin}`), message.endsWith(end)], message).toEqual([
    true,
    true,
  ]);
  expect(service.seen).toHaveLength(0);
});

test("a marker goes into metadata that is an object, and into no other", () => {
  const large = ' { "order" : 175928847299117063 } ';
  expect(withCorrelationId({ envelope_meta: large }).envelope_meta).toContain(
    '"order" : 175928847299117063 ,"esign_marker":"',
  );
  const texts = ['{"a":1}', " { } ", '{"esign_marker":"old"}'].map((text) =>
    withCorrelationId({ envelope_meta: text }),
  );
  for (const { envelope_meta } of texts) expect(JSON.parse(envelope_meta).esign_marker).toHaveLength(36);
  expect(JSON.parse(texts[0]!.envelope_meta)).toMatchObject({ a: 1, esign_marker: expect.any(String) });
  expect(() => withCorrelationId({ envelope_meta: [1] })).toThrow(InputError);
});
