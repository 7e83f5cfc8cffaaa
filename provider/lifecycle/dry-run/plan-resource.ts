/**
 * Plans the create or the update of a resource in a preview: what it will do to the account. Reads the account as the run does, each list
 * once, and writes nothing. If no display shows effects, a preview fails where the run would.
 */
import { naturalKeyOf } from "../../../definitions/kind";
import { keyOfId } from "../../../definitions/object-id";
import { isNone, unknownAmount } from "../../core/amount";
import { isUnknown, type Properties, UNKNOWN } from "../../core/pulumi-values";
import type { Registration } from "../../core/registration";
import { isAccount, pickArguments, pickFields, type ResourceDefinition } from "../../core/resource-definition";
import { readMaxAge } from "../../core/time-limits";
import { blockedBy, type Effect, type PlannedEffect } from "../../plan/effect";
import { effectOfUpdate, planUpdate } from "../../plan/update-effect";
import type { Session } from "../../session/session";
import { changedPictures, withCopies } from "../compare-pictures";
import type { FormerInstance } from "../former-instance";
import { accountGoneFailure, objectGoneFailure } from "../gone-failures";
import { readObject } from "../read-object";
import { rejectConflicts } from "../reject-conflicts";
import { type ResourceContext, readFields } from "../resource-context";
import type { CredentialsCheck } from "../verify-credentials";
import { planCreate } from "./plan-create";

export class DryRun {
  constructor(
    readonly definition: ResourceDefinition,
    readonly session: Session,
    readonly credentials: Pick<CredentialsCheck, "beforePlan">,
  ) {}

  /** Of a new resource, or of what takes the place of a former instance. `exists`: whether that has its object still. */
  async planCreate(
    registration: Registration,
    inputs: Properties,
    former: FormerInstance | undefined,
    exists: () => Promise<boolean>,
  ): Promise<PlannedEffect | undefined> {
    const { session } = this;
    const { companies } = session.run.startPreview();
    if (session.connection.config.hasUnknown) return undefined;
    await this.credentials.beforePlan();
    let latest = 0;
    let planned: PlannedEffect | undefined;
    const plan = async () => {
      const number = ++latest;
      planned = await this.#planCreateNow(registration, inputs, { former, exists }, () => number === latest);
    };
    const { company } = registration;
    await (inputs.account === UNKNOWN && company !== undefined ? companies.planInside(company, plan) : plan());
    await companies.settled();
    return planned;
  }

  /** Of a resource of the state. Of a replacement, what is new is planned next. */
  async planUpdate(
    registration: Registration,
    context: ResourceContext,
    inputs: Properties,
  ): Promise<PlannedEffect | undefined> {
    const { session, account, key } = context;
    const { companies } = session.run.startPreview();
    if (session.connection.config.hasUnknown) return undefined;
    await this.credentials.beforePlan();
    const effect: Effect = { effect: "unread", writes: unknownAmount, id: account.id(key), detail: "offline" };
    const planned = session.connection.isOffline
      ? { effect }
      : await this.#readAndPlan(context, inputs, registration.secrets);
    this.#finish(planned, registration);
    await companies.settled();
    return planned;
  }

  /** Arguments with the id of an account that the engine cannot know yet: that of a company that is adopted. */
  withCompany({ company }: Registration, inputs: Properties): Properties {
    const { preview } = this.session.run;
    if (preview === undefined || inputs.account !== UNKNOWN) return inputs;
    return { ...inputs, account: preview.companies.resolve(inputs.account, company) };
  }

  /** `isLatest`: false once the company that it belongs to has changed, and it was planned again. */
  async #planCreateNow(
    registration: Registration,
    inputs: Properties,
    { former, exists }: { former: FormerInstance | undefined; exists: () => Promise<boolean> },
    isLatest: () => boolean,
  ): Promise<PlannedEffect> {
    const { definition, session } = this;
    const { urn, company } = registration;
    const { companies } = session.run.preview!;
    const current = session.connection.isOffline ? undefined : await session.connection.currentAccount();
    const picked = pickArguments(definition, inputs);
    const args = { ...picked, ...("account" in picked && { account: companies.resolve(picked.account, company) }) };
    const companyId = typeof args.account === "string" && !isUnknown(args.account) ? args.account : undefined;
    const note = (effect: Effect) => {
      if (isAccount(definition) && urn !== undefined) companies.add(urn, effect, args);
    };
    const planned = await planCreate(
      {
        ...{ definition, session, account: session.accounts.of(companyId), args, registration, urn },
        secrets: registration.secrets,
        declared: pickFields(definition, args),
        metadata: { instanceId: "", ...current },
        writes: { count: 0 },
        former,
        isReplacement: current !== undefined && (await exists()),
        isReplacedInPlace: former?.args !== undefined && isSameObject(definition, former.args, args),
      },
      (later) => {
        if (!isLatest()) return;
        session.reporting.effects.reportPlan(definition.kind, registration, later.effect, current?.keyFingerprint);
        note(later.effect);
      },
    );
    note(planned.effect);
    const warning = planned.effect.effect === "create" ? definition.warningOnCreate?.(args) : undefined;
    this.#finish(planned, registration, current?.keyFingerprint, warning);
    return planned;
  }

  async #readAndPlan(
    context: ResourceContext,
    inputs: Properties,
    secrets: readonly string[] | undefined,
  ): Promise<PlannedEffect> {
    const { definition, account, key } = context;
    const id = account.id(key);
    const { hasAccount, item } = await readObject(context, readMaxAge.preview);
    if (!hasAccount) return blockedBy(accountGoneFailure(), id);
    if (item === undefined) return blockedBy(objectGoneFailure(), id);
    const { fields: live } = readFields(context, item);
    const unconfirmed = await this.session.ledger.readUnconfirmed(await withCopies(context, live));
    const complete = unconfirmed.object;
    const declared = pickFields(definition, inputs);
    const pictures = await changedPictures(complete, declared);
    const { edition, values } = this.session.connection.config;
    const keepsOriginals = inputs.onDelete === "keep";
    const plan = planUpdate(unconfirmed, { declared, live, changedPictures: pictures, keepsOriginals, edition });
    const effect = effectOfUpdate(complete.detector, plan, { id, live, onConflict: values.onConflict, secrets });
    try {
      rejectConflicts(complete, plan.conflicts, live, secrets && { declared, secrets });
    } catch (failure) {
      return { effect, failure: failure as Error };
    }
    try {
      await definition.guard?.(account, { key, fields: plan.sending, isPreview: true });
      return { effect };
    } catch (failure) {
      return blockedBy(failure as Error, id);
    }
  }

  #finish(
    { effect, failure }: PlannedEffect,
    registration: Registration,
    account?: string,
    createWarning?: string,
  ): void {
    const { kind } = this.definition;
    const { reporting, accounts } = this.session;
    if (failure !== undefined && !reporting.effects.hasReader) throw accounts.verifier.unproved ?? failure;
    const warning = failure === undefined ? (createWarning ?? this.#warningOn(effect)) : undefined;
    const detail = [effect.detail, warning].filter((part) => part !== undefined).join("; ");
    if (warning !== undefined && !reporting.effects.hasReader)
      reporting.log(`${kind} ${registration.name ?? effect.id}: ${warning}`);
    reporting.effects.reportPlan(kind, registration, warning === undefined ? effect : { ...effect, detail }, account);
  }

  #warningOn({ id = "", fields = [], writes }: Effect): string | undefined {
    const of = (side: "declared" | "live") => Object.fromEntries(fields.map((each) => [each.field, each[side]]));
    return isNone(writes) ? undefined : this.definition.warning?.(keyOfId(id), of("declared"), of("live"));
  }
}

/** True if two instances of a resource are about the same object. */
const isSameObject = (definition: ResourceDefinition, a: Properties, b: Properties) =>
  a.account === b.account && naturalKeyOf(definition, a) === naturalKeyOf(definition, b);
