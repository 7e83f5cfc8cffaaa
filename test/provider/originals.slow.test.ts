/** Nothing lost: originals, wrong accounts, rotated keys, protection, errors without secrets. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Fault } from "../../emulator";
import type { Properties } from "../../provider/core/pulumi-values";
import { journalFolder } from "../../provider/recovery/journal-file";
import { definitions, type HandlerName } from "../../provider/resources/index";
import { cases, fc } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { serve } from "../sdk/server";
import { pictureAt, wired } from "./handlers";
import { byTurns, onStage } from "./on-stage";

const world = onStage();

const subject = (word: string) => ({ subject: `${word} {contract title}` });
const plain = (word: string) => ({ contentPlain: `${word} {contract url}` });
const email = (args: Properties) => ({ type: "email-send", ...args });
const create = (args: Properties) => world.create("brandingEmail", email(args));
const brand = (args: Properties) => world.create("branding", args);
const subjectNow = async () => (await world.template()).branding_email_subject;
const colourNow = async () => (await world.client.branding.get()).branding_colour;
const logoNow = async () => pictureAt((await world.client.branding.get()).branding_logo);
const byHand = { branding_email_subject: "By hand {contract title}" };
const edit = (fields: object = byHand) =>
  world.client.branding.updateEmail({ branding_email_type: "email-send", ...fields });
const keep = { onDelete: "keep" };
const failing = (fault: Partial<Fault>) => world.service.configure({ faults: [fault as Fault] });
const journal = () => {
  const folder = join(world.directory, journalFolder);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

/** The address of the service, of which some other one takes what is sent to it otherwise. */
async function taking(otherwise: (form: [string, string][]) => [string, string][]): Promise<string> {
  const gateway = await serve(async ({ method, url, body, headers }) => {
    const form = new URLSearchParams(otherwise([...new URLSearchParams(body)]));
    const authorization = headers.authorization!;
    const sent = method === "PUT" ? { body: form } : {};
    return {
      body: await (await fetch(world.service.url + url, { method, headers: { authorization }, ...sent })).text(),
    };
  });
  return gateway.url;
}

describe("originals", () => {
  it("are restored byte for byte, whatever the service does to line ends", async () => {
    const original = { branding_email_content_plain: "Dear {client name},\r\n\r\n  sign at {contract url} \r\n" };
    await edit(original);
    await (await create(plain("Sign:"))).delete();
    expect(await world.template()).toMatchObject(original);
  });

  it("that are back but for line ends hold up nothing where the service refuses what changes nothing", async () => {
    const original = "Dear {client name},\nsign at {contract url}\n";
    await edit({ branding_email_content_plain: original });
    const made = await create(plain("Sign:"));
    const remove = () => made.delete(world.phase({ retries: "0" }));
    world.service.configure({ textStyle: "crlf", faults: [{ kind: "cut-after", method: "PUT", nth: 1 }] });
    await expect(remove()).rejects.toThrow(/checks the account first/);
    failing({ kind: "error", code: 10010, method: "PUT" });
    await remove();
    expect((await world.template()).branding_email_content_plain).toBe(original.replaceAll("\n", "\r\n"));
  });

  const logo = (name: string) => ({ logoUrl: `https://www.example.com/${name}.png` });
  const refuseLogo = () =>
    failing({
      kind: "error",
      code: 10559,
      operation: "branding.update",
      form: { branding_logo_url: `${world.service.url}/*` },
    });

  it("that the service refuses block nothing else, and the message says what to do", async () => {
    const before = await colourNow();
    const made = await brand({ colour: "#123456", ...logo("logo") });
    refuseLogo();
    await expect(made.delete()).rejects.toThrow(
      /^Branding: cannot delete: could not restore logoUrl: .*ESIGN1031.*onDelete: "keep"/s,
    );
    expect(await colourNow()).toBe(before);
    await made.having({ ...made.outs, ...keep }).delete();
  });

  it("of a dropped argument, which the service refuses, block nothing else and have a remedy", async () => {
    const before = await colourNow();
    const made = await brand({ colour: "#123456", ...logo("logo") });
    refuseLogo();
    const less = { colour: "#abcdef" };
    const failure = await made.update(less).catch((error) => error);
    expect(failure.message).toMatch(
      /^Branding: cannot update: could not restore logoUrl: .*Other fields were restored.*onDelete: "keep"/s,
    );
    expect(await colourNow()).toBe("#ABCDEF");
    // What is still declared for the state is in the next plan again; alone, it fails again, and nothing is done.
    const kept = made.having(failure.properties);
    expect(await kept.differs(less)).toBe(true);
    await expect(kept.update(less)).rejects.toThrow(/logoUrl: .*Nothing was changed/);
    const done = await kept.update({ ...less, ...keep });
    expect(done.outs.logoUrl).toBeUndefined();
    await done.having({ ...done.outs, onDelete: "restore" }).delete();
    expect(await colourNow()).toBe(before);
  });

  it("of a field that is no longer declared are restored at once; of a new field they are kept", async () => {
    const before = await world.template();
    const updated = await (await create(subject("One"))).update(email(plain("Two")));
    expect(await world.template()).toEqual({ ...before, branding_email_content_plain: "Two {contract url}" });
    await updated.delete();
    expect(await world.template()).toEqual(before);
  });

  it("survive a run that is killed between the request and the state", async () => {
    const before = await subjectNow();
    await create(subject("One"));
    // The state never heard of it. The next run, whose settings have another spelling of the address:
    world.settings.baseUrl = `${world.service.url}/`;
    const made = await create(subject("One"));
    expect(world.writes()).toHaveLength(1);
    const read = await made.read();
    expect(journal()).toEqual([]);
    await read.delete();
    expect(await subjectNow()).toBe(before);
  });

  it("are in a private file until the state is known to have them", async () => {
    const made = await create(subject("One"));
    const [file, ...others] = journal();
    expect(others).toEqual([]);
    expect(statSync(file!).mode & 0o777).toBe(0o600);
    expect(readFileSync(file!, "utf8")).not.toContain(world.service.keys.partner);
    await made.read();
    expect(journal()).toEqual([]);
  });

  it("that are unknown are left unchanged, with a message", async () => {
    const made = await create({ subject: await subjectNow() });
    expect(await made.delete()).toMatch(/subject left unchanged: adopted as declared/);
    const state = structuredClone(made.outs) as { __esign: { instanceId?: string } };
    delete state.__esign.instanceId;
    expect(await made.having(state).delete()).toMatch(/subject left unchanged: the original value is not known/);
    expect(world.writes()).toEqual([]);
  });

  it("do not overwrite what was written outside Pulumi since, except with onConflict or after a refresh", async () => {
    const before = await subjectNow();
    const made = await create(subject("One"));
    await edit();
    await expect(made.delete()).rejects.toThrow(
      /conflict: subject changed.*response was lost.*account .*Refresh.*ESIGN_ON_CONFLICT/s,
    );
    expect(await world.template()).toMatchObject(byHand);
    await made.delete(world.phase({ onConflict: "overwrite" }));
    expect(await subjectNow()).toBe(before);

    const again = await create(subject("One"));
    await edit();
    await (await again.read()).delete();
    expect(await subjectNow()).toBe(before);
  });

  it("are ignored by an update of another field, and so is what was written there outside Pulumi", async () => {
    const made = await create({ ...subject("One"), ...plain("One") });
    await edit();
    await made.update(email({ ...subject("One"), ...plain("Two") }));
    expect(await world.template()).toMatchObject({ ...byHand, branding_email_content_plain: "Two {contract url}" });
  });

  it.each(
    byTurns([
      ["a new field", plain("Two")],
      ["a declared field", subject("Two")],
      ["all fields", { ...subject("Two"), ...plain("Two") }],
    ] as const),
  )("are restored over an update of our own of which the state has not heard (%s)", async (_, change) => {
    const before = await world.template();
    const made = await create(subject("One"));
    await made.update(email({ ...subject("One"), ...change }));
    // Killed here: the old state goes on.
    await made.delete();
    expect(await world.template()).toEqual(before);
    expect(journal()).toEqual([]);
  });

  it.each(byTurns(["stable", "fresh"] as const))(
    "are restored over a logo from any source: addresses do not tell (%s ones)",
    async (logoAddress) => {
      world.service.configure({ logoAddress });
      const before = await logoNow();
      for (const end of ["delete", "update"] as const) {
        const made = await brand(logo("one"));
        await made.update(logo("two"));
        // Killed here: the old state goes on.
        if (end === "delete") {
          await made.delete();
          expect(await logoNow()).toBe(before);
          continue;
        }
        const updated = await made.update(logo("three"));
        expect(await logoNow()).toBe(await pictureAt(updated.outs.logo as string));
        await world.client.branding.update({ branding_logo_url: "https://www.example.com/by-hand.png" });
        await expect(updated.delete()).rejects.toThrow(/conflict: logoUrl/);
        await (await updated.read()).delete();
        expect(await logoNow()).toBe(before);
      }
    },
  );

  it.each([
    ["", "refuses"],
    [null, "ignores"],
    ["", "ignores"],
  ])("that were nothing (%j) hold up nothing where the service %s what is empty", async (original, does) => {
    const before = await subjectNow();
    const created = await create({ ...subject("One"), ...plain("One") });
    const state = structuredClone(created.outs) as { __esign: { fields: Record<string, object> } };
    state.__esign.fields.contentPlain = { original };
    const made = created.having(state);
    if (does === "ignores") {
      // The journal is of another address: nothing is needed of it.
      world.settings.baseUrl = await taking((form) => form.filter(([, value]) => value !== ""));
    }
    const updated = await made.update(email(subject("Two")));
    expect(updated.said).toMatch(/contentPlain left unchanged: the original was empty/);
    expect(updated.outs.contentPlain).toBeUndefined();
    const said = await made.having({ ...state, ...subject("Two") }).delete();
    expect(said).toMatch(/contentPlain left unchanged: the original was empty/);
    expect(await subjectNow()).toBe(before);
  });

  it.each(byTurns(["killed", "elsewhere"]))(
    "are what was written outside Pulumi since a run was killed, or a life that this machine has recorded ended elsewhere (%s)",
    async (end) => {
      const inputs = { ...subject("One"), ...plain("One") };
      const before = await world.template();
      const made = await create(inputs);
      const here = world.directory;
      if (end === "elsewhere") {
        world.forget();
        await made.delete();
        world.directory = here;
      }
      await edit();
      await create(inputs);
      // Killed once more.
      await (await create(inputs)).delete();
      const { branding_email_content_plain } = before;
      expect(await world.template()).toMatchObject({ ...byHand, branding_email_content_plain });
    },
  );

  it("of a life that ended elsewhere are none of the next one that began there", async () => {
    const made = await create(subject("One"));
    const here = world.directory;
    world.forget();
    await made.delete();
    await edit();
    const next = await create(subject("By hand"));
    world.directory = here;
    expect(await next.delete()).toMatch(/subject left unchanged: adopted as declared/);
    expect(await world.template()).toMatchObject(byHand);
  });

  it("of what was adopted as declared are kept from the first edit on", async () => {
    const before = await world.template();
    const contentPlain = before.branding_email_content_plain!;
    const made = await create({ subject: before.branding_email_subject!, contentPlain });
    const once = await made.update(email({ ...subject("One"), contentPlain }));
    const twice = await once.update(email({ ...subject("Two"), contentPlain }));
    await twice.delete();
    expect(await world.template()).toEqual(before);
  });

  it("of what was adopted and changed by hand are the adopted values, also where the program follows", async () => {
    const before = await subjectNow();
    for (const wanted of ["One {contract title}", "By hand"]) {
      const made = await create({ subject: before });
      await edit({ branding_email_subject: "By hand" });
      const read = await made.read();
      const updated = await (wanted === "By hand" ? made : read).update(email({ subject: wanted }));
      await updated.delete();
      expect(await subjectNow()).toBe(before);
    }
  });

  it("are not restored with onDelete: keep", async () => {
    await (await brand({ colour: "#112233", ...keep })).delete();
    expect(await colourNow()).toBe("#112233");
    expect(journal()).toEqual([]);
  });
});

describe("the plan after a creation or a refresh is empty", () => {
  const words = "{contract url}|{contract title}|<p>|</p>| |  |\n|\r\n|\r|\t|ü|日本|a|&amp;|%|+".split("|");
  const text = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 30 })
    .map((parts) => `x {contract url}${parts.join("")}`);
  it.each(byTurns(["exact", "crlf", "trimmed"] as const))("for texts that the service stores %s", async (textStyle) => {
    world.service.configure({ textStyle });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.constantFrom("#abcdef", "#AbC123", "#fff000"),
        async (content, contentPlain, colour) => {
          for (const [handler, inputs] of [
            ["brandingEmail", email({ content, contentPlain })],
            ["branding", { colour, logoUrl: "https://x.example/l.png" }],
          ] as [HandlerName, Properties][]) {
            const made = await world.create(handler, inputs);
            expect(await made.differs(inputs)).toBe(false);
            const read = await made.read();
            expect(read.inputs).toEqual(wired(handler, inputs));
            expect(await read.differs(inputs)).toBe(false);
          }
        },
      ),
      { numRuns: cases(8) },
    );
    world.service.configure({ textStyle: "exact" });
  });
});

describe("another key", () => {
  const hook = { type: "all", url: "https://r.example/" };
  const other = { type: "all", url: "https://other.example/" };
  const added = { ...hook, type: "add-user" };
  const firm = { name: "N", userName: "U", userEmail: "u@n.example" };
  const wrong = /wrong account/;
  const rotate = async () => {
    const id = world.service.data().accounts.find(({ partner }) => partner)!.id;
    world.settings.apiKey = await world.service.rotateKey(id);
  };

  it("of the same account changes no resource, and is recorded", async () => {
    const made = await world.create("webhook", hook);
    await rotate();
    const phase = world.phase();
    expect(await made.differs(hook, phase)).toBe(false);
    await world.create("webhook", other, phase);
    expect((await made.read()).outs).not.toEqual(made.outs);
    await made.delete();
  });

  it("is asked about again when more of the stack is known, also while the question is open", async () => {
    const [gone, there] = [await world.create("webhook", hook), await world.create("webhook", other)];
    await world.client.webhooks.delete({ webhook_id: gone.id });
    await rotate();
    const phase = world.phase();
    await expect(gone.update(added, phase)).rejects.toThrow(wrong);
    const sleep = vi.spyOn(phase.session.run.clock, "sleep").mockImplementationOnce(async () => {
      await there.plan(other, phase);
    });
    onTestFinished(() => sleep.mockRestore());
    await expect(gone.update(added, phase)).rejects.toThrow(/no longer exists in the account/);
    expect(sleep).toHaveBeenCalledOnce();
  });

  it("is neither proved nor refuted by what cannot be read", async () => {
    const text = await create(subject("One"));
    const made = await world.create("webhook", hook);
    await rotate();
    failing({ kind: "status", status: 500, operation: "branding.emails" });
    const phase = world.phase({ retries: "0" });
    await expect(text.delete(phase)).rejects.toThrow(/500((?!wrong account).)*$/s);
    await made.delete(phase);
    expect(await world.client.webhooks.list().all()).toEqual([]);
  });

  const elsewhere = () => world.phase({ apiKey: world.service.keys.account });

  it("of another account is refused before anything is written, and objects do not count as gone", async () => {
    const made = await world.create("webhook", hook);
    world.service.clearLog();
    await expect(made.read(elsewhere())).rejects.toThrow(wrong);
    await expect(made.delete(elsewhere())).rejects.toThrow(wrong);
    const phase = elsewhere();
    await made.plan(hook, phase);
    await expect(world.create("webhook", other, phase)).rejects.toThrow(wrong);
    expect(world.writes()).toEqual([]);
  });

  it("of another account, which has the original text, does not count as an account where it was restored or changed by hand", async () => {
    const made = await create(subject("One"));
    await expect(made.read(elsewhere())).rejects.toThrow(wrong);
    await expect(made.update(email(subject("Two")), elsewhere())).rejects.toThrow(wrong);
    await expect(made.delete(elsewhere())).rejects.toThrow(wrong);
  });

  it("of another account, where another stack has written the same texts, is not proved by them while ids tell otherwise", async () => {
    const text = await create(subject("One"));
    const made = await world.create("webhook", hook);
    await world.create("brandingEmail", email(subject("One")), elsewhere());
    world.service.clearLog();
    const refresh = elsewhere();
    await text.read(refresh);
    await expect(made.read(refresh)).rejects.toThrow(wrong);
    const up = elsewhere();
    await text.plan(email(subject("One")), up);
    const created = world.create("webhook", other, up);
    await made.plan(hook, up);
    await expect(created).rejects.toThrow(wrong);
    expect(world.writes()).toEqual([]);
  });

  it("of another account is not proved by a write that the state has not heard of: a logo of the service's own, or another stack's", async () => {
    const logo = (n: number) => ({ logoUrl: `https://www.example.com/${n}.png` });
    const theirs = await world.create("brandingEmail", email(subject("One")), elsewhere());
    const [look, mine] = [await brand(logo(1)), await create(subject("Two"))];
    // Killed here: the old states go on.
    await look.update(logo(2));
    await mine.update(email(subject("Three")));
    world.service.clearLog();
    await expect(look.delete(elsewhere())).rejects.toThrow(wrong);
    await expect(theirs.delete(world.phase({ onConflict: "overwrite" }))).rejects.toThrow(wrong);
    expect(world.writes()).toEqual([]);
  });

  it("of another partner, who does not have the company, is refused: what is in it does not count as gone", async () => {
    const { id: account } = await world.create("company", firm);
    const { url: baseUrl, keys } = await emulatorForTest();
    const theirs = () => world.phase({ baseUrl, apiKey: keys.partner });
    for (const made of [
      await world.create("webhook", { account, ...hook }),
      await brand({ account, colour: "#112233" }),
    ]) {
      await expect(made.read(theirs())).rejects.toThrow(wrong);
      await expect(made.delete(theirs())).rejects.toThrow(wrong);
    }
  });

  it("is not suspected where a company was deleted by hand: an update of what was in it reports it, and so does a creation in it", async () => {
    const { id: account } = await world.create("company", firm);
    const inside = {
      webhook: await world.create("webhook", { account, ...hook }),
      branding: await brand({ account, colour: "#112233" }),
    };
    const changed = { webhook: added, branding: { colour: "#445566" } };
    await world.client.companies.delete({ company_id: account });
    for (const name of ["webhook", "branding"] as const) {
      const news = { account, ...changed[name] };
      await expect(inside[name].update(news)).rejects.toThrow(
        /cannot update: the company that it belongs to no longer exists.*Refresh/s,
      );
      await expect(world.create(name, news)).rejects.toThrow(
        /cannot create: account: \d+ is not in .* Nothing was changed. Use the ID of a company/,
      );
    }
  });

  it("must be one of those that are expected, if any are", async () => {
    const fingerprint = await world.client.keyFingerprint();
    const expecting = (expectAccount: string) => world.create("webhook", hook, world.phase({ expectAccount }));
    await expect(expecting("0123456789abcdef")).rejects.toThrow(
      new RegExp(`fingerprint ${fingerprint}.*expectAccount`),
    );
    expect(world.writes()).toEqual([]);
    await expecting(`0123456789abcdef, ${fingerprint}`);
  });

  it("of a subaccount is found by itself", async () => {
    const company = await world.create("company", firm);
    const made = await world.create("webhook", { ...hook, account: company.id });
    const later = world.phase();
    await made.read(later);
    const key = await world.service.rotateKey(company.id);
    const updated = await made.update({ ...added, account: company.id }, later);
    expect(updated.outs.type).toBe("add-user");
    expect((await company.read()).outs.apiKey).toBe(key);
  });

  it("that is refused says to run up first", async () => {
    const made = await world.create("webhook", hook);
    const { apiKey } = world.settings;
    await rotate();
    await expect(made.read(world.phase({ apiKey: apiKey! }))).rejects.toThrow(/run `up` without --refresh first/);
  });

  it("that is refused by an update says nothing of the kind, and blames no argument", async () => {
    const made = await world.create("webhook", hook);
    failing({ kind: "error", code: 10002, method: "PUT" });
    await expect(made.update({ ...hook, url: "https://r.example/2" })).rejects.toThrow(
      /^Webhook: cannot update: (?!url)((?!run `up` first).)*401/,
    );
  });
});

describe("a company", () => {
  const inputs = { name: "N", userName: "U", userEmail: "u@n.example", deletionProtection: false };
  const firm = (more: Properties = {}) => world.create("company", { ...inputs, ...more });
  const firms = () => world.client.companies.list().all();

  it("is protected unless that is switched off", async () => {
    const { deletionProtection: _, ...bare } = inputs;
    await expect((await world.create("company", bare)).delete()).rejects.toThrow(/deletionProtection/);
    expect(await firms()).toHaveLength(1);
  });

  it("is deleted with words about what is lost", async () => {
    expect(await (await firm()).delete()).toMatch(/sent and .*open envelopes/);
    const operations = world.service.requests().map(({ operation }) => operation);
    expect(operations).toEqual(expect.arrayContaining(["companies.get", "envelopes.list"]));
  });

  it.each([
    ["companies.get", /companies\.get.*500/],
    ["envelopes.list", /envelopes\.list.*500/],
  ] as const)("is not deleted while what would be lost cannot be read (%s)", async (operation, words) => {
    const made = await firm();
    failing({ kind: "status", status: 500, operation });
    const failure = await made.delete(world.phase({ retries: "0" })).catch((error: Error) => error.message);
    expect(failure).toMatch(words);
    expect(failure).toMatch(/not deleted.*ESIGN_ON_UNREADABLE=delete/s);
    expect(await firms()).toHaveLength(1);
    await made.delete(world.phase({ retries: "0", onUnreadable: "delete" }));
    expect(await firms()).toEqual([]);
  });

  it("is no webhook of the partner's that has the same number", async () => {
    const service = await emulatorForTest({ seed: { companies: [{ id: "17", name: "N", email: "u@n.example" }] } });
    world.settings = { ...world.settings, apiKey: service.keys.partner, baseUrl: service.url };
    const made = await firm();
    expect(made.id).toBe("17");
    const hook = wired("webhook", { type: "all", url: "https://r.example/" });
    const phase = world.phase();
    await phase.webhook.diff("17", { ...hook, webhookId: "17", __esign: { version: 1, instanceId: "another" } }, hook);
    await (await made.update({ ...inputs, name: "M" }, phase)).delete(phase);
    expect(service.data().accounts.filter(({ id }) => id === "17")).toEqual([]);
  });

  it("that is gone already is deleted nevertheless, since a read may lag behind, and nothing fails", async () => {
    const made = await firm();
    await world.client.companies.delete({ company_id: made.id });
    world.service.clearLog();
    expect(await made.delete()).not.toMatch(/envelopes/);
    expect(world.writes()).toMatchObject([{ method: "DELETE", code: 10355 }]);
  });

  it("takes what is in it along: those are gone, too", async () => {
    const { id: account } = await firm();
    const made = await world.create("webhook", { type: "all", url: "https://r.example/", account });
    await world.client.companies.delete({ company_id: account });
    expect((await made.read()).id).toBe("");
    await made.delete();
  });

  it.each([
    ["webhook", { type: "all", url: "https://r.example/" }],
    ["company", inputs],
  ] as const)("or another object whose deletion a bare status refuses is looked for: %s", async (handler, args) => {
    const made = await world.create(handler, args);
    failing({ kind: "status", status: 404, method: "DELETE", path: `/v1/*/${made.id}`, times: 1 });
    await expect(made.delete()).rejects.toThrow(/404/);
    await made.delete();
    expect(await firms()).toEqual([]);
    expect(await world.client.webhooks.list().all()).toEqual([]);
  });

  it("that a read does not have is deleted all the same", async () => {
    const made = await world.create("company", inputs);
    failing({ kind: "status", status: 404, method: "GET", path: `/v1/*/${made.id}`, times: 1 });
    await made.delete();
    expect(await firms()).toEqual([]);
  });
});

describe("errors", () => {
  it("name the id of branding that is asked for by a company's id: the partner's own is not the company's", async () => {
    const { id } = await world.create("company", { name: "Firm", userName: "U", userEmail: "u@firm.example" });
    const asked = (name: string) => world.phase().branding.read(name, wired("branding", {}));
    await expect(asked(id)).rejects.toThrow(
      /it must be "branding" \(ESIGN1020\).\nUse branding, or <company's id>\/branding within a subaccount/,
    );
    expect((await asked(`${id}/branding`)).id).toBe(`${id}/branding`);
  });

  const kinds: Partial<Fault>[] = [
    { kind: "status", status: 500 },
    { kind: "status", status: 400, body: "html" },
    { kind: "error", code: 10010, message: "no" },
    { kind: "error", code: 10004 },
    { kind: "error", code: 10010, status: 200 },
    { kind: "html" },
    { kind: "empty" },
    { kind: "truncated" },
    { kind: "wrong-types" },
    { kind: "other-ids" },
  ];
  const firm = { name: "hush", userName: "U", userEmail: "u@n.example", deletionProtection: false };
  /** Each with a change, and how it is deleted. */
  const objects: [HandlerName, Properties, Properties, Fault["method"]][] = [
    ["webhook", { type: "all", url: "https://hush.example/" }, { url: "https://hush.example/2" }, "DELETE"],
    ["branding", { colour: "#112233" }, { colour: "#445566" }, "PUT"],
    ["brandingEmail", email({ subject: "hush one" }), { subject: "hush two" }, "PUT"],
    ["company", firm, { name: "hush 2" }, "DELETE"],
  ];
  // Each form has every kind, and every object, but not all of one with all of the other.
  const pairs = kinds.flatMap((fault, first) =>
    [...objects.slice(first % 4), ...objects.slice(0, first % 4)].map((object) => ({
      ...fault,
      object,
      handler: object[0],
    })),
  );
  it.each(byTurns(pairs))(
    "of $kind from $handler hold no key, no value and no stack, and keep the state right",
    async ({ object: [handler, inputs, change, deletion], handler: _, ...fault }) => {
      for (const [verb, method] of [
        ["update", "PUT"],
        ["read", "GET"],
        ["delete", deletion],
      ] as const) {
        await world.renew({ retries: "0" });
        const made = await world.create(handler, inputs);
        failing({ ...fault, method } as Fault);
        const work: Promise<unknown> = verb === "update" ? made.update({ ...inputs, ...change }) : made[verb]();
        const failure = await work.then(
          () => undefined,
          (error) => error,
        );
        world.service.configure({ faults: [] });
        if (failure === undefined) continue;
        expect(failure.stack).toBe("");
        expect(failure.message).toMatch(new RegExp(`^${definitions[handler].kind}: cannot ${verb}`));
        // What it carries for the state is not shown.
        const { properties, ...shown } = failure;
        const text = `${failure.message} ${JSON.stringify(shown)}`;
        expect(text).not.toMatch(/hush/);
        const key = world.service.keys.partner;
        expect(JSON.stringify(properties) ?? "").not.toContain(key);
        expect(text).not.toContain(key);
        expect(text).not.toContain(Buffer.from(`${key}:x`).toString("base64"));
      }
    },
  );

  const refusing = (message: string, more: Partial<Fault> = {}) =>
    failing({ kind: "error", code: 10010, method: "PUT", message, ...more } as Fault);
  const repeated = /\[value\] is no better than \[value\]/;

  it.each(["plain", "extended"] as const)(
    "leave out old and new values that the service's %s words repeat",
    async (errorShape) => {
      world.service.configure({ errorShape });
      const made = await create({ subject: "hush one" });
      refusing("hush two is no better than hush one");
      await expect(made.update(email({ subject: "hush two" }))).rejects.toThrow(repeated);
    },
  );

  it("leave out what the state has, and the original values, when those are restored", async () => {
    await edit({ branding_email_subject: "hush before" });
    const made = await create({ subject: "hush now", contentPlain: "{contract url}" });
    for (const status of [400, 500]) {
      const form = { branding_email_subject: "hush before" };
      const refuse = () => refusing("hush before is no better than hush now", { status, form });
      refuse();
      await expect(made.delete()).rejects.toThrow(repeated);
      refuse();
      await expect(made.update(email({ contentPlain: "{contract url}" }))).rejects.toThrow(repeated);
    }
    const other = await world.create("webhook", { type: "all", url: "https://hush.example/token" });
    refusing("https://hush.example/token is in use", { method: "DELETE" });
    await expect(other.delete()).rejects.toThrow(/\(\[value\] is in use\)/);
  });

  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#039;");
  it.each([
    ["of several lines", "hush\n\n{contract url}", String],
    ["that is too long to be shown whole", `hush ${"much ".repeat(200)}{contract url}`, String],
    ["that is escaped", `hush "a" & 'b' {contract url}`, escaped],
    ["of an address", `hush ü {contract url}`, encodeURIComponent],
  ])("leave out a value %s, too", async (_, contentPlain, repeat) => {
    const made = await create({ subject: "x" });
    refusing(`This is no good: ${repeat(contentPlain)}`);
    await expect(made.update(email({ subject: "x", contentPlain }))).rejects.toThrow(
      /This is no good: \[value\]((?!hush|much).)*$/,
    );
  });

  it("name the field that the service refuses", async () => {
    // One that is not known to be required.
    world.service.configure({ requiredVariables: { "email-send": ["client name"] } });
    const words = /content: .*10557.*The new value is missing .*\{client name\}/;
    const content = "<p>{contract url}</p>";
    // The text that is there is known to a creation, too.
    await expect(create({ content })).rejects.toThrow(words);
    const made = await create({ subject: "x" });
    await expect(made.update(email({ subject: "x", content }))).rejects.toThrow(words);
    failing({ kind: "error", code: 10309, operation: "webhooks.create" });
    await expect(world.create("webhook", { type: "all", url: "https://r.example/" })).rejects.toThrow(/url: .*10309/);
  });
});

it("a text whose end the service does not keep is said", async () => {
  world.settings.baseUrl = await taking((form) => form.map(([name, value]) => [name, value.slice(0, 60)]));
  const long = `Please sign {contract title}${" soon".repeat(20)}`;
  const phase = world.phase();
  const made = await world.create("brandingEmail", email({ subject: long, ...plain("Sign:") }), phase);
  expect(phase.said).toEqual([expect.stringMatching(/ email-send: subject: .*truncated .*60 of 128 characters/)]);
  const { said } = await made.update(email({ subject: `Now ${long}`, ...plain("Sign:") }));
  expect(said).toContain("60 of 132 characters");
});
