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
import { branding, company, email, webhook } from "./wanted";

/** An edit of the program. Positions are taken modulo what there is. */
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("webhook"), n: fc.nat(11), inside: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("company") }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("text"), n: fc.nat(9), inside: fc.nat(3) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom("remove", "rename", "rename", "change", "change"),
      n: fc.nat(20),
      to: fc.nat(9),
    }),
  },
);

const chance = fc.constantFrom(0.05, 0.1, 0.3);
const method = fc.constantFrom("POST", "PUT", "DELETE");
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constant("cut-after"), method, probability: chance }),
  fc.record({ kind: fc.constantFrom("cut-before", "html", "truncated", "empty"), probability: chance }),
  fc.record({ kind: fc.constant("status"), status: fc.constantFrom(429, 500, 503), probability: chance }),
  fc.record({ kind: fc.constant("error"), code: fc.constantFrom(10004, 10010), probability: chance }),
  fc.record({ kind: fc.constant("latency"), ms: fc.constantFrom(5, 20), jitter: fc.constant(20) }),
);

/** One run that goes wrong: by faults, by a kill after so many requests, or both. */
const attempt = fc.record({
  faults: fc.array(fault, { maxLength: 3, size: "max" }),
  kill: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 3 }),
});

const round = fc.record({
  /**
   * What is done to companies, and to what is in them. More at once is a doubt that people must decide: whether one is the company of
   * the old name cannot be seen once its address is another one, too; and what is removed from a company that gets another
   * name in the same run is forgotten (docs/explanation/guarantees.md).
   */
  ofCompanies: fc.constantFrom("remove", "rename", "change"),
  edits: fc.array(edit, { minLength: 4, maxLength: 14, size: "max" }),
  attempts: fc.array(attempt, { minLength: 1, maxLength: 2 }),
  /** A webhook is created outside Pulumi meanwhile. */
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
  logoAddress: fc.constantFrom("stable", "fresh"),
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
type Round = Scenario["rounds"][number];

/** What a campaign has been through. */
export const nothingYet = () => ({ scenarios: 0, runs: 0, kills: 0, faults: 0, failures: 0, requests: 0, objects: 0 });

/** Webhooks that are wanted several times share few URLs: an equal one usually exists, and belongs to the same program. */
const address = ({ onExisting }: Wanted["args"], n: number) =>
  onExisting === "create" ? `https://same.example/${n % 2}` : `https://r.example/${n}`;

const changes: Partial<Record<Wanted["kind"], (args: Wanted["args"], n: number) => object>> = {
  Webhook: (args, n) => ({ url: address(args, n) }),
  Company: ({ userEmail }, n) => ({ email: `office${n}@${String(userEmail).split("@")[1]}` }),
  Branding: (_, n) => ({ colour: `#00000${n}` }),
  BrandingEmail: (_, n) => ({ subject: `Subject ${n}` }),
};

/** A program that is edited. */
class Program {
  wanted: Wanted[] = [];
  #edits = 0;

  edit({ edits, ofCompanies }: Pick<Round, "edits" | "ofCompanies">): void {
    for (const change of edits) this.#apply(change, ofCompanies);
  }

  #apply(change: Round["edits"][number], ofCompanies: Round["ofCompanies"]): void {
    const { wanted } = this;
    const id = ++this.#edits;
    const firms = wanted.filter(({ kind }) => kind === "Company");
    const account = "inside" in change ? firms[change.inside % 4]?.name : undefined;
    const place = account === undefined ? {} : { account };
    if (change.do === "webhook") {
      const own = change.n < 9 ? {} : { onExisting: "create" };
      this.#add(webhook({ url: address(own, change.n % 9), ...own, ...place }, `hook-${id}`));
    } else if (change.do === "company") {
      // A number of its own: equal in name, but not clearly in the rest, is a doubt that people must decide.
      // What others refer to is first.
      wanted.unshift(company({ name: `Firm ${id}`, userEmail: `u@f${id}.example` }, `firm-${id}`));
    } else if (change.do === "text") {
      const type = (["email-send", "email-signed", "email-reminder"] as const)[change.n % 3]!;
      const content = `<p>${requiredVariables[type].map((name) => `{${name}}`).join("\n")}</p>\n<p>${change.n}</p>\n`;
      this.#add(email({ type, subject: `Subject ${change.n}`, content, ...place }, `email-${id}`));
      this.#add(branding({ colour: `#00000${change.n}`, ...place }, `branding-${id}`));
    } else {
      const one = wanted[change.n % wanted.length];
      if (one === undefined) return;
      const { kind, name, args } = one;
      const isInside = args.account !== undefined;
      // One that is to be another one of its kind is removed by its new name.
      const isRemoval = change.do === "rename" && isInside && args.onExisting === "create";
      if ((kind === "Company" || isInside) && (isRemoval ? "remove" : change.do) !== ofCompanies) return;
      const others = wanted.filter((each) => each !== one);
      if (change.do === "remove") {
        this.wanted = others.filter((each) => each.args.account !== name);
      } else if (change.do === "rename") {
        one.name = `${name.split("-")[0]}-${id}`;
        for (const each of others) if (each.args.account === name) each.args.account = one.name;
      } else {
        const changed = { ...args, ...changes[kind]?.(args, change.to) };
        if (isNew({ ...one, args: changed }, others)) one.args = changed;
      }
    }
  }

  #add(one: Wanted): void {
    if (isNew(one, this.wanted)) this.wanted.push(one);
  }
}

/** Two resources that are the same object are refused: that is another test's. */
function isNew(one: Wanted, others: readonly Wanted[]): boolean {
  const identity = ({ kind, args }: Wanted) =>
    JSON.stringify([kind, args.account, args.userEmail, args.url, kind === "BrandingEmail" && args.type]);
  return one.args.onExisting === "create" || others.every((other) => identity(other) !== identity(one));
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
  const original = likeness(service);
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
    service.clearLog();
    // Where names have changed, one more run records what the former resources knew: the command does it by itself.
    const again = await up(wanted);
    const writes = service.requests().filter(({ method }) => method !== "GET");
    problems.push(...again.failures, ...writes.map(({ operation }) => `written again: ${operation}`));
    const { steps } = again.steps.length > 0 ? await up(wanted) : again;
    problems.push(...steps.map((step) => `not settled: ${step}`));
    if (problems.length > 0) throw new Error(`${when}:\n  ${problems.join("\n  ")}`);
  };

  try {
    for (const [n, { attempts, isBusy, ...round }] of life.rounds.entries()) {
      program.edit(round);
      // Faults shall fail, not take their time.
      stage.settings.timeout = "3000";
      for (const { faults, kill } of attempts) {
        service.configure({ faults, listLag: { ms: life.lag } });
        service.clearLog();
        const run = up(program.wanted, kill);
        const [{ failures }] = await Promise.all([run, isBusy ? createOutside(service) : undefined]);
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
    const left = likeness(service);
    left.objects.webhook = left.objects.webhook!.filter(({ url }) => !`${url}`.startsWith("https://theirs.example/"));
    const text = (all: unknown) => JSON.stringify(all, (_, value) => plain(value));
    if (text(left) !== text(original)) throw new Error("destroy: the account is not as it was before");
  } finally {
    await service.close();
  }
}

/** Creates a webhook outside Pulumi, as far as the service allows it. */
async function createOutside(service: Emulator): Promise<void> {
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
