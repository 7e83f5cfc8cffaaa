import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { ask, type Body, basic } from "./ask";
import { useEmulator } from "./use-emulator";

const hour = 3600_000;
const service = useEmulator({ clock: () => Date.UTC(2025, 2, 20, 10), processingTime: 1000 });
beforeEach(() => service.reset());

const pdf = Buffer.from("%PDF-1.4\n1 0 obj << /Type /Pages >> 2 0 obj << /Type /Page >> 3 0 obj << /Type /Page >>");
const file = { document_title: "NDA", document_file_content: pdf.toString("base64"), document_file_name: "nda.pdf" };
const link = { document_title: "Price list", document_url: "https://files.example/prices.xlsx" };
const template = { document_title: "Agreement", document_template_fingerprint: "template-agreement" };
const anna = { party_name: "Anna", party_email: "anna@client.example", party_role: "signer1" };
const ben = { party_name: "Ben", party_email: "ben@client.example", party_role: "signer2" };
const carl = { party_name: "Carl", party_email: "carl@client.example", party_role: "copy" };

type Form = Record<string, unknown>;
const call = ask(service);
const files = (more: Form = {}) =>
  call("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    envelope_documents: [file],
    envelope_parties: [carl, ben, anna],
    ...more,
  });
/** An envelope that waits for its one signer. */
async function sent(more: Form = {}): Promise<string> {
  const { body } = await files({ envelope_parties: [anna], ...more });
  await service.advance(1000);
  return body.envelope_fingerprint;
}
const fromTemplate = (more: Form = {}) =>
  call("POST", "/v1/envelopes", {
    envelope_title: "Agreement",
    envelope_documents: [template],
    envelope_parties: [
      { party_name: "Ben", party_email: "ben@client.example", party_id: 2 },
      { party_name: "Anna", party_email: "anna@client.example", party_id: 1, party_message: "As agreed & discussed" },
    ],
    ...more,
  });
const get = async (fingerprint: string) => (await call("GET", `/v1/envelopes/${fingerprint}`)).body;
const put = (fingerprint: string, verb: string) =>
  verb === "delete"
    ? call("DELETE", `/v1/envelopes/${fingerprint}`)
    : call("PUT", `/v1/envelopes/${fingerprint}/${verb}`);
const history = async (fingerprint: string): Promise<string[]> =>
  (await get(fingerprint)).envelope_history.map((entry: Body) => entry.history_detail);
const letters = () => service.sentEmails().map(({ type, to }) => `${type} ${to}`);
/** The address of the page to sign on, of an email. */
const signingPage = (letter = 0) => /http:\S+\/sign\/\S+/.exec(service.sentEmails()[letter]!.plain)![0];
const post = (address: string, form: Record<string, string> = { action: "sign" }) =>
  fetch(address, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

test("files: acknowledged with 202, processing first, then sent to the first signer", async () => {
  const { status, body } = await files({ envelope_meta: { order: 17 } });
  expect(status).toBe(202);
  const fingerprint = body.envelope_fingerprint;
  expect(body).toEqual({
    http: 202,
    message: expect.any(String),
    href: `${service.url}/v1/envelopes/${fingerprint}`,
    envelope_title: "NDA",
    envelope_fingerprint: expect.any(String),
    envelope_password_protect: false,
    envelope_queued: "2025-03-20T10:00:00+0000",
  });
  expect((await call("GET", "/v1/envelopes")).body).toEqual({
    http: 200,
    offset: 1,
    limit: 10,
    total_envelopes: "1",
    href: `${service.url}/v1/envelopes`,
    envelopes: [
      {
        envelope_fingerprint: fingerprint,
        envelope_title: "NDA",
        envelope_status: "processing",
        envelope_redirect_url: "",
        envelope_processed: null,
        envelope_created: "2025-03-20T10:00:00+0000",
        envelope_sent: null,
      },
    ],
  });
  expect(letters()).toEqual([]);
  await service.advance(1000);
  const envelope = await get(fingerprint);
  expect(envelope).toMatchObject({
    http: 200,
    envelope_status: "sent",
    envelope_sent: "2025-03-20T10:00:01+0000",
    envelope_meta: { order: 17 },
    envelope_documents: [{ document_title: "NDA", document_page_total: "2" }],
  });
  const others = { party_id: expect.any(String), contact_id: expect.any(String), party_signature_type: "remote" };
  expect(envelope.envelope_parties).toEqual([
    {
      ...others,
      party_title: "Anna",
      party_status: "in progress",
      party_role: "signer",
      contact_email: anna.party_email,
    },
    { ...others, party_title: "Ben", party_status: "pending", party_role: "signer", contact_email: ben.party_email },
    { ...others, party_title: "Carl", party_status: "pending", party_role: "copy", contact_email: carl.party_email },
  ]);
  expect(letters()).toEqual(["email-send anna@client.example"]);
  const document = envelope.envelope_documents[0];
  expect(document.document_pages).toHaveLength(2);
  expect(document.document_thumbnails).toHaveLength(2);
  expect(document.document_fields[0]).toMatchObject({ field_type: "date", field_value: "", field_merge: null });
  for (const [address, type] of [
    [document.document_pdf_url, "application/pdf"],
    [document.document_pages[1], "image/png"],
    [document.document_thumbnails[0], "image/png"],
  ])
    expect((await fetch(address)).headers.get("content-type")).toBe(type);
});

test("a template: draft first, merge fields filled, parties in the template's order, markup for embedding", async () => {
  const fields = [{ field_id: 1, field_value: "Anna Client" }];
  const { status, body } = await fromTemplate({ envelope_documents: [{ ...template, document_merge_fields: fields }] });
  expect(status).toBe(202);
  expect(body.envelope_signing_embed).toMatch(/^<iframe src="http:.*\/sign\/.*"/);
  expect((await get(body.envelope_fingerprint)).envelope_status).toBe("draft");
  await service.advance(1000);
  const envelope = await get(body.envelope_fingerprint);
  expect(envelope.envelope_status).toBe("sent");
  expect(envelope.envelope_parties.map((p: Body) => p.party_title)).toEqual(["Anna", "Ben"]);
  const [name, date] = envelope.envelope_documents[0].document_fields;
  expect(name).toMatchObject({ field_id: "1", field_value: "Anna Client", field_merge: "Client's name" });
  // A merge field that was not filled is still a merge field.
  expect(date).toMatchObject({ field_id: "2", field_value: "", field_merge: "Start date" });
  const letter = service.sentEmails()[0]!;
  expect(letter.subject).toBe("Northwind Partners asks you to sign Agreement");
  expect(letter.html).toContain("As agreed &amp; discussed");
  expect(letter.plain).toContain("As agreed & discussed");
  expect(letter.plain).toContain(`${service.url}/sign/${body.envelope_fingerprint}/`);
  expect(letter.html).not.toMatch(/\{(client name|contract)/);
});

test("the parties sign in turn; then the envelope is signed, with newest history first, as it happened within a second", async () => {
  const { body } = await files();
  const fingerprint = body.envelope_fingerprint;
  await service.advance(1000);
  await service.performAction(fingerprint, "open");
  await service.performAction(fingerprint, "sign");
  const { envelope_parties, ...early } = await get(fingerprint);
  expect(early).not.toHaveProperty("envelope_signed_pdf");
  expect(envelope_parties.map((p: Body) => p.party_status)).toEqual(["signed", "in progress", "pending"]);
  await service.advance(1000);
  await service.performAction(fingerprint, "sign");
  const envelope = await get(fingerprint);
  expect(envelope.envelope_status).toBe("signed");
  expect((await fetch(envelope.envelope_signed_pdf)).headers.get("content-type")).toBe("application/pdf");
  expect(envelope.envelope_documents[0].document_fields[0].field_value).toBe("2025-03-20");
  expect(await history(fingerprint)).toEqual([
    "Signed by Ben",
    "The envelope is complete",
    "The envelope was sent",
    "Sent to Anna (anna@client.example)",
    "Opened by Anna",
    "Signed by Anna",
    "Sent to Ben (ben@client.example)",
    "Created by Nora North",
  ]);
  expect(letters()).toEqual([
    "email-send anna@client.example",
    "email-send ben@client.example",
    "email-signed anna@client.example",
    "email-signed ben@client.example",
    "email-signed carl@client.example",
  ]);
});

test.each([
  ["https://shop.example/thanks", "https://shop.example/thanks"],
  ["https://shop.example/schön?an=Łódź", "https://shop.example/sch%C3%B6n?an=%C5%81%C3%B3d%C5%BA"],
])("a person signs on the page that the email leads to, and is taken to %s", async (redirect, location) => {
  // An unknown variable is unchanged, whatever its name.
  const branding_email_subject = "{contract titel} {constructor}";
  await call("PUT", "/v1/branding/emails/email-send", { branding_email_subject });
  const fingerprint = await sent({ envelope_redirect_url: redirect });
  expect(service.sentEmails().map(({ subject }) => subject)).toEqual([branding_email_subject]);
  const address = signingPage();
  expect(await (await fetch(address)).text()).toContain("<button");
  const signed = await post(address);
  expect([signed.status, signed.headers.get("location")]).toEqual([303, location]);
  expect((await get(fingerprint)).envelope_status).toBe("signed");
  expect(await (await fetch(address)).text()).not.toContain("<button");
  expect((await post(address)).status).toBe(409);
});

test("the links of emails do nothing before they are followed", async () => {
  const fingerprint = await sent();
  const link = signingPage();
  const acknowledge = link.replace("/sign/", "/acknowledge/");
  const before = await history(fingerprint);
  expect((await fetch(link, { method: "HEAD" })).status).toBe(200);
  expect(await history(fingerprint)).toEqual(before);
  // A party who declines ends the envelope.
  await service.performAction(fingerprint, "reject");
  expect((await get(fingerprint)).envelope_status).toBe("cancelled");
  const rejected = await history(fingerprint);
  expect((await fetch(acknowledge, { method: "HEAD" })).status).toBe(200);
  expect(await history(fingerprint)).toEqual(rejected);
  await service.advance(1000);
  await fetch(acknowledge);
  expect(await history(fingerprint)).toEqual(["Acknowledged by Anna", ...rejected]);
});

test("the page of an envelope with a password asks for it, and signs with that only", async () => {
  const fingerprint = await sent({ envelope_password_protect: true });
  await put(fingerprint, "remind");
  const password = /password: (\d{6})/.exec(service.sentEmails()[1]!.plain)![1]!;
  const address = signingPage(1);
  expect(await (await fetch(service.url)).text()).toContain(`password ${password}`);
  expect(await (await fetch(address)).text()).toContain('name="password"');
  for (const wrong of [{}, { password: "" }, { password: "0" }]) {
    const refused = await post(address, { action: "sign", ...wrong });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('name="password"')]);
  }
  expect((await get(fingerprint)).envelope_status).toBe("sent");
  const signed = await post(address, { action: "sign", password });
  expect(await (await fetch(service.url + signed.headers.get("location"))).text()).toContain("Thank you");
  expect((await get(fingerprint)).envelope_status).toBe("signed");
});

test("a button that is pressed twice signs once; the second form is too late", async () => {
  const fingerprint = await sent();
  const address = signingPage();
  // Both are open before the first form arrives.
  const open = [1, 2].map(() => request(address, { method: "POST", headers: { "content-length": 11 } }));
  const answers = open.map(async (one) => {
    const [answer] = (await once(one, "response")) as [IncomingMessage];
    return answer.resume().statusCode;
  });
  for (const one of open) one.flushHeaders();
  for (const _ of open) await fetch(service.url);
  for (const one of open) one.end("action=sign");
  expect((await Promise.all(answers)).sort()).toEqual([303, 409]);
  expect((await history(fingerprint)).filter((detail) => detail === "Signed by Anna")).toHaveLength(1);
});

test("remind, cancel and expire, then delete, each with the specification's members and the recorded ones", async () => {
  for (const [verb, status, mails] of [
    ["remind", "sent", ["email-send anna@client.example", "email-reminder anna@client.example"]],
    ["cancel", "cancelled", ["email-send anna@client.example", "email-cancelled anna@client.example"]],
    ["expire", "expired", ["email-send anna@client.example"]],
  ] as const) {
    await service.reset();
    const fingerprint = await sent();
    const body = { http: 200, message: expect.any(String), envelope_fingerprint: fingerprint, envelope_title: "NDA" };
    const { headers: _, ...answer } = await put(fingerprint, verb);
    const ended = verb === "cancel" ? { envelope_status: status, envelope_processed: expect.any(String) } : {};
    expect(answer).toEqual({ status: 200, body: { ...body, ...ended } });
    expect(letters()).toEqual(mails);
    if (status === "sent") continue;
    expect((await get(fingerprint)).envelope_status).toBe(status);
    expect((await put(fingerprint, "delete")).body).toEqual({ ...body, envelope_status: "deleted" });
    expect(await get(fingerprint)).toMatchObject({ http: 404, code: 10253 });
  }
});

test("what is possible in which status", async () => {
  const afterwards = async (change: (fingerprint: string) => Promise<unknown>) => {
    const fingerprint = await sent();
    await change(fingerprint);
    return fingerprint;
  };
  const make = {
    draft: async () => (await fromTemplate()).body.envelope_fingerprint,
    processing: async () => (await files()).body.envelope_fingerprint,
    sent,
    signed: () => afterwards((fingerprint) => service.performAction(fingerprint, "sign")),
    cancelled: () => afterwards((fingerprint) => put(fingerprint, "cancel")),
    expired: () => afterwards((fingerprint) => put(fingerprint, "expire")),
    failed: async () => {
      const fingerprint = await make.processing();
      await service.performAction(fingerprint, "fail");
      return fingerprint;
    },
  };
  const outcome: Record<string, (number | string)[]> = {};
  for (const [status, arrive] of Object.entries(make)) {
    outcome[status] = [];
    for (const verb of ["remind", "cancel", "expire", "delete"]) {
      const fingerprint = await arrive();
      expect((await get(fingerprint)).envelope_status).toBe(status);
      const answer = await put(fingerprint, verb);
      outcome[status].push(answer.body.code ?? "ok");
    }
  }
  expect(outcome).toEqual({
    //         remind cancel expire delete
    draft: [10275, "ok", "ok", "ok"],
    processing: [10275, "ok", "ok", 10277],
    sent: ["ok", "ok", "ok", 10277],
    signed: [10275, 10274, 10276, "ok"],
    cancelled: [10275, 10274, 10276, "ok"],
    expired: [10275, 10274, 10276, "ok"],
    failed: [10275, 10274, 10276, "ok"],
  });
});

test("an envelope expires by itself, and reminders go out at their interval, each at its own time", async () => {
  const { body } = await files({
    envelope_auto_expire_hours: 60,
    envelope_auto_remind_hours: 24,
    envelope_password_protect: true,
    envelope_parties: [anna],
  });
  const fingerprint = body.envelope_fingerprint;
  await service.advance(1000 + 100 * hour);
  expect((await get(fingerprint)).envelope_status).toBe("expired");
  expect((await get(fingerprint)).envelope_history.map((e: Body) => e.history_date)).toEqual([
    "2025-03-22T22:00:01+0000",
    "2025-03-22T10:00:01+0000",
    "2025-03-21T10:00:01+0000",
    "2025-03-20T10:00:01+0000",
    "2025-03-20T10:00:01+0000",
    "2025-03-20T10:00:00+0000",
  ]);
  expect(letters().slice(1)).toEqual(Array(2).fill("email-reminder-password anna@client.example"));
  expect(service.sentEmails()[1]!.plain).toMatch(/password: \d{6}/);
});

const meta = (length: number) => JSON.stringify({ x: "y".repeat(length - 8) });

test.each<[Form, number]>([
  [{ envelope_title: "" }, 10255],
  [{ envelope_documents: "" }, 10257],
  [{ envelope_parties: "" }, 10256],
  [{ envelope_documents: "[" }, 10265],
  [{ envelope_documents: [] }, 10257],
  [{ envelope_documents: [{ document_title: "x" }] }, 10264],
  [{ envelope_documents: [{ ...file, document_file_name: undefined }] }, 10266],
  [{ envelope_documents: [{ ...file, document_file_name: "nda.docx" }] }, 10266],
  [{ envelope_documents: [{ ...file, document_url: link.document_url }] }, 10264],
  [{ envelope_documents: [{ ...file, document_file_content: "%%" }] }, 10266],
  [{ envelope_documents: [{ ...file, document_title: "" }] }, 10263],
  [{ envelope_documents: [{ ...file, envelope_title: "NDA" }] }, 10010],
  [{ envelope_parties: [{ ...anna, user_id: 17 }] }, 10010],
  [{ envelope_parties: "{" }, 10261],
  [{ envelope_parties: [] }, 10258],
  [{ envelope_parties: [carl] }, 10010],
  [{ envelope_parties: [{ ...anna, party_email: "anna" }] }, 10010],
  [{ envelope_parties: [{ ...anna, party_role: "signer" }] }, 10010],
  [{ envelope_parties: [{ ...anna, party_name: "" }] }, 10259],
  [{ user_id: 1 }, 10010],
  [{ user_id: "x" }, 10010],
  [{ envelope_auto_expire_hours: 12 }, 10010],
  [{ envelope_auto_expire_hours: "13.5" }, 10010],
  [{ envelope_auto_remind_hours: 12 }, 10010],
  [{ envelope_meta: "{" }, 10010],
  [{ envelope_meta: meta(2000) }, 10010],
  [{ envelope_documents: [file, template] }, 10262],
  [{ envelope_documents: [{ ...file, ...template }] }, 10262],
  [{ envelope_documents: [{ ...file, document_file_name: "nda.txt" }] }, 10266],
  [{ envelope_documents: [{ ...link, document_url: "https://files.example/a.png" }] }, 10266],
  [{ envelope_redirect_url: "shop" }, 10010],
  [{ envelope_password_protect: "maybe" }, 10010],
] as [Form, number][])("files with %j are refused: %i", async (more, code) => {
  const before = service.data();
  expect(await files(more)).toMatchObject({ status: 400, body: { http: 400, code } });
  expect(service.data()).toEqual(before);
});

const party = { party_name: "A", party_email: "a@b.example" };
test.each<[Form, number]>([
  [{ envelope_documents: [{ ...template, document_template_fingerprint: "x" }] }, 10153],
  [{ envelope_documents: [{ ...template, document_merge_fields: [{ field_id: 9, field_value: "x" }] }] }, 10010],
  [{ envelope_documents: [{ ...template, document_merge_fields: [{ field_id: 1 }] }] }, 10010],
  [{ envelope_parties: [{ ...party, party_id: 9 }] }, 10272],
  [{ envelope_parties: [party] }, 10010],
  [{ envelope_parties: [{ ...party, party_id: 1, party_role: "signer1" }] }, 10010],
])("a template with %j is refused: %i", async (more, code) => {
  const before = service.data();
  const status = code === 10153 ? 404 : 400;
  expect(await fromTemplate(more)).toMatchObject({ status, body: { http: status, code } });
  expect(service.data()).toEqual(before);
});

test("the limits themselves are accepted: 13 hours, 1999 characters of meta, the account's own user; any address of no other kind of file", async () => {
  const [user] = service.data().accounts[0]!.users;
  const limits = { envelope_auto_expire_hours: 13, envelope_auto_remind_hours: "13", envelope_meta: meta(1999) };
  const at = (path: string) => ({ document_title: "Lease", document_url: `https://files.example${path}` });
  const documents = ["/download.php?id=7", "/lease-1.2", "/v1.0/lease", "/lease.PDF?as=a.png"].map(at);
  const form = { ...limits, user_id: user!.id, envelope_documents: [file, link, ...documents] };
  expect((await files(form)).status).toBe(202);
  for (const path of ["/lease.TXT", "/lease.odt?download=1"]) {
    expect((await files({ envelope_documents: [at(path)] })).body.code).toBe(10266);
  }
});

test.each([
  ['"a text"', "a text"],
  ["17", 17],
  ["[1,2]", [1, 2]],
  // As recorded of an envelope without any.
  ["", ""],
  ["null", ""],
  [JSON.stringify("💚".repeat(1997)), "💚".repeat(1997)],
])(
  "metadata is any JSON of fewer than 2000 characters, whatever room those take: %.12s",
  async (envelope_meta, value) => {
    const { body } = await files({ envelope_meta });
    expect((await get(body.envelope_fingerprint)).envelope_meta).toEqual(value);
  },
);

test("numbers of metadata that JavaScript would round are returned unchanged", async () => {
  const meta = '{"order":175928847299117063,"rate":0.12345678901234567891,"said":"1234567890123456789 \\" [1e400"}';
  const { body } = await files({ envelope_meta: meta });
  const headers = { authorization: basic(service.keys.partner) };
  const answer = await fetch(`${service.url}/v1/envelopes/${body.envelope_fingerprint}`, { headers });
  expect(await answer.text()).toContain(`"envelope_meta":${meta}`);
});

test("what clients of other languages write means the same: empty fields, null members, base64 in lines, True", async () => {
  const { status, body } = await files({
    user_id: "",
    envelope_meta: '{"kept":null}',
    envelope_redirect_url: "",
    envelope_auto_expire_hours: "",
    envelope_password_protect: "True",
    envelope_documents: [
      { ...file, document_url: null, document_file_content: file.document_file_content.replace(/.{76}/g, "$&\r\n") },
      { ...link, document_file_content: null, document_file_name: null, document_template_fingerprint: null },
    ],
    envelope_parties: [{ ...anna, party_message: null }],
  });
  expect(status).toBe(202);
  const envelope = await get(body.envelope_fingerprint);
  expect(envelope.envelope_documents[0].document_page_total).toBe("2");
  expect(envelope.envelope_meta).toEqual({ kept: null });
  expect((await files({ envelope_documents: [null] })).body.code).toBe(10264);
});

test("a client whose records have every member leaves those empty that it does not use", async () => {
  const none = { document_url: "", document_file_content: "", document_file_name: "" };
  const fields = [{ field_id: 1, field_value: "" }];
  const made = await fromTemplate({
    envelope_documents: [{ ...template, ...none, document_merge_fields: fields }],
    envelope_parties: [{ ...anna, party_id: 1, party_role: "", party_message: "" }],
  });
  expect(made).toMatchObject({ status: 202, body: { envelope_signing_embed: expect.any(String) } });
  const [name] = (await get(made.body.envelope_fingerprint)).envelope_documents[0].document_fields;
  expect(name).toMatchObject({ field_id: "1", field_value: "" });
  const sent = await files({
    envelope_documents: [
      { ...file, document_url: "", document_template_fingerprint: "", document_merge_fields: [] },
      { ...link, document_file_content: "", document_file_name: "" },
    ],
  });
  expect(sent.status).toBe(202);
  expect((await files({ envelope_documents: [{ document_title: "t", ...none }] })).body.code).toBe(10264);
});

test("one document only with a template, where the settings say so", async () => {
  service.configure({ multipleTemplates: false });
  expect((await fromTemplate({ envelope_documents: [template, template] })).body.code).toBe(10262);
});

test.each([
  ["mixed", "string"],
  ["integer", "number"],
  ["string", "string"],
] as const)("ids of parties, contacts and fields are of the type that is set: %s", async (idStyle, type) => {
  service.configure({ idStyle });
  const { envelope_parties: parties, envelope_documents } = await get((await files()).body.envelope_fingerprint);
  const fields = envelope_documents[0].document_fields as Record<string, unknown>[];
  const ids = [...parties, ...fields].flatMap((each) => Object.entries(each).filter(([name]) => /_id$/.test(name)));
  expect(ids).toHaveLength(2 * 3 + 2 * 2);
  expect(ids.filter(([, id]) => typeof id !== type)).toEqual([]);
  expect(fields[0]!.party_id).toBe(parties[0].party_id);
});

test("envelopes belong to their account", async () => {
  const { body } = await files();
  const other = ask(service, service.keys.account);
  expect((await other("GET", `/v1/envelopes/${body.envelope_fingerprint}`)).body.code).toBe(10253);
  expect((await other("GET", "/v1/envelopes")).body.total_envelopes).toBe("0");
});

test("emails are in the name of the user who sends the envelope", async () => {
  const user = { user_name: "Sue Second", user_email: "sue@northwind.example", role_id: "1" };
  const user_id = Number((await call("POST", "/v1/users", user)).body.user_id);
  await sent({ user_id });
  await sent();
  expect(service.sentEmails().map(({ plain }) => /regards, (.*),/.exec(plain)![1])).toEqual([
    "Sue Second",
    "Nora North",
  ]);
  const second = await sent({ user_id });
  await call("DELETE", `/v1/users/${user_id}`);
  await put(second, "remind");
  expect(service.sentEmails().at(-1)!.plain).toContain("regards, Nora North,");
});

test("a template counts its own envelopes, whatever they are called", async () => {
  const title = (await call("GET", "/v1/templates/template-agreement")).body.template_title;
  const open = async () => (await call("GET", "/v1/templates/template-agreement")).body.template_in_progress;
  await files({ envelope_documents: [{ ...file, document_title: title }] });
  expect(await open()).toBe("0");
  await fromTemplate({ envelope_documents: [{ ...template, document_title: "Agreement of May" }] });
  expect(await open()).toBe("1");
});

test("the files that a template links to are there", async () => {
  const { body } = await call("GET", "/v1/templates/template-agreement");
  const types = [body.template_pdf_url, ...body.template_pages, ...body.template_thumbnails].map(async (address) => {
    const response = await fetch(address);
    return [response.status, response.headers.get("content-type")];
  });
  const png = [200, "image/png"];
  expect(await Promise.all(types)).toEqual([[200, "application/pdf"], png, png, png, png]);
  expect((await fetch(`${body.template_pdf_url}?signed`)).status).toBe(404);
});
