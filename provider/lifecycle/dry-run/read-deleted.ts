/** Reads the object of a planned deletion. */
import { ApiError } from "../../../sdk/errors";
import { Failure } from "../../core/failure";
import { type Fields, flatten, isSingleton } from "../../core/resource-definition";
import { readMaxAge } from "../../core/time-limits";
import type { DeletedObject, DeletedResource } from "../../plan/deletion-effect";
import type { Session } from "../../session/session";
import { withCopies } from "../compare-pictures";
import { readRestored } from "../delete/restore-singleton";
import { readObject } from "../read-object";
import { readFields, resourceContext } from "../resource-context";

export class DeletedReader {
  #first: Promise<unknown> | undefined;
  /** Why the service cannot be reached: no other object is asked for then. */
  #unreachable: Error | undefined;

  constructor(
    readonly session: Session,
    /** True if the run reads the account first: then its plan shows what was changed. */
    readonly isRefreshed: boolean,
  ) {}

  /** @throws what cannot be read */
  async read(resource: Omit<DeletedResource, "container">): Promise<DeletedObject> {
    const attempt = () =>
      this.#read(resource).catch((error) => {
        if (!(error instanceof Failure) && !(error instanceof ApiError && error.status < 500))
          this.#unreachable = error;
        throw error;
      });
    if (this.#first === undefined) {
      const first = attempt();
      this.#first = first.catch(() => undefined);
      return first;
    }
    await this.#first;
    if (this.#unreachable !== undefined) throw this.#unreachable;
    return attempt();
  }

  async #read({ definition, id, state }: Omit<DeletedResource, "container">): Promise<DeletedObject> {
    const { session } = this;
    const context = resourceContext(definition, session, id, flatten(definition, state));
    const { hasAccount, item } = await readObject(context, readMaxAge.preview);
    const refusesConflicts = !this.isRefreshed && session.connection.config.values.onConflict !== "overwrite";
    if (isSingleton(definition)) {
      const live: Fields = item === undefined ? {} : definition.fromApi(item).fields;
      return { ...(await readRestored(context, live)), live, hasAccount, refusesConflicts };
    }
    const live: Fields | undefined = item === undefined ? undefined : readFields(context, item).fields;
    const unconfirmed = await session.ledger.readUnconfirmed(await withCopies(context, live ?? {}));
    return { unconfirmed, live, hasAccount, isSamePicture: () => false, refusesConflicts };
  }
}
