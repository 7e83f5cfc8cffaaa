/** Stacks that own parts of an account, and what somebody changes in it by hand. */
import type { ResourceKind } from "../../account-folder/kinds/config-kind";
import type { Emulator } from "../../emulator";
import { fc } from "../chance";
import { ask, type Live, readCompanies, readLive } from "./live";

export const emailFields = ["subject", "content", "contentPlain"] as const;
export type EmailField = (typeof emailFields)[number];
export const types = ["email-send", "email-signed", "email-reminder"];
const hook = fc.record({
  type: fc.constantFrom("all", "add-user", "send-envelope"),
  url: fc.constantFrom("https://a.example/", "https://b.example/x", "https://bücher.example/ä?x=1&y=2"),
});
export type Hook = { type: string; url: string };

/** What a stack owns of an account. */
const part = fc.record({
  company: fc.constantFrom<("none" | "name" | "all")[]>("none", "name", "all"),
  branding: fc.subarray(["colour", "logoUrl"]),
  emails: fc.dictionary(fc.constantFrom(...types), fc.subarray([...emailFields], { minLength: 1 }), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  hooks: fc.subarray([0, 1, 2, 3]),
});
const text = fc.constantFrom("one", "two", "", "  ", "a\nb", "a\r\nb ", "one  ", "O & <b>");
export const edit = fc.oneof(
  fc.record({ kind: fc.constant("colour" as const), to: fc.constantFrom("#aabbcc", "#ABCDEF", "#1f6feb") }),
  fc.record({
    kind: fc.constant("logo" as const),
    to: fc.constantFrom("https://a.example/1.png", "https://a.example/2"),
  }),
  fc.record({
    kind: fc.constant("email" as const),
    type: fc.constantFrom(...types, "email-cancelled"),
    field: fc.constantFrom(...emailFields),
    to: text,
  }),
  fc.record({ kind: fc.constant("delete hook" as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant("change hook" as const), which: fc.nat(5), to: hook }),
  fc.record({ kind: fc.constant("add hook" as const), to: hook }),
  fc.record({
    kind: fc.constant("rename" as const),
    to: fc.constantFrom("New name", "A & B", "Customer 1", "Customer 2"),
  }),
  fc.record({ kind: fc.constant("address" as const), to: fc.constantFrom("new@mail.example", "B1@mail.example") }),
  fc.record({ kind: fc.constant("delete" as const) }),
  fc.record({ kind: fc.constant("add" as const), to: fc.constantFrom("New one", "New two", "Customer 1") }),
);
export const world = fc
  .record({
    accounts: fc.array(
      fc.record({
        hooks: fc.array(hook, { maxLength: 4 }),
        emails: fc.dictionary(
          fc.constantFrom(...types),
          fc.record({ subject: text, content: text, contentPlain: text }),
          { maxKeys: 2, noNullPrototype: true },
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    // By stack, by account.
    owners: fc.array(fc.array(part, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
    edits: fc.array(fc.record({ account: fc.nat(2), edit }), { maxLength: 5 }),
    sameNames: fc.boolean(),
  })
  .map(({ edits, ...world }) => {
    // Where one of two has gone, its name is the other's alone.
    const hasGone = edits.some(({ edit }) => edit.kind === "delete");
    const isTaken = (edit: object) => JSON.stringify(edit).includes("Customer");
    return {
      ...world,
      edits: edits.filter(({ edit }) => !hasGone || !isTaken(edit)),
      sameNames: world.sameNames && !hasGone,
    };
  });
export type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/** What a stack has deployed. */
export interface Owned {
  kind: ResourceKind;
  /** Id of the sub account that it is in. */
  account?: string;
  /** Without that of its sub account. */
  id: string;
  fields: Record<string, string>;
}

export function ownedBy(
  world: World,
  stack: number,
  lives: (Live & { id?: string; name?: string; email?: string })[],
  url: string,
): Owned[] {
  return world.accounts.flatMap((_, i) => {
    const { company, branding, emails, hooks } = world.owners[stack]![i]!;
    const live = lives[i]!;
    const within = live.id === undefined ? {} : { account: live.id };
    const own: Owned[] = [];
    if (live.id !== undefined && company !== "none")
      own.push({
        kind: "Company",
        id: live.id,
        fields: { name: live.name!, ...(company === "all" && { email: live.email! }) },
      });
    const colours = { colour: live.colour, logoUrl: url + live.logo };
    if (branding.length > 0)
      own.push({
        kind: "Branding",
        ...within,
        id: "branding",
        fields: Object.fromEntries(branding.map((f) => [f, colours[f as "colour"]])),
      });
    for (const [type, all] of Object.entries(emails)) {
      const given = all.filter((field) => live.emails[type]![field].trim() !== "");
      if (given.length > 0)
        own.push({
          kind: "BrandingEmail",
          ...within,
          id: type,
          fields: Object.fromEntries(given.map((f) => [f, live.emails[type]![f]])),
        });
    }
    for (const index of hooks) {
      const found = live.webhooks[index];
      if (found) own.push({ kind: "Webhook", ...within, id: found.id, fields: { type: found.type, url: found.url } });
    }
    return own;
  });
}

/** The state of such a stack, as a deployment of it leaves it. */
export function stateOf(stack: string, owned: Owned[]) {
  const urn = (type: string, name: string) => `urn:pulumi:${stack}::shop::${type}::${name}`;
  const root = { urn: urn("pulumi:pulumi:Stack", `shop-${stack}`), type: "pulumi:pulumi:Stack", custom: false };
  return {
    version: 3,
    deployment: {
      manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
      resources: [
        root,
        ...owned.map(({ kind, account, id, fields }, i) => {
          const type = `pulumi-nodejs:dynamic/esign:${kind}`;
          const inputs = {
            ...fields,
            ...(kind === "BrandingEmail" && { type: id }),
            ...(kind === "Company" && { userName: "Ann", userEmail: "ann@mail.example" }),
            ...(account !== undefined && { account }),
          };
          const outputs = {
            ...inputs,
            ...(fields.logoUrl !== undefined && { logo: fields.logoUrl }),
            ...(kind === "Webhook" && { webhookId: id }),
            ...(kind === "Company" && { companyId: id }),
          };
          return {
            urn: urn(type, `r${i}`),
            type,
            custom: true,
            id: account === undefined ? id : `${account}/${id}`,
            parent: root.urn,
            inputs,
            outputs,
          };
        }),
      ],
    },
  };
}

export async function change(service: Emulator, key: string, { account, edit }: World["edits"][number]) {
  const companies = (await readCompanies(service)).sort((a, b) => Number(a.id) - Number(b.id));
  const company = account === 0 ? undefined : companies[account - 1];
  if (account > 0 && !company) return;
  const own = company?.key ?? key;
  const put = (path: string, form: object) => ask(service, own, path, "PUT", form);
  if (edit.kind === "colour") return put("branding", { branding_colour: edit.to });
  if (edit.kind === "logo") return put("branding", { branding_logo_url: edit.to });
  if (edit.kind === "email") {
    const wire = {
      subject: "branding_email_subject",
      content: "branding_email_content",
      contentPlain: "branding_email_content_plain",
    };
    return put(`branding/emails/${edit.type}`, { [wire[edit.field]]: edit.to });
  }
  if (edit.kind === "add hook")
    return ask(service, own, "webhooks", "POST", { webhook_type: edit.to.type, webhook_url: edit.to.url });
  if (edit.kind === "delete hook" || edit.kind === "change hook") {
    const found = (await readLive(service, own)).webhooks[edit.which];
    if (!found) return;
    if (edit.kind === "delete hook") return ask(service, own, `webhooks/${found.id}`, "DELETE");
    return put(`webhooks/${found.id}`, { webhook_type: edit.to.type, webhook_url: edit.to.url });
  }
  if (edit.kind === "add")
    return ask(service, key, "companies", "POST", {
      company_name: edit.to,
      user_name: "B",
      user_email: `b${["", ...companies.map(({ id }) => id)].join("-")}@mail.example`,
    });
  if (!company) return;
  if (edit.kind === "delete") return ask(service, key, `companies/${company.id}`, "DELETE");
  return ask(
    service,
    key,
    `companies/${company.id}`,
    "PUT",
    edit.kind === "rename" ? { company_name: edit.to } : { company_email: `${company.id}.${edit.to}` },
  );
}
