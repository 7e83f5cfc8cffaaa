/** Builds the request to create an object or to adopt an existing one. */
import { naturalKeyOf } from "../../../definitions/kind";
import type { CreateRequest } from "../../core/object-access";
import { matcherOf, newMatcherOf } from "../../objects/match-object";
import type { CreateContext } from "../resource-context";

export async function createRequest(create: CreateContext): Promise<CreateRequest<object>> {
  const { definition, session, account, args, metadata, writes, former } = create;
  const collection = definition.collection!;
  const onExisting = (args.onExisting ?? definition.defaults.onExisting) as "adopt" | "fail" | "create";
  // Adopting the object that is replaced would leave it without what only a creation returns.
  const isNewNeeded = create.isReplacement === true && definition.returnedOnce !== undefined;
  // A difference and a deletion have ended the record of the former instance.
  const hasFormerRecord = former !== undefined && !former.isDeleted && former.recorded === undefined;
  const name = naturalKeyOf(definition, args);
  return {
    name,
    onExisting: isNewNeeded ? "create" : onExisting,
    match: matcherOf(definition, args),
    matchNew: newMatcherOf(definition, args),
    isAlreadyExistsError: (error) => collection.isAlreadyExistsError?.(error) ?? false,
    settled: (keys) =>
      session.run.registrations.settled({ kind: definition.kind, ids: keys.map((key) => account.id(key)) }),
    post() {
      writes.count++;
      return collection.create(account, args);
    },
    log: await session.ledger.pendingCreate(
      { definition, account, metadata, key: name },
      { urn: create.urn, isAlike: onExisting === "create", isReplacement: former !== undefined },
      hasFormerRecord,
    ),
  };
}
