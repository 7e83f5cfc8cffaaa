/**
 * What `drift unmanaged`, `diff` and `drift` say of stacks that own parts of an account, after changes by hand: held
 * against plain lists of who owns which field and of what the service has. Webhooks differ; equal ones: unmanaged-duplicates.test.ts.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { emailTypes } from "../../emulator/domain/enums-by-edition";
import { cases, fc } from "../chance";
import { filesIn, save, temporaryFolder } from "../files";
import { inProcess } from "./in-process";
import { ask, type Live, readCompanies, readLive } from "./live";
import { type Owned, stateOf } from "./owned-worlds";

const text = fc.constantFrom("one", "two", "", "  ", "a\nb", "a\r\nb ", "one  ", "O & <b>");
/** Changes by hand. `#` is one of the account's webhooks, `@` the subaccount, `%` this edit's number, `*` a text. */
const edits: [method: string, path: string, form?: Record<string, string>][] = [
  ["PUT", "branding", { branding_colour: "#aabbcc" }],
  ["PUT", "branding", { branding_logo_url: "https://a.example/%.png" }],
  ["PUT", "branding/emails/email-send", { branding_email_subject: "*" }],
  ["PUT", "branding/emails/email-signed", { branding_email_content: "*", branding_email_content_plain: "*" }],
  ["PUT", "branding/emails/email-cancelled", { branding_email_content_plain: "*" }],
  ["POST", "webhooks", { webhook_type: "add-user", webhook_url: "https://new.example/%" }],
  ["PUT", "webhooks/#", { webhook_type: "send-envelope", webhook_url: "https://moved.example/%" }],
  ["DELETE", "webhooks/#"],
  ["RECREATE", "webhooks/#"],
  ["PUT", "companies/@", { company_name: "A & B %" }],
  ["PUT", "companies/@", { company_email: "New%@mail.example" }],
  ["DELETE", "companies/@"],
  ["POST", "companies", { company_name: "New", user_name: "B", user_email: "b%@mail.example" }],
];
const world = fc.record({
  accounts: fc.array(fc.record({ hooks: fc.nat(3), texts: fc.tuple(text, text, text) }), {
    minLength: 1,
    maxLength: 3,
  }),
  /** By stack: which fields it owns of an object, as bits. */
  owners: fc.array(fc.array(fc.nat(7), { minLength: 13, maxLength: 13 }), { minLength: 1, maxLength: 2 }),
  edits: fc.array(fc.record({ account: fc.nat(2), edit: fc.constantFrom(...edits), which: fc.nat(3), to: text }), {
    maxLength: 6,
  }),
  sameNames: fc.boolean(),
});
type Edit = Parameters<Parameters<typeof world.map>[0]>[0]["edits"][number];
type Account = Live & { id?: string; name?: string; email?: string; key: string };

const accountsOf = async (service: Emulator): Promise<Account[]> => {
  const key = service.keys.partner;
  const companies = (await readCompanies(service)).sort((a, b) => Number(a.id) - Number(b.id));
  return [{ ...(await readLive(service, key)), key }, ...companies];
};

async function change(service: Emulator, { account, edit, which, to }: Edit, n: number): Promise<void> {
  const [method, path, form = {}] = edit;
  const live = (await accountsOf(service))[account];
  const hook = live?.webhooks[which];
  if (!live || (path.includes("#") && !hook) || (path.includes("@") && live.id === undefined)) return;
  const fill = (text: string) => text.replace("%", `${n}`).replace("*", () => to);
  const filled = Object.fromEntries(Object.entries(form).map(([field, value]) => [field, fill(value)]));
  const key = path.startsWith("companies") ? service.keys.partner : live.key;
  const to_ = path.replace("#", hook?.id ?? "").replace("@", live.id ?? "");
  await ask(service, key, to_, method === "RECREATE" ? "DELETE" : method, filled);
  if (method === "RECREATE")
    await ask(service, key, "webhooks", "POST", { webhook_type: hook!.type, webhook_url: hook!.url });
}

const objectsOf = (accounts: Account[], url: string): Owned[] =>
  accounts.flatMap(({ id: account, name, email, colour, logo, emails, webhooks }) => {
    const within = account === undefined ? {} : { account };
    return [
      ...(account === undefined
        ? []
        : [{ kind: "Company" as const, id: account, fields: { name: name!, email: email! } }]),
      { kind: "Branding", ...within, id: "branding", fields: { colour, logoUrl: url + logo } },
      ...Object.entries(emails).map(
        ([id, texts]): Owned => ({ kind: "BrandingEmail", ...within, id, fields: { ...texts } }),
      ),
      ...webhooks.map(({ id, ...fields }): Owned => ({ kind: "Webhook", ...within, id, fields })),
    ];
  });
/** The subaccount that it is or is in. */
const accountOf = ({ kind, id, account }: Owned) => (kind === "Company" ? id : account);

function ownedBy(picks: number[], objects: Owned[]): Owned[] {
  return objects.flatMap((each, i) => {
    const pick = picks[i % picks.length]!;
    const isWhole = each.kind === "Webhook";
    if ((isWhole || each.kind === "Company") && pick % 2 === 0) return [];
    const fields = Object.entries(each.fields).filter(
      ([, value], bit) => value.trim() !== "" && (isWhole || (pick >> bit) % 2 === 1),
    );
    return fields.length > 0 ? [{ ...each, fields: Object.fromEntries(fields) }] : [];
  });
}

const form = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim()
    .toLowerCase();
/** The address of a logo may be another one at each read: it is in no comparison. */
const differing = (owned: Owned, live: Owned | undefined): string[] =>
  Object.keys(owned.fields).filter(
    (field) => !live || (field !== "logoUrl" && form(owned.fields[field]!) !== form(live.fields[field]!)),
  );

interface Found {
  kind: string;
  id?: string;
  name?: string;
  companyId?: string;
  action: string;
  fields: { field: string }[];
}
const objectIn = (output: string) => JSON.parse(output.slice(output.search(/^[{[]/m)));
const say = (action: string, fields: string[]) => (action === "change" ? `change ${fields.sort()}` : action);
const saying = ({ action, fields }: Found) =>
  say(
    action,
    fields.map(({ field }) => field),
  );

test("who owns what, and what was changed", async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ accounts, owners, edits, sameNames }) => {
      const isSame = sameNames && !edits.some(({ edit }) => edit[0] === "DELETE");
      const [partner, ...companies] = accounts.map(({ hooks, texts: [subject, content, contentPlain] }, i) => ({
        emails: { "email-send": { subject }, "email-signed": { content, contentPlain } },
        webhooks: ["https://a.example/", "https://bücher.example/ä?x=1&y=2", "https://b.example/x"]
          .slice(0, hooks)
          .map((url) => ({ type: "all", url })),
        ...(i > 0 && { id: `${4710 + i}`, name: `Customer ${isSame ? 1 : i}`, email: `c${i}@mail.example` }),
      }));
      const requiredVariables = Object.fromEntries(emailTypes.map((type) => [type, []]));
      const service = await start({ requiredVariables, seed: { partner, companies } } as never);
      const project = temporaryFolder({ "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
      const run = inProcess(project, { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner });
      const ok = async (...args: string[]) => {
        const { code, output } = await run(...args);
        expect(code, output).toBe(0);
        return output;
      };
      try {
        const before = objectsOf(await accountsOf(service), service.url);
        const stacks = owners.map((picks, i) => ({ name: `s${i}`, owned: ownedBy(picks, before) }));
        for (const { name, owned } of stacks) {
          save(project, { [`${name}.json`]: JSON.stringify(stateOf(name, owned)) });
          await ok("stack", "init", name, "--engine", "embedded");
          await ok("stack", "import", "--stack", name, "--file", `${name}.json`, "--yes", "--engine", "embedded");
        }
        for (const [n, edit] of edits.entries()) await change(service, edit, n);
        const now = objectsOf(await accountsOf(service), service.url);
        const isOf = (a: Owned) => (b: Owned) => a.kind === b.kind && a.account === b.account && a.id === b.id;
        const liveOf = (owned: Owned) => now.find(isOf(owned));
        /** Itself, else an equal one. */
        const standsFor = (owned: Owned) =>
          liveOf(owned) ??
          now.find(
            (live) =>
              owned.kind === "Webhook" && isOf({ ...owned, id: live.id })(live) && differing(owned, live).length === 0,
          );
        // Drift goes by ids.
        for (const { name, owned } of stacks) {
          const expected = owned.flatMap((each) => {
            const id = each.account === undefined ? each.id : `${each.account}/${each.id}`;
            const fields = differing(each, liveOf(each));
            return fields.length > 0 ? [`${each.kind} ${id} ${say(liveOf(each) ? "change" : "remove", fields)}`] : [];
          });
          const { code, output } = await run("drift", "--stack", name, "--exit-code", "--json");
          if (owned.length === 0) {
            expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining("nothing to compare") });
            continue;
          }
          expect(code, output).toBe(expected.length > 0 ? 1 : 0);
          const { changes, lookedAt } = objectIn(output);
          const lines = changes.map((each: Found) => `${each.kind} ${each.id} ${saying(each)}`);
          expect(lines.sort()).toEqual(expected.sort());
          const file = await run("drift", "--state", `${name}.json`, "--exit-code", "--json");
          // The second look has dates of its own.
          const again = { ...objectIn(file.output), lookedAt };
          expect(again).toEqual({ ...objectIn(output), previousLook: lookedAt, resolved: [] });
        }
        // What no stack owns.
        const all = stacks.flatMap(({ owned }) => owned);
        const free = now.flatMap((live) => {
          const [account, at] = [accountOf(live), accountOf(live) ?? ""];
          // With all that is in it.
          if (account !== undefined && !all.some((each) => accountOf(each) === account))
            return live.kind === "Company" ? [`Company ${at} whole`] : [];
          const mine = all.filter((each) => standsFor(each) === live);
          if (live.kind === "Webhook") return mine.length > 0 ? [] : [`Webhook ${at} ${live.id}`];
          return Object.entries(live.fields)
            .filter(([field, value]) => value !== "" && !mine.some(({ fields }) => field in fields))
            .map(([field]) => `${live.kind} ${at} ${live.kind === "BrandingEmail" ? live.id : ""} ${field}`);
        });
        const left: Found[] = objectIn(await ok("drift", "unmanaged", "--json"));
        const said = left.flatMap(({ kind, id, name, companyId = "", action, fields }) => {
          if (kind === "Webhook") return [`Webhook ${companyId} ${id}`];
          if (kind === "Company" && action === "add") return [`Company ${id} whole`];
          const at = kind === "Company" ? id : companyId;
          return fields.map(({ field }) => `${kind} ${at} ${kind === "BrandingEmail" ? name : ""} ${field}`);
        });
        expect(said.sort()).toEqual(free.sort());
        // Once it is written, it is owned.
        if (free.length > 0) {
          const folder = join(project, "written");
          await run("drift", "unmanaged", "--out", folder);
          const owners = [...stacks.map(({ name }) => `stack:${name}`), folder];
          expect(objectIn(await ok("drift", "unmanaged", "--json", "--managed-by", ...owners))).toEqual([]);
          const written = filesIn(folder);
          await ok("drift", "unmanaged", "--out", folder);
          expect(filesIn(folder)).toEqual(written);
        }
        // Differences.
        for (const { name, owned } of stacks) {
          const expected = owned.flatMap((each) => {
            const fields = differing(each, standsFor(each));
            if (fields.length === 0) return [];
            const isGone = !liveOf(each) && ["Webhook", "Company"].includes(each.kind);
            const { type, url } = each.fields;
            const which = { Webhook: `${type} ${url}`, BrandingEmail: each.id }[each.kind as "Webhook"] ?? "";
            return [`${each.kind} ${accountOf(each) ?? ""} ${which} ${say(isGone ? "remove" : "change", fields)}`];
          });
          // A subaccount that another owns is said to be gone, too.
          for (const id of new Set(owned.flatMap(({ account }) => account ?? [])))
            if (![...now, ...owned].some((each) => each.kind === "Company" && each.id === id))
              expected.push(`Company ${id}  remove`);
          const { code, output } = await run("diff", "--exit-code", `stack:${name}`, "account", "--json");
          const lines = objectIn(output).changes.map((each: Found) => {
            const { kind, id, name = "", companyId = "" } = each;
            return `${kind} ${kind === "Company" ? `${id} ` : `${companyId} ${name}`} ${saying(each)}`;
          });
          expect(lines.sort()).toEqual(expected.sort());
          expect(code).toBe(expected.length > 0 ? 1 : 0);
        }
      } finally {
        await service.close();
      }
    }),
    { numRuns: cases(2) },
  );
});
