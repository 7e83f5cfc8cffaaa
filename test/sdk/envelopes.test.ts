import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import {
  AbortedError,
  type Client,
  EnvelopeEndedError,
  type EsignError,
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
  const client = service.client();
  const common = {
    envelope_title: "Lease & more",
    envelope_password_protect: true,
    envelope_auto_expire_hours: 13,
    envelope_meta: { order: 5 },
  };
  const reply = await client.envelopes.createFromFiles({
    ...common,
    envelope_documents: [{ document_title: "d", document_url: "https://files.example/d.pdf" }],
    envelope_parties: parties,
  });
  expect(reply.envelope_fingerprint).toBe("f");
  await client.envelopes.createFromTemplate({
    ...common,
    envelope_meta: '{"order": 5}',
    envelope_documents: [
      {
        document_title: "d",
        document_template_fingerprint: "t",
        document_merge_fields: [{ field_id: 3, field_value: "v" }],
      },
    ],
    envelope_parties: [
      { party_name: "Ann", party_email: "ann@example.com", party_id: 1, party_role: "copy", party_message: "hi" },
    ],
  });
  for (const envelope_meta of ['"a text"', 17, '{"order": 175928847299117063, "rate": 1.10}']) {
    await client.envelopes.createFromFiles({
      ...common,
      envelope_meta,
      envelope_documents: [{ document_title: "d", document_url: "https://files.example/d.pdf" }],
      envelope_parties: parties,
    });
    expect(service.seen.pop()!.form.get("envelope_meta")).toBe(String(envelope_meta));
  }
  const [byFiles, byTemplate] = service.seen.map((seen) => Object.fromEntries(seen.form));
  for (const form of [byFiles!, byTemplate!]) {
    expect(form).toMatchObject({
      envelope_title: "Lease & more",
      envelope_password_protect: "true",
      envelope_auto_expire_hours: "13",
    });
    expect(JSON.parse(form.envelope_meta!)).toEqual({ order: 5 });
  }
  expect(JSON.parse(byFiles!.envelope_parties!)).toEqual(parties);
  expect(JSON.parse(byTemplate!.envelope_documents!)).toEqual([
    {
      document_title: "d",
      document_template_fingerprint: "t",
      document_merge_fields: [{ field_id: 3, field_value: "v" }],
    },
  ]);
});

test("the types tell the forms apart", () => {
  const check = (client: Client) => {
    const file = { document_title: "d", document_url: "https://files.example/d.pdf" };
    const template = { document_title: "d", document_template_fingerprint: "t" };
    const signer = { party_name: "Ann", party_email: "ann@example.com", party_id: 1 };
    void client.envelopes.createFromFiles({
      envelope_title: "t",
      envelope_documents: [file],
      envelope_parties: parties,
    });
    void client.envelopes.createFromTemplate({
      envelope_title: "t",
      envelope_documents: [template],
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
    // @ts-expect-error no such type
    void client.webhooks.create({ webhook_type: "nothing", webhook_url: "https://a.example" });
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
  const service = await serve(() => ({
    body: {
      http: 200,
      envelope_fingerprint: "f",
      envelope_title: "Lease",
      envelope_status: "rejected",
      envelope_sent: null,
      envelope_created: "2024-05-06T07:08:09+0000",
      envelope_documents: [
        {
          document_fingerprint: "d",
          document_page_total: "2",
          document_pages: ["https://p/1"],
          document_fields: [
            { field_id: 9, field_type: "hologram", field_value: null, party_id: "3", field_merge: null },
          ],
        },
      ],
      envelope_parties: [
        {
          party_id: 3,
          party_title: "Ann",
          party_status: "pondering",
          contact_id: "8",
          contact_email: "ann@example.com",
        },
      ],
      envelope_history: [
        {
          history_detail: "created",
          history_ip: "::1",
          history_user_agent: "x",
          history_date: "2024-05-06T07:08:09+0100",
        },
      ],
      envelope_meta: { order: 5 },
      envelope_mood: "good",
    },
  }));
  const envelope = await service.client().envelopes.get({ envelope_fingerprint: "f" });
  expect(envelope.envelope_status).toBe("rejected");
  expect(envelope.envelope_sent).toBeNull();
  const pages: number | null | undefined = envelope.envelope_documents?.[0]?.document_page_total;
  expect(pages).toBe(2);
  expect(envelope.envelope_documents?.[0]?.document_fields?.[0]).toMatchObject({
    field_id: "9",
    party_id: "3",
    field_merge: null,
  });
  expect(envelope.envelope_parties?.[0]).toMatchObject({ party_id: "3", contact_id: "8" });
  expect(envelope).toMatchObject({ envelope_mood: "good" });
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

  for (const [make, words] of [
    [() => fileFromPath(join(folder, "none.pdf")), "ENOENT"],
    [() => fileFromPath(join(folder, "none.txt")), "must end with the extension"],
    [() => fileFromPath(join(folder, "Lease 5.pdf"), { name: "a.docx" }), "is a PDF file by its first bytes"],
    [() => fileFromStream([zip], { name: "a.exe" }), "must end with the extension"],
    [() => fileFromStream([], { name: "a.pdf" }), "must not be empty"],
    [() => fileFromStream([Buffer.from("GIF89a")], { name: "a.xls" }), "neither a PDF nor"],
  ] as const) {
    const error = await failure<InputError>(make());
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toContain(words);
  }

  const service = await serve(() => created);
  const big = await fileFromStream([Buffer.from("%PDF-1.7"), Buffer.alloc(20e6, 7)], { name: "big.pdf" });
  await service
    .client()
    .envelopes.createFromFiles({ envelope_title: "t", envelope_documents: [big], envelope_parties: parties });
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
});

test("waitFor takes a declined envelope for ended, which only newer services have a status for", async () => {
  const service = await statuses("sent", "rejected");
  expect((await waitFor(service.client(), "f", { interval: 1, timeout: 2000 })).envelope_status).toBe("rejected");
  const signed = await failure(waitFor(service.client(), "f", { until: "signed", interval: 1, timeout: 2000 }));
  expect(signed).toBeInstanceOf(EnvelopeEndedError);
});

test("waitFor ends when the status cannot come any more, at its deadline, and by its signal", async () => {
  const cancelled = await failure<EnvelopeEndedError>(
    waitFor((await statuses("cancelled")).client(), "f", { until: ["sent", "signed"] }),
  );
  expect(cancelled).toBeInstanceOf(EnvelopeEndedError);
  expect(cancelled).toMatchObject({ status: "cancelled", kind: "ended" });
  const late = await failure<TimeoutError>(
    waitFor((await statuses("sent")).client(), "f", { until: "signed", interval: 5, timeout: 300 }),
  );
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late.message).toContain("the envelope is sent");
  const controller = new AbortController();
  const aborted = failure(
    waitFor((await statuses("sent")).client(), "f", {
      until: "signed",
      signal: controller.signal,
      onProgress: () => controller.abort(),
    }),
  );
  expect(await aborted).toBeInstanceOf(AbortedError);
});

test("waitFor bears failures that pass, and no others", async () => {
  const service = await serve((_, index) =>
    index < 2
      ? { status: 502, body: "<html>" }
      : { body: { http: 200, envelope_fingerprint: "f", envelope_status: "signed" } },
  );
  expect((await waitFor(service.client({ retries: 0 }), "f", { interval: 1 })).envelope_status).toBe("signed");
  const gone = await serve(() => ({ status: 404, body: { http: 404, code: 10253 } }));
  expect(await failure(waitFor(gone.client(), "f"))).toMatchObject({ code: 10253 });
});

test("waitFor keeps its deadline and obeys its signal though a look hangs", async () => {
  const silent = await serve(() => undefined);
  const late = await failure<TimeoutError>(waitFor(silent.client(), "f", { timeout: 100 }));
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late.message).toContain("after 100 ms the envelope has not been read; the last request has no response yet");
  const signal = AbortSignal.timeout(50);
  expect(await failure(waitFor(silent.client(), "f", { signal }))).toBeInstanceOf(AbortedError);
}, 3_000);

test("waitFor tells a listener's failure, though it comes later", async () => {
  const service = await statuses("sent");
  const onProgress = () => Promise.reject(new Error("listener"));
  expect((await failure(waitFor(service.client(), "f", { onProgress, timeout: 200 }))).message).toBe("listener");
});

test.each([
  [
    { until: "singed" },
    "options.until\\[0\\] must be one of draft, .*failed, rejected, verify \\(did you mean signed\\?\\)",
  ],
  [{ until: ["signed", "done"] }, "options.until\\[1\\] must be one of"],
  [{ until: [] }, "options.until must name a status"],
  [{ timeout: Number.NaN }, "options.timeout must be milliseconds, above 0"],
  [{ interval: 0, deadline: 5 }, "options.interval must be .*; options.deadline is unknown"],
])("waitFor rejects options such as %j before it sends anything", async (options, words) => {
  const service = await statuses("sent");
  const error = await failure(waitFor(service.client(), "f", { timeout: 200, ...options } as never));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toMatch(new RegExp(`^waitFor: ${words}`));
  expect(service.seen).toHaveLength(0);
});

/** A service that keeps envelopes, loses the answers of creates, and shows them in its list only after some looks. */
async function forgetful(options: { commits: boolean; lag?: number }) {
  const kept: { form: URLSearchParams; created: string }[] = [];
  let lists = 0;
  const service = await serve(({ method, path, form }, _, response) => {
    if (method === "POST") {
      if (options.commits) kept.push({ form, created: formatTimestamp(new Date()) });
      response.destroy();
      return undefined;
    }
    const one = (i: number) => ({
      envelope_fingerprint: `f${i}`,
      envelope_title: kept[i]!.form.get("envelope_title"),
      envelope_status: "processing",
      envelope_created: kept[i]!.created,
    });
    if (path !== "/v1/envelopes") {
      const i = Number(path.slice("/v1/envelopes/f".length));
      return { body: { http: 200, ...one(i), envelope_meta: JSON.parse(kept[i]!.form.get("envelope_meta") ?? "{}") } };
    }
    const shown = lists++ < (options.lag ?? 0) ? 0 : kept.length;
    return {
      body: { http: 200, total_envelopes: String(shown), envelopes: Array.from({ length: shown }, (_, i) => one(i)) },
    };
  });
  return { ...service, kept };
}

test("a create whose response was lost is not retried, and found by its correlation ID", async () => {
  const service = await forgetful({ commits: true, lag: 2 });
  const client = service.client();
  const plain = {
    envelope_title: "Lease",
    envelope_documents: [{ document_title: "d", document_url: "https://f.example/d.pdf" }],
    envelope_parties: parties,
  };
  const since = new Date();
  // Somebody else makes one of the same title at the same time.
  await failure(client.envelopes.createFromFiles(plain));
  const form = withCorrelationId({ ...plain, envelope_meta: { order: 5 } });
  const error = await failure<EsignError>(client.envelopes.createFromFiles(form));
  expect(error.mayHaveSucceeded).toBe(true);
  expect(service.kept).toHaveLength(2);
  const found = await findCreated(client, form, { since, delays: [0, 1, 1, 1] });
  expect(found.map((envelope) => envelope.envelope_fingerprint)).toEqual(["f1"]);
  expect(found[0]!.envelope_meta).toMatchObject({ order: 5 });
  // By title and time there are two, and the caller judges.
  expect(await findCreated(client, plain, { since, delays: [0] })).toHaveLength(2);
  expect(await findCreated(client, plain, { since: new Date(Date.now() + 3_600_000), delays: [0] })).toHaveLength(0);
});

test("a create that was not carried out is not found", async () => {
  const service = await forgetful({ commits: false });
  const form = withCorrelationId({ envelope_title: "Lease" });
  expect(await findCreated(service.client(), form, { since: new Date(), delays: [0, 1] })).toEqual([]);
});

test.each([
  [{ since: new Date("yesterday") }, "options.since must be the Date"],
  [{ since: Date.now() }, "options.since must be the Date"],
  [{}, "options.since is required and must be the Date"],
  [
    { since: new Date(), clockTolerance: -1, singal: 1 },
    "options.clockTolerance must be .*; options.singal is unknown",
  ],
  [undefined, "options is required and must be an object with since"],
])("findCreated rejects options such as %j before it sends anything", async (options, words) => {
  const service = await forgetful({ commits: true });
  const error = await failure(findCreated(service.client(), { envelope_title: "Lease" }, options as never));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toMatch(new RegExp(`^findCreated: ${words}`));
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
  expect(JSON.parse(texts[0]!.envelope_meta)).toMatchObject({
    a: 1,
    esign_marker: expect.any(String),
  });
  expect(() => withCorrelationId({ envelope_meta: [1] })).toThrow(InputError);
});
