/** The life that all resources share: check, diff, create, read, update and delete, derived from a definition. */
import { randomBytes } from "node:crypto";
import { Failure, PartialFailure } from "../core/failure";
import { isUnknown, type Properties, secret, toJson, unwrapAll } from "../core/pulumi-values";
import { type Definition, type Fields, naturalKeyOf, pickArguments, stackNameArg } from "../core/resource-definition";
import { accountExists } from "../resources/company";
import { refreshMaxAge } from "../session/account";
import type { Session } from "../session/session";
import { DriftDetector, detectDrift, isEquivalent } from "../state/drift";
import { decodeMetadata, encodeMetadata, type Metadata, metadataKey } from "../state/metadata";
import { adoptSingleton } from "./adopt-singleton";
import { changedArguments, checkArguments } from "./check";
import type { NewState, ResourceContext } from "./context";
import { createObject } from "./create-object";
import { deleteObject } from "./delete-object";
import { hookError, type Verb } from "./describe-error";
import { restoreSingleton } from "./restore-singleton";
import {
  acknowledge,
  describeUnconfirmed,
  forgetObject,
  hasOwnWrite,
  reconcile,
  remainingUnconfirmed,
  transferOriginals,
  unconfirmedWrites,
} from "./unconfirmed-writes";
import { updateObject } from "./update";

/** The members of a result that the SDK takes. */
export interface CheckResult {
  inputs: Properties;
  failures: { property: string; reason: string }[];
}
export interface DiffResult {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/**
 * Most bytes of properties that a failure carries: they travel in base64 in one header of the answer, of which Node takes no
 * more than 64 KiB.
 */
const maxPartialBytes = 45_000;

export class ResourceProvider {
  constructor(
    readonly definition: Definition,
    readonly session: Session,
  ) {}

  check(olds: Properties, news: Properties): CheckResult {
    this.session.noteRegistration();
    const { [stackNameArg]: stack, ...inputs } = unwrapAll(news);
    if (typeof stack === "string") this.session.stack = stack;
    const { allowUnknownValues, settingsIssue } = this.session;
    const issues = checkArguments(this.definition, unwrapAll(olds), inputs, allowUnknownValues);
    // Ids are texts everywhere, whatever a program gives.
    if (typeof inputs.account === "number") inputs.account = String(inputs.account);
    const reasons = issues.map(({ field, message }) => `${this.definition.kind}: ${field} ${message}`);
    if (settingsIssue !== undefined) reasons.push(`settings: ${settingsIssue}`);
    // The engine prints the value of a property that a failure names, and it may be secret.
    return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    this.session.noteRegistration();
    const { definition } = this;
    const [state, args] = [unwrapAll(olds), unwrapAll(news)];
    return this.#guard("diff", args, {}, news, async () => {
      const context = this.#context(id, state);
      const changed = changedArguments(definition, state, args);
      this.#register(context, changed.length > 0, this.#fields(args));
      // A run that was killed between a new name's creation and the old one's deletion leaves two owners in the state.
      await this.session.ownership.registerExisting(context);
      // A write whose outcome is not known is looked at, whatever the program says now. What cannot be read is said by the update.
      const doubt =
        changed.length > 0 ? undefined : await describeUnconfirmed(context).catch(({ message }: Error) => message);
      if (doubt !== undefined) this.session.log(`${definition.kind} ${id}: ${doubt}`);
      return {
        changes: changed.length > 0 || doubt !== undefined,
        replaces: changed.filter((field) => definition.createOnly.includes(field)),
        deleteBeforeReplace: definition.collection === undefined,
      };
    });
  }

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const { definition, session } = this;
    const args = pickArguments(definition, unwrapAll(inputs));
    const wanted = this.#fields(args);
    return this.#guard("create", args, {}, inputs, async () => {
      if (isUnknown(args)) throw new Failure("an argument is not known");
      const account = session.account(args.account as string | undefined);
      const reserved = args.onExisting === "create" ? undefined : naturalKeyOf(definition, args);
      if (reserved !== undefined && !account.reserve(reserved)) {
        throw new Failure(
          "another resource of this program declares the same object; remove one of them" +
            (definition.collection === undefined ? "" : ', or say onExisting: "create" if there shall be two'),
        );
      }
      try {
        await session.accountVerifier.verifyBeforeWrite();
        session.journal.assertReadable();
        const metadata: Metadata = {
          instanceId: randomBytes(6).toString("base64url"),
          keyFingerprint: await session.fingerprint(),
        };
        const creation = { definition, session, account, args, declared: wanted, metadata };
        const made =
          definition.collection === undefined ? await adoptSingleton(creation) : await createObject(creation);
        const place = { ...creation, key: made.key };
        await session.ownership.register(place);
        const outs = await this.#outs(place, args, made.newState, {});
        const id = account.id(made.key);
        if (made.failure !== undefined) {
          throw definition.collection === undefined
            ? this.#partial(id, outs, made.failure)
            : new PartialFailure(id, outs, made.failure);
        }
        return { id, outs };
      } catch (error) {
        if (reserved !== undefined && !(error instanceof PartialFailure)) account.release(reserved);
        throw error;
      }
    });
  }

  async read(id: string, props: Properties): Promise<{ id: string; props?: Properties; inputs?: Properties }> {
    const { definition, session } = this;
    const state = unwrapAll(props);
    return this.#guard("read", pickArguments(definition, state), {}, props, async () => {
      const context = this.#context(id, state);
      this.#register(context, false);
      const { account, key, metadata } = context;
      const item = await this.#item(context);
      if (item === undefined) {
        // Of one that is asked for by its id alone there is no state that it could be gone from.
        if (Object.keys(pickArguments(definition, state)).length === 0 && state[metadataKey] === undefined) {
          throw new Failure(`there is none with the id ${id} in the account; give the id of one that is there`);
        }
        // With another key, "gone" may mean that it is somebody else's account.
        await session.accountVerifier.verify(metadata.keyFingerprint);
        // An id is never given again: whatever was in doubt has become of no matter.
        if (definition.collection !== undefined) await forgetObject(context);
        return { id: "" };
      }
      const { fields: live, outputs } = definition.fromApi(item);
      const remembered = await unconfirmedWrites(context);
      const known = {
        ...context,
        detector: context.detector.withOriginals(remembered.originals, remembered.transferred),
      };
      const { displayed, fieldStates, holds } = detectDrift(this.#detectorFor(known, live), live);
      if (!holds || (metadata.unconfirmed !== undefined && context.detector.managedFields.length === 0))
        await session.accountVerifier.verify(metadata.keyFingerprint);
      await reconcile(context);
      const args: Properties = {
        ...definition.argsFromKey?.(key),
        ...(account.companyId !== undefined && { account: account.companyId }),
        ...pickArguments(definition, state),
      };
      for (const field of definition.fields) delete args[field];
      const change: NewState = {
        displayed,
        outputs,
        metadata: {
          ...metadata,
          keyFingerprint: await session.fingerprint(),
          fields: fieldStates,
          unconfirmed: remainingUnconfirmed(known, remembered.sentFingerprints, live),
        },
      };
      const outs = await this.#outs(context, args, change, state);
      return toJson({ id, props: outs, inputs: { ...args, ...displayed } });
    });
  }

  async update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    const { definition } = this;
    const [state, args] = [unwrapAll(olds), pickArguments(definition, unwrapAll(news))];
    const wanted = this.#fields(args);
    const live: Fields = {};
    return this.#guard("update", args, live, news, async () => {
      const context = this.#context(id, state);
      this.#register(context, true, wanted);
      const { ownership } = this.session;
      // Parts of what every account has once may be different resources' of different providers.
      if (
        definition.collection === undefined
          ? ownership.isOwnedByOtherHere(context)
          : await ownership.isOwnedByOther(context)
      ) {
        throw new Failure(
          'another resource of this program has just taken the object over; nothing was changed. Make the two resources different, or say onExisting: "create" for the new one',
        );
      }
      const { change, failure } = await updateObject(context, args, wanted, live);
      const outs = await this.#outs(context, args, change, state);
      if (failure === undefined) return { outs };
      for (const field of definition.fields) {
        // What is shown instead may be of a time when the argument was declared as secret, and the engine marks by today's.
        if (outs[field] !== undefined && outs[field] !== wanted[field]) outs[field] = secret(outs[field]);
      }
      throw this.#partial(id, outs, failure);
    });
  }

  async delete(id: string, props: Properties): Promise<void> {
    const state = unwrapAll(props);
    await this.#guard("delete", pickArguments(this.definition, state), {}, props, async () => {
      const context = this.#context(id, state);
      this.#register(context, true);
      const { definition, account, session } = context;
      if (await session.ownership.isOwnedByOther(context)) {
        // A resource with a new name, or a forced replacement: what is to be deleted is what has just been taken over.
        session.log(`${definition.kind} ${id} stays: another resource of this program has taken it over`);
        await transferOriginals(context);
        return;
      }
      if (definition.collection === undefined) await restoreSingleton(context);
      else await deleteObject(context);
      await forgetObject(context);
      account.release(naturalKeyOf(definition, { ...definition.argsFromKey?.(context.key), ...state }));
    });
  }

  #context(id: string, state: Properties): ResourceContext {
    const { definition, session } = this;
    const slash = id.indexOf("/");
    const account = session.account(slash < 0 ? undefined : id.slice(0, slash));
    const metadata = decodeMetadata(definition, state);
    return {
      definition,
      session,
      account,
      key: id.slice(slash + 1),
      state,
      metadata,
      detector: new DriftDetector(definition, state, metadata.fields ?? {}),
    };
  }

  /** What the service shows of it, as a refresh may see it; nothing where the object or its sub account is gone. */
  async #item({ definition, account, key }: ResourceContext) {
    return (await accountExists(account)) ? definition.read(account, key, refreshMaxAge) : undefined;
  }

  /** An object that is read by its id alone manages every field that it has. */
  #detectorFor({ definition, state, detector }: ResourceContext, live: Fields): DriftDetector {
    return detector.managedFields.length > 0
      ? detector
      : new DriftDetector(definition, { ...state, ...live }, detector.fieldStates);
  }

  /** Remembers, in memory, what the state knows of an object: who owns it, and what proves the account. */
  #register(context: ResourceContext, changing: boolean, wanted: Fields = {}): void {
    const { definition, session, account, key, state, detector, metadata } = context;
    session.pendingCreates.remove(metadata.instanceId);
    definition.collection?.objects(account).creator.registerExisting(key, !changing && state.onExisting !== "create");
    session.accountVerifier.addProbe(
      metadata.keyFingerprint,
      definition.collection === undefined ? "text" : "id",
      async () => {
        const item = await this.#item(context);
        if (item === undefined) return false;
        const { fields: live } = definition.fromApi(item);
        const holds = (field: string) => detector.matchesApplied(field, live[field]);
        if (definition.collection === undefined)
          return detector.managedFields.some(holds) || hasOwnWrite(context, live);
        // As it is wanted: by an update whose answer was lost.
        const isWanted = (field: string) =>
          live[field] !== undefined && isEquivalent(definition, field, wanted[field], live[field]);
        return detector.managedFields.every((field) => holds(field) || isWanted(field));
      },
    );
  }

  #fields(args: Properties): Fields {
    return Object.fromEntries(
      this.definition.fields.flatMap((field) => (args[field] === undefined ? [] : [[field, args[field] as string]])),
    );
  }

  /** The outputs: arguments, live fields, what the service adds, and the hidden bookkeeping. Nothing undeclared. */
  async #outs(
    place: Parameters<typeof acknowledge>[0],
    args: Properties,
    { displayed, outputs, metadata }: NewState,
    state: Properties,
  ): Promise<Properties> {
    const { definition } = this;
    const before = Object.fromEntries(Object.keys(definition.outputs.shape).map((name) => [name, state[name]]));
    const settings = Object.fromEntries(
      Object.entries(args).filter(([name]) => !(definition.fields as readonly string[]).includes(name)),
    );
    const given = Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== undefined));
    const outs: Properties = unwrapAll({ ...settings, ...displayed, ...before, ...given });
    for (const name of definition.secrets) if (outs[name] !== undefined) outs[name] = secret(outs[name]);
    return toJson({ ...outs, [metadataKey]: encodeMetadata(await acknowledge(place, metadata)) });
  }

  /**
   * A failure that keeps the properties; as it is, where they are too long for what carries them. Not for a creation of what has
   * an id, which nobody else would know.
   */
  #partial(id: string, properties: Properties, failure: unknown): unknown {
    const length = Buffer.byteLength(JSON.stringify(properties));
    return length > maxPartialBytes ? failure : new PartialFailure(id, properties, failure);
  }

  async #guard<T>(verb: Verb, args: Properties, live: Fields, inputs: Properties, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The engine takes these properties as the new state: without this member nothing could be done with it any more.
      if (error instanceof PartialFailure) error.properties.__provider = inputs.__provider;
      const redact = (text: string) => this.session.redact(text);
      const { account } = unwrapAll(inputs);
      const companyId = typeof account === "string" || typeof account === "number" ? String(account) : undefined;
      throw hookError(error, { definition: this.definition, verb, args, live, companyId, redact });
    }
  }
}
