/** The dynamic provider of every resource: check, diff, create, read, update and delete, derived from a definition. */
import { isDeepStrictEqual } from "node:util";
import { duplicateFailure } from "../core/duplicate-message";
import { Failure, PartialFailure, withProperties } from "../core/failure";
import { isUnknown, type Properties, secret, toJson, unwrapAll, withoutUndefined } from "../core/pulumi-values";
import {
  type Definition,
  describeLost,
  type Fields,
  fieldsIn,
  flatten,
  isDeletedBeforeReplaced,
  isSingleton,
  managedIdsArg,
  naturalKeyOf,
  nest,
  pickArguments,
  pickFields,
  stackNameArg,
} from "../core/resource-definition";
import type { Effect } from "../effects/effect";
import type { Session } from "../session/session";
import { encodeMetadata, metadataKey } from "../state/metadata";
import { adoptSingleton } from "./adopt-singleton";
import { changedArguments, checkArguments } from "./check";
import { createObject } from "./create/create-object";
import { recoverCreate } from "./create/recover-create";
import { deleteObject } from "./delete/delete-object";
import { restoreSingleton } from "./delete/restore-singleton";
import { transferObject } from "./delete/transfer-object";
import { hookError, type Verb } from "./describe-error";
import { declaredInputs, splitInputs } from "./hidden-arguments";
import type { CheckResult, DiffResult } from "./hook-results";
import { describeChangedOutputs } from "./plan/changed-outputs";
import { type Guard, Preflight } from "./plan/preflight";
import { isAsRecorded, readObject, refreshObject } from "./refresh";
import {
  type CreateContext,
  createContext,
  logAbout,
  logProblems,
  type NewState,
  type ResourceContext,
  resourceContext,
  type WriteContext,
} from "./resource-context";
import { acknowledge, describeUnconfirmed, forgetObject } from "./unconfirmed-writes";
import { updateObject } from "./update";

export class ResourceProvider {
  readonly #preflight: Preflight;

  constructor(
    readonly definition: Definition,
    readonly session: Session,
  ) {
    this.#preflight = new Preflight(definition, session);
  }

  async check(olds: Properties, news: Properties): Promise<CheckResult> {
    this.session.noteRegistration();
    const { definition, session } = this;
    const { inputs, stack, registration, preview, otherIssues } = splitInputs(declaredInputs(definition, news));
    if (stack !== undefined) session.stack = stack;
    session.registrations.add(registration);
    const state = unwrapAll(olds);
    const issues = checkArguments(definition, state, inputs, session);
    for (const field of definition.removable ?? []) if (inputs[field] === null) inputs[field] = "";
    // Ids are strings everywhere, whatever a program passes.
    if (typeof inputs.account === "number") inputs.account = String(inputs.account);
    const flat = flatten(definition, inputs);
    session.noteSecrets(definition.kind, flat, registration?.secrets ?? []);
    const reasons = issues.map(({ field, message }) => `${definition.kind}: ${field} ${message}`);
    if (reasons.length > 0) reasons.push(...otherIssues);
    if (session.settingsIssue !== undefined) reasons.push(`settings: ${session.settingsIssue}`);
    if (reasons.length === 0) {
      const args = pickArguments(definition, flat);
      const guard: Guard = (verb, work) => this.#guard(verb, args, {}, inputs, work);
      const refusal = await this.#preflight.check(flatten(definition, state), flat, preview, guard);
      if (refusal !== undefined) reasons.push(refusal);
    }
    // The engine prints the value of a property that a failure names, and it may be secret.
    return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    this.session.noteRegistration();
    const { definition, session } = this;
    const [state, args] = [this.#flat(olds), this.#flat(news)];
    const guard: Guard = (verb, work) => this.#guard(verb, args, {}, news, work);
    const { context, changed } = await guard("diff", async () => {
      const context = this.#context(id, state);
      const changed = changedArguments(definition, state, this.#preflight.withCompany(args));
      this.#register(context, changed.length > 0, pickFields(definition, args));
      // A run that was killed between a new name's create and the old one's deletion leaves two owners in the state.
      await session.ownership.registerExisting(context);
      return { context, changed };
    });
    const replaces = changed.filter((field) => definition.createOnly.includes(field));
    const notice = changed.length > 0 ? undefined : await this.#describeUnplanned(context);
    const changes = changed.length > 0 || notice !== undefined;
    await guard("update", () => this.#preflight.diff(context, args, changes && replaces.length === 0));
    if (notice !== undefined) logAbout(context, notice);
    return { changes, replaces, deleteBeforeReplace: isDeletedBeforeReplaced(definition) };
  }

  /** Why an update is needed although no argument changes. */
  async #describeUnplanned(context: ResourceContext): Promise<string | undefined> {
    // A write with unknown outcome is checked whatever the program declares now. The update reports what cannot be read.
    const unconfirmed = await describeUnconfirmed(context).catch(({ message }: Error) => message);
    return unconfirmed ?? (await describeChangedOutputs(context));
  }

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const { definition, session } = this;
    const args = pickArguments(definition, this.#flat(inputs));
    return this.#guard("create", args, {}, inputs, async () => {
      if (isUnknown(args)) throw new Failure("ESIGN1017", "the value of an argument is not known");
      const account = session.account(args.account as string | undefined);
      const reserved = args.onExisting === "create" ? undefined : naturalKeyOf(definition, args);
      if (reserved !== undefined && !account.reserve(reserved)) throw duplicateFailure(!isSingleton(definition));
      try {
        await session.accountVerifier.verifyBeforeWrite();
        session.journal.assertReadable();
        return await this.#create(await createContext(definition, session, args));
      } catch (error) {
        if (reserved !== undefined && !(error instanceof PartialFailure)) account.release(reserved);
        throw error;
      }
    });
  }

  async #create(create: CreateContext): Promise<{ id: string; outs: Properties }> {
    const { definition, session, account, args } = create;
    const { key, newState, effect, failure } = isSingleton(definition)
      ? await adoptSingleton(create)
      : await createObject(create);
    const object = { ...create, key, metadata: newState.metadata };
    const isExisting = isSingleton(definition) || newState.metadata.adopted === true || create.writes.count === 0;
    await session.ownership.register(object, !isExisting);
    const outs = await this.#outputs(object, args, newState, {});
    const id = account.id(key);
    session.writes.setId(id);
    this.#reportDone(create, effect);
    if (failure === undefined) return { id, outs };
    // The id of what was created must reach the state.
    throw isSingleton(definition) ? withProperties(id, outs, failure) : new PartialFailure(id, outs, failure);
  }

  async read(id: string, props: Properties): Promise<{ id: string; props?: Properties; inputs?: Properties }> {
    const { definition } = this;
    const state = this.#flat(props);
    return this.#guard("read", pickArguments(definition, state), {}, props, async () => {
      if (id === "") return this.#recover(state);
      const context = this.#context(id, state);
      this.#register(context, false);
      const item = await readObject(context);
      if (item === undefined) return this.#missing(context, id);
      const { args, newState } = await refreshObject(context, item);
      const outs = await this.#outputs(context, args, newState, state);
      return toJson({ id, props: outs, inputs: nest(definition, { ...args, ...newState.displayed }) });
    });
  }

  /** The answer to a read without an id: what an interrupted create with these arguments has made, with an empty id if nothing. */
  async #recover(inputs: Properties): Promise<{ id: string; props?: Properties; inputs?: Properties }> {
    const { [stackNameArg]: stack, [managedIdsArg]: managedIds = [] } = inputs;
    if (typeof stack === "string") this.session.stack = stack;
    const create = await createContext(this.definition, this.session, pickArguments(this.definition, inputs));
    const recovered = await recoverCreate(create, managedIds as string[]);
    if (recovered === undefined) return { id: "" };
    const { id, context, newState } = recovered;
    const props = newState
      ? await this.#outputs(context, create.args, newState, context.state)
      : nest(this.definition, context.state);
    return toJson({ id, props });
  }

  /** The answer to a read of an object that does not exist. */
  async #missing(context: ResourceContext, id: string): Promise<{ id: string }> {
    const { definition, session, state, metadata } = context;
    const isKnownByIdOnly = Object.keys(pickArguments(definition, state)).length === 0;
    if (isKnownByIdOnly && state[metadataKey] === undefined) {
      throw new Failure("ESIGN1020", `no ${definition.kind} with ID ${id} in this account`);
    }
    // With another key, it may exist in another account.
    await session.accountVerifier.verify(metadata.keyFingerprint);
    // No id is used twice: what was unconfirmed does not matter any more.
    if (!isSingleton(definition)) await forgetObject(context);
    return { id: "" };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    const { definition } = this;
    const [state, args] = [this.#flat(olds), pickArguments(definition, this.#flat(news))];
    const declared = pickFields(definition, args);
    const live: Fields = {};
    return this.#guard("update", args, live, news, async () => {
      const context = this.#context(id, state);
      this.#register(context, true, declared);
      await this.#assertOwned(context);
      const { newState, effect, failure } = await updateObject(context, args, declared, live);
      this.#reportDone(context, effect);
      const outs = await this.#outputs(context, args, newState, state);
      if (failure === undefined) return { outs };
      const planned = nest(definition, args);
      for (const name of Object.keys(definition.args.shape)) {
        // A displayed value may date from a time when the argument was declared as secret, and the engine marks by today's.
        if (outs[name] !== undefined && !isDeepStrictEqual(outs[name], planned[name])) outs[name] = secret(outs[name]);
      }
      throw withProperties(id, outs, failure);
    });
  }

  async #assertOwned(context: ResourceContext): Promise<void> {
    const { ownership } = this.session;
    // Parts of what every account has once may belong to different resources of different providers.
    const isTaken = isSingleton(this.definition)
      ? ownership.isOwnedByOtherHere(context)
      : (await ownership.otherOwner(context)) !== undefined;
    if (!isTaken) return;
    throw new Failure(
      "ESIGN1014",
      "another resource of this program has just adopted the object; nothing was changed",
      'Declare different objects, or set onExisting: "create" on the new resource',
    );
  }

  async delete(id: string, props: Properties): Promise<void> {
    const { definition, session } = this;
    const state = this.#flat(props);
    await this.#guard("delete", pickArguments(definition, state), {}, props, async () => {
      const context = this.#context(id, state);
      this.#register(context, true);
      const otherOwner = await session.ownership.otherOwner(context);
      if (otherOwner !== undefined) {
        // A new name, or a forced replacement: what is to be deleted is what has just been adopted.
        const detail = "another resource of this program has adopted it";
        logAbout(context, `not deleted: ${detail}${describeLost(definition, state)}`);
        const needsUpdate = await transferObject(context, otherOwner);
        return this.#reportDone(context, { effect: "release", writes: 0, id, detail, needsUpdate });
      }
      this.#reportDone(context, await (isSingleton(definition) ? restoreSingleton(context) : deleteObject(context)));
      await forgetObject(context);
      context.account.release(naturalKeyOf(definition, { ...definition.argsFromKey?.(context.key), ...state }));
    });
  }

  /** Properties without envelopes, with a text for each field. */
  #flat(properties: Properties): Properties {
    return flatten(this.definition, unwrapAll(properties));
  }

  #context(id: string, state: Properties): ResourceContext {
    return resourceContext(this.definition, this.session, id, state);
  }

  #reportDone({ writes }: Pick<WriteContext, "writes">, effect: Effect): void {
    this.session.reporter.report({ ...effect, kind: this.definition.kind, writes: writes.count, done: true });
  }

  /** Registers, in memory, what the state has of an object: who manages it, and what verifies the account. */
  #register(context: ResourceContext, isChanging: boolean, declared: Fields = {}): void {
    const { definition, session, account, key, state, metadata } = context;
    session.pendingCreates.remove(metadata.instanceId);
    const isReusable = !isChanging && state.onExisting !== "create";
    definition.collection?.objects(account).creator.registerExisting(key, isReusable);
    const kind = isSingleton(definition) ? "content" : "id";
    session.accountVerifier.addProbe(metadata.keyFingerprint, kind, () => isAsRecorded(context, declared));
  }

  /** The outputs: arguments, fields, what the API adds, and the hidden metadata. Nothing undeclared. */
  async #outputs(
    context: WriteContext,
    args: Properties,
    { displayed, outputs, metadata }: NewState,
    state: Properties,
  ): Promise<Properties> {
    const { definition } = this;
    const previous = Object.fromEntries(Object.keys(definition.outputs.shape).map((name) => [name, state[name]]));
    const fields = fieldsIn(definition, args);
    const otherArgs = Object.fromEntries(Object.entries(args).filter(([name]) => !fields.includes(name)));
    const flat = unwrapAll({ ...otherArgs, ...displayed, ...previous, ...withoutUndefined(outputs) });
    const outs = nest(definition, flat);
    logProblems(context, outputs);
    for (const name of definition.secrets) if (outs[name] !== undefined) outs[name] = secret(outs[name]);
    return toJson({ ...outs, [metadataKey]: encodeMetadata(await acknowledge(context, metadata)) });
  }

  async #guard<T>(verb: Verb, args: Properties, live: Fields, inputs: Properties, work: () => Promise<T>): Promise<T> {
    try {
      return await this.session.during(this.definition.kind, work);
    } catch (error) {
      // The engine takes these properties as the new state: without this member it could do nothing with it any more.
      if (error instanceof PartialFailure) error.properties.__provider = inputs.__provider;
      const redact = (text: string) => this.session.redact(text);
      throw hookError(error, { definition: this.definition, verb, args, live, redact });
    }
  }
}
