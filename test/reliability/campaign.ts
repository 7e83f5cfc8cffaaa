/**
 * Random programs, random faults, random kills, then a clean `up`: what the service has is what the state says, nothing
 * twice, nothing lost, nothing of other people's touched. The hooks run in processes of their own, which are really killed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Emulator, type Fault, type SettingsInput, start } from "../../emulator";
import { requiredVariables } from "../../emulator/domain/emails/default-emails";
import { connect } from "../../sdk";
import { fc } from "../chance";
import { Stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { disagreements, likeness, plain } from "./agreement";
import { Engine } from "./engine";
import { hooksApart } from "./hooks";

/** An edit of the program. Positions are taken modulo what there is. */
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("webhook" as const), n: fc.nat(11), inside: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("company" as const), n: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("text" as const), n: fc.nat(9), inside: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), n: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("rename" as const), n: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("change" as const), n: fc.nat(20), to: fc.nat(9) }) },
);

const chance = fc.constantFrom(0.05, 0.1, 0.3);
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constant("cut-after" as const),
    method: fc.constantFrom("POST", "PUT", "DELETE"),
    probability: chance,
  }),
  fc.record({ kind: fc.constant("cut-before" as const), probability: chance }),
  fc.record({ kind: fc.constant("status" as const), status: fc.constantFrom(429, 500, 503), probability: chance }),
  fc.record({ kind: fc.constantFrom("html" as const, "truncated" as const, "empty" as const), probability: chance }),
  fc.record({ kind: fc.constant("error" as const), code: fc.constantFrom(10004, 10010), probability: chance }),
  fc.record({ kind: fc.constant("latency" as const), ms: fc.constantFrom(5, 20), jitter: fc.constant(20) }),
);

/** One run that goes wrong: by faults, by a kill after so many requests, or both. */
const attempt = fc.record({
  faults: fc.array(fault, { maxLength: 3, size: "max" }),
  kill: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 3 }),
});

const round = fc.record({
  edits: fc.array(edit, { minLength: 4, maxLength: 14, size: "max" }),
  attempts: fc.array(attempt, { minLength: 1, maxLength: 2 }),
  /** Somebody else makes a webhook meanwhile. */
  isBusy: fc.boolean(),
});

/** What is open in the specification, and another service does otherwise. */
const style: fc.Arbitrary<SettingsInput> = fc.record({
  listOrder: fc.constantFrom("oldest", "newest", "id"),
  pageCap: fc.constantFrom({ limit: 50, fallback: 10 }, { limit: 10, fallback: 10 }, { limit: 3, fallback: 2 }),
  nextStyle: fc.constantFrom("absent", "null", "empty", "same", "foreign"),
  idStyle: fc.constantFrom("mixed", "string", "integer"),
  hrefStyle: fc.constantFrom("same", "other"),
  errorShape: fc.constantFrom("plain", "extended"),
  emptyList: fc.constantFrom("list", "error"),
  textStyle: fc.constantFrom("exact", "crlf", "trimmed"),
  companyExtras: fc.boolean(),
});

/** A project's life. */
export const scenario = fc.record({
  seed: fc.nat(1e6),
  lag: fc.constantFrom(0, 0, 300),
  style,
  rounds: fc.array(round, { minLength: 2, maxLength: 4, size: "max" }),
});
export type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

/** What a campaign has been through. */
export interface Figures {
  scenarios: number;
  runs: number;
  kills: number;
  faults: number;
  failures: number;
  requests: number;
  objects: number;
}

export const nothingYet = (): Figures => ({
  scenarios: 0,
  runs: 0,
  kills: 0,
  faults: 0,
  failures: 0,
  requests: 0,
  objects: 0,
});

/** Of webhooks that are wanted several times there are few: an equal one is there as a rule, and nobody else's. */
const address = ({ onExisting }: Wanted["args"], n: number) =>
  onExisting === "create" ? `https://twin.example/${n % 2}` : `https://r.example/${n}`;

/** A program that is edited. */
class Program {
  wanted: Wanted[] = [];
  #names = 0;
  #hasRemoved = false;
  #hasRenamed = false;
  /** Companies of a round that have another resource's name, or another address: those with both are a doubt, see below. */
  readonly #edited = new Map<Wanted, "rename" | "change">();

  /** The edits of a round. */
  edit(changes: Scenario["rounds"][number]["edits"]): void {
    this.#hasRemoved = false;
    this.#hasRenamed = false;
    this.#edited.clear();
    for (const change of changes) this.#apply(change);
  }

  #apply(change: Scenario["rounds"][number]["edits"][number]): void {
    const { wanted } = this;
    const companies = wanted.filter(({ kind }) => kind === "Company");
    const inside = "inside" in change && companies.length > 0 ? companies[change.inside % 4]?.name : undefined;
    const account = inside === undefined ? {} : { account: inside };
    const name = (prefix: string) => `${prefix}-${++this.#names}`;
    if (change.do === "webhook") {
      const own = change.n < 9 ? {} : { onExisting: "create" };
      const args = { type: "all", url: address(own, change.n % 9), ...own, ...account };
      this.#add({ kind: "Webhook", name: name("hook"), args });
    } else if (change.do === "company") {
      // A number of its own: equal in name, but not clearly in the rest, is a doubt that people must decide.
      const n = ++this.#names;
      const args = { name: `Firm ${n}`, userName: "U", userEmail: `u@f${n}.example`, deletionProtection: false };
      // What others refer to is first.
      if (this.#isNew({ kind: "Company", name: "", args }))
        wanted.unshift({ kind: "Company", name: name("firm"), args });
    } else if (change.do === "text") {
      const type = (["email-send", "email-signed", "email-reminder"] as const)[change.n % 3]!;
      const content = `<p>${requiredVariables[type].map((name) => `{${name}}`).join("\n")}</p>\n<p>${change.n}</p>\n`;
      const args = { type, subject: `Subject ${change.n}`, content, ...account };
      this.#add({ kind: "BrandingEmail", name: name("email"), args });
      this.#add({ kind: "Branding", name: name("branding"), args: { colour: `#00000${change.n}`, ...account } });
    } else {
      const one = wanted[change.n % Math.max(1, wanted.length)];
      if (one === undefined) return;
      // Whether it is the company of the old name cannot be seen once the address is another one, too: for people to decide. With
      // both, a webhook is another one, and its old one removed, perhaps from a company that gets another name.
      const isInside = one.kind === "Webhook" && one.args.account !== undefined;
      if ((one.kind === "Company" || isInside) && change.do !== "remove") {
        if ((this.#edited.get(one) ?? change.do) !== change.do) return;
        this.#edited.set(one, change.do);
      }
      const others = wanted.filter((each) => each !== one);
      // What is removed from a company that gets another name in the same run is forgotten: see docs/explanation/guarantees.md. One that is to
      // be another one of its kind is removed by its new name, too.
      const isRemoval =
        change.do === "remove" || (change.do === "rename" && isInside && one.args.onExisting === "create");
      if (isRemoval ? this.#hasRenamed : change.do === "rename" && one.kind === "Company" && this.#hasRemoved) return;
      if (isRemoval) this.#hasRemoved = true;
      if (change.do === "remove") {
        this.wanted = others.filter(({ args }) => args.account !== one.name);
      } else if (change.do === "rename") {
        if (one.kind === "Company") this.#hasRenamed = true;
        const before = one.name;
        one.name = name(before.split("-")[0]!);
        for (const { args } of others) if (args.account === before) args.account = one.name;
      } else {
        const { to } = change;
        const changed = {
          Webhook: { url: address(one.args, to) },
          Company: { email: `office${to}@${String(one.args.userEmail).split("@")[1]}` },
          Branding: { colour: `#00000${to}` },
          BrandingEmail: { subject: `Subject ${to}` },
          Contact: { name: `Contact ${to}` },
          User: { name: `User ${to}` },
          Settings: { signatureMoreInfo: to % 2 === 0 },
        }[one.kind];
        const next = { ...one, args: { ...one.args, ...changed } };
        this.wanted = others;
        const isFree = this.#isNew(next);
        this.wanted = wanted;
        if (isFree) one.args = next.args;
      }
    }
  }

  #add(one: Wanted): void {
    if (this.#isNew(one)) this.wanted.push(one);
  }

  /** Two resources that are the same object are refused: that is another test's. */
  #isNew({ kind, args }: Wanted): boolean {
    if (args.onExisting === "create") return true;
    const key = (each: Wanted["args"]) =>
      JSON.stringify(
        {
          Webhook: [each.account, each.url],
          Company: [each.userEmail],
          Branding: [each.account],
          BrandingEmail: [each.account, each.type],
          Contact: [each.account, each.email],
          User: [each.account, each.email],
          Settings: [each.account],
        }[kind],
      );
    return !this.wanted.some((each) => each.kind === kind && key(each.args) === key(args));
  }
}

/** Lives a project's life. Throws with all that is wrong at the end of a round. */
export async function live(life: Scenario, figures = nothingYet()): Promise<void> {
  let onRequest = () => {};
  const service: Emulator = await start({ ...life.style, faultSeed: life.seed, log: () => onRequest() });
  const stage = new Stage(service);
  stage.settings.retries = "2";
  const engine = new Engine();
  const program = new Program();
  const theirs = new Set<string>();
  const original = await likeness(service);
  figures.scenarios++;

  const up = async (wanted: Wanted[], kill?: number) => {
    figures.runs++;
    const hooks = await hooksApart(stage);
    const killed = new AbortController();
    let left = kill;
    onRequest = () => {
      figures.requests++;
      if (left === undefined || --left !== 0) return;
      figures.kills++;
      hooks.kill();
      killed.abort();
    };
    try {
      return await engine.up(wanted, hooks, killed.signal);
    } finally {
      onRequest = () => {};
      await hooks.end();
    }
  };
  const expectClean = async (when: string, wanted: Wanted[]) => {
    service.configure({ faults: [], listLag: {} });
    // A busy machine is no fault.
    stage.settings.timeout = "60000";
    const { failures } = await up(wanted);
    const problems = [...failures, ...disagreements(service.data(), [...engine.state.values()], theirs)];
    if (engine.state.size !== wanted.length)
      problems.push(`${engine.state.size} in the state, ${wanted.length} wanted`);
    const again = await up(wanted);
    problems.push(...again.steps.map((step) => `not settled: ${step}`));
    if (problems.length > 0) throw new Error(`${when}:\n  ${problems.join("\n  ")}`);
  };

  try {
    for (const [n, { edits, attempts, isBusy }] of life.rounds.entries()) {
      program.edit(edits);
      // Faults shall fail, not take their time.
      stage.settings.timeout = "3000";
      for (const { faults, kill } of attempts) {
        service.configure({ faults, listLag: { ms: life.lag } });
        service.clearLog();
        const run = up(program.wanted, kill);
        const [{ failures }] = await Promise.all([run, isBusy ? somebodyElse(service) : undefined]);
        for (const id of theirsIn(service)) theirs.add(id);
        // What a killed run has made is not known to the next one before it is in the list: the assumption behind this.
        if (kill !== undefined) await sleep(life.lag);
        figures.failures += failures.length;
        figures.faults += Object.values(service.counts().byFault).reduce((sum, count) => sum + count, 0);
      }
      await expectClean(`round ${n + 1}`, program.wanted);
      figures.objects += engine.state.size;
    }
    await expectClean("destroy", []);
    const left = (await likeness(service)) as { webhooks: { url: string }[] };
    left.webhooks = left.webhooks.filter(({ url }) => !url.startsWith("https://theirs.example/"));
    const text = (all: unknown) => JSON.stringify(all, (_, value) => plain(value));
    if (text(left) !== text(original)) throw new Error("destroy: the account is not as it was before");
  } finally {
    await service.close();
  }
}

/** Somebody else makes a webhook, as far as the service lets them. */
async function somebodyElse(service: Emulator): Promise<void> {
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, timeout: 1000 });
  await client.webhooks
    .create({ webhook_type: "all", webhook_url: `https://theirs.example/${service.data().accounts.length}` })
    .catch(() => undefined);
}

const theirsIn = (service: Emulator) =>
  service
    .data()
    .accounts.flatMap(({ webhooks }) => webhooks)
    .filter(({ url }) => url.startsWith("https://theirs.example/"))
    .map(({ id }) => id);
