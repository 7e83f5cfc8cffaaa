/** The life cycle of every resource: check, diff, plans, create, read, update and delete, derived from a definition. Adapters serve it to engines. */
import { naturalKeyOf } from "../../definitions/kind";
import { duplicateFailure } from "../core/duplicate-error";
import { Failure } from "../core/failure";
import { PartialFailure, withProperties } from "../core/partial-failure";
import { isUnknown, type Properties, toJson, unwrapAll } from "../core/pulumi-values";
import type { Registration } from "../core/registration";
import {
  describeLost,
  type Fields,
  flatten,
  isAccount,
  isDeletedBeforeReplaced,
  isSingleton,
  nest,
  pickArguments,
  pickFields,
  type ResourceDefinition,
} from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import type { Effect, PlannedEffect } from "../plan/effect";
import type { Session } from "../session/session";
import { assertTexts, metadataKey } from "../state/metadata";
import { adoptSingleton } from "./adopt-singleton";
import { assertOwned } from "./assert-owned";
import { changedArguments, checkArguments, declaredInputs, isUnrecorded } from "./check";
import { createObject } from "./create/create-object";
import { recoverCreate } from "./create/recover-create";
import { deleteObject } from "./delete/delete-object";
import { restoreSingleton } from "./delete/restore-singleton";
import { adoptedByOther, transferObject } from "./delete/transfer-object";
import { type LifecycleVerb, providerError } from "./describe-error";
import { describeUpdateReason } from "./diff/update-reason";
import { DryRun } from "./dry-run/plan-resource";
import type { FormerInstance } from "./former-instance";
import { missingFailure } from "./gone-failures";
import { hideUnplanned, outputsOf } from "./outputs";
import { readObject } from "./read-object";
import { addProbe, linkCompany } from "./recorded-state";
import { refreshObject } from "./refresh-object";
import { ReplacedAccount } from "./replaced-account";
import {
  type CreateContext,
  createContext,
  logAbout,
  type ResourceContext,
  resourceContext,
  type WriteContext,
} from "./resource-context";
import type { Checked, Difference, ReadResult } from "./results";
import { updateObject } from "./update-object";
import { assertValidId } from "./validate-id";
import { CredentialsCheck } from "./verify-credentials";

/** What an adapter knows of a resource. */
type Registered = Pick<Registration, "urn" | "secrets">;

export class ResourceProvider {
  readonly #credentials: CredentialsCheck;
  readonly #dryRun: DryRun;
  readonly #replacedAccount: ReplacedAccount;

  constructor(
    readonly definition: ResourceDefinition,
    readonly session: Session,
  ) {
    this.#credentials = new CredentialsCheck(session);
    this.#dryRun = new DryRun(definition, session, this.#credentials);
    this.#replacedAccount = new ReplacedAccount(session);
  }

  async check(registration: Registration, olds: Properties, news: Properties): Promise<Checked> {
    const { definition, session } = this;
    session.run.registrations.noteCall();
    const inputs = declaredInputs(definition, news);
    const state = unwrapAll(olds);
    const found = checkArguments(definition, state, inputs, session.connection.config);
    for (const field of definition.removable) if (inputs[field] === null) inputs[field] = "";
    // Ids are strings everywhere, whatever a program passes.
    if (typeof inputs.account === "number") inputs.account = String(inputs.account);
    const issues = found.map(({ field, message }) => `${definition.kind}: ${field} ${message}`);
    const refusals =
      session.connection.configIssue === undefined ? [] : [`settings: ${session.connection.configIssue}`];
    if (registration.isPreview) session.run.startPreview();
    if (issues.length === 0 && refusals.length === 0) {
      const isNew = Object.keys(state).length === 0;
      const args = pickArguments(definition, flatten(definition, inputs));
      const verify = () => this.#credentials.onCheck(registration, isNew);
      await this.#guard(isNew ? "create" : "update", args, verify).catch(({ message }) => refusals.push(message));
    }
    if (issues.length === 0) {
      const declared = this.#declare(registration.urn, flatten(definition, inputs));
      await declared.catch(({ message }) => refusals.push(message));
    }
    return { inputs, issues, refusals };
  }

  /** Fails if another resource of the run declares the same object. */
  #declare(urn: string | undefined, args: Properties): Promise<void> {
    const { definition, session } = this;
    const isKnown = session.connection.isKnown && !isUnknown(args.account);
    const account = isKnown ? session.accounts.of(args.account as string | undefined) : undefined;
    return session.run.declared.declare(definition, urn, args, account);
  }

  async diff(registration: Registration, id: string, olds: Properties, news: Properties): Promise<Difference> {
    this.session.run.registrations.noteCall();
    const { definition, session } = this;
    const [state, args] = [this.#flat(olds), this.#flat(news)];
    const declared = pickFields(definition, args);
    const { context, changed } = await this.#guard("diff", args, async () => {
      const context = this.#context(id, state);
      const changed = changedArguments(definition, state, this.#dryRun.withCompany(registration, args));
      this.#register(context, changed.length > 0, declared);
      session.run.registrations.noteObject(definition.kind, id);
      // A run that was killed between a new name's create and the old one's deletion leaves two owners in the state.
      await session.run.owners.registerExisting(context, Object.keys(declared));
      return { context, changed };
    });
    const deleteBeforeReplace = isDeletedBeforeReplaced(definition);
    if (await this.#guard("update", args, () => this.#replacedAccount.recreates(context, registration.urn)))
      return { changes: true, changed: [], replaces: ["provider"], deleteBeforeReplace };
    const isReplaceable = definition.isReplaceable?.(args, state) ?? true;
    const replaces = changed.filter(
      (field) =>
        definition.createOnly.includes(field) &&
        !isUnrecorded(definition, field, state) &&
        (isReplaceable || !isUnknown(args[field])),
    );
    const notice = changed.length > 0 ? undefined : await describeUpdateReason(context, declared);
    const changes = changed.length > 0 || notice !== undefined;
    await this.#guard("update", args, () => this.#credentials.onDiff(changes && replaces.length === 0));
    if (notice !== undefined) logAbout(context, notice);
    return { changes, changed, replaces, deleteBeforeReplace };
  }

  /**
   * What the create of a resource will do; undefined while settings are not known. Throws what the create will refuse.
   */
  planCreate(
    registration: Registration,
    inputs: Properties,
    former?: FormerInstance,
  ): Promise<PlannedEffect | undefined> {
    const args = this.#flat(inputs);
    // In another account nothing is replaced in place.
    const inPlace = this.#replacedAccount.isRecreated(registration.urn) ? undefined : former;
    const exists = () => this.#exists(inPlace, readMaxAge.preview);
    const plan = () => this.#dryRun.planCreate(registration, args, inPlace, exists);
    return this.#guard("create", pickArguments(this.definition, args), plan);
  }

  /** What the update of a resource will do; undefined while settings are not known. Throws what the update will refuse. */
  planUpdate(
    registration: Registration,
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<PlannedEffect | undefined> {
    const args = this.#flat(news);
    const plan = () => this.#dryRun.planUpdate(registration, this.#context(id, this.#flat(olds)), args);
    return this.#guard("update", args, plan);
  }

  async create(
    registration: Registered,
    inputs: Properties,
    former?: FormerInstance,
  ): Promise<{ id: string; outs: Properties }> {
    const { definition, session } = this;
    const args = pickArguments(definition, this.#flat(inputs));
    return this.#guard("create", args, async () => {
      if (isUnknown(args)) throw new Failure("ESIGN1017", "the value of an argument is not known");
      const account = session.accounts.of(args.account as string | undefined);
      const reserved = args.onExisting === "create" ? undefined : naturalKeyOf(definition, args);
      if (reserved !== undefined && !account.reserve(reserved)) throw duplicateFailure(!isSingleton(definition));
      try {
        await session.accounts.verifier.verifyBeforeWrite();
        session.ledger.assertReadable();
        await session.run.declared.assertOnly(definition, registration.urn, args, account);
        const inPlace = this.#replacedAccount.isRecreated(registration.urn) ? undefined : former;
        const isReplacement = await this.#exists(inPlace, readMaxAge.refresh);
        const context = await createContext(definition, session, args, registration.urn);
        return await this.#create(registration, { ...context, former, isReplacement });
      } catch (error) {
        if (reserved !== undefined && !(error instanceof PartialFailure)) account.release(reserved);
        throw error;
      }
    });
  }

  /** False also where a run that was killed has deleted it before it could create the other one: nothing says that but the account. */
  async #exists(former: FormerInstance | undefined, maxAge: number): Promise<boolean> {
    if (former === undefined || former.isDeleted || former.recorded === undefined) return former?.isDeleted === false;
    const { id, state } = former.recorded;
    return (await readObject(this.#context(id, this.#flat(state)), maxAge)).item !== undefined;
  }

  async #create(registration: Registered, create: CreateContext): Promise<{ id: string; outs: Properties }> {
    const { definition, session, account, args } = create;
    const work = isSingleton(definition) ? adoptSingleton : createObject;
    const { key, newState, effect, failure } = await work(create);
    newState.metadata.madeAt = session.run.clock.date();
    const object = { ...create, key, metadata: newState.metadata };
    const isExisting = isSingleton(definition) || newState.metadata.adopted === true || create.writes.count === 0;
    await session.run.owners.register(object, Object.keys(create.declared), !isExisting);
    const outs = await outputsOf(object, args, newState, {});
    // An explicit provider with the key of a new company finds nothing of an earlier run in it.
    if (isAccount(definition)) {
      const { apiKey } = unwrapAll(outs);
      session.run.declared.link(session.accounts.of(key), apiKey);
      if (!newState.metadata.adopted) session.run.newAccounts.add(apiKey);
    }
    const id = account.id(key);
    session.reporting.writes.setId(id);
    this.#reportDone(registration, create, effect);
    if (failure === undefined) return { id, outs };
    // The id of what was created must reach the state.
    throw isSingleton(definition) ? withProperties(id, outs, failure) : new PartialFailure(id, outs, failure);
  }

  /** `name`: of the resource, if the adapter knows it. */
  async read(id: string, props: Properties, name?: string): Promise<ReadResult> {
    const { definition } = this;
    const state = this.#flat(props);
    // Engines show what is wrong with an ID that a person has typed under the stack. Their own states have metadata.
    const isTyped = state[metadataKey] === undefined;
    const read = async () => {
      if (isTyped) assertValidId(definition, id, this.session.connection.config.allowUnknownValues);
      const context = this.#context(id, state);
      this.#register(context, false);
      const { item } = await readObject(context, readMaxAge.refresh);
      if (item === undefined) return this.#missing(context, id);
      const { args, newState } = await refreshObject(context, item);
      const outs = await outputsOf(context, args, newState, state);
      return toJson({ id, props: outs, inputs: nest(definition, { ...args, ...newState.displayed }) });
    };
    return this.#guard("read", pickArguments(definition, state), read, isTyped ? name : undefined);
  }

  /** What an interrupted create with these arguments has made. `managedIds`: the objects that the state has. */
  async recover(registration: Registered, inputs: Properties, managedIds: readonly string[]): Promise<ReadResult> {
    const args = pickArguments(this.definition, this.#flat(inputs));
    return this.#guard("read", args, async () => {
      assertTexts(this.definition, args);
      const create = await createContext(this.definition, this.session, args, registration.urn);
      const recovered = await recoverCreate(create, managedIds);
      if (recovered === undefined) return { id: "" };
      const { id, context, newState } = recovered;
      newState.metadata.madeAt = this.session.run.clock.date();
      return toJson({ id, props: await outputsOf(context, create.args, newState, context.state) });
    });
  }

  /** The answer to a read of an object that does not exist. */
  async #missing(context: ResourceContext, id: string): Promise<{ id: string }> {
    const { definition, session, state, metadata } = context;
    const isKnownByIdOnly = Object.keys(pickArguments(definition, state)).length === 0;
    if (isKnownByIdOnly && state[metadataKey] === undefined) {
      throw missingFailure(definition, id);
    }
    // With another key, it may exist in another account.
    await session.accounts.verifier.verify(metadata);
    // No id is used twice: what was unconfirmed does not matter any more.
    if (!isSingleton(definition)) await session.ledger.forget(context);
    return { id: "" };
  }

  async update(
    registration: Registered,
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ outs: Properties }> {
    const { definition, session } = this;
    const [state, args] = [this.#flat(olds), pickArguments(definition, this.#flat(news))];
    const declared = pickFields(definition, args);
    return this.#guard("update", args, async () => {
      const context = this.#context(id, state);
      this.#register(context, true, declared);
      await assertOwned(context);
      await session.run.declared.assertOnly(definition, registration.urn, args, context.account);
      const { newState, effect, failure } = await updateObject(context, args, declared, registration.secrets);
      this.#reportDone(registration, context, effect);
      if (context.writes.count > 0) newState.metadata.writtenAt = session.run.clock.date();
      const outs = await outputsOf(context, args, newState, state);
      if (failure === undefined) return { outs };
      throw withProperties(id, hideUnplanned(definition, outs, args), failure);
    });
  }

  async delete(registration: Registered, id: string, props: Properties): Promise<void> {
    const { definition, session } = this;
    const state = this.#flat(props);
    await this.#guard("delete", pickArguments(definition, state), async () => {
      const context = this.#context(id, state);
      const released = await this.#replacedAccount.release(context);
      if (released) return this.#reportDone(registration, context, released);
      this.#register(context, true);
      const otherOwner = await session.run.owners.otherOwner(context);
      if (otherOwner !== undefined) {
        // A new name, or a forced replacement: what is to be deleted is what has just been adopted.
        logAbout(context, `not deleted: ${adoptedByOther}${describeLost(definition, state)}`);
        return this.#reportDone(registration, context, await transferObject(context, otherOwner));
      }
      const effect = await (isSingleton(definition) ? restoreSingleton(context) : deleteObject(context));
      this.#reportDone(registration, context, effect);
      await session.ledger.forget(context);
      context.account.release(naturalKeyOf(definition, { ...definition.argsFromKey?.(context.key), ...state }));
    });
  }

  /** Without envelopes, with a text for each field. */
  readonly #flat = (properties: Properties): Properties => flatten(this.definition, unwrapAll(properties));

  #context(id: string, state: Properties): ResourceContext {
    return resourceContext(this.definition, this.session, id, state);
  }

  #reportDone(registration: Registered, { writes }: Pick<WriteContext, "writes">, effect: Effect): void {
    this.session.reporting.effects.reportDone(this.definition.kind, registration, { ...effect, writes: writes.count });
  }

  /** Registers, in memory, what the state has of an object: who manages it, and what verifies the account. */
  #register(context: ResourceContext, isChanging: boolean, declared: Fields = {}): void {
    const { definition, session, account, key, state, metadata } = context;
    session.ledger.endCreate(metadata);
    if (definition.returnedOnce?.some((name) => state[name] !== undefined))
      session.run.returnsOnce.add(definition.kind);
    const isReusable = !isChanging && state.onExisting !== "create";
    definition.collection?.objects(account).creator.registerExisting(key, isReusable);
    addProbe(context, { declared });
    linkCompany(context);
  }

  async #guard<T>(verb: LifecycleVerb, args: Properties, work: () => Promise<T>, name?: string): Promise<T> {
    try {
      return await this.session.reporting.during(this.definition.kind, work);
    } catch (error) {
      const redact = (text: string) => this.session.reporting.redact(text);
      const { hasCurrentConfiguration } = this.session;
      throw providerError(error, { definition: this.definition, name, verb, args, redact, hasCurrentConfiguration });
    }
  }
}
