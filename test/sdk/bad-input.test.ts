import { expect, test } from "vitest";
import { connect, InputError } from "../../sdk";
import { url as wireUrl } from "../../sdk/api/scalars";
import { failure, serve } from "./server";

const url = "https://receiver.example/hook";
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
const file = (document: object) => ({ ...files, envelope_documents: [document] });
const fileSigner = (change: object) => ({
  ...files,
  envelope_parties: [{ ...party, party_role: "signer1", ...change }],
});
const templateSigner = (change: object) => ({ ...template, envelope_parties: [{ ...party, party_id: 1, ...change }] });
const types =
  "send-envelope, signed-envelope, cancelled-envelope, rejected-envelope, add-user, add-contact, opened-envelope, add-template, all, signed-envelope-complete, bounced-envelope, verify-envelope-widget, signed-envelope-widget, send-envelope-failed";
const emails =
  "email-cancelled, email-rejected, email-reminder, email-reminder-password, email-send, email-signed, email-widget-verify, email-send-password";
const address = "must be an absolute URL that begins with https:// or http://";
const either = "an envelope contains either template documents or file documents: send two envelopes";
const extensions =
  "must end with the extension of a PDF, Word or Excel file: .pdf, .doc, .xls, .docx, .docm, .xlsx, .xlsm";
const eitherContent = "needs either document_url, or document_file_content with document_file_name";

/** By operation: input, and the faults that it must be told of: all of them, and nothing else. */
const table: Record<string, [input: unknown, ...faults: string[]][]> = {
  "webhooks.create": [
    [{}, `webhook_type is required and must be one of ${types}`, "webhook_url is required and must be a URL"],
    [undefined, `webhook_type is required and must be one of ${types}`, "webhook_url is required and must be a URL"],
    [
      { webhook_type: "sent-envelope", webhook_url: url },
      `webhook_type must be one of ${types} (did you mean send-envelope?)`,
    ],
    [{ webhook_type: "ALL", webhook_url: url }, `webhook_type must be one of ${types} (did you mean all?)`],
    [{ webhook_type: "zzzzzzzzzzzz", webhook_url: url }, `webhook_type must be one of ${types}`],
    [{ webhook_type: 5, webhook_url: url }, `webhook_type must be one of ${types}`],
    [{ webhook_type: null, webhook_url: url }, `webhook_type must be one of ${types}`],
    [{ webhook_type: "all", webhook_url: "receiver.example" }, `webhook_url ${address}`],
    [{ webhook_type: "all", webhook_url: "" }, `webhook_url ${address}`],
    [{ webhook_type: "all", webhook_url: "ftp://a.example" }, `webhook_url ${address}`],
    [{ webhook_type: "all", webhook_url: "https://a.example/b c" }, `webhook_url ${address}`],
    [{ webhook_type: "all", webhook_url: "https://" }, `webhook_url ${address}`],
    [{ webhook_type: "all", webhook_url: "javascript:alert(1)" }, `webhook_url ${address}`],
    [{ webhook_type: "all", webhook_url: 5 }, "webhook_url must be a URL"],
    [
      { webhook_type: "all", webhook_url: url, webhook_ur: 1 },
      "webhook_ur is not a field of this call (did you mean webhook_url?); allowed: webhook_type, webhook_url",
    ],
    [
      { webhook_type: "all", webhook_url: url, secret: "s3" },
      "secret is not a field of this call; allowed: webhook_type, webhook_url",
    ],
    ["all", "needs an object with the fields by name"],
    [[], "needs an object with the fields by name"],
    [null, "needs an object with the fields by name"],
    [
      { webhook_type: "all", webhook_url: `${url}\ud800` },
      "webhook_url contains half of a surrogate pair, which cannot be encoded",
    ],
  ],
  "webhooks.get": [
    [{}, "webhook_id is required and must be a positive integer"],
    [{ webhook_id: 0 }, "webhook_id must be a positive integer"],
    [{ webhook_id: -1 }, "webhook_id must be a positive integer"],
    [{ webhook_id: 1.5 }, "webhook_id must be a positive integer"],
    [{ webhook_id: "7/../8" }, "webhook_id must be a positive integer"],
    [{ webhook_id: "007" }, "webhook_id must be a positive integer"],
    [{ webhook_id: "" }, "webhook_id must be a positive integer"],
    [{ webhook_id: null }, "webhook_id must be a positive integer"],
    [{ webhook_id: 2 ** 53 }, "webhook_id must be a string: a number cannot hold that many digits"],
    [{ webhook_id: 1e21 }, "webhook_id must be a string: a number cannot hold that many digits"],
    [{ webhook_id: Number.NaN }, "webhook_id must be a positive integer"],
    [
      { id: 7 },
      "id is not a field of this call; allowed: webhook_id",
      "webhook_id is required and must be a positive integer",
    ],
  ],
  "webhooks.update": [
    [{ webhook_id: 7 }, "needs webhook_type or webhook_url"],
    [{ webhook_id: 7, webhook_type: "al" }, `webhook_type must be one of ${types} (did you mean all?)`],
    [{ webhook_type: "all" }, "webhook_id is required and must be a positive integer"],
  ],
  "webhooks.delete": [[{ webhook_id: "all" }, "webhook_id must be a positive integer"]],
  "branding.update": [
    [{}, "needs branding_logo_url or branding_colour"],
    [{ branding_colour: "558caa" }, "branding_colour must be a hex colour of the form #RRGGBB"],
    [{ branding_colour: "red" }, "branding_colour must be a hex colour of the form #RRGGBB"],
    [{ branding_colour: "#12345" }, "branding_colour must be a hex colour of the form #RRGGBB"],
    [{ branding_colour: 0x558caa }, "branding_colour must be a hex colour of the form #RRGGBB"],
    [
      { branding_color: "#558caa" },
      "branding_color is not a field of this call (did you mean branding_colour?); allowed: branding_logo_url, branding_colour",
      "needs branding_logo_url or branding_colour",
    ],
    [{ branding_logo_url: "/logo.png" }, `branding_logo_url ${address}`],
    [{ branding_logo_url: "data:image/png;base64,AA==" }, `branding_logo_url ${address}`],
  ],
  "branding.updateEmail": [
    [
      {},
      `branding_email_type is required and must be one of ${emails}`,
      "needs branding_email_subject, branding_email_content or branding_email_content_plain",
    ],
    [
      { branding_email_type: "email-sent", branding_email_subject: "s" },
      `branding_email_type must be one of ${emails} (did you mean email-send?)`,
    ],
    [
      { branding_email_type: "email-send" },
      "needs branding_email_subject, branding_email_content or branding_email_content_plain",
    ],
    [{ branding_email_type: "email-send", branding_email_content: 5 }, "branding_email_content must be a string"],
    [{ branding_email_type: "email-send", branding_email_subject: null }, "branding_email_subject must be a string"],
  ],
  "companies.create": [
    [
      {},
      "company_name is required and must be a string",
      "user_name is required and must be a string",
      "user_email is required and must be an email address",
    ],
    [
      { company_name: "", user_name: " ", user_email: "x" },
      "company_name must not be empty",
      "user_name must not be empty",
      "user_email must be an email address",
    ],
    [{ company_name: "c", user_name: "u", user_email: "a@b c.example" }, "user_email must be an email address"],
    [
      { company_name: "c", user_name: "u", user_email: "u@c.example", company_email: "c@c.example" },
      "company_email is not a field of this call (did you mean company_name?); allowed: company_name, user_name, user_email",
    ],
  ],
  "companies.update": [
    [{ company_id: 5 }, "needs company_name or company_email"],
    [{ company_id: "five", company_name: "c" }, "company_id must be a positive integer"],
    [{ company_id: 5, company_email: "nobody" }, "company_email must be an email address"],
  ],
  "companies.delete": [[{}, "company_id is required and must be a positive integer"]],
  "envelopes.get": [[{ envelope_fingerprint: "" }, "envelope_fingerprint must not be empty"]],
  "envelopes.cancel": [[{}, "envelope_fingerprint is required and must be a string"]],
  "envelopes.delete": [
    [{ envelope_fingerprint: ".." }, "envelope_fingerprint must be a fingerprint, not dots, which lead to another URL"],
  ],
  "envelopes.remind": [[{ envelope_fingerprint: 17 }, "envelope_fingerprint must be a string"]],
  "envelopes.createFromFiles": [
    [{ ...files, envelope_title: undefined }, "envelope_title is required and must be a string"],
    [{ ...files, envelope_title: " " }, "envelope_title must not be empty"],
    [{ ...files, user_id: "me" }, "user_id must be an integer"],
    [{ ...files, user_id: 1.5 }, "user_id must be an integer"],
    [{ ...files, envelope_password_protect: "maybe" }, "envelope_password_protect must be true or false"],
    [{ ...files, envelope_redirect_url: "thanks.html" }, `envelope_redirect_url ${address}`],
    [{ ...files, envelope_auto_expire_hours: 12 }, "envelope_auto_expire_hours must be greater than 12 (hours)"],
    [{ ...files, envelope_auto_expire_hours: 24.5 }, "envelope_auto_expire_hours must be an integer"],
    [{ ...files, envelope_auto_remind_hours: "1" }, "envelope_auto_remind_hours must be greater than 12 (hours)"],
    [{ ...files, envelope_auto_remind_hours: "daily" }, "envelope_auto_remind_hours must be an integer"],
    [{ ...files, envelope_meta: "{oops" }, "envelope_meta must be valid JSON"],
    [{ ...files, envelope_meta: nested(100_000) }, "envelope_meta is nested too deeply"],
    [{ ...files, envelope_meta: { a: "x".repeat(1993) } }, "envelope_meta must be fewer than 2000 characters of JSON"],
    [
      { ...files, envelope_meta: `{"a":"${"x".repeat(1993)}"}` },
      "envelope_meta must be fewer than 2000 characters of JSON",
    ],
    [{ ...files, envelope_documents: undefined }, "envelope_documents is required and must be a list"],
    [{ ...files, envelope_documents: [] }, "envelope_documents must contain at least one"],
    [{ ...files, envelope_documents: byUrl }, "envelope_documents must be a list"],
    [{ ...files, envelope_documents: "[" }, "envelope_documents must be valid JSON"],
    [{ ...files, envelope_documents: [null] }, "envelope_documents[0] must be an object"],
    [file({ document_title: "Lease" }), `envelope_documents[0] ${eitherContent}`],
    [file({ ...pdf, document_url: byUrl.document_url }), `envelope_documents[0] ${eitherContent}`],
    [
      file({ document_url: byUrl.document_url }),
      "envelope_documents[0].document_title is required and must be a string",
    ],
    [
      file({ ...pdf, document_file_name: undefined }),
      "envelope_documents[0].document_file_name is required with document_file_content",
    ],
    [file({ ...pdf, document_file_name: "lease.txt" }), `envelope_documents[0].document_file_name ${extensions}`],
    [file({ ...pdf, document_file_name: "lease" }), `envelope_documents[0].document_file_name ${extensions}`],
    [
      file({ ...pdf, document_file_name: "lease.docx" }),
      "envelope_documents[0].document_file_content is a PDF file by its first bytes, but .docx by its name",
    ],
    [
      file({ ...pdf, document_file_content: content("PK\x03\x04") }),
      "envelope_documents[0].document_file_content is a newer Word or Excel file by its first bytes, but .pdf by its name",
    ],
    [
      file({ ...pdf, document_file_content: content("<html>") }),
      "envelope_documents[0].document_file_content is neither a PDF nor a Word or Excel file by its first bytes, but .pdf by its name",
    ],
    [file({ ...pdf, document_file_content: "%PDF-1.7" }), "envelope_documents[0].document_file_content must be base64"],
    [file({ ...pdf, document_file_content: "" }), "envelope_documents[0].document_file_content must not be empty"],
    [file({ ...byUrl, document_url: "lease.pdf" }), `envelope_documents[0].document_url ${address}`],
    [
      file({ ...byUrl, document_titel: "Lease" }),
      "envelope_documents[0].document_titel is unknown (did you mean document_title?); allowed: document_title, document_url, document_file_content, document_file_name",
    ],
    [
      { ...files, envelope_documents: [byUrl, { ...byUrl, document_template_fingerprint: "tf" }] },
      `envelope_documents[1].document_template_fingerprint belongs to a template document: ${either} (use createFromTemplate for templates)`,
    ],
    [fileSigner({ party_role: "signer" }), "envelope_parties[0].party_role must be signer1, signer2, … or copy"],
    [fileSigner({ party_role: "signer0" }), "envelope_parties[0].party_role must be signer1, signer2, … or copy"],
    [
      fileSigner({ party_role: undefined }),
      "envelope_parties[0].party_role is required and must be signer1, signer2, … or copy",
    ],
    [fileSigner({ party_email: "ann" }), "envelope_parties[0].party_email must be an email address"],
    [fileSigner({ party_name: "" }), "envelope_parties[0].party_name must not be empty"],
    [fileSigner({ party_message: 5 }), "envelope_parties[0].party_message must be a string"],
    [
      fileSigner({ party_id: 1 }),
      "envelope_parties[0].party_id belongs to an envelope from templates: in a file document party_role identifies the party",
    ],
    [{ ...files, envelope_parties: [] }, "envelope_parties must contain at least one"],
  ],
  "envelopes.createFromTemplate": [
    [
      { ...template, envelope_documents: [{ document_title: "Lease" }] },
      "envelope_documents[0].document_template_fingerprint is required and must be a string",
    ],
    [
      { ...template, envelope_documents: [byTemplate, { ...byTemplate, document_url: url }] },
      `envelope_documents[1].document_url belongs to a file document: ${either} (use createFromFiles for files)`,
    ],
    [
      {
        ...template,
        envelope_documents: [{ ...byTemplate, document_merge_fields: [{ field_id: "x", field_value: 5 }] }],
      },
      "envelope_documents[0].document_merge_fields[0].field_id must be an integer",
      "envelope_documents[0].document_merge_fields[0].field_value must be a string",
    ],
    [
      { ...template, envelope_documents: [{ ...byTemplate, document_merge_fields: [{ field_id: 1 }] }] },
      "envelope_documents[0].document_merge_fields[0].field_value is required and must be a string",
    ],
    [templateSigner({ party_id: undefined }), "envelope_parties[0].party_id is required and must be an integer"],
    [
      templateSigner({ party_role: "signer1" }),
      "envelope_parties[0].party_role must be one of signer, copy (did you mean signer?)",
    ],
    [templateSigner({ party_email: "@" }), "envelope_parties[0].party_email must be an email address"],
    [
      {
        envelope_title: "",
        envelope_auto_expire_hours: 1,
        envelope_documents: [{}],
        envelope_parties: [{ party_email: "x" }, 5],
      },
      "envelope_title must not be empty",
      "envelope_auto_expire_hours must be greater than 12 (hours)",
      "envelope_documents[0].document_title is required and must be a string",
      "envelope_documents[0].document_template_fingerprint is required and must be a string",
      "envelope_parties[0].party_name is required and must be a string",
      "envelope_parties[0].party_email must be an email address",
      "envelope_parties[0].party_id is required and must be an integer",
      "envelope_parties[1] must be an object",
    ],
  ],
};

const rows = Object.entries(table).flatMap(([operation, calls]) => calls.map((call) => [operation, ...call] as const));

test("the table is long enough to mean something", () => {
  expect(rows.length).toBeGreaterThanOrEqual(80);
});

const client = connect({ baseUrl: "http://127.0.0.1:9", apiKey: "never-sent-key" });
type Calls = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

test.each(rows.map(([operation, input, ...faults], i) => [i, operation, input, faults] as const))(
  "%i %s",
  async (_, operation, input, faults) => {
    const [area, verb] = operation.split(".") as [string, string];
    const error = await failure<InputError>((client as unknown as Calls)[area]![verb]!(input));
    expect(error).toBeInstanceOf(InputError);
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
  const error = await failure<InputError>(client.webhooks.list(options as never).all());
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain(words);
});

test("values never come back in a message, wherever they stand", async () => {
  const secret = "hunter2-geheim";
  for (const input of [
    { webhook_type: secret, webhook_url: secret },
    { webhook_type: "all", webhook_url: `ftp://u:${secret}@h.example` },
    { webhook_type: { x: secret }, webhook_url: [secret] },
  ]) {
    const error = await failure<InputError>(client.webhooks.create(input as never));
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(secret);
  }
});

test("allowUnknownValues lets new values through, and nothing else", async () => {
  const service = await serve(({ form }) => ({
    body: { http: 200, webhook_id: 1, webhook_type: form.get("webhook_type"), webhook_url: url },
  }));
  const open = service.client({ allowUnknownValues: true });
  const reply = await open.webhooks.create({ webhook_type: "moved-envelope" as "all", webhook_url: url });
  expect(reply.webhook_type).toBe("moved-envelope");
  const error = await failure<InputError>(
    open.webhooks.create({ webhook_type: "moved-envelope" as "all", webhook_url: "x" }),
  );
  expect(error.issues).toHaveLength(1);
  // The switch does not stay on for others.
  expect(
    await failure(client.webhooks.create({ webhook_type: "moved-envelope" as "all", webhook_url: url })),
  ).toBeInstanceOf(InputError);
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
  const service = await serve(() => ({ body: { http: 200, webhook_id: 1, webhook_type: "all", webhook_url: url } }));
  const input = { webhook_type: "all", webhook_url: "nowhere" } as const;
  const error = await failure<InputError>(service.client().webhooks.create(input, options as never));
  expect(error).toBeInstanceOf(InputError);
  expect(error.issues.map(({ path, message }) => `${path} ${message}`)).toEqual([
    words,
    "webhook_url must be an absolute URL that begins with https:// or http://",
  ]);
  expect(service.seen).toHaveLength(0);
});
