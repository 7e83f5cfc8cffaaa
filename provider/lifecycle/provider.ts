/** The life that all resources share: check, diff, create, read, update and delete, derived from a definition. */
import { randomBytes } from "node:crypto";
import { Failure, PartialFailure } from "../core/failure";
import { isUnknown, normalise, type Properties, plain, secret } from "../core/pulumi-values";
import { type Definition, declared, type Fields, identityOf, stackArgument } from "../core/resource-definition";
import { accountExists } from "../resources/company";
import { readAge } from "../session/account";
import type { Session } from "../session/session";
import { type Bookkeeping, bookkeepingOf, hidden, hide, tracesOf } from "../state/bookkeeping";
import { Echo, same, shownFields } from "../state/drift";
import { takeOver } from "./adopt-singleton";
import { changedArguments, checkArguments } from "./check";
import type { Change, Subject } from "./context";
import { createInCollection } from "./create-object";
import { deleteFromCollection } from "./delete-object";
import { failureOf, type Verb } from "./describe-error";
import { restore } from "./restore-singleton";
import { doubtOf, forget, handOn, hasOwnWrite, heard, settle, stillPerhaps, unrecorded } from "./unconfirmed-writes";
import { changeObject } from "./update";

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
const mostPartial = 45_000;

export class Life {
  constructor(
    readonly definition: Definition,
    readonly session: Session,
  ) {}

  check(olds: Properties, news: Properties): CheckResult {
    this.session.registering();
    const { [stackArgument]: stack, ...inputs } = plain(news);
    if (typeof stack === "string") this.session.stack = stack;
    const { allowUnknownValues, settingsFault } = this.session;
    const faults = checkArguments(this.definition, plain(olds), inputs, allowUnknownValues);
    // Ids are texts everywhere, whatever a program gives.
    if (typeof inputs.account === "number") inputs.account = String(inputs.account);
    const reasons = faults.map(({ field, message }) => `${this.definition.kind}: ${field} ${message}`);
    if (settingsFault !== undefined) reasons.push(`settings: ${settingsFault}`);
    // The engine prints the value of a property that a failure names, and it may be secret.
    return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    this.session.registering();
    const { definition } = this;
    const [state, args] = [plain(olds), plain(news)];
    return this.#guard("diff", args, {}, news, async () => {
      const subject = this.#subject(id, state);
      const changed = changedArguments(definition, state, args);
      this.#note(subject, changed.length > 0, this.#fields(args));
      // A run that was killed between a new name's creation and the old one's deletion leaves two owners in the state.
      await this.session.owners.keepFor(subject);
      // A write whose outcome is not known is looked at, whatever the program says now. What cannot be read is said by the update.
      const doubt = changed.length > 0 ? undefined : await doubtOf(subject).catch(({ message }: Error) => message);
      if (doubt !== undefined) this.session.say(`${definition.kind} ${id}: ${doubt}`);
      return {
        changes: changed.length > 0 || doubt !== undefined,
        replaces: changed.filter((field) => definition.createOnly.includes(field)),
        deleteBeforeReplace: definition.life === undefined,
      };
    });
  }

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const { definition, session } = this;
    const args = declared(definition, plain(inputs));
    const wanted = this.#fields(args);
    return this.#guard("create", args, {}, inputs, async () => {
      if (isUnknown(args)) throw new Failure("an argument is not known");
      const account = session.account(args.account as string | undefined);
      const reserved = args.onExisting === "create" ? undefined : identityOf(definition, args);
      if (reserved !== undefined && !account.reserve(reserved)) {
        throw new Failure(
          "another resource of this program declares the same object; remove one of them" +
            (definition.life === undefined ? "" : ', or say onExisting: "create" if there shall be two'),
        );
      }
      try {
        await session.assurance.beforeWrite();
        session.journal.look();
        const book: Bookkeeping = {
          v: 1,
          born: randomBytes(6).toString("base64url"),
          key: await session.fingerprint(),
        };
        const creation = { definition, session, account, args, wanted, book };
        const made = definition.life === undefined ? await takeOver(creation) : await createInCollection(creation);
        const place = { ...creation, key: made.key };
        await session.owners.bear(place);
        const outs = await this.#outs(place, args, made.change, {});
        const id = account.id(made.key);
        if (made.failure !== undefined) {
          throw definition.life === undefined
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
    const state = plain(props);
    return this.#guard("read", declared(definition, state), {}, props, async () => {
      const subject = this.#subject(id, state);
      this.#note(subject, false);
      const { account, key, book } = subject;
      const item = await this.#item(subject);
      if (item === undefined) {
        // Of one that is asked for by its id alone there is no state that it could be gone from.
        if (Object.keys(declared(definition, state)).length === 0 && state[hidden] === undefined) {
          throw new Failure(`there is none with the id ${id} in the account; give the id of one that is there`);
        }
        // With another key, "gone" may mean that it is somebody else's account.
        await session.assurance.accept(book.key);
        // An id is never given again: whatever was in doubt has become of no matter.
        if (definition.life !== undefined) await forget(subject);
        return { id: "" };
      }
      const { fields: live, outputs } = definition.fromWire(item);
      const remembered = await unrecorded(subject);
      const known = { ...subject, echo: subject.echo.withOriginals(remembered.originals, remembered.handed) };
      const { shown, traces, holds } = shownFields(this.#echoFor(known, live), live);
      if (!holds || (book.perhaps !== undefined && subject.echo.managed.length === 0))
        await session.assurance.accept(book.key);
      await settle(subject);
      const args: Properties = {
        ...definition.ofKey?.(key),
        ...(account.companyId !== undefined && { account: account.companyId }),
        ...declared(definition, state),
      };
      for (const field of definition.managed) delete args[field];
      const change: Change = {
        shown,
        outputs,
        book: {
          ...book,
          key: await session.fingerprint(),
          fields: traces,
          perhaps: stillPerhaps(known, remembered.sent, live),
        },
      };
      const outs = await this.#outs(subject, args, change, state);
      return normalise({ id, props: outs, inputs: { ...args, ...shown } });
    });
  }

  async update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    const { definition } = this;
    const [state, args] = [plain(olds), declared(definition, plain(news))];
    const wanted = this.#fields(args);
    const live: Fields = {};
    return this.#guard("update", args, live, news, async () => {
      const subject = this.#subject(id, state);
      this.#note(subject, true, wanted);
      const { owners } = this.session;
      // Parts of what every account has once may be different resources' of different providers.
      if (definition.life === undefined ? owners.isTakenHere(subject) : await owners.isTaken(subject)) {
        throw new Failure(
          'another resource of this program has just taken the object over; nothing was changed. Make the two resources different, or say onExisting: "create" for the new one',
        );
      }
      const { change, failure } = await changeObject(subject, args, wanted, live);
      const outs = await this.#outs(subject, args, change, state);
      if (failure === undefined) return { outs };
      for (const field of definition.managed) {
        // What is shown instead may be of a time when the argument was declared as secret, and the engine marks by today's.
        if (outs[field] !== undefined && outs[field] !== wanted[field]) outs[field] = secret(outs[field]);
      }
      throw this.#partial(id, outs, failure);
    });
  }

  async delete(id: string, props: Properties): Promise<void> {
    const state = plain(props);
    await this.#guard("delete", declared(this.definition, state), {}, props, async () => {
      const subject = this.#subject(id, state);
      this.#note(subject, true);
      const { definition, account, session } = subject;
      if (await session.owners.isTaken(subject)) {
        // A resource with a new name, or a forced replacement: what is to be deleted is what has just been taken over.
        session.say(`${definition.kind} ${id} stays: another resource of this program has taken it over`);
        await handOn(subject);
        return;
      }
      if (definition.life === undefined) await restore(subject);
      else await deleteFromCollection(subject);
      await forget(subject);
      account.release(identityOf(definition, { ...definition.ofKey?.(subject.key), ...state }));
    });
  }

  #subject(id: string, state: Properties): Subject {
    const { definition, session } = this;
    const slash = id.indexOf("/");
    const account = session.account(slash < 0 ? undefined : id.slice(0, slash));
    const book = bookkeepingOf(definition, state);
    return {
      definition,
      session,
      account,
      key: id.slice(slash + 1),
      state,
      book,
      echo: new Echo(definition, state, tracesOf(book)),
    };
  }

  /** What the service shows of it, as a refresh may see it; nothing where the object or its sub account is gone. */
  async #item({ definition, account, key }: Subject) {
    return (await accountExists(account)) ? definition.read(account, key, readAge) : undefined;
  }

  /** An object that is read by its id alone manages every field that it has. */
  #echoFor({ definition, state, echo }: Subject, live: Fields): Echo {
    return echo.managed.length > 0 ? echo : new Echo(definition, { ...state, ...live }, echo.traces);
  }

  /** Remembers, in memory, what the state knows of an object: who owns it, and what proves the account. */
  #note(subject: Subject, changing: boolean, wanted: Fields = {}): void {
    const { definition, session, account, key, state, echo, book } = subject;
    session.creations.forget(book.born);
    definition.life?.collection(account).claims.note(key, !changing && state.onExisting !== "create");
    session.assurance.note(book.key, definition.life === undefined ? "text" : "id", async () => {
      const item = await this.#item(subject);
      if (item === undefined) return false;
      const { fields: live } = definition.fromWire(item);
      const holds = (field: string) => echo.holds(field, live[field]);
      if (definition.life === undefined) return echo.managed.some(holds) || hasOwnWrite(subject, live);
      // As it is wanted: by an update whose answer was lost.
      const isWanted = (field: string) =>
        live[field] !== undefined && same(definition, field, wanted[field], live[field]);
      return echo.managed.every((field) => holds(field) || isWanted(field));
    });
  }

  #fields(args: Properties): Fields {
    return Object.fromEntries(
      this.definition.managed.flatMap((field) => (args[field] === undefined ? [] : [[field, args[field] as string]])),
    );
  }

  /** The outputs: arguments, live fields, what the service adds, and the hidden bookkeeping. Nothing undeclared. */
  async #outs(
    place: Parameters<typeof heard>[0],
    args: Properties,
    { shown, outputs, book }: Change,
    state: Properties,
  ): Promise<Properties> {
    const { definition } = this;
    const before = Object.fromEntries(Object.keys(definition.outputs.shape).map((name) => [name, state[name]]));
    const settings = Object.fromEntries(
      Object.entries(args).filter(([name]) => !(definition.managed as readonly string[]).includes(name)),
    );
    const given = Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== undefined));
    const outs: Properties = plain({ ...settings, ...shown, ...before, ...given });
    for (const name of definition.secrets) if (outs[name] !== undefined) outs[name] = secret(outs[name]);
    return normalise({ ...outs, [hidden]: hide(await heard(place, book)) });
  }

  /**
   * A failure that keeps the properties; as it is, where they are too long for what carries them. Not for a creation of what has
   * an id, which nobody else would know.
   */
  #partial(id: string, properties: Properties, failure: unknown): unknown {
    const length = Buffer.byteLength(JSON.stringify(properties));
    return length > mostPartial ? failure : new PartialFailure(id, properties, failure);
  }

  async #guard<T>(verb: Verb, args: Properties, live: Fields, inputs: Properties, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The engine takes these properties as the new state: without this member nothing could be done with it any more.
      if (error instanceof PartialFailure) error.properties.__provider = inputs.__provider;
      const redact = (text: string) => this.session.redact(text);
      const { account } = plain(inputs);
      const companyId = typeof account === "string" || typeof account === "number" ? String(account) : undefined;
      throw failureOf(error, { definition: this.definition, verb, args, live, companyId, redact });
    }
  }
}
