/** What is asked of the objects of an account: to create one, unless an existing one is adopted. */
import type { CreateLog, CreateRequest } from "../../core/object-access";
import { naturalKeyOf } from "../../core/resource-definition";
import type { CreateContext } from "../resource-context";
import { journalName } from "../unconfirmed-writes";

export async function createRequest(create: CreateContext): Promise<CreateRequest<unknown>> {
  const { definition, account, args, writes } = create;
  const collection = definition.collection!;
  const onExisting = (args.onExisting ?? definition.defaults.onExisting) as "adopt" | "fail" | "create";
  // Adopting the object that is replaced would leave it without what only a creation returns.
  const isNewNeeded = create.isReplacement === true && definition.returnedOnce !== undefined;
  return {
    onExisting: isNewNeeded ? "create" : onExisting,
    match: (candidate) => collection.match(candidate, args),
    matchNew: (candidate) => collection.matchNew?.(candidate, args) ?? collection.match(candidate, args) === "same",
    isAlreadyExistsError: (error) => collection.isAlreadyExistsError?.(error) ?? false,
    post() {
      writes.count++;
      return collection.create(account, args);
    },
    log: await createLogOf(create),
  };
}

/** What the next run has to know of this create, should the state not include it. */
async function createLogOf({ definition, session, account, args, metadata }: CreateContext): Promise<CreateLog> {
  const { pendingCreates } = session;
  const instanceId = metadata.instanceId!;
  const name = await journalName({ definition, session, account, key: naturalKeyOf(definition, args), metadata });
  // What another stack of this folder has created is its own: its state includes that.
  const target = { kind: definition.kind, stack: session.stack, name: `${session.stack} ${name}` };
  const object = (id: string) => `${definition.kind} ${account.id(id)}`;
  return {
    get age() {
      return pendingCreates.age;
    },
    hasUnfinished: () => pendingCreates.hasUnfinished(target),
    unfinished() {
      const created = pendingCreates.allCreated();
      return pendingCreates.unfinished(target).map(({ instanceId: previous, existing, createdObject }) => ({
        existing,
        mayHaveCreated: (id) =>
          createdObject === undefined
            ? !existing.includes(id) && !created.has(object(id))
            : createdObject === object(id),
        forget: () => pendingCreates.remove(previous),
      }));
    },
    begin: (existing) => pendingCreates.begin(target, instanceId, existing),
    created: (id) => pendingCreates.recordCreated(instanceId, object(id)),
    discard: () => pendingCreates.remove(instanceId),
  };
}
