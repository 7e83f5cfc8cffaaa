/**
 * What `inventory`, `diff` and `drift` say of stacks that own parts of an account, after somebody has changed it by hand: held
 * against a plain model that knows who owns what, and reads the service itself.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../../emulator";
import { cases, fc, times } from "../chance";
import { filesIn, save, temporaryFolder } from "../files";
import { inProcess } from "./in-process";
import { type Live, readCompanies, readLive } from "./live";
import {
  change,
  type EmailField,
  emailFields,
  type Hook,
  type Owned,
  ownedBy,
  stateOf,
  types,
  world,
} from "./owned-worlds";

const home = temporaryFolder();
/** The variables of the next commands. */
const env: Record<string, string> = {};
const esign = inProcess(home, env);

const form = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
/** Two notations of a field's value. */
function isSame(field: string, a: string, b: string | undefined): boolean {
  if (b === undefined) return false;
  if (field === "colour") return a.toLowerCase() === b.toLowerCase();
  if (field === "logoUrl") return new URL(a, "https://x.example").pathname === new URL(b, "https://x.example").pathname;
  if (field === "email") return a.toLowerCase() === b.toLowerCase();
  if (field === "url") return new URL(a).href === new URL(b).href;
  return form(a) === form(b);
}

interface Found {
  kind: string;
  id?: string;
  name?: string;
  company?: string;
  companyId?: string;
  action: string;
  fields: { field: string; before?: string; after?: string }[];
}
const objectIn = (output: string) => JSON.parse(output.slice(output.search(/^[{[]/m)));

let n = 0;
test("who owns what, and what was changed", { timeout: 120_000 * times }, async () => {
  await fc.assert(
    fc.asyncProperty(world, async (world) => {
      const project = join(home, `case-${++n}`);
      save(project, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
      const requiredVariables = Object.fromEntries(
        [
          ...types,
          "email-cancelled",
          "email-rejected",
          "email-reminder-password",
          "email-send-password",
          "email-widget-verify",
        ].map((type) => [type, []]),
      );
      const [own, ...companies] = world.accounts.map(({ hooks, emails }) => ({ webhooks: hooks, emails }));
      const service = await start({
        requiredVariables,
        seed: {
          partner: own,
          companies: companies.map((each, i) => ({
            ...each,
            id: String(4711 + i),
            name: world.sameNames ? "Customer 1" : `Customer ${i + 1}`,
            email: `c${i}@mail.example`,
          })),
        },
      } as never);
      const key = service.keys.partner;
      const state = async () => [
        await readLive(service, key),
        ...(await readCompanies(service)).sort((a, b) => Number(a.id) - Number(b.id)),
      ];
      const run = async (...args: string[]) => {
        const { code, output } = await esign("-C", project, ...args);
        return { code, output };
      };
      env.ESIGN_BASE_URL = service.url;
      env.ESIGN_API_KEY = key;
      try {
        const before = await state();
        const stacks = world.owners.map((_, s) => ({ name: `s${s}`, owned: ownedBy(world, s, before, service.url) }));
        for (const { name, owned } of stacks) {
          save(project, { [`${name}.json`]: JSON.stringify(stateOf(name, owned)) });
          for (const args of [
            ["stack", "init", name],
            ["stack", "import", "--stack", name, "--file", `${name}.json`, "--yes"],
          ]) {
            const { code, output } = await run(...args, "--engine", "embedded");
            expect(code, output).toBe(0);
          }
        }
        for (const each of world.edits) await change(service, key, each);
        const after = await state();
        const now = new Map<string | undefined, Live & { id?: string; name?: string; email?: string }>(
          after.map((each) => ["id" in each ? String(each.id) : undefined, each]),
        );
        const liveOf = ({ kind, account, id }: Owned): Record<string, string> | undefined => {
          if (kind === "Company") {
            const found = now.get(id);
            return found && { name: found.name!, email: found.email! };
          }
          const live = now.get(account);
          if (!live) return undefined;
          if (kind === "Branding") return { colour: live.colour, logoUrl: live.logo };
          if (kind === "BrandingEmail") return live.emails[id] as never;
          return live.webhooks.find((each) => each.id === id) as never;
        };
        const differing = (each: Owned) => {
          const live = liveOf(each);
          return Object.entries(each.fields).flatMap(([field, value]) =>
            live && isSame(field, value, live[field]) ? [] : [field],
          );
        };
        /** What stands for each webhook of a stack: itself, else an equal one. */
        const standing = (owned: Owned[]) => {
          const pairs = new Map<Owned, string>();
          const all = owned.filter(({ kind }) => kind === "Webhook");
          const isEqual = (a: Hook, b: Hook) => isSame("type", a.type, b.type) && isSame("url", a.url, b.url);
          for (const how of [
            (each: Owned, live: Hook & { id: string }) => live.id === each.id && isEqual(each.fields as never, live),
            (each: Owned, live: Hook) => isEqual(each.fields as never, live),
            (each: Owned, live: { id: string }) => live.id === each.id,
          ])
            for (const each of all.filter((one) => !pairs.has(one))) {
              const found = now
                .get(each.account)
                ?.webhooks.find((live) => how(each, live) && ![...pairs.values()].includes(live.id));
              if (found) pairs.set(each, found.id);
            }
          return pairs;
        };
        const stood = stacks.map(({ owned }) => standing(owned));
        // Drift goes by ids.
        for (const { name, owned } of stacks) {
          const expected = owned.flatMap((each) => {
            const id = each.account === undefined ? each.id : `${each.account}/${each.id}`;
            if (!liveOf(each)) return [`${each.kind} ${id} remove`];
            const fields = differing(each);
            return fields.length > 0 ? [`${each.kind} ${id} change ${fields.sort()}`] : [];
          });
          const { code, output } = await run("drift", "--stack", name, "--exit-code", "--json");
          expect(code, output).toBe(expected.length > 0 ? 1 : 0);
          const { changes } = objectIn(output) as { changes: Found[] };
          expect(
            changes
              .map(
                ({ kind, id, action, fields }) =>
                  `${kind} ${id} ${action}${action === "change" ? ` ${fields.map(({ field }) => field).sort()}` : ""}`,
              )
              .sort(),
          ).toEqual(expected.sort());
          const file = await run("drift", "--state", `${name}.json`, "--exit-code", "--json");
          // The second look has dates of its own.
          const { lookedAt, previousLook, ...again } = objectIn(file.output);
          expect(previousLook).toBe(objectIn(output).lookedAt);
          expect({ ...again, lookedAt: previousLook }).toEqual({
            ...objectIn(output),
            stack: name,
            previousLook: undefined,
            resolved: [],
          });
        }
        // What no stack owns.
        const free: string[] = [];
        for (const live of after) {
          const account = "id" in live ? String(live.id) : undefined;
          const at = account ?? "";
          const mine = stacks.flatMap(({ owned }) =>
            owned.filter(
              (each) =>
                (each.kind === "Company" ? each.id : each.account) === account &&
                (each.kind !== "Company" || account !== undefined),
            ),
          );
          const has = (kind: string, id: string, field: string) =>
            mine.some((each) => each.kind === kind && each.id === id && each.fields[field] !== undefined);
          if (account !== undefined) {
            if (mine.length === 0) {
              // With all that is in it.
              free.push(`Company ${at} whole`);
              continue;
            }
            for (const field of ["name", "email"])
              if (!has("Company", account, field)) free.push(`Company ${at} ${field}`);
          }
          for (const field of ["colour", "logoUrl"])
            if (!has("Branding", "branding", field)) free.push(`Branding ${at} ${field}`);
          for (const [type, texts] of Object.entries(live.emails))
            for (const field of emailFields)
              if (texts[field as EmailField] !== "" && !has("BrandingEmail", type, field))
                free.push(`BrandingEmail ${at} ${type} ${field}`);
          for (const each of live.webhooks)
            if (!stood.some((pairs) => [...pairs.values()].includes(each.id))) free.push(`Webhook ${at} ${each.id}`);
        }
        const inventory = await run("inventory", "--json");
        expect(inventory.code, inventory.output).toBe(0);
        const left = objectIn(inventory.output) as Found[];
        const said = left.flatMap(({ kind, id, name, companyId = "", action, fields }) => {
          if (kind === "Webhook") return [`Webhook ${companyId} ${id}`];
          if (kind === "Company" && action === "add") return [`Company ${id} whole`];
          const at = kind === "Company" ? id : kind === "Branding" ? companyId : `${companyId} ${name}`;
          return fields.map(({ field }) => `${kind} ${at} ${field}`);
        });
        expect(said.sort()).toEqual(free.sort());
        // Once it is written, it is owned, but for the second of two equal webhooks.
        const folder = join(project, "written");
        const owners = [...stacks.map(({ name }) => `stack:${name}`), folder];
        if (free.length > 0) {
          await run("inventory", "--out", folder);
          const rest = await run("inventory", "--json", "--managed-by", ...owners);
          for (const { kind, companyId, name } of objectIn(rest.output) as Found[]) {
            expect(kind, rest.output).toBe("Webhook");
            const all = now.get(companyId)!.webhooks.filter((each) => `${each.type} ${each.url}` === name);
            expect(all.length, rest.output).toBeGreaterThan(1);
          }
          const written = filesIn(folder);
          const again = await run("inventory", "--out", folder);
          expect([again.code, filesIn(folder)]).toEqual([0, written]);
        }
        // Differences.
        for (const [i, { name, owned }] of stacks.entries()) {
          const expected = owned.flatMap((each) => {
            const stand = stood[i]!.get(each);
            const fields = stand === undefined || stand === each.id ? differing(each) : [];
            if (fields.length === 0) return [];
            const gone = !liveOf(each) && ["Webhook", "Company"].includes(each.kind);
            const which =
              each.kind === "Webhook"
                ? `${each.fields.type} ${each.fields.url}`
                : each.kind === "BrandingEmail"
                  ? each.id
                  : "";
            return [
              `${each.kind} ${each.account ?? (each.kind === "Company" ? each.id : "")} ${which} ${gone ? "remove" : `change ${fields.sort()}`}`,
            ];
          });
          // A sub account that another owns is said to be gone, too.
          for (const id of new Set(owned.flatMap(({ account }) => account ?? [])))
            if (!now.has(id) && !owned.some((each) => each.kind === "Company" && each.id === id))
              expected.push(`Company ${id}  remove`);
          const { code, output } = await run("diff", "--exit-code", `stack:${name}`, "account", "--json");
          const { changes } = objectIn(output) as { changes: Found[] };
          const told = changes.flatMap(({ kind, id, name, companyId = "", action, fields }) => {
            return [
              `${kind} ${kind === "Company" ? id : companyId} ${kind === "Company" ? "" : (name ?? "")} ${action}${action === "change" ? ` ${fields.map(({ field }) => field).sort()}` : ""}`,
            ];
          });
          expect(told.sort()).toEqual(expected.sort());
          expect(code).toBe(expected.length > 0 ? 1 : 0);
        }
      } finally {
        delete env.ESIGN_BASE_URL;
        delete env.ESIGN_API_KEY;
        await service.close();
        rmSync(project, { recursive: true, force: true });
        rmSync(join(home, ".pulumi"), { recursive: true, force: true });
      }
    }),
    { numRuns: cases(2) },
  );
});
