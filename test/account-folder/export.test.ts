import { describe, expect, test } from "vitest";
import { listCompanies, readAccount } from "../../account-folder/diff/from-service";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { accountFiles } from "../../account-folder/folder/write-folder";
import { emailTexts } from "../../definitions/branding-email";
import type { AccountModel } from "../../definitions/model";
import { connect } from "../../sdk";
import { cases, fc } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { serve } from "../sdk/server";
import { handMade } from "./hand-made";
import { accountOf, sectionsOf } from "./sections";

const written = (files: ReadonlyMap<string, string>) => temporaryFolder(Object.fromEntries(files));

/** A model as loading gives it back: without what only the service knows. */
function asLoaded(model: AccountModel): object {
  return {
    ...sectionsOf(model),
    webhooks: (model.Webhook ?? []).map(({ fields }) => fields),
    ...(model.Company && {
      companies: model.Company.map(({ fields: { name = "", email }, account }) => ({
        name,
        ...(email !== undefined && { email }),
        ...(account && { account: asLoaded(account) }),
      })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    }),
  };
}

describe("writing and loading", () => {
  test("gives every text back, byte for byte", () => {
    const signs = [
      "${",
      "$",
      "{",
      "}",
      "$${x}",
      "\r\n",
      "\n",
      "\r",
      " ",
      "\t",
      "{contract url}",
      "\ufeff",
      "#",
      ": ",
      "- ",
    ];
    const unit = fc.oneof(
      fc.constantFrom(...signs, "'", '"'),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
    );
    const text = fc.string({ unit, minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (subject, content, contentPlain, plain) => {
        const model = accountOf({
          branding: { colour: "#AABBCC", logoUrl: `https://a.example/${encodeURIComponent(subject)}\${x}.png` },
          emails: { "email-send": { subject, content, ...(plain && { contentPlain }) } },
          webhooks: [{ type: "all", url: `https://a.example/?q=${encodeURIComponent(content)}\${y}` }],
        });
        const root = written(accountFiles(model).files);
        const loaded = loadFolder(root);
        expect(loaded.findings.filter((finding) => finding.severity === "error")).toEqual([]);
        expect(asLoaded(loaded.account.model)).toEqual(asLoaded(model));
      }),
      { numRuns: cases(20) },
    );
  });

  test("webhooks are named after their type, and the second of two equal ones is reported", () => {
    const hook = (id: string, url: string) => ({ id, type: "all", url });
    const { files, notes } = accountFiles(
      accountOf({
        webhooks: [hook("1", "https://a.example/"), hook("2", "https://A.example"), hook("3", "https://b.example/")],
      }),
    );
    expect(loadFolder(written(files)).account.model.Webhook?.map(({ name }) => name)).toEqual(["all", "all-2"]);
    expect(notes.join()).toContain("(id 2) was skipped");
  });
});

describe("reading from the service", () => {
  const companies = ["Acme", "ACME", "Ünïcode GmbH & Co. KG", "שלום", "..", "con/../x"].map((name, i) => ({
    name,
    user: { name: `User ${i}`, email: `user${i}@customers.example` },
    webhooks: [{ type: "all" as const, url: `https://hooks.example/${i}` }],
  }));
  const service = useEmulator({ seed: { account: handMade, companies }, pageCap: { limit: 2, fallback: 2 } });
  const client = (key: "partner" | "account") => connect({ baseUrl: service.url, apiKey: service.keys[key] });

  test("an account of hand-made content becomes files and comes back the same", async () => {
    const model = await readAccount(client("account"));
    expect(model.Company).toBeUndefined();
    for (const [type, { contentPlain, ...email }] of Object.entries(handMade.emails)) {
      expect(emailTexts(model)[type]).toEqual({ ...email, ...(contentPlain !== "" && { contentPlain }) });
    }
    expect(emailTexts(model)["email-signed"]).not.toHaveProperty("contentPlain");
    const { files, notes } = accountFiles(model);
    expect(notes).toEqual([]);
    const loaded = loadFolder(written(files));
    expect(asLoaded(loaded.account.model)).toEqual(asLoaded(model));
    expect(accountFiles(loaded.account.model).files).toEqual(files);
  });

  test("a partner's subaccounts come with their configuration, each in a directory of its own", async () => {
    const model = await readAccount(client("partner"));
    expect(model.Company?.map((company) => company.account?.Webhook?.length)).toEqual(companies.map(() => 1));
    const { files } = accountFiles(model);
    const loaded = loadFolder(written(files));
    expect(asLoaded(loaded.account.model)).toEqual(asLoaded(model));
    expect([...files.keys()].join("\n")).not.toMatch(/\.\.|con\/\.\./);
  });

  test("subaccounts are chosen by id or name; one that does not exist is an error before anything is read", async () => {
    const [first] = (await listCompanies(client("partner"), "all"))!;
    const chosen = await listCompanies(client("partner"), [first!.id!, "Acme"]);
    expect(chosen?.map(({ fields }) => fields.name)).toEqual(expect.arrayContaining([first!.fields.name, "Acme"]));
    await expect(listCompanies(client("partner"), ["Unknown"])).rejects.toThrow(
      'no subaccount has the id or name "Unknown"',
    );
  });

  test("a key without subaccounts is not confused with a service that does not answer", async () => {
    let status = 403;
    let code: number | undefined = 10008;
    const { url } = await serve(() => ({ status, body: { http: status, code, message: "no" } }));
    const ask = () => listCompanies(connect({ baseUrl: url, apiKey: "k", retries: 0 }), "all");
    expect(await ask()).toBeUndefined();
    [status, code] = [404, 10003];
    expect(await ask()).toBeUndefined();
    code = undefined;
    for (status of [403, 408]) await expect(ask()).rejects.toThrow(String(status));
  });

  test("requests: three for each account, and the pages of the list; never more in flight than allowed", async () => {
    service.clearLog();
    await readAccount(connect({ baseUrl: service.url, apiKey: service.keys.partner, maxConcurrency: 3 }));
    const { byOperation, maxInFlight, byMethod } = service.counts();
    expect(Object.keys(byMethod)).toEqual(["GET"]);
    expect(byOperation["branding.get"]).toBe(1 + companies.length);
    expect(byOperation["branding.emails"]).toBe(1 + companies.length);
    expect(maxInFlight).toBeLessThanOrEqual(3);
  });
});
