/**
 * What is done before anything is written. The key is tried once. In a preview it is decided what the update will do to
 * the account: the account is read as the update reads it first, each list once. Without a reader of the effects, what
 * the update will refuse fails the preview.
 */
import { isUnknown, type Properties, UNKNOWN } from "../../core/pulumi-values";
import {
  type Definition,
  naturalKeyOf,
  pickArguments,
  pickFields,
  type RegistrationArgument,
} from "../../core/resource-definition";
import type { Effect } from "../../effects/effect";
import { branding } from "../../resources/branding";
import { assertLiveKey } from "../../resources/check-response";
import { accountExists, company } from "../../resources/company";
import { previewMaxAge } from "../../session/account";
import type { Session } from "../../session/session";
import type { Verb } from "../describe-error";
import { type ResourceContext, readFields } from "../resource-context";
import { unconfirmedWrites, withUnconfirmed } from "../unconfirmed-writes";
import { accountGone, objectGone } from "../update";
import { rejectConflicts } from "../write-fields";
import { blockedBy, type PlannedEffect, planCreate } from "./plan-create";
import { effectOfUpdate, planUpdate } from "./plan-update";

/** Describes the errors of some work, as those of an operation. */
export type Guard = <T>(verb: Verb, work: () => Promise<T>) => Promise<T>;

export class Preflight {
  constructor(
    readonly definition: Definition,
    readonly session: Session,
  ) {}

  /** Of a resource whose arguments are valid. Returns why the update will refuse it. A failed check ends the run, so it is said once. */
  async check(
    state: Properties,
    inputs: Properties,
    argument: RegistrationArgument | undefined,
    guard: Guard,
  ): Promise<string | undefined> {
    const { definition, session } = this;
    const previous = argument && session.notePreview(definition.kind, state, inputs, argument);
    const isNew = Object.keys(state).length === 0;
    if (session.hasUnknownSettings || (argument === undefined && !isNew)) return undefined;
    try {
      await guard(isNew ? "create" : "update", async () => {
        await this.#verifyKey(isNew);
        if (argument !== undefined && isNew) await this.#planCreate(inputs, argument, previous);
        await session.preview?.companies.settled();
      });
      session.preview?.summarize();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Of a resource of the state. Throws what the update will refuse. Of a replacement, what is new is checked next. */
  async diff(context: ResourceContext, inputs: Properties, isUpdated: boolean): Promise<void> {
    const { session } = this;
    if (session.hasUnknownSettings) return;
    if (isUpdated) await this.#verifyKey(true);
    const isPlanned = isUpdated && session.preview !== undefined;
    // Once, where nothing is written: by the last of the objects that might prove the account.
    if (isPlanned || session.registrations.isComplete) await this.#verifyAccount();
    if (isPlanned) await this.#planUpdate(context, inputs);
    await session.preview?.companies.settled();
  }

  /** Arguments with the id of an account that the engine cannot know yet: that of a company that is adopted. */
  withCompany(inputs: Properties): Properties {
    const { preview } = this.session;
    if (preview === undefined || inputs.account !== UNKNOWN) return inputs;
    const company = preview.find(this.definition.kind, inputs)?.company;
    return { ...inputs, account: preview.companies.resolve(inputs.account, company) };
  }

  /**
   * One request for a whole run; what it reads is the branding that the program may declare. Who is going to `write` needs a live
   * key: where only responses to writes show a test key, the first of them fails.
   */
  async #verifyKey(write: boolean): Promise<void> {
    const { session } = this;
    if (session.isOffline) return;
    const read = () => branding.read(session.account(), "branding", previewMaxAge);
    const response = await session.accountVerifier.verifyKey(read, session.preview !== undefined);
    if (write && response !== undefined) assertLiveKey(response);
    // The engine goes on to the next resource only now.
    session.noteRegistration();
  }

  /** As before a write. Without settings there is no account yet. */
  async #verifyAccount(): Promise<void> {
    const { accountVerifier, registrations, isConfigured, isOffline } = this.session;
    if (isConfigured && !isOffline) await accountVerifier.verifyPlanned(registrations.isComplete);
  }

  async #planCreate(
    inputs: Properties,
    registration: RegistrationArgument,
    previous: Properties | undefined,
  ): Promise<void> {
    await this.#verifyAccount();
    const { companies } = this.session.preview!;
    let latest = 0;
    const plan = async () => {
      const number = ++latest;
      await this.#planCreateNow(inputs, registration, previous, () => number === latest);
    };
    const { company } = registration;
    await (inputs.account === UNKNOWN && company !== undefined ? companies.planInside(company, plan) : plan());
  }

  /** `isLatest`: false once the company that it belongs to has changed, and it was planned again. */
  async #planCreateNow(
    inputs: Properties,
    registration: RegistrationArgument,
    previous: Properties | undefined,
    isLatest: () => boolean,
  ): Promise<void> {
    const { definition, session } = this;
    const { name, resource, company } = registration;
    const { companies } = session.preview!;
    const keyFingerprint = session.isOffline ? undefined : await session.fingerprint();
    const picked = pickArguments(definition, inputs);
    const args = { ...picked, ...("account" in picked && { account: companies.resolve(picked.account, company) }) };
    const companyId = typeof args.account === "string" && !isUnknown(args.account) ? args.account : undefined;
    const planned = await planCreate(
      {
        ...{ definition, session, account: session.account(companyId), args, registration },
        declared: pickFields(definition, args),
        metadata: { instanceId: "", keyFingerprint },
        writes: { count: 0 },
        isReplacedInPlace: previous !== undefined && isSameObject(definition, previous, args),
      },
      (later) => {
        if (!isLatest()) return;
        this.#report(later.effect, name, keyFingerprint);
        if (isCompany(definition)) companies.add(resource, later.effect);
      },
    );
    if (isCompany(definition)) companies.add(resource, planned.effect);
    this.#finish(planned, name, keyFingerprint);
    if (!session.reporter.hasReader) session.preview!.addCreate(definition.kind, name, planned.effect);
  }

  async #planUpdate(context: ResourceContext, inputs: Properties): Promise<void> {
    const { definition, session, account, key } = context;
    const preview = session.preview!.find(definition.kind, inputs);
    const effect: Effect = { effect: "unread", writes: 1, id: account.id(key), detail: "offline" };
    const planned = session.isOffline ? { effect } : await this.#readAndPlan(context, inputs, preview?.secrets);
    this.#finish(planned, preview?.name);
  }

  async #readAndPlan(
    context: ResourceContext,
    inputs: Properties,
    secrets: readonly string[] | undefined,
  ): Promise<PlannedEffect> {
    const { definition, account, key } = context;
    const id = account.id(key);
    if (!(await accountExists(account))) return blockedBy(accountGone(), id);
    const item = await definition.read(account, key, previewMaxAge);
    if (item === undefined) return blockedBy(objectGone(), id);
    const { fields: live } = readFields(context, item);
    const journal = await unconfirmedWrites(context);
    const complete = withUnconfirmed(context, journal);
    const declared = pickFields(definition, inputs);
    const plan = planUpdate(complete, journal, declared, live, inputs.onDelete === "keep");
    const effect = effectOfUpdate(complete, plan, live, secrets);
    try {
      rejectConflicts(complete, plan.conflicts, live, secrets && { declared, secrets });
    } catch (failure) {
      return { effect, failure: failure as Error };
    }
    try {
      await definition.guard?.(account, { key, fields: plan.sending, isPlan: true });
      return { effect };
    } catch (failure) {
      return blockedBy(failure as Error, id);
    }
  }

  #finish({ effect, failure }: PlannedEffect, name: string | undefined, account?: string): void {
    const { reporter, accountVerifier } = this.session;
    if (failure !== undefined && !reporter.hasReader) throw accountVerifier.unproved ?? failure;
    const remark = failure === undefined ? this.#remarkOn(effect) : undefined;
    const detail = [effect.detail, remark].filter((part) => part !== undefined).join("; ");
    if (remark !== undefined && !reporter.hasReader)
      this.session.log(`${this.definition.kind} ${name ?? effect.id}: ${remark}`);
    this.#report(remark === undefined ? effect : { ...effect, detail }, name, account);
  }

  #remarkOn({ id = "", fields = [], writes }: Effect): string | undefined {
    const of = (side: "declared" | "live") => Object.fromEntries(fields.map((each) => [each.field, each[side]]));
    const key = id.slice(id.lastIndexOf("/") + 1);
    return writes === 0 ? undefined : this.definition.remark?.(key, of("declared"), of("live"));
  }

  #report(effect: Effect, name: string | undefined, account?: string): void {
    const { kind } = this.definition;
    const more = { ...(name !== undefined && { name }), ...(account !== undefined && { account }) };
    this.session.reporter.report({ ...effect, kind, ...more, done: false });
  }
}

const isCompany = ({ kind }: Definition) => kind === company.kind;

/** True if two instances of a resource are about the same object. */
const isSameObject = (definition: Definition, a: Properties, b: Properties) =>
  a.account === b.account && naturalKeyOf(definition, a) === naturalKeyOf(definition, b);
