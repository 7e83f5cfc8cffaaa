/**
 * What the walk goes through: every verb of every resource as a story, and every way in which one request can fail. What is
 * walked is found by a dry run of each story, so that a request more or less needs no change here.
 */
import type { Fault } from "../../emulator";
import { connect } from "../../sdk";
import type { Stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";

/** A part of a project's life in which requests fail. */
export interface Story {
  name: string;
  /** What a message may be about: `Webhook: cannot create`. */
  about: RegExp;
  /** What the account has before the project is begun. */
  before?: (world: Stage) => Promise<unknown>;
  /** What is deployed before anything fails. */
  from?: Wanted[];
  /** What happens between that and the run that fails. */
  between?: (world: Stage) => Promise<unknown>;
  act: "up" | "refresh" | "destroy";
  /** What an `up` is to bring about. */
  to?: Wanted[];
  /** Whether the story begins with nothing of the project's and leaves nothing: not so where existing things are taken over. */
  takesOver?: boolean;
  /** The service has no code for what is gone: it is looked for. */
  looksFor?: boolean;
  /** Declared and original values are written apart when one is refused. */
  inParts?: boolean;
  /** A logo is answered under another address: whether it is the declared one cannot be seen, so it is sent again. */
  hasLogo?: boolean;
}

/** What an `up` asks that has nothing to do: where there are companies, their keys are compared, in one list. */
export const idleRequests = (program: readonly Wanted[]): string[] =>
  program.some(({ kind }) => kind === "Company") ? ["GET companies.list"] : [];

const client = (world: Stage) => connect({ baseUrl: world.service.url, apiKey: world.settings.apiKey! });

const branding = (args: object = {}): Wanted => ({
  kind: "Branding",
  name: "look",
  args: { colour: "#0a0b0c", ...args },
});
const email = (args: object = {}): Wanted => ({
  kind: "BrandingEmail",
  name: "mail",
  args: { type: "email-send", subject: "hush {contract title}", contentPlain: "hush {contract url}", ...args },
});
const webhook = (args: object = {}, name = "hook"): Wanted => ({
  kind: "Webhook",
  name,
  args: { type: "all", url: "https://hush.example/", ...args },
});
const company = (args: object = {}, name = "firm"): Wanted => ({
  kind: "Company",
  name,
  args: {
    name: "hush Firm",
    userName: "hush User",
    userEmail: "user@hush.example",
    email: "office@hush.example",
    deletionProtection: false,
    ...args,
  },
});
const contact = (args: object = {}, name = "carla"): Wanted => ({
  kind: "Contact",
  name,
  args: { name: "hush Carla", email: "carla@hush.example", ...args },
});
const user = (args: object = {}, name = "bo"): Wanted => ({
  kind: "User",
  name,
  args: { name: "hush Bo", email: "bo@hush.example", role: "admin", deletionProtection: false, ...args },
});
const settings = (args: object = {}): Wanted => ({
  kind: "Settings",
  name: "wishes",
  args: { emailPdfAttach: false, ...args },
});
const other = company({ name: "hush Other", userEmail: "user@other-hush.example" }, "other");
const inside = { account: "firm" };

const existingHook = (world: Stage) =>
  client(world).webhooks.create({ webhook_type: "all", webhook_url: "https://hush.example/" });
const existingFirm = (world: Stage) =>
  client(world).companies.create({ company_name: "hush Firm", user_name: "U", user_email: "user@hush.example" });
const newKey = async (world: Stage) => {
  const partner = world.service.data().accounts.find((account) => account.partner)!;
  world.settings.apiKey = await world.service.rotateKey(partner.id);
};

export const stories: Story[] = [
  {
    name: "Branding: create",
    about: /Branding: cannot create/,
    act: "up",
    to: [branding({ logoUrl: "https://hush.example/l.png" })],
    hasLogo: true,
  },
  {
    name: "Branding: update",
    about: /Branding: cannot update/,
    from: [branding()],
    act: "up",
    to: [branding({ colour: "#0d0e0f" })],
  },
  {
    name: "Branding: update that drops one argument and adds another",
    about: /Branding: cannot update/,
    from: [branding()],
    act: "up",
    to: [{ kind: "Branding", name: "look", args: { logoUrl: "https://hush.example/l.png" } }],
    hasLogo: true,
  },
  { name: "Branding: refresh", about: /Branding: cannot read/, from: [branding()], act: "refresh" },
  {
    name: "Branding: delete",
    about: /Branding: cannot delete/,
    from: [branding({ logoUrl: "https://hush.example/l.png" })],
    act: "destroy",
  },
  {
    name: "Branding: replace, from the account into a sub account",
    about: /Branding: cannot (create|delete)/,
    from: [company(), branding()],
    act: "up",
    to: [company(), branding(inside)],
  },

  { name: "BrandingEmail: create", about: /BrandingEmail: cannot create/, act: "up", to: [email()] },
  {
    name: "BrandingEmail: update",
    about: /BrandingEmail: cannot update/,
    from: [email()],
    act: "up",
    to: [email({ subject: "hush again" })],
  },
  { name: "BrandingEmail: refresh", about: /BrandingEmail: cannot read/, from: [email()], act: "refresh" },
  { name: "BrandingEmail: delete", about: /BrandingEmail: cannot delete/, from: [email()], act: "destroy" },
  {
    name: "BrandingEmail: replace by another type",
    about: /BrandingEmail: cannot (create|delete)/,
    from: [email()],
    act: "up",
    to: [email({ type: "email-reminder" })],
  },
  {
    name: "BrandingEmail: create in a sub account",
    about: /BrandingEmail: cannot create/,
    from: [company()],
    act: "up",
    to: [company(), email(inside)],
  },

  { name: "Webhook: create", about: /Webhook: cannot create/, act: "up", to: [webhook()] },
  {
    name: "Webhook: create a wanted twin",
    about: /Webhook: cannot create/,
    from: [webhook()],
    act: "up",
    to: [webhook(), webhook({ onExisting: "create" }, "twin")],
  },
  {
    name: "Webhook: take over",
    about: /Webhook: cannot create/,
    before: existingHook,
    act: "up",
    to: [webhook()],
    takesOver: true,
  },
  {
    name: "Webhook: update",
    about: /Webhook: cannot update/,
    from: [webhook()],
    act: "up",
    to: [webhook({ type: "add-user" })],
  },
  {
    name: "Webhook: update of two",
    about: /Webhook: cannot update/,
    from: [webhook(), webhook({ url: "https://hush.example/2" }, "hook-2")],
    act: "up",
    to: [webhook({ type: "add-user" }), webhook({ type: "add-user", url: "https://hush.example/2" }, "hook-2")],
  },
  {
    name: "Webhook: refresh",
    about: /Webhook: cannot read/,
    from: [webhook()],
    before: (world) =>
      client(world).webhooks.create({ webhook_type: "add-user", webhook_url: "https://theirs.example/" }),
    act: "refresh",
    takesOver: true,
  },
  {
    name: "Webhook: refresh of two",
    about: /Webhook: cannot read/,
    from: [webhook(), webhook({ url: "https://hush.example/2" }, "hook-2")],
    act: "refresh",
  },
  { name: "Webhook: delete", about: /Webhook: cannot delete/, from: [webhook()], act: "destroy" },
  {
    name: "Webhook: create in a sub account",
    about: /Webhook: cannot create/,
    from: [company()],
    act: "up",
    to: [company(), webhook(inside)],
  },
  {
    name: "Webhook: refresh in a sub account",
    about: /(Company|Webhook): cannot read/,
    from: [company(), webhook(inside)],
    act: "refresh",
  },
  {
    name: "Webhook: delete from a sub account",
    about: /Webhook: cannot delete/,
    from: [company(), webhook(inside)],
    act: "up",
    to: [company()],
  },
  {
    name: "Webhook: replace, from the account into a sub account",
    about: /Webhook: cannot (create|delete)/,
    from: [company(), webhook()],
    act: "up",
    to: [company(), webhook(inside)],
  },
  {
    name: "Webhook: under another name",
    about: /Webhook: cannot (create|delete)/,
    from: [webhook()],
    act: "up",
    to: [webhook({}, "renamed")],
  },
  {
    name: "Webhook: update with a new key",
    about: /Webhook: cannot update/,
    from: [webhook()],
    between: newKey,
    act: "up",
    to: [webhook({ type: "add-user" })],
  },
  {
    name: "Branding: update with a new key",
    about: /Branding: cannot update/,
    from: [branding()],
    between: newKey,
    act: "up",
    to: [branding({ colour: "#0d0e0f" })],
  },
  {
    name: "BrandingEmail: update of all that is declared, with a new key",
    about: /BrandingEmail: cannot update/,
    from: [email()],
    between: newKey,
    act: "up",
    to: [email({ subject: "hush again", contentPlain: "hush again {contract url}" })],
  },
  {
    name: "Branding: delete with a new key",
    about: /Branding: cannot delete/,
    from: [branding()],
    between: newKey,
    act: "destroy",
  },

  { name: "Contact: create", about: /Contact: cannot create/, act: "up", to: [contact()] },
  {
    name: "Contact: take over",
    about: /Contact: cannot create/,
    before: (world) => client(world).contacts.create({ contact_name: "hush C", contact_email: "carla@hush.example" }),
    act: "up",
    to: [contact()],
    takesOver: true,
  },
  {
    name: "Contact: update",
    about: /Contact: cannot update/,
    from: [contact()],
    act: "up",
    to: [contact({ email: "new@hush.example" })],
  },
  { name: "Contact: refresh", about: /Contact: cannot read/, from: [contact()], act: "refresh" },
  { name: "Contact: delete", about: /Contact: cannot delete/, from: [contact()], act: "destroy" },
  { name: "User: create", about: /User: cannot create/, act: "up", to: [user()] },
  {
    name: "User: take over",
    about: /User: cannot create/,
    before: (world) => client(world).users.create({ user_name: "hush B", user_email: "bo@hush.example", role_id: "1" }),
    act: "up",
    to: [user()],
    takesOver: true,
  },
  {
    name: "User: update to an ordinary user",
    about: /User: cannot update/,
    from: [user()],
    act: "up",
    to: [user({ role: "user" })],
  },
  { name: "User: refresh", about: /User: cannot read/, from: [user()], act: "refresh" },
  { name: "User: delete", about: /User: cannot delete/, from: [user()], act: "destroy", looksFor: true },
  {
    name: "User: create in a sub account",
    about: /User: cannot create/,
    from: [company()],
    act: "up",
    to: [company(), user(inside)],
  },
  { name: "Settings: create", about: /Settings: cannot create/, act: "up", to: [settings()] },
  {
    name: "Settings: update that drops one argument and adds another",
    about: /Settings: cannot update/,
    from: [settings()],
    act: "up",
    to: [{ kind: "Settings", name: "wishes", args: { emailMainEmail: false, signingTooltips: false } }],
    inParts: true,
  },
  { name: "Settings: refresh", about: /Settings: cannot read/, from: [settings()], act: "refresh" },
  { name: "Settings: delete", about: /Settings: cannot delete/, from: [settings()], act: "destroy" },

  { name: "Company: create", about: /Company: cannot create/, act: "up", to: [company()] },
  {
    name: "Company: take over",
    about: /Company: cannot create/,
    before: existingFirm,
    act: "up",
    to: [company()],
    takesOver: true,
  },
  {
    name: "Company: update",
    about: /Company: cannot update/,
    from: [company()],
    act: "up",
    to: [company({ name: "hush Firm Ltd", email: "new@hush.example" })],
  },
  { name: "Company: refresh", about: /Company: cannot read/, from: [company(), other], act: "refresh" },
  { name: "Company: delete", about: /Company: cannot delete/, from: [company(), other], act: "up", to: [other] },
  {
    name: "Company: replace by one of another user",
    about: /Company: cannot (create|delete)/,
    from: [company({ onExisting: "create" })],
    act: "up",
    to: [company({ onExisting: "create", userEmail: "another@hush.example", email: "office@another.example" })],
  },
];

/** One way in which a request can fail. */
export interface Blow {
  name: string;
  /** What the service does; undefined where it makes no difference to a request. */
  fault(spot: Pick<Fault, "operation" | "nth">, method: string): Fault | undefined;
  /** The request was carried out. */
  commits?: true;
  /** What was there before is tried again in parts. */
  parts?: true;
  /** It takes the client's patience to notice. */
  slow?: true;
}

const only =
  (methods: RegExp, fault: Blow["fault"]): Blow["fault"] =>
  (spot, method) =>
    methods.test(method) ? fault(spot, method) : undefined;
const writes = /POST|PUT|DELETE/;

export const blows: Blow[] = [
  { name: "500", fault: (spot) => ({ ...spot, kind: "status", status: 500 }) },
  { name: "503 without a word of when", fault: (spot) => ({ ...spot, kind: "status", status: 503, body: "html" }) },
  { name: "429", fault: (spot) => ({ ...spot, kind: "status", status: 429 }) },
  {
    name: "a field is refused",
    fault: only(/POST|PUT/, (spot) => ({ ...spot, kind: "error", code: 10010 })),
    parts: true,
  },
  { name: "error in a 200", fault: (spot) => ({ ...spot, kind: "error", code: 10010, status: 200 }), parts: true },
  { name: "suspended", fault: (spot) => ({ ...spot, kind: "error", code: 10004 }) },
  { name: "401", fault: (spot) => ({ ...spot, kind: "error", code: 10002 }) },
  { name: "404 of a router", fault: (spot) => ({ ...spot, kind: "status", status: 404, body: "html" }) },
  { name: "cut before", fault: (spot) => ({ ...spot, kind: "cut-before" }) },
  { name: "cut after", fault: (spot) => ({ ...spot, kind: "cut-after" }), commits: true },
  { name: "never answered, not done", fault: (spot) => ({ ...spot, kind: "hang", commit: false }), slow: true },
  {
    name: "never answered, done",
    fault: only(writes, (spot) => ({ ...spot, kind: "hang" })),
    commits: true,
    slow: true,
  },
  { name: "half an answer, not done", fault: only(writes, (spot) => ({ ...spot, kind: "truncated", commit: false })) },
  { name: "half an answer", fault: (spot) => ({ ...spot, kind: "truncated" }), commits: true },
  { name: "HTML 502, not done", fault: (spot) => ({ ...spot, kind: "html", status: 502, commit: false }) },
  { name: "HTML 502, done", fault: only(writes, (spot) => ({ ...spot, kind: "html", status: 502 })), commits: true },
  { name: "HTML 200, not done", fault: (spot) => ({ ...spot, kind: "html", status: 200, commit: false }) },
  { name: "HTML 200, done", fault: only(writes, (spot) => ({ ...spot, kind: "html", status: 200 })), commits: true },
  { name: "empty, not done", fault: only(writes, (spot) => ({ ...spot, kind: "empty", commit: false })) },
  { name: "empty, done", fault: (spot) => ({ ...spot, kind: "empty" }), commits: true },
  { name: "bare success, not done", fault: (spot) => ({ ...spot, kind: "wrong-types", commit: false }) },
  { name: "members of wrong types", fault: (spot) => ({ ...spot, kind: "wrong-types" }), commits: true },
  { name: "a test key's answer", fault: only(writes, (spot) => ({ ...spot, kind: "test" })) },
  {
    name: "another object",
    fault: ({ operation, nth }) =>
      operation === "webhooks.get" || operation === "companies.get" ? { operation, nth, kind: "other-ids" } : undefined,
  },
];
