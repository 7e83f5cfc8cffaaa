/** What programs can read of an account, over HTTP. */
import * as pulumi from "@pulumi/pulumi";
// As the Automation API runs a program.
import * as state from "@pulumi/pulumi/runtime/state";
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as esign from "../../provider";
import { type Client, connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";

const service = useEmulator({
  processingTime: 0,
  seed: {
    partner: {
      users: [{ name: "Nils", email: "nils@northwind.example" }],
      contacts: [{ name: "Carla", email: "carla@client.example" }],
      templates: [
        { fingerprint: "nda", title: "Mutual NDA", pages: 3, mergeFields: [{ id: 4, title: "Name" }] },
        { fingerprint: "lease-1", title: "Lease", parties: ["Tenant", "Landlord"] },
        { fingerprint: "lease-2", title: "Lease" },
      ],
    },
  },
});
let client: Client;
let companyId: string;

beforeAll(async () => {
  client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  ({ company_id: companyId } = await client.companies.create({
    company_name: "F",
    user_name: "U",
    user_email: "u@f.example",
  }));
  for (let i = 0; i < 60; i++)
    await client.webhooks.create({ webhook_type: "all", webhook_url: `https://r.example/${i}` });
  await client.as(companyId).branding.update({ branding_colour: "#0a0b0c" });
  await client.envelopes.createFromFiles({
    envelope_title: "Lease",
    envelope_documents: [{ document_title: "D", document_url: "https://x.example/d.pdf" }],
    envelope_parties: [{ party_name: "P", party_email: "p@x.example", party_role: "signer1" }],
    envelope_meta: { a: 1 },
  });
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: companyId || name, state: inputs }),
    call: () => ({}),
  });
  pulumi.runtime.setConfig("esign:apiKey", service.keys.partner);
  pulumi.runtime.setConfig("esign:baseUrl", service.url);
});

const firm = { name: "F", userName: "U", userEmail: "u@f.example" };
const resolved = <T>(output: pulumi.Output<T>) =>
  new Promise<pulumi.Unwrap<T>>((resolve) => output.apply(resolve as never));

describe("plain values", () => {
  it("tell what an account holds", async () => {
    expect(await esign.getBranding()).toMatchObject({ colour: "#1F6FEB", logo: expect.stringContaining("http") });
    const emails = await esign.getBrandingEmails();
    expect(emails).toHaveLength(7);
    expect(emails[0]).toMatchObject({
      type: "email-cancelled",
      subject: expect.any(String),
      content: expect.any(String),
    });
    const webhooks = await esign.getWebhooks();
    expect(webhooks).toHaveLength(60);
    expect(webhooks[59]).toMatchObject({ type: "all", url: "https://r.example/59", webhookId: expect.any(String) });
    expect(await esign.getUsage()).toMatchObject({
      currentPeriod: { start: expect.any(String) },
      companies: [{ companyId, current: 0, previous: 0 }],
    });
    const [envelope] = await esign.getEnvelopes({ statuses: ["processing", "sent"], limit: 5 });
    expect(envelope).toMatchObject({ title: "Lease" });
    expect(await esign.getEnvelope({ fingerprint: envelope!.fingerprint })).toMatchObject({
      title: "Lease",
      parties: [{ name: "P", email: "p@x.example" }],
      documents: [{ title: "D" }],
      meta: { a: 1 },
    });
    expect(await esign.getEnvelopes({ statuses: ["failed"] })).toEqual([]);
  });

  it("say what they wait for, in the engine's log, only while it lasts", async () => {
    service.configure({ faults: [{ kind: "status", status: 429, retryAfter: 2, times: 1 }] });
    const info = vi.spyOn(pulumi.log, "info").mockResolvedValue();
    await esign.getBranding();
    const words = expect.stringMatching(/ 429.*; the next attempt follows in 2 s/);
    expect(info.mock.calls).toEqual([words, ""].map((text) => [text, undefined, undefined, true]));
    info.mockRestore();
    service.configure({ faults: [] });
  });

  it("tell of one webhook, wherever it is in the list, and whether it is suspended", async () => {
    const [webhook] = (await client.webhooks.list().all()).slice(-1);
    const { webhook_id: webhookId } = webhook!;
    const { createdAt, ...result } = await esign.getWebhook({ webhookId });
    expect(result).toEqual({ webhookId, type: "all", url: "https://r.example/59", suspendedAt: undefined });
    expect(createdAt).toMatch(/^\d{4}-/);
    expect(await esign.getWebhook({ webhookId: Number(webhookId) as never })).toMatchObject(result);
    const missing = await esign.getWebhook({ webhookId: "1" }).catch((error) => error);
    expect(missing).toBeInstanceOf(pulumi.RunError);
    expect(missing.message).toMatch(/10306/);
    // Before the list has it.
    service.configure({ listLag: { ms: 60_000 } });
    const late = await client.webhooks.create({ webhook_type: "add-user", webhook_url: "https://r.example/late" });
    expect(await esign.getWebhook({ webhookId: late.webhook_id })).toMatchObject({ url: "https://r.example/late" });
    service.configure({ listLag: {} });
    await client.webhooks.delete({ webhook_id: late.webhook_id });
  });

  it("tell of one company by month, without its key, as either edition names it", async () => {
    for (const companyExtras of [false, true]) {
      service.configure({ companyExtras });
      const company = await esign.getCompany({ companyId });
      expect(company).toEqual({
        companyId,
        name: "F",
        email: "u@f.example",
        createdAt: expect.stringMatching(/^\d{4}-/),
        usage: [{ month: expect.stringMatching(/^[A-Z][a-z]+$/), year: expect.stringMatching(/^20\d\d$/), sent: 0 }],
      });
    }
    service.configure({ companyExtras: false });
  });

  it("never tell the keys of companies", async () => {
    const companies = await esign.getCompanies();
    expect(companies).toMatchObject([{ companyId, name: "F", email: "u@f.example" }]);
    expect(JSON.stringify(companies)).not.toMatch(/key_/);
  });

  it("tell of a subaccount", async () => {
    expect(await esign.getBranding({ account: companyId })).toMatchObject({ colour: "#0A0B0C" });
  });

  it("tell each program of its own account where several run in one process", async () => {
    const { withLocalStorage } = state as unknown as { withLocalStorage<T>(program: () => T): T };
    const program = (apiKey: string) => () => {
      pulumi.runtime.setAllConfig({ "esign:apiKey": apiKey, "esign:baseUrl": service.url });
      return esign.getWebhooks();
    };
    const { partner, account } = service.keys;
    const lists = await Promise.all([partner, account, partner].map((key) => withLocalStorage(program(key))));
    expect(lists.map((webhooks) => webhooks.length)).toEqual([60, 0, 60]);
  });

  it("explain what fails without the key", async () => {
    const failure = await esign.getEnvelope({ fingerprint: "none" }).catch((error) => error);
    expect(failure).toBeInstanceOf(pulumi.RunError);
    expect(failure.message).toMatch(/10253|no such envelope/i);
    expect(failure.message).not.toContain(service.keys.partner);
  });
});

describe("slips", () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    ["an account that is empty", () => esign.getBranding({ account: "" }), /^getBranding: account is empty; omit it/],
    ["an account that is null", () => esign.getBranding({ account: null as never }), /^getBranding: account is empty/],
    ["an invalid account", () => esign.getUsage({ account: "acme" }), /^getUsage: account must be a positive int/],
    [
      "an unknown argument",
      () => esign.getWebhooks({ acount: companyId } as never),
      /acount is not an argument of getWebhooks, did you mean "account"/,
    ],
    [
      "a company where its id belongs",
      () => esign.getBranding({ account: new esign.Company("c", firm) as never }),
      /account must be the id of a company; getBrandingOutput accepts a Company/,
    ],
    [
      "an unknown status",
      () => esign.getEnvelopes({ statuses: ["sent", "singed"] as never }),
      /statuses\[\d\] is not known, did you mean "signed"\? One of: draft, /,
    ],
    ["a limit that is a text", () => esign.getEnvelopes({ limit: "1" as never }), /limit must be a number/],
    ["no webhook", () => esign.getWebhook({} as never), /^getWebhook: webhookId is missing/],
    [
      "a company's name",
      () => esign.getCompany({ companyId: "F" }),
      /^getCompany: companyId must be a positive integer/,
    ],
    [
      "an account of a company",
      () => esign.getCompany({ companyId: "1", account: "2" } as never),
      /account is not an argument of getCompany/,
    ],
    ["no fingerprint", () => esign.getEnvelope({} as never), /^getEnvelope: fingerprint is missing/],
  ])("are reported before any request: %s", async (_, ask, words) => {
    service.clearLog();
    const failure = (await ask().catch((error) => error)) as Error;
    expect(failure).toBeInstanceOf(pulumi.RunError);
    expect(failure.message).toMatch(words);
    expect(service.requests()).toEqual([]);
    // Nor is what is asked next.
    expect(await esign.getBranding({ account: undefined })).toMatchObject({ colour: "#1F6FEB" });
  });
});

describe("outputs", () => {
  it("take a company and a provider", async () => {
    const company = new esign.Company("firm", firm);
    const result = esign.getBrandingOutput({ account: company });
    expect(await resolved(result)).toMatchObject({ colour: "#0A0B0C" });
    expect(await resolved(esign.getCompanyOutput({ companyId: company.id }))).toMatchObject({ companyId, name: "F" });
    const provider = new esign.Provider("own", { apiKey: service.keys.account, baseUrl: service.url });
    const webhooks = esign.getWebhooksOutput({}, { provider });
    expect(await resolved(webhooks)).toEqual([]);
    expect(await (webhooks as unknown as { isSecret: Promise<boolean> }).isSecret).toBe(false);
    expect(await esign.getWebhooks({}, { provider })).toEqual([]);
  });
});

describe("users, contacts and templates", () => {
  it("users with their roles, and contacts", async () => {
    expect(await esign.getUsers()).toMatchObject([
      { role: "super-admin", userId: expect.any(String) },
      { name: "Nils", email: "nils@northwind.example", role: "user", createdAt: expect.any(String) },
    ]);
    expect(await esign.getContacts()).toMatchObject([
      { name: "Carla", outstandingDocuments: 0 },
      { name: "P", outstandingDocuments: 1 },
    ]);
  });

  it("a template by its title or its fingerprint, with what an envelope needs", async () => {
    const nda = {
      fingerprint: "nda",
      title: "Mutual NDA",
      pages: 3,
      inProgress: 0,
      parties: [{ partyId: "1", name: "Signer", mergeFields: [{ fieldId: "4", label: "Name", type: "text" }] }],
    };
    expect(await esign.getTemplate({ title: " Mutual  NDA" })).toMatchObject(nda);
    expect(await esign.getTemplate({ fingerprint: "nda" })).toMatchObject(nda);
    expect(await resolved(esign.getTemplateOutput({ title: pulumi.output("Mutual NDA") }))).toMatchObject(nda);
    expect((await esign.getTemplates()).map(({ fingerprint }) => fingerprint)).toEqual(["nda", "lease-1", "lease-2"]);
  });

  it.each([
    [{ title: "Mutual NDAs" }, /none of the account's 3 templates has this title, did you mean "Mutual NDA"/],
    [{ title: "Lease" }, "2 templates have this title; set fingerprint: lease-1, lease-2"],
    [{}, "set title or fingerprint, and only one of them"],
    [{ title: "Lease", fingerprint: "lease-1" }, "set title or fingerprint"],
    [{ fingerprint: "none" }, "returned 404"],
    [{ titel: "Lease" } as object, "titel is not an argument of getTemplate"],
  ])("%j is an error that helps", async (args, message) => {
    await expect(esign.getTemplate(args)).rejects.toThrow(message);
  });

  it("an interface without them is named", async () => {
    service.configure({ missing: ["users", "templates"] });
    await expect(esign.getUsers()).rejects.toThrow("this account's interface has no users");
    await expect(esign.getTemplate({ title: "Lease" })).rejects.toThrow("this account's interface has no templates");
  });
});
