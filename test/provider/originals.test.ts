/** Nothing lost: originals, wrong accounts, rotated keys, protection, errors without secrets. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Fault } from "../../emulator";
import type { Properties } from "../../provider/core/pulumi-values";
import { definitionOf, type HandlerName } from "../../provider/resources/index";
import { journalFolder } from "../../provider/state/originals-journal";
import { connect } from "../../sdk";
import { cases, fc } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { serve } from "../sdk/server";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();

const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
const email = (more: Properties) => wired("brandingEmail", { type: "email-send", ...more });
const emailNow = async () =>
  (await client().branding.emails()).branding_emails.find((item) => item.branding_email_type === "email-send")!;
const writes = () => world.service.requests().filter(({ method }) => method !== "GET");
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
  it("are put back byte for byte, whatever the service does to line ends", async () => {
    const original = "Dear {client name},\r\n\r\n  sign at {contract url} \r\n";
    await client().branding.updateEmail({ branding_email_type: "email-send", branding_email_content_plain: original });
    const inputs = email({ contentPlain: "Sign: {contract url}" });
    const made = await world.phase().brandingEmail.create(inputs);
    await world.phase().brandingEmail.delete(made.id, wired("brandingEmail", made.outs));
    expect((await emailNow()).branding_email_content_plain).toBe(original);
  });

  it("that are back but for line ends hold up nothing where the service refuses what changes nothing", async () => {
    const original = "Dear {client name},\nsign at {contract url}\n";
    await client().branding.updateEmail({ branding_email_type: "email-send", branding_email_content_plain: original });
    const made = await world.phase().brandingEmail.create(email({ contentPlain: "Sign: {contract url}" }));
    const remove = () => world.phase({ retries: "0" }).brandingEmail.delete(made.id, wired("brandingEmail", made.outs));
    world.service.configure({ textStyle: "crlf", faults: [{ kind: "cut-after", method: "PUT", nth: 1 }] });
    await expect(remove()).rejects.toThrow(/checks the account first/);
    world.service.configure({ faults: [{ kind: "error", code: 10010, method: "PUT" }] });
    await remove();
    expect((await emailNow()).branding_email_content_plain).toBe(original.replaceAll("\n", "\r\n"));
  });

  it("that the service does not take back hold up nothing else, and the way out is said", async () => {
    const before = await client().branding.get();
    const inputs = wired("branding", { colour: "#123456", logoUrl: "https://www.example.com/logo.png" });
    const made = await world.phase().branding.create(inputs);
    const state = wired("branding", made.outs);
    const form = { branding_logo_url: "*/logos/*" };
    world.service.configure({ faults: [{ kind: "error", code: 10559, operation: "branding.update", form }] });
    await expect(world.phase().branding.delete(made.id, state)).rejects.toThrow(
      /^Branding: cannot delete: could not restore logoUrl: .*ESIGN1031.*onDelete: "keep"/s,
    );
    expect((await client().branding.get()).branding_colour).toBe(before.branding_colour);
    await world.phase().branding.delete(made.id, { ...state, onDelete: "keep" });
  });

  it("of a field that is no longer declared are put back at once; of a new field they are kept", async () => {
    const before = await emailNow();
    const made = await world.phase().brandingEmail.create(email({ subject: "One {contract title}" }));
    const next = email({ contentPlain: "Two {contract url}" });
    const updated = await world.phase().brandingEmail.update(made.id, wired("brandingEmail", made.outs), next);
    expect(await emailNow()).toMatchObject({
      branding_email_subject: before.branding_email_subject,
      branding_email_content_plain: "Two {contract url}",
    });
    await world.phase().brandingEmail.delete(made.id, wired("brandingEmail", updated.outs));
    expect((await emailNow()).branding_email_content_plain).toBe(before.branding_email_content_plain);
  });

  it("survive a run that is killed between the request and the state", async () => {
    const before = await emailNow();
    const inputs = email({ subject: "One {contract title}" });
    await world.phase().brandingEmail.create(inputs);
    // The state never heard of it. The next run, whose settings have the address in another notation:
    world.settings.baseUrl = `${world.service.url}/`;
    const made = await world.phase().brandingEmail.create(inputs);
    expect(writes()).toHaveLength(1);
    const read = await world.phase().brandingEmail.read(made.id, wired("brandingEmail", made.outs));
    expect(journal()).toEqual([]);
    await world.phase().brandingEmail.delete(made.id, wired("brandingEmail", read.props!));
    expect((await emailNow()).branding_email_subject).toBe(before.branding_email_subject);
  });

  it("are in a private file until the state is known to have them", async () => {
    const made = await world.phase().brandingEmail.create(email({ subject: "One {contract title}" }));
    const [file, ...others] = journal();
    expect(others).toEqual([]);
    expect(statSync(file!).mode & 0o777).toBe(0o600);
    expect(readFileSync(file!, "utf8")).not.toContain(world.service.keys.partner);
    await world.phase().brandingEmail.read(made.id, wired("brandingEmail", made.outs));
    expect(journal()).toEqual([]);
  });

  it("that are not known are left alone, in words", async () => {
    const { branding_email_subject: subject } = await emailNow();
    const made = await world.phase().brandingEmail.create(email({ subject }));
    expect(writes()).toEqual([]);
    const phase = world.phase();
    await phase.brandingEmail.delete(made.id, wired("brandingEmail", made.outs));
    expect(writes()).toEqual([]);
    expect(phase.said.join()).toMatch(/subject left unchanged: adopted as declared/);
    const state = wired("brandingEmail", made.outs) as { __esign: { born?: string } };
    delete state.__esign.born;
    const again = world.phase();
    await again.brandingEmail.delete(made.id, state);
    expect(writes()).toEqual([]);
    expect(again.said.join()).toMatch(/subject left unchanged: the original value is not known/);
  });

  it("are not put over what somebody has written since, unless told to or shown by a refresh", async () => {
    const before = await emailNow();
    const made = await world.phase().brandingEmail.create(email({ subject: "One {contract title}" }));
    const state = wired("brandingEmail", made.outs);
    const byHand = { branding_email_type: "email-send", branding_email_subject: "By hand {contract title}" } as const;
    await client().branding.updateEmail(byHand);
    await expect(world.phase().brandingEmail.delete(made.id, state)).rejects.toThrow(
      /conflict: subject changed.*response was lost.*account .*Refresh.*ESIGN_ON_CONFLICT/s,
    );
    expect((await emailNow()).branding_email_subject).toBe(byHand.branding_email_subject);
    await world.phase({ onConflict: "overwrite" }).brandingEmail.delete(made.id, state);
    expect((await emailNow()).branding_email_subject).toBe(before.branding_email_subject);

    const again = await world.phase().brandingEmail.create(email({ subject: "One {contract title}" }));
    await client().branding.updateEmail(byHand);
    const read = await world.phase().brandingEmail.read(again.id, wired("brandingEmail", again.outs));
    await world.phase().brandingEmail.delete(again.id, wired("brandingEmail", read.props!));
    expect((await emailNow()).branding_email_subject).toBe(before.branding_email_subject);
  });

  it("are no business of an update of another field, nor is what somebody has written there", async () => {
    const both = { subject: "One {contract title}", contentPlain: "One {contract url}" };
    const made = await world.phase().brandingEmail.create(email(both));
    const byHand = { branding_email_type: "email-send", branding_email_subject: "By hand {contract title}" } as const;
    await client().branding.updateEmail(byHand);
    const next = email({ ...both, contentPlain: "Two {contract url}" });
    await world.phase().brandingEmail.update(made.id, wired("brandingEmail", made.outs), next);
    expect(await emailNow()).toMatchObject({
      branding_email_subject: byHand.branding_email_subject,
      branding_email_content_plain: "Two {contract url}",
    });
  });

  it.each([
    ["a new field", { contentPlain: "Two {contract url}" }],
    ["a declared field", { subject: "Two {contract title}" }],
    ["all fields", { subject: "Two {contract title}", contentPlain: "Two {contract url}" }],
  ])("are put back over an update of our own of which the state has not heard (%s)", async (_, change) => {
    const before = await emailNow();
    const inputs = email({ subject: "One {contract title}" });
    const made = await world.phase().brandingEmail.create(inputs);
    const state = wired("brandingEmail", made.outs);
    await world.phase().brandingEmail.update(made.id, state, { ...inputs, ...change });
    // Killed here: the old state goes on.
    await world.phase().brandingEmail.delete(made.id, state);
    expect(await emailNow()).toMatchObject({ ...before, branding_email_updated: expect.anything() });
    expect(journal()).toEqual([]);
  });

  it("are put back over a logo of our own of which the state has not heard, but not over somebody's", async () => {
    const logo = (name: string) => wired("branding", { logoUrl: `https://www.example.com/${name}.png` });
    const logoNow = async () => (await client().branding.get()).branding_logo;
    const before = await logoNow();
    for (const end of ["delete", "update"] as const) {
      const made = await world.phase().branding.create(logo("one"));
      const old = wired("branding", made.outs);
      await world.phase().branding.update(made.id, old, logo("two"));
      // Killed here: the old state goes on.
      if (end === "delete") {
        await world.phase().branding.delete(made.id, old);
        expect(await logoNow()).toBe(before);
        continue;
      }
      const { outs } = await world.phase().branding.update(made.id, old, logo("three"));
      expect(await logoNow()).toBe(outs.logo);
      await client().branding.update({ branding_logo_url: "https://www.example.com/by-hand.png" });
      await expect(world.phase().branding.delete(made.id, wired("branding", outs))).rejects.toThrow(
        /conflict: logoUrl changed/,
      );
    }
  });

  it.each([
    ["", "refuses"],
    [null, "ignores"],
    ["", "ignores"],
  ])("that were nothing (%j) hold up nothing where the service %s what is empty", async (original, does) => {
    const before = await emailNow();
    const both = { subject: "One {contract title}", contentPlain: "One {contract url}" };
    const made = await world.phase().brandingEmail.create(email(both));
    const state = structuredClone(wired("brandingEmail", made.outs)) as { __esign: { fields: Record<string, object> } };
    state.__esign.fields.contentPlain = { original };
    if (does === "ignores") {
      // The journal is of another address: nothing is needed of it.
      world.settings.baseUrl = await taking((form) => form.filter(([, value]) => value !== ""));
    }
    const phase = world.phase();
    const { outs } = await phase.brandingEmail.update(made.id, state, email({ subject: "Two {contract title}" }));
    expect(phase.said.join()).toMatch(/contentPlain left unchanged: the original was empty/);
    expect(outs.contentPlain).toBeUndefined();
    const again = world.phase();
    await again.brandingEmail.delete(made.id, { ...state, subject: "Two {contract title}" });
    expect(again.said.join()).toMatch(/contentPlain left unchanged: the original was empty/);
    expect((await emailNow()).branding_email_subject).toBe(before.branding_email_subject);
  });

  it("are what somebody has written since a run was killed, or a life that this machine knows of ended elsewhere", async () => {
    for (const end of ["killed", "elsewhere"]) {
      await world.renew();
      const inputs = email({ subject: "One {contract title}", contentPlain: "One {contract url}" });
      const { branding_email_content_plain } = await emailNow();
      const { id, outs } = await world.phase().brandingEmail.create(inputs);
      const here = world.directory;
      if (end === "elsewhere") {
        world.forget();
        await world.phase().brandingEmail.delete(id, wired("brandingEmail", outs));
        world.directory = here;
      }
      const byHand = { branding_email_subject: `By hand {contract title}` };
      await client().branding.updateEmail({ branding_email_type: "email-send", ...byHand });
      await world.phase().brandingEmail.create(inputs);
      // Killed once more.
      const again = await world.phase().brandingEmail.create(inputs);
      await world.phase().brandingEmail.delete(again.id, wired("brandingEmail", again.outs));
      expect(await emailNow()).toMatchObject({ ...byHand, branding_email_content_plain });
    }
  });

  it("of a life that ended elsewhere are none of the next one that began there", async () => {
    const made = await world.phase().brandingEmail.create(email({ subject: "One {contract title}" }));
    const here = world.directory;
    world.forget();
    await world.phase().brandingEmail.delete(made.id, wired("brandingEmail", made.outs));
    const byHand = { branding_email_type: "email-send", branding_email_subject: "By hand {contract title}" } as const;
    await client().branding.updateEmail(byHand);
    const next = await world.phase().brandingEmail.create(email({ subject: byHand.branding_email_subject }));
    world.directory = here;
    const phase = world.phase();
    await phase.brandingEmail.delete(next.id, wired("brandingEmail", next.outs));
    expect(await emailNow()).toMatchObject(byHand);
    expect(phase.said.join()).toMatch(/subject left unchanged: adopted as declared/);
  });

  it("of what was taken over as it was declared are known from the first edit on", async () => {
    const before = await emailNow();
    const [subject, contentPlain] = [before.branding_email_subject!, before.branding_email_content_plain!];
    const made = await world.phase().brandingEmail.create(email({ subject, contentPlain }));
    const edited = email({ subject: "One {contract title}", contentPlain });
    const once = await world.phase().brandingEmail.update(made.id, wired("brandingEmail", made.outs), edited);
    const again = email({ subject: "Two {contract title}", contentPlain });
    const twice = await world.phase().brandingEmail.update(made.id, wired("brandingEmail", once.outs), again);
    await world.phase().brandingEmail.delete(made.id, wired("brandingEmail", twice.outs));
    expect(await emailNow()).toMatchObject({ ...before, branding_email_updated: expect.anything() });
  });

  it("of what was taken over and changed by hand are what was taken over, also where the program follows", async () => {
    const { branding_email_subject: subject } = await emailNow();
    for (const wanted of ["One {contract title}", "By hand"]) {
      const made = await world.phase().brandingEmail.create(email({ subject }));
      await client().branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "By hand" });
      const read = await world.phase().brandingEmail.read(made.id, wired("brandingEmail", made.outs));
      const state = wired("brandingEmail", wanted === "By hand" ? made.outs : read.props!);
      const updated = await world.phase().brandingEmail.update(made.id, state, email({ subject: wanted }));
      await world.phase().brandingEmail.delete(made.id, wired("brandingEmail", updated.outs));
      expect((await emailNow()).branding_email_subject).toBe(subject);
    }
  });

  it("of an argument that is dropped, which the service does not take back, hold up nothing else and have a way out", async () => {
    const before = await client().branding.get();
    const inputs = { colour: "#123456", logoUrl: "https://www.example.com/logo.png" };
    const made = await world.phase().branding.create(wired("branding", inputs));
    const state = wired("branding", made.outs);
    const form = { branding_logo_url: "*/logos/*" };
    world.service.configure({ faults: [{ kind: "error", code: 10559, operation: "branding.update", form }] });
    const update = (from: Properties, to: Properties) =>
      world.phase().branding.update(made.id, from, wired("branding", to));
    const failure = await update(state, { colour: "#abcdef" }).catch((error) => error);
    expect(failure.message).toMatch(
      /^Branding: cannot update: could not restore logoUrl: .*Other fields were restored.*onDelete: "keep"/s,
    );
    expect((await client().branding.get()).branding_colour).toBe("#ABCDEF");
    // What is still declared for the state is in the next plan again; alone, it fails again, and nothing is done.
    const kept = wired("branding", failure.properties);
    expect((await world.phase().branding.diff(made.id, kept, wired("branding", { colour: "#abcdef" }))).changes).toBe(
      true,
    );
    await expect(update(kept, { colour: "#abcdef" })).rejects.toThrow(/logoUrl: .*Nothing was changed/);
    const done = await update(kept, { colour: "#abcdef", onDelete: "keep" });
    expect(done.outs.logoUrl).toBeUndefined();
    await world.phase().branding.delete(made.id, { ...wired("branding", done.outs), onDelete: "restore" });
    expect((await client().branding.get()).branding_colour).toBe(before.branding_colour);
  });

  it("are not put back when the text shall stay", async () => {
    const made = await world.phase().branding.create(wired("branding", { colour: "#112233", onDelete: "keep" }));
    await world.phase().branding.delete(made.id, wired("branding", made.outs));
    expect((await client().branding.get()).branding_colour).toBe("#112233");
    expect(journal()).toEqual([]);
  });
});

describe("the plan after a creation or a refresh is empty", () => {
  const text = fc
    .array(
      fc.constantFrom(
        "{contract url}",
        "{contract title}",
        "<p>",
        "</p>",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "ü",
        "日本",
        "a",
        "&amp;",
        "%",
        "+",
      ),
      { minLength: 1, maxLength: 30 },
    )
    .map((parts) => `x {contract url}${parts.join("")}`);
  it.each(["exact", "crlf", "trimmed"] as const)("for texts that the service stores %s", async (textStyle) => {
    world.service.configure({ textStyle });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.constantFrom("#abcdef", "#AbC123", "#fff000"),
        async (content, contentPlain, colour) => {
          for (const [handler, inputs] of [
            ["brandingEmail", email({ content, contentPlain })],
            ["branding", wired("branding", { colour, logoUrl: "https://x.example/l.png" })],
          ] as [HandlerName, Properties][]) {
            const made = await world.phase()[handler].create(inputs);
            let state = wired(handler, made.outs);
            expect((await world.phase()[handler].diff(made.id, state, inputs)).changes).toBe(false);
            const read = await world.phase()[handler].read(made.id, state);
            expect(wired(handler, read.inputs!)).toEqual(inputs);
            state = wired(handler, read.props!);
            expect((await world.phase()[handler].diff(made.id, state, inputs)).changes).toBe(false);
          }
        },
      ),
      { numRuns: cases(25) },
    );
    world.service.configure({ textStyle: "exact" });
  });
});

describe("another key", () => {
  const hook = wired("webhook", { type: "all", url: "https://r.example/" });
  const other = wired("webhook", { type: "all", url: "https://other.example/" });
  const rotate = async () => {
    const id = world.service.data().accounts.find(({ partner }) => partner)!.id;
    return { ...world.settings, apiKey: await world.service.rotateKey(id) };
  };

  it("of the same account changes no resource, and is recorded", async () => {
    const made = await world.phase().webhook.create(hook);
    world.settings = await rotate();
    const phase = world.phase();
    const state = wired("webhook", made.outs);
    expect((await phase.webhook.diff(made.id, state, hook)).changes).toBe(false);
    await phase.webhook.create(other);
    const read = await world.phase().webhook.read(made.id, state);
    expect(JSON.stringify(read.props)).not.toBe(JSON.stringify(made.outs));
    await world.phase().webhook.delete(made.id, state);
  });

  it("is asked about again when more of the stack is known, also while the question is open", async () => {
    const [gone, there] = [await world.phase().webhook.create(hook), await world.phase().webhook.create(other)];
    await client().webhooks.delete({ webhook_id: gone.id });
    world.settings = await rotate();
    const phase = world.phase();
    const update = () => phase.webhook.update(gone.id, wired("webhook", gone.outs), { ...hook, type: "add-user" });
    await expect(update()).rejects.toThrow(/wrong account/);
    const sleep = vi.spyOn(phase.session.clock, "sleep").mockImplementationOnce(async () => {
      await phase.webhook.diff(there.id, wired("webhook", there.outs), other);
    });
    onTestFinished(() => sleep.mockRestore());
    await expect(update()).rejects.toThrow(/no longer exists in the account/);
    expect(sleep).toHaveBeenCalledOnce();
  });

  it("is neither proved nor refuted by what cannot be read", async () => {
    const text = await world.phase().brandingEmail.create(email({ subject: "One {contract title}" }));
    const made = await world.phase().webhook.create(hook);
    world.settings = { ...(await rotate()), retries: "0" };
    world.service.configure({ faults: [{ kind: "status", status: 500, operation: "branding.emails" }] });
    const phase = world.phase();
    await expect(phase.brandingEmail.delete(text.id, wired("brandingEmail", text.outs))).rejects.toThrow(
      /500((?!wrong account).)*$/s,
    );
    await phase.webhook.delete(made.id, wired("webhook", made.outs));
    expect(await client().webhooks.list().all()).toEqual([]);
  });

  it("of another account is refused before anything is written, and objects do not count as gone", async () => {
    const made = await world.phase().webhook.create(hook);
    const state = wired("webhook", made.outs);
    world.settings.apiKey = world.service.keys.account;
    world.service.clearLog();
    await expect(world.phase().webhook.read(made.id, state)).rejects.toThrow(/wrong account/);
    await expect(world.phase().webhook.delete(made.id, state)).rejects.toThrow(/wrong account/);
    const phase = world.phase();
    await phase.webhook.diff(made.id, state, hook);
    await expect(phase.webhook.create(wired("webhook", { type: "all", url: "https://new.example/" }))).rejects.toThrow(
      /wrong account/,
    );
    expect(writes()).toEqual([]);
  });

  it("of another account, which has the original text, does not count as an account where it was put back or changed by hand", async () => {
    const made = await world.phase().brandingEmail.create(email({ subject: "One {contract title}" }));
    world.settings.apiKey = world.service.keys.account;
    for (const verb of ["read", "update", "delete"] as const) {
      const next = email({ subject: "Two {contract title}" });
      const elsewhere = world.phase().brandingEmail[verb](made.id, wired("brandingEmail", made.outs), next);
      await expect(elsewhere).rejects.toThrow(/wrong account/);
    }
  });

  it("of another account, where another stack has written the same texts, is not proved by them while ids tell otherwise", async () => {
    const text = email({ subject: "One {contract title}" });
    const made = {
      text: await world.phase().brandingEmail.create(text),
      hook: await world.phase().webhook.create(hook),
    };
    const elsewhere = { apiKey: world.service.keys.account };
    await world.phase(elsewhere).brandingEmail.create(text);
    world.service.clearLog();
    const [textState, hookState] = [wired("brandingEmail", made.text.outs), wired("webhook", made.hook.outs)];
    const refresh = world.phase(elsewhere);
    await refresh.brandingEmail.read(made.text.id, textState);
    await expect(refresh.webhook.read(made.hook.id, hookState)).rejects.toThrow(/wrong account/);
    const up = world.phase(elsewhere);
    await up.brandingEmail.diff(made.text.id, textState, text);
    const created = up.webhook.create(other);
    await up.webhook.diff(made.hook.id, hookState, hook);
    await expect(created).rejects.toThrow(/wrong account/);
    expect(writes()).toEqual([]);
  });

  it("of another account is not proved by a write that the state has not heard of: a logo of the service's own, or another stack's", async () => {
    const logo = (n: number) => wired("branding", { logoUrl: `https://www.example.com/${n}.png` });
    const subject = (text: string) => email({ subject: `${text} {contract title}` });
    const theirs = await world.phase({ apiKey: world.service.keys.account }).brandingEmail.create(subject("One"));
    const [look, mine] = [
      await world.phase().branding.create(logo(1)),
      await world.phase().brandingEmail.create(subject("Two")),
    ];
    // Killed here: the old states go on.
    await world.phase().branding.update(look.id, wired("branding", look.outs), logo(2));
    await world.phase().brandingEmail.update(mine.id, wired("brandingEmail", mine.outs), subject("Three"));
    world.service.clearLog();
    const elsewhere = world.phase({ apiKey: world.service.keys.account });
    await expect(elsewhere.branding.delete(look.id, wired("branding", look.outs))).rejects.toThrow(/wrong account/);
    const here = world
      .phase({ onConflict: "overwrite" })
      .brandingEmail.delete(theirs.id, wired("brandingEmail", theirs.outs));
    await expect(here).rejects.toThrow(/wrong account/);
    expect(writes()).toEqual([]);
  });

  it("of another partner, who does not have the company, is refused: what is in it does not count as gone", async () => {
    const phase = world.phase();
    const firm = wired("company", { name: "N", userName: "U", userEmail: "u@n.example" });
    const { id: account } = await phase.company.create(firm);
    const other = await emulatorForTest();
    const elsewhere = { baseUrl: other.url, apiKey: other.keys.partner };
    for (const [handler, inputs] of [
      ["webhook", { account, type: "all", url: "https://r.example/" }],
      ["branding", { account, colour: "#112233" }],
    ] as [HandlerName, Properties][]) {
      const made = await phase[handler].create(wired(handler, inputs));
      for (const verb of ["read", "delete"] as const) {
        const gone = world.phase(elsewhere)[handler][verb](made.id, wired(handler, made.outs));
        await expect(gone).rejects.toThrow(/wrong account/);
      }
    }
  });

  it("is not suspected where a company was deleted by hand: an update of what was in it says so, and a creation in it, too", async () => {
    const phase = world.phase();
    const firm = wired("company", { name: "N", userName: "U", userEmail: "u@n.example" });
    const { id: account } = await phase.company.create(firm);
    const inside = { webhook: { ...hook, account }, branding: wired("branding", { account, colour: "#112233" }) };
    const changed = { webhook: { type: "add-user" }, branding: { colour: "#445566" } };
    const made = {
      webhook: await phase.webhook.create(inside.webhook),
      branding: await phase.branding.create(inside.branding),
    };
    await client().companies.delete({ company_id: account });
    for (const name of ["webhook", "branding"] as const) {
      const news = { ...inside[name], ...changed[name] };
      const updated = world.phase()[name].update(made[name].id, wired(name, made[name].outs), news);
      await expect(updated).rejects.toThrow(/cannot update: the company that it belongs to no longer exists.*Refresh/s);
      const created = world.phase()[name].create(news);
      await expect(created).rejects.toThrow(
        /cannot create: account: not in .* Nothing was changed. Use the ID of a company/,
      );
    }
  });

  it("must be one of those that are expected, if any are", async () => {
    const fingerprint = await client().keyFingerprint();
    const wrong = world.phase({ expectAccount: "0123456789abcdef" });
    await expect(wrong.webhook.create(hook)).rejects.toThrow(new RegExp(`fingerprint ${fingerprint}.*expectAccount`));
    expect(writes()).toEqual([]);
    await world.phase({ expectAccount: `0123456789abcdef, ${fingerprint}` }).webhook.create(hook);
  });

  it("of a sub account is found by itself", async () => {
    const phase = world.phase();
    const company = await phase.company.create(
      wired("company", { name: "N", userName: "U", userEmail: "u@n.example" }),
    );
    const inputs = wired("webhook", { type: "all", url: "https://r.example/", account: company.id });
    const made = await phase.webhook.create(inputs);
    const later = world.phase();
    await later.webhook.read(made.id, wired("webhook", made.outs));
    await world.service.rotateKey(company.id);
    const updated = await later.webhook.update(made.id, wired("webhook", made.outs), { ...inputs, type: "add-user" });
    expect(updated.outs.type).toBe("add-user");
    const refreshed = await world.phase().company.read(company.id, wired("company", company.outs));
    const key = world.service.data().accounts.find(({ id }) => id === company.id)!.key;
    expect(wired("company", refreshed.props!).apiKey).toBe(key);
  });

  it("that is refused says to run up first", async () => {
    const made = await world.phase().webhook.create(hook);
    await rotate();
    const state = wired("webhook", made.outs);
    await expect(world.phase().webhook.read(made.id, state)).rejects.toThrow(/run `up` without --refresh first/);
  });

  it("that is refused by an update says nothing of the kind, and blames no argument", async () => {
    const made = await world.phase().webhook.create(hook);
    world.service.configure({ faults: [{ kind: "error", code: 10002, method: "PUT" }] });
    const next = { ...hook, url: "https://r.example/2" };
    const update = world.phase().webhook.update(made.id, wired("webhook", made.outs), next);
    await expect(update).rejects.toThrow(/^Webhook: cannot update: (?!url)((?!run `up` first).)*401/);
  });
});

describe("a company", () => {
  const inputs = (more: Properties = {}) =>
    wired("company", { name: "N", userName: "U", userEmail: "u@n.example", ...more });

  it("is protected unless that is switched off", async () => {
    const made = await world.phase().company.create(inputs());
    await expect(world.phase().company.delete(made.id, wired("company", made.outs))).rejects.toThrow(
      /deletionProtection/,
    );
    expect(await client().companies.list().all()).toHaveLength(1);
  });

  it("is deleted with words about what is lost", async () => {
    const made = await world.phase().company.create(inputs({ deletionProtection: false }));
    const phase = world.phase();
    await phase.company.delete(made.id, wired("company", made.outs));
    expect(phase.said.join()).toMatch(/sent and .*open envelopes/);
    const reads = world.service
      .requests()
      .filter(({ method }) => method === "GET")
      .map(({ operation }) => operation);
    expect(reads).toEqual(expect.arrayContaining(["companies.get", "envelopes.list"]));
  });

  it.each([
    ["companies.get", /companies\.get.*500/],
    ["envelopes.list", /envelopes\.list.*500/],
  ] as const)("is not deleted while what would be lost cannot be read (%s)", async (operation, words) => {
    const made = await world.phase().company.create(inputs({ deletionProtection: false }));
    const state = wired("company", made.outs);
    const remove = (more?: Record<string, string>) =>
      world.phase({ retries: "0", ...more }).company.delete(made.id, state);
    world.service.configure({ faults: [{ kind: "status", status: 500, operation }] });
    const failure = await remove().catch((error: Error) => error.message);
    expect(failure).toMatch(words);
    expect(failure).toMatch(/not deleted.*ESIGN_ON_UNREADABLE=delete/s);
    expect(await client().companies.list().all()).toHaveLength(1);
    await remove({ onUnreadable: "delete" });
    expect(await client().companies.list().all()).toEqual([]);
    world.service.configure({ faults: [] });
  });

  it("is no webhook of the partner's that has the same number", async () => {
    const service = await emulatorForTest({ seed: { companies: [{ id: "17", name: "N", email: "u@n.example" }] } });
    world.settings = { ...world.settings, apiKey: service.keys.partner, baseUrl: service.url };
    const made = await world.phase().company.create(inputs({ deletionProtection: false }));
    expect(made.id).toBe("17");
    const hook = wired("webhook", { type: "all", url: "https://r.example/" });
    const { webhook, company } = world.phase();
    await webhook.diff("17", { ...hook, webhookId: "17", __esign: { v: 1, born: "another" } }, hook);
    const changed = inputs({ deletionProtection: false, name: "M" });
    const { outs } = await company.update("17", wired("company", made.outs), changed);
    await company.delete("17", wired("company", outs));
    expect(service.data().accounts.filter(({ id }) => id === "17")).toEqual([]);
  });

  it("that is gone already is deleted: nothing is read of it, and nothing fails", async () => {
    const made = await world.phase().company.create(inputs({ deletionProtection: false }));
    await client().companies.delete({ company_id: made.id });
    const phase = world.phase();
    await phase.company.delete(made.id, wired("company", made.outs));
    expect(phase.said).toEqual([]);
  });

  it("takes what is in it along: those are gone, too", async () => {
    const phase = world.phase();
    const company = await phase.company.create(inputs({ deletionProtection: false }));
    const made = await phase.webhook.create(
      wired("webhook", { type: "all", url: "https://r.example/", account: company.id }),
    );
    await client().companies.delete({ company_id: company.id });
    expect((await world.phase().webhook.read(made.id, wired("webhook", made.outs))).id).toBe("");
    await world.phase().webhook.delete(made.id, wired("webhook", made.outs));
  });
});

describe("what is said to be gone", () => {
  const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false };
  it.each([
    ["webhook", { type: "all", url: "https://r.example/" }, "DELETE"],
    ["company", firm, "DELETE"],
    ["company", firm, "GET"],
  ] as const)("by a bare status is looked for: %s", async (handler, args, method) => {
    const made = await world.phase()[handler].create(wired(handler, args));
    const state = wired(handler, made.outs);
    world.service.configure({ faults: [{ kind: "status", status: 404, method, path: `/v1/*/${made.id}`, times: 1 }] });
    await expect(world.phase()[handler].delete(made.id, state)).rejects.toThrow(/404/);
    await world.phase()[handler].delete(made.id, state);
    const { accounts } = world.service.data();
    expect(accounts.find(({ partner }) => partner)!.webhooks).toEqual([]);
    expect(accounts.some(({ name }) => name === "Firm")).toBe(false);
  });
});

describe("errors", () => {
  it("name the id of branding that is asked for by a company's id: the partner's own is not the company's", async () => {
    const { branding, company } = world.phase();
    const { id } = await company.create(wired("company", { name: "Firm", userName: "U", userEmail: "u@firm.example" }));
    const asked = (name: string) => branding.read(name, wired("branding", {}));
    await expect(asked(id)).rejects.toThrow(
      /invalid id; use "branding", or "<company's id>\/branding" within a subaccount/,
    );
    expect((await asked(`${id}/branding`)).id).toBe(`${id}/branding`);
  });

  const kinds: Fault[] = [
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
  const objects: [HandlerName, Properties, Properties][] = [
    ["webhook", { type: "all", url: "https://hush.example/" }, { url: "https://hush.example/2" }],
    ["branding", { colour: "#112233" }, { colour: "#445566" }],
    ["brandingEmail", { type: "email-send", subject: "hush one" }, { subject: "hush two" }],
    [
      "company",
      { name: "hush", userName: "U", userEmail: "u@n.example", deletionProtection: false },
      { name: "hush 2" },
    ],
  ];
  it.each(kinds)("of $kind hold no key, no value and no stack, and keep the state right", async (fault) => {
    for (const [handler, inputs, change] of objects) {
      for (const verb of ["update", "read", "delete"] as const) {
        await world.renew({ retries: "0" });
        const news = wired(handler, inputs);
        const made = await world.phase()[handler].create(news);
        const state = wired(handler, made.outs);
        world.service.configure({
          faults: [
            {
              ...fault,
              method:
                verb === "read"
                  ? "GET"
                  : verb === "delete" && handler !== "branding" && handler !== "brandingEmail"
                    ? "DELETE"
                    : "PUT",
            } as Fault,
          ],
        });
        const hooks = world.phase()[handler];
        const failure = await (verb === "update"
          ? hooks.update(made.id, state, { ...news, ...change })
          : verb === "read"
            ? hooks.read(made.id, state)
            : hooks.delete(made.id, state)
        ).then(
          () => undefined,
          (error) => error,
        );
        world.service.configure({ faults: [] });
        if (failure === undefined) continue;
        expect(failure.stack).toBe("");
        expect(failure.message).toMatch(new RegExp(`^${definitionOf(handler).kind}: cannot ${verb}`));
        // What it carries for the state is shown to nobody.
        const { properties, ...shown } = failure;
        const text = `${failure.message} ${JSON.stringify(shown)}`;
        expect(text).not.toMatch(/hush/);
        expect(JSON.stringify(properties) ?? "").not.toContain(world.service.keys.partner);
        expect(text).not.toContain(world.service.keys.partner);
        expect(text).not.toContain(Buffer.from(`${world.service.keys.partner}:x`).toString("base64"));
      }
    }
  });

  it.each(["plain", "extended"] as const)(
    "leave out old and new values that the service's %s words repeat",
    async (errorShape) => {
      world.service.configure({ errorShape });
      const made = await world.phase().brandingEmail.create(email({ subject: "hush one" }));
      const message = "hush two is no better than hush one";
      world.service.configure({ faults: [{ kind: "error", code: 10010, method: "PUT", message }] });
      const update = world
        .phase()
        .brandingEmail.update(made.id, wired("brandingEmail", made.outs), email({ subject: "hush two" }));
      await expect(update).rejects.toThrow(/\[value\] is no better than \[value\]/);
    },
  );

  it("leave out what the state has, and what was there before, when that is put back", async () => {
    await client().branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "hush before" });
    const made = await world
      .phase()
      .brandingEmail.create(email({ subject: "hush now", contentPlain: "{contract url}" }));
    const state = wired("brandingEmail", made.outs);
    const message = "hush before is no better than hush now";
    const refused = async (status: number, work: () => Promise<unknown>) => {
      const form = { branding_email_subject: "hush before" };
      world.service.configure({ faults: [{ kind: "error", code: 10010, status, method: "PUT", form, message }] });
      await expect(work()).rejects.toThrow(/\[value\] is no better than \[value\]/);
    };
    for (const status of [400, 500]) {
      await refused(status, () => world.phase().brandingEmail.delete(made.id, state));
      const next = email({ contentPlain: "{contract url}" });
      await refused(status, () => world.phase().brandingEmail.update(made.id, state, next));
    }
    const hook = wired("webhook", { type: "all", url: "https://hush.example/token" });
    const other = await world.phase().webhook.create(hook);
    const words = "https://hush.example/token is in use";
    world.service.configure({ faults: [{ kind: "error", code: 10010, method: "DELETE", message: words }] });
    const deletion = world.phase().webhook.delete(other.id, wired("webhook", other.outs));
    await expect(deletion).rejects.toThrow(/\(\[value\] is in use\)/);
  });

  it.each([
    ["of several lines", "hush\n\n{contract url}", (text: string) => text],
    ["that is too long to be shown whole", `hush ${"much ".repeat(200)}{contract url}`, (text: string) => text],
    [
      "that is escaped",
      `hush "a" & 'b' {contract url}`,
      (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#039;"),
    ],
    ["of an address", `hush ü {contract url}`, (text: string) => encodeURIComponent(text)],
  ])("leave out a value %s, too", async (_, contentPlain, repeated) => {
    const made = await world.phase().brandingEmail.create(email({ subject: "x" }));
    const message = `This is no good: ${repeated(contentPlain)}`;
    world.service.configure({ faults: [{ kind: "error", code: 10010, method: "PUT", message }] });
    const update = world
      .phase()
      .brandingEmail.update(made.id, wired("brandingEmail", made.outs), email({ subject: "x", contentPlain }));
    await expect(update).rejects.toThrow(/This is no good: \[value\]((?!hush|much).)*$/);
  });

  it("name the field that the service refuses", async () => {
    const phase = world.phase();
    // The text that is there is known to a creation, too.
    await expect(phase.brandingEmail.create(email({ content: "<p>no link</p>" }))).rejects.toThrow(
      /content: .*10557.*The new value is missing .*\{contract url\}/,
    );
    const made = await phase.brandingEmail.create(email({ subject: "x" }));
    await expect(
      phase.brandingEmail.update(
        made.id,
        wired("brandingEmail", made.outs),
        email({ subject: "x", content: "<p>no link</p>" }),
      ),
    ).rejects.toThrow(/content: .*10557.*The new value is missing .*\{contract url\}/);
    world.service.configure({ faults: [{ kind: "error", code: 10309, operation: "webhooks.create" }] });
    await expect(phase.webhook.create(wired("webhook", { type: "all", url: "https://r.example/" }))).rejects.toThrow(
      /url: .*10309/,
    );
  });
});

it("a text whose end the service does not keep is said", async () => {
  world.settings.baseUrl = await taking((form) => form.map(([name, value]) => [name, value.slice(0, 60)]));
  const phase = world.phase();
  const long = `Please sign {contract title}${" soon".repeat(20)}`;
  const { id, outs } = await phase.brandingEmail.create(email({ subject: long, contentPlain: "Sign: {contract url}" }));
  expect(phase.said).toEqual([expect.stringMatching(/ email-send: subject: .*truncated .*60 of 128 characters/)]);
  const again = world.phase();
  const changed = { subject: `Now ${long}`, contentPlain: "Sign: {contract url}" };
  await again.brandingEmail.update(id, wired("brandingEmail", outs), email(changed));
  expect(again.said.join()).toContain("60 of 132 characters");
});
