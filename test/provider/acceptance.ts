/** What must hold with any engine: the life of all resources of a partner through real programs, as one story. */
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { times } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { snapshot } from "./handlers";
import type { Form } from "./program-forms";
import { type EngineName, Program, type Wanted } from "./programs";

const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false };
const kept = { name: "Kept", userName: "K", userEmail: "k@kept.example" };
const hook = (path = "") => ({ type: "all", url: `https://r.example/${path}` });

const first: Wanted[] = [
  { kind: "Branding", name: "branding", args: { colour: "#558caa", logoUrl: "https://www.example.com/logo.png" } },
  {
    kind: "BrandingEmail",
    name: "email",
    args: { type: "email-send", subject: "Sign {contract title}", contentPlain: "{contract url}\r\n" },
  },
  { kind: "Webhook", name: "hook", args: hook() },
  { kind: "Company", name: "firm", args: { ...firm, email: "f@firm.example" } },
  { kind: "Branding", name: "firm-branding", args: { account: "firm", colour: "#558caa" } },
  { kind: "BrandingEmail", name: "firm-email", args: { account: "firm", type: "email-send", subject: "Hi" } },
  { kind: "Webhook", name: "firm-hook", args: { account: "firm", ...hook() } },
  { kind: "Webhook", name: "next", args: hook("next/"), after: "firm-hook" },
  { kind: "Company", name: "kept", args: kept },
];
const changes: Record<string, object> = {
  branding: { colour: "#aabbcc" },
  email: { subject: "Do sign {contract title}" },
  hook: hook("2"),
  firm: { name: "Firm & Co" },
  "firm-hook": hook("2"),
};
const second: Wanted[] = first.map((wanted) => ({ ...wanted, args: { ...wanted.args, ...changes[wanted.name] } }));
const third: Wanted = { kind: "Webhook", name: "firm-hook", args: { account: "firm", ...hook("3") } };

/** Tests of an engine with the program in one form. */
export function livesOf(engine: EngineName, form: Form): void {
  describe(`the life of every resource with the ${engine} engine, in the ${form} form`, () => {
    const service = useEmulator();
    let program: Program;
    let before: unknown;
    const client = () => connect({ baseUrl: service.url, apiKey: service.keys.partner });
    const partner = () => service.data().accounts.find((account) => account.partner)!;
    const company = (name: string) => service.data().accounts.find((account) => account.name.startsWith(name))!;
    /** Writes that were performed since the log was cleared. */
    const writes = () =>
      service
        .requests()
        .filter(({ method }) => method !== "GET")
        .map(({ operation }) => operation)
        .sort();
    const nothing = async (verb: "up" | "refresh", ...args: string[]) => {
      service.clearLog();
      await program.operate(verb, "--expect-no-changes", ...args);
      expect(writes()).toEqual([]);
    };
    const preview = async () => (await program.succeed("preview", "--stack", program.stack)).output;
    const refused = async (wanted: Wanted[]) => {
      const { wanted: deployed } = program;
      program.wanted = wanted;
      const { code, output } = await program.run("preview", "--stack", program.stack);
      program.wanted = deployed;
      expect(code).not.toBe(0);
      return output;
    };
    const outputs = async () => {
      const { output } = await program.succeed(
        ...["stack", "output", "--stack", program.stack, "--show-secrets", "--json"],
      );
      return JSON.parse(output.slice(output.indexOf("{")));
    };

    beforeAll(async () => {
      program = new Program(engine, undefined, form);
      await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
      before = await snapshot(client());
    });

    it("is planned while a key is unknown, and made in one run; then nothing changes", async () => {
      program.wanted = first;
      // The branding and the email template of a new account exist; the Pulumi CLI's own table does not know it, the lines do.
      expect(await preview()).toMatch(
        /5 to create, 4 to adopt and update|adopting 2 email templates \(2 with changes\), at most 2 writes|firm-email: adopts the existing one \(updating subject; `esign preview --diff` shows the values that it replaces\)/,
      );
      expect(writes()).toEqual([]);
      await program.operate("up");
      const { id, branding, webhooks } = company("Firm");
      expect(branding.colour).toBe("#558CAA");
      expect(await outputs()).toMatchObject({ "firm-id": id, "firm-hook-webhook": webhooks[0]!.id });
      await nothing("up");
      if (times > 1) await nothing("up", "--refresh");
    });

    it("says what it waits for", async () => {
      service.configure({ faults: [{ kind: "status", status: 503, retryAfter: 2, times: 1, method: "GET" }] });
      expect((await program.operate("refresh")).output).toMatch(/ 503.*; the next attempt follows in 2 s/);
    });

    it("is updated by one request each; the preview knows the id on which another one depends", async () => {
      program.wanted = second;
      expect(await preview()).toContain("5 to update");
      service.clearLog();
      await program.operate("up");
      const updates = ["branding.update", "branding.updateEmail", "companies.update"];
      expect(writes()).toEqual([...updates, "webhooks.update", "webhooks.update"]);
      expect(company("Firm").webhooks).toMatchObject([{ url: "https://r.example/2" }]);
      await nothing("refresh");
    });

    it("shows drift and what is gone, and repairs both", async () => {
      await client().branding.update({ branding_colour: "#010203" });
      await client().branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "Other" });
      await client().companies.update({ company_id: company("Firm").id, company_name: "Firm, other" });
      const { hook: webhook_id } = Object.fromEntries(
        (await program.state()).map(({ urn, id }) => [urn.split("::").at(-1), id!]),
      );
      await client().webhooks.delete({ webhook_id: webhook_id! });
      service.clearLog();
      await program.operate("refresh");
      expect(writes()).toEqual([]);
      await program.operate("up");
      expect(writes()).toEqual(["branding.update", "branding.updateEmail", "companies.update", "webhooks.create"]);
      await nothing("up", "--refresh");
    });

    it("has the new key of a subaccount as an output after one run, which the preview shows and which writes nothing", async () => {
      const key = await service.rotateKey(company("Firm").id);
      const apiKey = await service.rotateKey(partner().id);
      await program.configure("--secret", "esign:apiKey", apiKey);
      const shown = await preview();
      expect(shown).toMatch(/1 to update|~ +Company +firm/);
      expect(shown).toContain("this update records its new apiKey");
      service.clearLog();
      await program.operate("up");
      expect(writes()).toEqual([]);
      expect(await outputs()).toMatchObject({ "firm-key": key });
      if (times > 1) await nothing("up", "--refresh");
      program.wanted = second.map((wanted) => (wanted.name === "firm-hook" ? third : wanted));
      await program.operate("up");
      expect(writes()).toEqual(["webhooks.update"]);
    });

    it("refuses a second declaration of an object, also where its account is given by its id", async () => {
      const duplicate = { account: company("Firm").id, colour: "#aabbcc" };
      expect(await refused([...second, { kind: "Branding", name: "duplicate", args: duplicate }])).toMatch(
        /error: .*Branding "(duplicate|firm-branding)" and "(duplicate|firm-branding)" declare the same object/,
      );
    });

    it("reports all that is invalid at once", async () => {
      const output = await refused([
        { kind: "Webhook", name: "one", args: { type: "all", url: "hush" } },
        { kind: "Branding", name: "good", args: { colour: "#112233" } },
        { kind: "BrandingEmail", name: "two", args: { type: "email-sen", subject: "hush" } },
        { kind: "Company", name: "firm", args: firm },
        { kind: "Webhook", name: "three", args: { account: "firm", ...hook(), type: "al", acount: "1" } },
      ]);
      // The Pulumi CLI names the resource that it checks first in its own way, and prints a diagnostic while it runs and at the end.
      const issues = (kind: string, name: string, rest: string) =>
        output.match(new RegExp(`(${kind} "${name}"|'${name}' has a problem: ${kind}): ${rest}`, "g"))?.length;
      const times = engine === "pulumi" ? 2 : 1;
      expect(output).not.toContain("hush");
      // Engines stop at the first resource that a plugin refuses, or the language at the first unknown argument.
      if (form !== "dynamic") return expect(output).toMatch(/Webhook.*: url |BrandingEmail.*: type |acount/i);
      expect(issues("Webhook", "one", "url ")).toBe(times);
      expect(issues("BrandingEmail", "two", "type ")).toBe(times);
      expect(issues("Webhook", "three", 'type .*did you mean "all"')).toBe(times);
      expect(issues("Webhook", "three", 'acount is not an argument of Webhook, did you mean "account"')).toBe(times);
    });

    it("leaves no key in clear, hex or base64 in any file or output", async () => {
      const keys = [service.keys.partner, ...service.data().accounts.map(({ key }) => key)];
      // But where it was asked for.
      const output = program.printed.replace(/"[\w-]+-key": "[^"]*"/g, "");
      for (const [place, text] of new Map([...program.files(), ["output", output]])) {
        for (const key of keys) {
          const bytes = Buffer.from(key);
          const encodings = [key, bytes.toString("hex"), bytes.toString("base64").replace(/.=*$/, "")];
          for (const encoded of encodings) expect(text.includes(encoded), place).toBe(false);
        }
      }
    });

    it("goes as a whole, but for the company that is protected; then the account is as it was before", async () => {
      service.clearLog();
      const { code, output: why } = await program.run("destroy", "--yes", "--skip-preview", "--stack", program.stack);
      expect(code).not.toBe(0);
      if (engine === "embedded") expect(why).toContain("deletionProtection: false");
      const own = ["branding.update", "branding.updateEmail", "webhooks.delete", "webhooks.delete"];
      // What the plugin's form manages in a company is deleted one by one: a generated SDK knows no deletedWith.
      const inside = form !== "dynamic" ? ["branding.update", "branding.updateEmail", "webhooks.delete"] : [];
      expect(writes()).toEqual([...own, ...inside, "companies.delete"].sort());
      expect(company("Kept")).toBeDefined();
      program.wanted = [{ kind: "Company", name: "kept", args: { ...kept, deletionProtection: false } }];
      await program.operate("up");
      const { output } = await program.succeed("destroy", "--yes", "--stack", program.stack);
      const lost = /Company +kept +delete +id \d+ +with 0 sent and 0 open envelopes/;
      // The CLI asks no provider about what it plans to delete.
      if (engine === "embedded") expect(output).toMatch(lost);
      expect(output).toMatch(/Company \d+: deleted with 0 sent/);
      expect(await snapshot(client())).toEqual(before);
    });
  });
}
