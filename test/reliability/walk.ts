/**
 * What the walk goes through: every verb of every resource as a story, and every way in which one request can fail. What is
 * walked is found by a dry run of each story, so that a request more or less needs no change here.
 */
import type { Fault } from "../../emulator";
import { connect } from "../../sdk";
import type { Stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import * as wanted from "./wanted";
import { branding, contact, settings, user, webhook } from "./wanted";

/** A part of a project's life in which requests fail. */
export interface Story {
  name: string;
  /** What a message may be about: `Webhook: cannot create`. */
  about: RegExp;
  /** What the account has before the project is begun. */
  before?(world: Stage): Promise<unknown>;
  /** What is deployed before anything fails. */
  from: Wanted[];
  /** What happens between that and the run that fails. */
  between?(world: Stage): Promise<unknown>;
  act: "up" | "refresh" | "destroy";
  /** What is declared in the end. */
  to: Wanted[];
  /** Whether objects are deleted. */
  isGoing: boolean;
  /** The service has no code for what is gone: it is looked for. */
  looksFor?: boolean;
  /** Declared and original values are written apart when one is refused. */
  inParts?: boolean;
  /** A logo is answered under another address: whether it is the declared one cannot be seen, so it is sent again. */
  hasLogo?: boolean;
}

const verbs: Record<string, string> = {
  create: "create",
  adopt: "create",
  update: "update",
  refresh: "read",
  delete: "delete",
  replace: "create|delete",
  rename: "create|delete",
};

/** `<Kind>: <verb> …`. Without `to`, it is a refresh or a destroy. */
function story(name: string, from: Wanted[], to?: Wanted[], more: Partial<Story> = {}): Story {
  const [kind, verb] = name.split(/\W+/) as [string, string];
  const about = new RegExp(`${kind}: cannot (${verbs[verb]}|read the account)`);
  const act: Story["act"] = to !== undefined ? "up" : verb === "refresh" ? "refresh" : "destroy";
  const isGoing = act === "destroy" || /delete|replace|rename/.test(verb);
  return { name, about, from, act, to: to ?? from, isGoing, ...more };
}

const client = ({ service, settings }: Stage) => connect({ baseUrl: service.url, apiKey: settings.apiKey! });
const newKey = async ({ service, settings }: Stage) => {
  settings.apiKey = await service.rotateKey(service.data().accounts.find(({ partner }) => partner)!.id);
};
const email = (args: object = {}) => wanted.email({ contentPlain: "hush {contract url}", ...args });
const company = (args: object = {}, name = "firm") => wanted.company({ email: "office@hush.example", ...args }, name);
const other = company({ name: "hush Other", userEmail: "user@other-hush.example" }, "other");
const second = (args: object = {}) => webhook({ url: "https://hush.example/2", ...args }, "hook-2");
const inside = { account: "firm" };
const type = "add-user";
const logo = { logoUrl: "https://hush.example/l.png" };
const mine = { onExisting: "create" };
const again = { subject: "hush again" };

export const stories: Story[] = [
  story("Branding: create", [], [branding(logo)], { hasLogo: true }),
  story("Branding: update", [branding()], [branding({ colour: "#0d0e0f" })]),
  story("Branding: update that drops one argument and adds another", [branding()], [{ ...branding(), args: logo }], {
    hasLogo: true,
  }),
  story("Branding: refresh", [branding()]),
  story("Branding: delete", [branding(logo)]),
  story("Branding: replace, into a subaccount", [company(), branding()], [company(), branding(inside)]),

  story("BrandingEmail: create", [], [email()]),
  story("BrandingEmail: update", [email()], [email(again)]),
  story("BrandingEmail: refresh", [email()]),
  story("BrandingEmail: delete", [email()]),
  story("BrandingEmail: replace by another type", [email()], [email({ type: "email-reminder" })]),
  story("BrandingEmail: create in a subaccount", [company()], [company(), email(inside)]),

  story("Webhook: create", [], [webhook()]),
  story("Webhook: create a wanted duplicate", [webhook()], [webhook(), webhook(mine, "duplicate")]),
  story("Webhook: adopt", [], [webhook()], {
    before: (world) => client(world).webhooks.create({ webhook_type: "all", webhook_url: "https://hush.example/" }),
  }),
  story("Webhook: update", [webhook()], [webhook({ type })]),
  story("Webhook: update of two", [webhook(), second()], [webhook({ type }), second({ type })]),
  story("Webhook: refresh", [webhook()], undefined, {
    before: (world) => client(world).webhooks.create({ webhook_type: type, webhook_url: "https://theirs.example/" }),
  }),
  story("Webhook: refresh of two", [webhook(), second()]),
  story("Webhook: delete", [webhook()]),
  story("Webhook: create in a subaccount", [company()], [company(), webhook(inside)]),
  story("Webhook: refresh in a subaccount", [company(), webhook(inside)], undefined, {
    about: /(Company|Webhook): cannot read/,
  }),
  story("Webhook: delete from a subaccount", [company(), webhook(inside)], [company()]),
  story("Webhook: replace, into a subaccount", [company(), webhook()], [company(), webhook(inside)]),
  story("Webhook: rename", [webhook()], [webhook({}, "renamed")]),
  story("Webhook: update with a new key", [webhook()], [webhook({ type })], { between: newKey }),
  story("Branding: update with a new key", [branding()], [branding({ colour: "#0d0e0f" })], { between: newKey }),
  story(
    "BrandingEmail: update of all that is declared, with a new key",
    [email()],
    [email({ ...again, contentPlain: "hush again {contract url}" })],
    { between: newKey },
  ),
  story("Branding: delete with a new key", [branding()], undefined, { between: newKey }),

  story("Contact: create", [], [contact()]),
  story("Contact: adopt", [], [contact()], {
    before: (world) => client(world).contacts.create({ contact_name: "hush C", contact_email: "carla@hush.example" }),
  }),
  story("Contact: update", [contact()], [contact({ email: "new@hush.example" })]),
  story("Contact: refresh", [contact()]),
  story("Contact: delete", [contact()]),
  story("User: create", [], [user()]),
  story("User: adopt", [], [user()], {
    before: (world) => client(world).users.create({ user_name: "hush B", user_email: "bo@hush.example", role_id: "1" }),
  }),
  story("User: update to an ordinary user", [user()], [user({ role: "user" })]),
  story("User: refresh", [user()]),
  story("User: delete", [user()], undefined, { looksFor: true }),
  // The one that it has: the service refuses another one.
  story("User: adopt in a subaccount", [company()], [company(), user({ ...inside, email: "user@hush.example" })]),
  story("Settings: create", [], [settings()]),
  story(
    "Settings: update that drops one argument and adds another",
    [settings()],
    [{ ...settings(), args: { emailMainEmail: false, signingTooltips: false } }],
    { inParts: true },
  ),
  story("Settings: refresh", [settings()]),
  story("Settings: delete", [settings()]),

  story("Company: create", [], [company()]),
  story("Company: adopt", [], [company()], {
    before: (world) =>
      client(world).companies.create({ company_name: "hush Firm", user_name: "U", user_email: "user@hush.example" }),
  }),
  story("Company: update", [company()], [company({ name: "hush Firm Ltd", email: "new@hush.example" })]),
  story("Company: refresh", [company(), other]),
  story("Company: delete", [company(), other], [other]),
  story(
    "Company: replace by one of another user",
    [company(mine)],
    [company({ ...mine, userEmail: "another@hush.example", email: "office@another.example" })],
  ),
];

/** One way in which a request can fail. */
export interface Blow {
  name: string;
  fault: Fault;
  /** Only requests of these methods or operations: it makes no difference to others. */
  only?: RegExp;
  /** The request was performed. */
  commits?: true;
  /** The original values are written again in parts. */
  parts?: true;
  /** It takes the client's patience to notice. */
  slow?: true;
  /** Whether a create has made something stays in doubt: the next run gives the list time to show it, and reads it again. */
  doubtful?: true;
}

/** The fault of the n-th of equal requests (`PUT branding.update`); undefined where it makes no difference to them. */
export function faultOf({ fault, only = /./ }: Blow, request: string, nth = 1): Fault | undefined {
  const operation = request.split(" ")[1] as Fault["operation"];
  return only.test(request) ? { ...fault, operation, nth } : undefined;
}

const writes = /POST|PUT|DELETE/;

export const blows: Blow[] = [
  { name: "500", fault: { kind: "status", status: 500 } },
  { name: "503 without a word of when", fault: { kind: "status", status: 503, body: "html" } },
  { name: "429", fault: { kind: "status", status: 429 } },
  { name: "a field is refused", fault: { kind: "error", code: 10010 }, only: /POST|PUT/, parts: true },
  { name: "error in a 200", fault: { kind: "error", code: 10010, status: 200 }, parts: true },
  { name: "suspended", fault: { kind: "error", code: 10004 } },
  { name: "401", fault: { kind: "error", code: 10002 } },
  { name: "404 of a router", fault: { kind: "status", status: 404, body: "html" } },
  { name: "cut before", fault: { kind: "cut-before" } },
  { name: "cut after", fault: { kind: "cut-after" }, commits: true },
  { name: "never answered, not done", fault: { kind: "hang", commit: false }, slow: true },
  { name: "never answered, done", fault: { kind: "hang" }, only: writes, commits: true, slow: true },
  { name: "half an answer, not done", fault: { kind: "truncated", commit: false }, only: writes },
  { name: "half an answer", fault: { kind: "truncated" }, commits: true },
  { name: "HTML 502, not done", fault: { kind: "html", status: 502, commit: false } },
  { name: "HTML 502, done", fault: { kind: "html", status: 502 }, only: writes, commits: true },
  { name: "HTML 200, not done", fault: { kind: "html", status: 200, commit: false } },
  { name: "HTML 200, done", fault: { kind: "html", status: 200 }, only: writes, commits: true },
  { name: "empty, not done", fault: { kind: "empty", commit: false }, only: writes },
  { name: "empty, done", fault: { kind: "empty" }, commits: true },
  { name: "bare success, not done", fault: { kind: "wrong-types", commit: false } },
  { name: "members of wrong types", fault: { kind: "wrong-types" }, commits: true },
  { name: "a test key's answer", fault: { kind: "test" }, only: writes, doubtful: true },
  { name: "another object", fault: { kind: "other-ids" }, only: /webhooks\.get|companies\.get/ },
];
