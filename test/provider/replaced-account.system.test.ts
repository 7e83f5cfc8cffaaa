/** An explicit provider with the key of a company that is created again: what it serves is created again in the new account. */
import { expect, it } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { save } from "../files";
import { type Form, generatedSdk } from "./program-forms";
import { engines, Program } from "./programs";

/** `WITH`: the resources inside are deleted with their company. */
const text = (form: Form) => `
"use strict";
const pulumi = require("@pulumi/pulumi");
${form === "dynamic" ? 'const esign = require("pulumi-esign");' : generatedSdk}
const config = new pulumi.Config("esign");
const firm = new esign.Company("firm", {
  name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false, onExisting: "create",
}, { deleteBeforeReplace: true });
const along = process.env.WITH ? { deletedWith: firm } : {};
const provider = new esign.Provider("inside", { apiKey: firm.apiKey, baseUrl: config.require("baseUrl") }, along);
const opts = { provider, ...along };
new esign.Branding("branding", { colour: "#0a0b0c" }, opts);
new esign.BrandingEmail("email", { type: "email-send", subject: "Ours {contract title}" }, opts);
new esign.Webhook("hook", { type: "all", url: "https://r.example/" }, opts);
new esign.Contact("contact", { name: "C", email: "c@firm.example" }, opts);
`;

const forms: Form[] = ["dynamic", "plugin"];
const worlds = engines.flatMap((engine) => forms.map((form) => [engine, form] as const));

it.each(worlds)(
  "where a key is wrong, after a deletion outside, on request, and with deletedWith (%s, %s)",
  async (engine, form) => {
    const service = await emulatorForTest();
    const program = new Program(engine, text(form), form);
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    await program.operate("up");
    const firms = () => service.data().accounts.filter(({ name }) => name === "Firm");
    /** The one firm, with what is declared, and nothing twice. */
    const expectInside = () => {
      expect(firms()).toHaveLength(1);
      const [firm] = firms();
      expect(firm!.branding.colour).toBe("#0A0B0C");
      expect(firm!.webhooks).toMatchObject([{ url: "https://r.example/" }]);
      expect(firm!.contacts).toMatchObject([{ email: "c@firm.example" }]);
      return firm!.id;
    };
    const urn = (await program.state()).find(({ urn }) => urn.endsWith("::firm"))!.urn;
    const first = expectInside();

    // The account before is alive: a wrong key is refused.
    const source = text(form).replace("apiKey: firm.apiKey", "apiKey: process.env.OTHER");
    save(program.folder, { "index.js": source });
    program.launch = { environment: { OTHER: service.keys.account } };
    service.clearLog();
    const refused = await program.run("up", "--yes", "--skip-preview", "--stack", program.stack);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/ESIGN1003[\s\S]*state delete/);
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    save(program.folder, { "index.js": text(form) });

    // The company was deleted outside.
    const partner = connect({ baseUrl: service.url, apiKey: service.keys.partner });
    await partner.companies.delete({ company_id: first });
    await program.operate("refresh", "--target", urn);
    service.clearLog();
    const { output } = await program.operate("up");
    expect(output).toContain("its account was replaced");
    const second = expectInside();
    expect(second).not.toBe(first);
    // Nothing is sent with the key before, but to see that it is rejected.
    expect(service.requests().filter(({ method }) => method === "DELETE")).toEqual([]);
    await program.operate("up", "--expect-no-changes");

    // On request.
    await program.operate("up", "--replace", urn);
    const third = expectInside();
    expect(third).not.toBe(second);
    await program.operate("up", "--expect-no-changes");

    // With deletedWith, as the plan says.
    program.launch = { environment: { WITH: "1" } };
    await program.operate("up");
    const plan = await program.succeed("preview", "--stack", program.stack, "--replace", urn);
    expect(plan.output).toMatch(/Webhook +hook +(replace|\+-)|\+- .*Webhook +hook/);
    await program.operate("up", "--replace", urn);
    expect(expectInside()).not.toBe(third);
    await program.operate("up", "--expect-no-changes");
    await program.operate("destroy");
  },
);
