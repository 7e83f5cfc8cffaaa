import { expect, onTestFinished, test, vi } from "vitest";
import { connect, InputError, type NewValueEvent } from "../../sdk";
import { allEndpoints } from "../../sdk/api";
import { url as wireUrl } from "../../sdk/api/scalars";
import { buildRequest, compileEndpoint } from "../../sdk/request/validate-input";
import { failure, good, form as hook, serve } from "./server";

const url = hook.webhook_url;
const party = { party_name: "Ann", party_email: "ann@example.com" };
const content = (bytes: string) => Buffer.from(bytes, "latin1").toString("base64");
const pdf = { document_title: "Lease", document_file_content: content("%PDF-1.7 x"), document_file_name: "lease.pdf" };
const byUrl = { document_title: "Lease", document_url: "https://files.example/lease.pdf" };
const byTemplate = { document_title: "Lease", document_template_fingerprint: "tf" };
/** An array in an array in an array … */
function nested(levels: number): unknown {
  let value: unknown = [];
  for (let i = 1; i < levels; i++) value = [value];
  return value;
}

const files = {
  envelope_title: "Lease",
  envelope_documents: [byUrl],
  envelope_parties: [{ ...party, party_role: "signer1" }],
};
const template = {
  envelope_title: "Lease",
  envelope_documents: [byTemplate],
  envelope_parties: [{ ...party, party_id: 1 }],
};
/** Input, and the faults that its error must list: all of them, and nothing else. */
type Row = [input: unknown, ...faults: string[]];
const all =
  (form: object, list: string) =>
  (entry: object, ...faults: string[]): Row => [
    { ...form, [list]: [entry] },
    ...faults.map((fault) => `${list}[0]${fault.startsWith(" ") ? "" : "."}${fault}`),
  ];
/** An envelope with one such document or signer; the faults have their paths from there. */
const file = all(files, "envelope_documents");
const fileSigner = (change: object, fault: string) =>
  all(files, "envelope_parties")({ ...party, party_role: "signer1", ...change }, fault);
const templateDocument = all(template, "envelope_documents");
const templateSigner = (change: object, fault: string) =>
  all(template, "envelope_parties")({ ...party, party_id: 1, ...change }, fault);

const types =
  "send-envelope, signed-envelope, cancelled-envelope, rejected-envelope, add-user, add-contact, opened-envelope, add-template, all, signed-envelope-complete, bounced-envelope, verify-envelope-widget, signed-envelope-widget, send-envelope-failed, expired-envelope, qes-ready, qes-signed, qes-failed";
const emails =
  "email-cancelled, email-rejected, email-reminder, email-reminder-password, email-send, email-signed, email-widget-verify, email-send-password";
const address = "must be an absolute URL that begins with https:// or http://";
const integer = "must be a positive integer";
const needed = "is required and must be";
const anEmail = "must be an email address";
const emailTexts = "needs branding_email_subject, branding_email_content or branding_email_content_plain";
const either = "an envelope contains either template documents or file documents: send two envelopes";
const extensions =
  "must end with the extension of a PDF, Word or Excel file: .pdf, .doc, .xls, .docx, .docm, .xlsx, .xlsm";
const eitherContent = " needs either document_url, or document_file_content with document_file_name";
const lifted = "(allowUnknownValues lets it pass)";
const role = `must be signer1, signer2, … or copy ${lifted}`;

/** By operation. Which values each field of the specification takes is tried in specification.test.ts. */
const table: Record<string, Row[]> = {
  "webhooks.create": [
    ...[{}, undefined].map(
      (input): Row => [input, `webhook_type ${needed} one of ${types}`, `webhook_url ${needed} a URL`],
    ),
    [
      { ...hook, webhook_type: "sent-envelope" },
      `webhook_type is not known, did you mean "send-envelope"? One of: ${types}`,
    ],
    [{ ...hook, webhook_type: "ALL" }, `webhook_type is not known, did you mean "all"? One of: ${types}`],
    ...["zzzzzzzzzzzz", 5, null].map(
      (webhook_type): Row => [{ ...hook, webhook_type }, `webhook_type must be one of ${types}`],
    ),
    [{ ...hook, webhook_url: "receiver.example" }, `webhook_url ${address}`],
    [{ ...hook, webhook_url: 5 }, "webhook_url must be a URL"],
    [
      { ...hook, webhook_ur: 1 },
      "webhook_ur is not a field of this call (did you mean webhook_url?); allowed: webhook_type, webhook_url",
    ],
    [{ ...hook, secret: "s3" }, "secret is not a field of this call; allowed: webhook_type, webhook_url"],
    ...["all", [], null].map((input): Row => [input, "needs an object with the fields by name"]),
    [
      { ...hook, webhook_url: `${url}\ud800` },
      "webhook_url contains half of a surrogate pair, which cannot be encoded",
    ],
  ],
  "webhooks.get": [
    [{}, `webhook_id ${needed} a positive integer`],
    ...[0, -1, 1.5, "7/../8", "007", "", null, Number.NaN].map(
      (webhook_id): Row => [{ webhook_id }, `webhook_id ${integer}`],
    ),
    ...[2 ** 53, 1e21].map(
      (webhook_id): Row => [{ webhook_id }, "webhook_id must be a string: a number cannot hold that many digits"],
    ),
    [{ id: 7 }, "id is not a field of this call; allowed: webhook_id", `webhook_id ${needed} a positive integer`],
  ],
  "webhooks.update": [
    [{ webhook_id: 7 }, "needs webhook_type or webhook_url"],
    [{ webhook_type: "all" }, `webhook_id ${needed} a positive integer`],
  ],
  "webhooks.delete": [[{ webhook_id: "all" }, `webhook_id ${integer}`]],
  "branding.update": [
    [{}, "needs branding_logo_url or branding_colour"],
    [{ branding_colour: "red" }, "branding_colour must be a hex colour of the form #RRGGBB"],
    ...["/logo.png", "data:image/png;base64,AA=="].map(
      (branding_logo_url): Row => [{ branding_logo_url }, `branding_logo_url ${address}`],
    ),
  ],
  "branding.updateEmail": [[{}, `branding_email_type ${needed} one of ${emails}`, emailTexts]],
  "companies.create": [
    [{}, `company_name ${needed} a string`, `user_name ${needed} a string`, `user_email ${needed} an email address`],
    [
      { company_name: "", user_name: " ", user_email: "x" },
      "company_name must not be empty",
      "user_name must not be empty",
      `user_email ${anEmail}`,
    ],
  ],
  "companies.update": [
    [{ company_id: 5 }, "needs company_name or company_email"],
    [{ company_id: "five", company_name: "c" }, `company_id ${integer}`],
  ],
  "companies.delete": [[{}, `company_id ${needed} a positive integer`]],
  "envelopes.get": [[{ envelope_fingerprint: "" }, "envelope_fingerprint must not be empty"]],
  "envelopes.cancel": [[{}, `envelope_fingerprint ${needed} a string`]],
  "envelopes.delete": [
    [{ envelope_fingerprint: ".." }, "envelope_fingerprint must not be dots, which lead to another URL"],
  ],
  "envelopes.remind": [[{ envelope_fingerprint: 17 }, "envelope_fingerprint must be a string"]],
  "envelopes.createFromFiles": [
    [{ ...files, user_id: "me" }, "user_id must be an integer"],
    [{ ...files, envelope_password_protect: "maybe" }, "envelope_password_protect must be true or false"],
    [{ ...files, envelope_auto_expire_hours: 12 }, "envelope_auto_expire_hours must be greater than 12 (hours)"],
    [{ ...files, envelope_auto_remind_hours: "daily" }, "envelope_auto_remind_hours must be an integer"],
    [{ ...files, envelope_meta: "{oops" }, "envelope_meta must be valid JSON"],
    [{ ...files, envelope_meta: nested(100_000) }, "envelope_meta is nested too deeply"],
    ...[{ a: "x".repeat(1993) }, `{"a":"${"x".repeat(1993)}"}`].map(
      (envelope_meta): Row => [{ ...files, envelope_meta }, "envelope_meta must be fewer than 2000 characters of JSON"],
    ),
    [{ ...files, envelope_documents: undefined }, `envelope_documents ${needed} a list`],
    [{ ...files, envelope_documents: [] }, "envelope_documents must contain at least one"],
    [{ ...files, envelope_documents: byUrl }, "envelope_documents must be a list"],
    [{ ...files, envelope_documents: "[" }, "envelope_documents must be valid JSON"],
    [{ ...files, envelope_documents: [null] }, "envelope_documents[0] must be an object"],
    file({ document_title: "Lease" }, eitherContent),
    file({ ...pdf, document_url: byUrl.document_url }, eitherContent),
    file({ ...pdf, document_file_name: undefined }, "document_file_name is required with document_file_content"),
    file({ ...pdf, document_file_name: "lease.txt" }, `document_file_name ${extensions}`),
    file({ ...pdf, document_file_name: "lease" }, `document_file_name ${extensions}`),
    file(
      { ...pdf, document_file_name: "lease.docx" },
      "document_file_content is a PDF file by its first bytes, but .docx by its name",
    ),
    file(
      { ...pdf, document_file_content: content("PK\x03\x04") },
      "document_file_content is a newer Word or Excel file by its first bytes, but .pdf by its name",
    ),
    file(
      { ...pdf, document_file_content: content("<html>") },
      "document_file_content is neither a PDF nor a Word or Excel file by its first bytes, but .pdf by its name",
    ),
    file({ ...pdf, document_file_content: "%PDF-1.7" }, "document_file_content must be base64"),
    file({ ...pdf, document_file_content: "" }, "document_file_content must not be empty"),
    file(
      { ...byUrl, document_titel: "Lease" },
      `document_titel is unknown (did you mean document_title?); allowed: document_title, document_url, document_file_content, document_file_name, document_auto_parse_tags, placeholders ${lifted}`,
    ),
    file(
      { ...byUrl, document_template_fingerprint: "tf" },
      `document_template_fingerprint belongs to a template document: ${either} (use createFromTemplate for templates)`,
    ),
    fileSigner({ party_role: "signer0" }, `party_role ${role}`),
    fileSigner({ party_role: undefined }, "party_role is required and must be signer1, signer2, … or copy"),
    fileSigner({ party_message: 5 }, "party_message must be a string"),
    fileSigner(
      { party_id: 1 },
      "party_id belongs to an envelope from templates: in a file document party_role identifies the party",
    ),
  ],
  "envelopes.createFromTemplate": [
    [
      { ...template, envelope_documents: [byTemplate, { ...byTemplate, document_url: url }] },
      `envelope_documents[1].document_url belongs to a file document: ${either} (use createFromFiles for files)`,
    ],
    templateDocument(
      { ...byTemplate, document_merge_fields: [{ field_id: "x", field_value: 5 }] },
      "document_merge_fields[0].field_id must be an integer",
      "document_merge_fields[0].field_value must be a string",
    ),
    templateDocument({ ...byTemplate, document_merge_fields: { 1: "a" } }, "document_merge_fields must be a list"),
    templateDocument(
      { ...byTemplate, document_merge_fields: [{ field_id: 1 }] },
      `document_merge_fields[0].field_value ${needed} a string`,
    ),
    templateSigner({ party_role: "signer1" }, 'party_role is not known, did you mean "signer"? One of: signer, copy'),
    [
      {
        envelope_title: "",
        envelope_auto_expire_hours: 1,
        envelope_documents: [{}],
        envelope_parties: [{ party_email: "x" }, 5],
      },
      "envelope_title must not be empty",
      "envelope_auto_expire_hours must be greater than 12 (hours)",
      `envelope_documents[0].document_title ${needed} a string`,
      `envelope_documents[0].document_template_fingerprint ${needed} a string`,
      `envelope_parties[0].party_name ${needed} a string`,
      `envelope_parties[0].party_email ${anEmail}`,
      `envelope_parties[0].party_id ${needed} an integer`,
      "envelope_parties[1] must be an object",
    ],
  ],
};

const rows = Object.entries(table).flatMap(([operation, calls]) => calls.map((call) => [operation, ...call] as const));
const client = connect({ baseUrl: "http://127.0.0.1:9", apiKey: "never-sent-key" });
type Calls = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

test.each(rows.map(([operation, input, ...faults], i) => [i, operation, input, faults] as const))(
  "%i %s",
  async (_, operation, input, faults) => {
    const [area, verb] = operation.split(".") as [string, string];
    const error = await failure((client as unknown as Calls)[area]![verb]!(input), InputError);
    expect(error.issues.map(({ path, message }) => (path === "" ? message : `${path} ${message}`)).sort()).toEqual(
      [...faults].sort(),
    );
    expect(error.message.startsWith(`${operation}: `)).toBe(true);
    expect(error).toMatchObject({ kind: "input", mayHaveSucceeded: false });
  },
);

test.each([
  [{ offset: 0 }, "offset must be a positive integer"],
  [{ limit: 1.5 }, "limit must be a positive integer"],
  [{ limit: "many" }, "limit must be a positive integer"],
])("a list with the options %j is rejected", async (options, words) => {
  const error = await failure(client.webhooks.list(options as never).all(), InputError);
  expect(error.message).toContain(words);
});

test("values never come back in a message, wherever they stand", async () => {
  const secret = "hunter2-geheim";
  for (const input of [
    { webhook_type: secret, webhook_url: secret },
    { webhook_type: "all", webhook_url: `ftp://u:${secret}@h.example` },
    { webhook_type: { x: secret }, webhook_url: [secret] },
  ]) {
    const error = await failure(client.webhooks.create(input as never), InputError);
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(secret);
  }
});

test("allowUnknownValues lets new values through, and nothing else", async () => {
  const service = await serve(({ form }) => ({
    body: { http: 200, webhook_id: 1, webhook_type: form.get("webhook_type"), webhook_url: url },
  }));
  const { webhooks } = service.client({ allowUnknownValues: true });
  const moved = { ...hook, webhook_type: "moved" };
  expect((await webhooks.create(moved)).webhook_type).toBe("moved");
  const error = await failure(webhooks.create({ ...moved, webhook_url: "x" }), InputError);
  expect(error.issues).toHaveLength(1);
  // The switch does not stay on for others.
  await failure(client.webhooks.create(moved), InputError);
});

test("an event type that looks new is sent, with a warning, unless any is allowed", async () => {
  const service = await serve(({ form }) => ({
    body: { http: 200, webhook_id: 1, webhook_type: form.get("webhook_type"), webhook_url: url },
  }));
  const seen: NewValueEvent[] = [];
  const onNewValue = (event: NewValueEvent) => seen.push(event);
  const { webhooks } = service.client({ onNewValue });
  const moved = { ...hook, webhook_type: "moved-envelope" };
  expect((await webhooks.create(moved)).webhook_type).toBe("moved-envelope");
  await webhooks.update({ webhook_id: 1, webhook_type: "moved-envelope" });
  await webhooks.create(hook);
  const event = { field: "webhook_type", message: expect.stringMatching(/^"moved-envelope" is new to this version/) };
  expect(seen).toEqual([
    { operation: "webhooks.create", ...event },
    { operation: "webhooks.update", ...event },
  ]);
  await service.client({ onNewValue, allowUnknownValues: true }).webhooks.create(moved);
  expect([seen.length, service.seen.length]).toEqual([2, 4]);
});

test("by default the warning is one of the process, once for each value", async () => {
  const service = await serve(() => good);
  const { webhooks } = service.client();
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  for (const webhook_type of ["moved-envelope", "moved-envelope", "add-folder"])
    await webhooks.create({ ...hook, webhook_type });
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    expect.stringMatching(/^webhooks\.create: webhook_type "moved-envelope" is new/),
    expect.stringMatching(/"add-folder" is new/),
  ]);
});

test("a URL stays valid however often it is parsed", () => {
  // Compiled code of Node 20 answers otherwise: see parseUrl.
  for (let n = 0; n < 20_000; n++) expect.assert(wireUrl.safeParse("https://bücher.example/").success, `${n}`);
});

test.each([
  [{ timeout: Number.NaN }, "options.timeout must be milliseconds, above 0"],
  [{ timeout: 0 }, "options.timeout must be milliseconds, above 0"],
  [{ timeout: "5s" }, "options.timeout must be milliseconds, above 0"],
  [
    { signal: new AbortController() },
    "options.signal must be an AbortSignal, such as the signal of an AbortController",
  ],
  [{ timeoutMs: 5 }, "options.timeoutMs is unknown"],
  [null, "options must be an object with signal or timeout"],
])("options of a call such as %j are rejected before anything is sent", async (options, words) => {
  const service = await serve(() => good);
  const input = { ...hook, webhook_url: "nowhere" };
  const error = await failure(service.client().webhooks.create(input, options as never), InputError);
  expect(error.issues.map(({ path, message }) => `${path} ${message}`)).toEqual([words, `webhook_url ${address}`]);
  expect(service.seen).toHaveLength(0);
});

test("no value of a path is dots, which lead to another URL, also where unknown values are accepted", () => {
  const withPath = allEndpoints.filter(({ endpoint }) => endpoint.path.includes("{"));
  expect(withPath.length).toBeGreaterThan(10);
  for (const { group, operation, endpoint } of withPath)
    for (const name of Object.keys(endpoint.params.shape))
      for (const dots of [".", ".."]) {
        const compiled = compileEndpoint(`${group}.${operation}`, endpoint);
        const build = () => buildRequest(compiled, { [name]: dots }, { edition: "current", allowUnknownValues: true });
        expect(build, `${group}.${operation} ${name}`).toThrow(`${name} must not be dots, which lead to another URL`);
      }
});
