/** What must hold with any engine: the lives of all resources through real programs, and a partner's chain in one run. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { type Client, connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { type EngineName, Program, type Wanted } from "./programs";

const settingsOf = (service: Emulator) => ({ apiKey: service.keys.partner, baseUrl: service.url });

/** Writes that were carried out since the log was cleared. */
const writes = (service: Emulator) =>
  service
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ operation }) => operation);

async function snapshot(client: Client) {
  const { branding_emails } = await client.branding.emails();
  return {
    branding: await client.branding.get(),
    emails: branding_emails.map(({ branding_email_updated: _, ...email }) => email),
    webhooks: await client.webhooks.list().all(),
    companies: await client.companies.list().all(),
  };
}

/** Shared machines are slow: a step is a few processes. */
const patience = { timeout: 180_000 };

export function lives(engine: EngineName): void {
  describe("the life of every resource", patience, () => {
    const service = useEmulator();
    let program: Program;
    let client: Client;
    let before: unknown;
    const first: Wanted[] = [
      { kind: "Branding", name: "branding", args: { colour: "#558caa", logoUrl: "https://www.example.com/logo.png" } },
      {
        kind: "BrandingEmail",
        name: "email",
        args: { type: "email-send", subject: "Sign {contract title}", contentPlain: "{contract url}\r\n" },
      },
      { kind: "Webhook", name: "hook", args: { type: "all", url: "https://r.example/" } },
      {
        kind: "Company",
        name: "firm",
        args: {
          name: "Firm",
          userName: "U",
          userEmail: "u@firm.example",
          email: "f@firm.example",
          deletionProtection: false,
        },
      },
    ];
    const second: Wanted[] = first.map((wanted) => ({
      ...wanted,
      args: {
        ...wanted.args,
        ...{
          branding: { colour: "#aabbcc" },
          email: { subject: "Do sign {contract title}" },
          hook: { url: "https://r.example/2" },
          firm: { name: "Firm & Co" },
        }[wanted.name],
      },
    }));

    beforeAll(async () => {
      client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
      program = new Program(engine);
      await program.begin(settingsOf(service));
      before = await snapshot(client);
    });
    const nothing = async (verb: "up" | "refresh", ...args: string[]) => {
      service.clearLog();
      await program.operate(verb, "--expect-no-changes", ...args);
      expect(writes(service)).toEqual([]);
    };
    const find = async (name: string) => (await program.state()).find(({ urn }) => urn.endsWith(`::${name}`))!.id!;

    it("is created; then nothing changes, also after a refresh", async () => {
      program.wanted = first;
      await program.operate("up");
      await nothing("up");
      await nothing("refresh");
      await nothing("up");
    });

    it("is updated by one request each", async () => {
      program.wanted = second;
      service.clearLog();
      await program.operate("up");
      expect(writes(service).sort()).toEqual([
        "branding.update",
        "branding.updateEmail",
        "companies.update",
        "webhooks.update",
      ]);
      await nothing("refresh");
    });

    it("shows drift and what is gone, and repairs both", async () => {
      await client.branding.update({ branding_colour: "#010203" });
      await client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "Other" });
      await client.companies.update({ company_id: await find("firm"), company_name: "Other" });
      await client.webhooks.delete({ webhook_id: await find("hook") });
      service.clearLog();
      await program.operate("refresh");
      expect(writes(service)).toEqual([]);
      await program.operate("up");
      expect(writes(service).sort()).toEqual([
        "branding.update",
        "branding.updateEmail",
        "companies.update",
        "webhooks.create",
      ]);
      await nothing("up", "--refresh");
    });

    it("is taken over by another stack's state that knows nothing", async () => {
      const other = new Program(engine);
      await other.begin(settingsOf(service));
      // A logo is answered under another address than it was given: only the answered one is known to be the same.
      const { branding_logo: logoUrl } = await client.branding.get();
      other.wanted = second.map((wanted) =>
        wanted.name === "branding" ? { ...wanted, args: { ...wanted.args, logoUrl } } : wanted,
      );
      service.clearLog();
      const { output } = await other.operate("up");
      expect(writes(service)).toEqual([]);
      expect(output).toMatch(/adopted/);
      expect(await client.companies.list().all()).toHaveLength(1);
    });

    it("ends with the account as it was before", async () => {
      await program.operate("destroy");
      expect(await snapshot(client)).toEqual(before);
      await program.operate("destroy");
    });
  });
}

export function chain(engine: EngineName): void {
  describe("a partner's chain", patience, () => {
    const service = useEmulator();
    let program: Program;
    beforeAll(async () => {
      program = new Program(engine);
      await program.begin(settingsOf(service));
      program.wanted = [
        {
          kind: "Company",
          name: "firm",
          args: { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false },
        },
        { kind: "Branding", name: "firm-branding", args: { account: "firm", colour: "#558caa" } },
        { kind: "BrandingEmail", name: "firm-email", args: { account: "firm", type: "email-send", subject: "Hi" } },
        { kind: "Webhook", name: "firm-hook", args: { account: "firm", type: "all", url: "https://r.example/" } },
        { kind: "Company", name: "kept", args: { name: "Kept", userName: "K", userEmail: "k@kept.example" } },
      ];
    });
    const company = (name: string) => service.data().accounts.find((account) => account.name === name)!;

    it("is planned while its key is unknown, and made in one run", async () => {
      const preview = await program.succeed("preview", "--stack", program.stack);
      // The branding and the email template of a new account exist; the Pulumi CLI's own table does not know it, the lines do.
      expect(preview.output).toMatch(
        /3 to create, 2 to adopt and update|adopting 1 email template \(1 with changes\), 1 write/,
      );
      expect(writes(service)).toEqual([]);
      await program.operate("up");
      expect(company("Firm").webhooks).toHaveLength(1);
      expect(company("Firm").branding.colour).toBe("#558CAA");
      await program.operate("up", "--expect-no-changes");
    });

    it("changes no resource when the partner's and the sub account's keys are rotated", async () => {
      await service.rotateKey(company("Firm").id);
      const partner = service.data().accounts.find((account) => account.partner)!;
      const apiKey = await service.rotateKey(partner.id);
      await program.succeed("config", "set", "--stack", program.stack, "--secret", "esign:apiKey", apiKey);
      service.clearLog();
      await program.operate("up");
      expect(writes(service)).toEqual([]);
      await program.operate("refresh");
      program.wanted[3]!.args.url = "https://r.example/2";
      await program.operate("up");
      expect(writes(service)).toEqual(["webhooks.update"]);
    });

    it("refuses what is there already under another name, also where its account is given by its id", async () => {
      const twin = { account: company("Firm").id, colour: "#aabbcc" };
      program.wanted.push({ kind: "Branding", name: "twin", args: twin });
      const { code, output } = await program.run("preview", "--stack", program.stack);
      program.wanted.pop();
      expect(code).not.toBe(0);
      expect(output).toMatch(
        /error: Branding "(twin|firm-branding)" and "(twin|firm-branding)" declare the same object/,
      );
    });

    it("leaves no key in clear, hex or base64 in any file or output", async () => {
      const keys = service.data().accounts.map(({ key }) => key);
      const places = new Map([...program.files(), ["output", program.printed]]);
      for (const [place, text] of places) {
        for (const key of [service.keys.partner, ...keys]) {
          const notations = [
            key,
            Buffer.from(key).toString("hex"),
            Buffer.from(key).toString("base64").replace(/.=*$/, ""),
          ];
          for (const notation of notations) expect(text.includes(notation), place).toBe(false);
        }
      }
    });

    it("goes as a whole, but for the company that is protected", async () => {
      service.clearLog();
      const { code, output: why } = await program.run("destroy", "--yes", "--skip-preview", "--stack", program.stack);
      expect(code).not.toBe(0);
      if (engine === "embedded") expect(why).toContain("deletionProtection: false");
      expect(writes(service)).toEqual(["companies.delete"]);
      expect(company("Kept")).toBeDefined();
      program.wanted = [
        {
          kind: "Company",
          name: "kept",
          args: { name: "Kept", userName: "K", userEmail: "k@kept.example", deletionProtection: false },
        },
      ];
      await program.operate("up");
      const { output } = await program.succeed("destroy", "--yes", "--stack", program.stack);
      const lost = /Company +kept +delete +id \d+ +with 0 sent and 0 open envelopes/;
      // The CLI asks no provider about what it plans to delete.
      if (engine === "embedded") expect(output).toMatch(lost);
      expect(output).toMatch(/Company \d+: deleted with its data: 0 sent/);
      expect(service.data().accounts.filter(({ parent }) => parent !== undefined)).toEqual([]);
    });
  });
}
